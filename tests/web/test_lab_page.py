"""A lab's page, and a model's: who made it, what is stated for it, where it stands."""

import pytest

from tests.web.orchard import Orchard
from tests.web.page import Page, page_of
from tests.web.seeded import READ_ON, seeded, seeded_once

__all__ = ["seeded", "seeded_once"]


def page(orchard: Orchard, address: str) -> Page:
    """A page that has to be there."""
    return page_of(orchard.page(address))


def test_a_lab_lists_its_models_with_how_much_is_stated(seeded: Orchard) -> None:
    """Newest first, then by name; benchmarks and numbers are counted."""
    lab = page(seeded, "/labs/openai")
    assert lab.main.one("h1").text == "OpenAI"
    rows = [[cell.text for cell in row.values()] for row in lab.rows("models-table")]
    assert rows == [
        ["GPT-4o Nov 2024", "Nov 2024", "1", "1"],
        ["GPT-4o May 2024", "May 2024", "1", "1"],
    ]
    deepseek = page(seeded, "/labs/deepseek")
    assert "3 models, 3 launch posts and documents read." in deepseek.main.text
    flash = next(row for row in deepseek.rows("models-table") if "V4.1 Flash" in row["Model"].text)
    assert flash["Numbers stated"].text == "2"


def test_a_lab_lists_what_it_published(seeded: Orchard) -> None:
    """LP-05, SC-04: launch posts and documents by date, with their kinds."""
    rows = page(seeded, "/labs/bytedance-seed").rows("sources-table")
    assert [(row["Published"].text, row["Kind"].text) for row in rows] == [
        ("4 Aug 2025", "Lab technical report"),
        ("31 Jul 2025", "Lab launch post"),
        ("4 Jun 2025", "Lab technical report"),
        ("8 May 2025", "Lab launch post"),
    ]
    assert all(row["Source"].one("a").attributes["href"].startswith("/sources/") for row in rows)


def test_a_lab_of_another_day_counts_what_was_read_by_then(orchard: Orchard) -> None:
    """Before any reading there are no numbers; the independent ones come with theirs."""
    before = page(orchard, "/labs/alder-labs?as_read_on=2025-07-01")
    assert {row["Numbers stated"].text for row in before.rows("models-table")} == {"0"}
    then = page(orchard, "/labs/alder-labs?as_read_on=2025-07-20")
    models = {row["Model"].text: row["Numbers stated"].text for row in then.rows("models-table")}
    assert models == {"Alder 7B May 2025": "0", "Birch": "3"}
    now = page(orchard, "/labs/alder-labs")
    models = {row["Model"].text: row["Numbers stated"].text for row in now.rows("models-table")}
    assert models == {"Alder 7B May 2025": "1", "Birch": "4"}


@pytest.mark.parametrize("address", ["/labs/unknown", "/labs/UPPER", "/labs/alder-labs/", "/labs"])
def test_a_lab_that_is_not_there_is_404(orchard: Orchard, address: str) -> None:
    """An unknown name, and addresses that nothing can have."""
    assert orchard.get(address).status_code == 404


def test_labs_are_found_from_boards_models_and_sources(seeded: Orchard) -> None:
    """And all links of a page of another day stay there."""
    day = f"?as_read_on={READ_ON}"
    for address in ("/benchmarks/bigcodebench", "/models/gpt-4o-2024-05"):
        assert page(seeded, address + day).main.links()["OpenAI"] == f"/labs/openai{day}"
    source = page(seeded, f"/sources/deepseek-v4-pro-launch-post{day}")
    assert source.main.links()["DeepSeek"] == f"/labs/deepseek{day}"
    lab = page(seeded, f"/labs/openai{day}")
    assert lab.main.links()["GPT-4o"] == f"/models/gpt-4o-2024-05{day}"


def test_a_model_says_where_it_stands_and_under_which_names_else(seeded: Orchard) -> None:
    """Its place on each benchmark, the metric's name, the unit of the metric, its versions."""
    model = page(seeded, f"/models/gpt-4o-2024-05?as_read_on={READ_ON}")
    assert "Number 4 of 83 (All, claims included)." in model.main.text
    (row,) = model.rows("claims-bigcodebench")
    assert (row["Metric"].all("a")[0].text, row["Score"].text) == (
        "pass@1 by Official BigCodeBench leaderboard",
        "56.1%",
    )
    assert "Others of this name GPT-4o Nov 2024" in model.main.text


def test_one_model_has_its_numbers_of_all_benchmarks_on_its_page(seeded: Orchard) -> None:
    """INC-80: two benchmarks, a lab's number and an independent one."""
    model = page(seeded, f"/models/qwen1.5-72b?as_read_on={READ_ON}")
    assert "2 numbers on 2 benchmarks, each with its source." in model.main.text
    assert [row["Score"].text for row in model.rows("claims-bigcodebench")] == ["36.8%"]
    assert [row["Score"].text for row in model.rows("claims-code-interpreter")] == ["73.1%"]
