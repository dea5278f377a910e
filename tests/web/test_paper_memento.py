"""Papers and samples travel in time as boards do: original resources, TimeGates, TimeMaps."""

from urllib.parse import parse_qs, urlsplit

import pytest

from tests.shelf import CODES, FULL, RECORD, label, line, run, sample
from tests.web.shelved import GRAFTS, Shelved, shelved
from tests.web.test_memento import FORMAT, HOST, ask, linked, links

__all__ = ["shelved"]

SAMPLE = f"/samples/{CODES[0]}"


@pytest.mark.parametrize("path", [GRAFTS, SAMPLE])
def test_a_page_names_its_timegate_and_timemap(shelved: Shelved, path: str) -> None:
    """And is a memento only where it is pinned and shows what was read."""
    page = shelved.pages.get(path)
    assert linked(page, "original")["address"] == f"{HOST}{path}"
    assert linked(page, "timegate")["address"] == f"{HOST}/timegate{path}"
    assert linked(page, "timemap")["address"] == f"{HOST}/timemap{path}"
    assert "Memento-Datetime" not in page.headers
    pinned = f"as_read_on=2026-09-24&recorded_through={shelved.shelf.head}"
    memento = shelved.pages.get(f"{path}?{pinned}")
    assert memento.headers["Memento-Datetime"] == "Thu, 24 Sep 2026 23:59:59 GMT"
    assert linked(memento, "original")["address"] == f"{HOST}{path}"
    for more in ("&corrected=since", "&published_by=2026-09-24"):
        assert "Memento-Datetime" not in shelved.pages.get(f"{path}?{pinned}{more}").headers
    assert "Memento-Datetime" not in shelved.pages.get(f"{path}.json?{pinned}").headers


def test_a_timemap_lists_when_anything_of_a_paper_was_read(shelved: Shelved) -> None:
    """Registration, archive, caveat, window, probe, record; each leads to a memento of then."""
    response = shelved.pages.get(f"/timemap{GRAFTS}")
    assert response.content_type == FORMAT
    found = [one for one in links(response.text) if "memento" in one["rel"].split()]
    days = [one["datetime"][5:16] for one in found]
    assert days == [
        "01 Jul 2025",
        "28 Jul 2025",
        "01 Sep 2026",
        "16 Sep 2026",
        "17 Sep 2026",
        "24 Sep 2026",
    ]
    for one in found:
        page = shelved.pages.get(one["address"])
        assert page.headers["Memento-Datetime"] == one["datetime"]
        assert "Nothing shows" not in page.text
        gate = ask(shelved.pages, f"/timegate{GRAFTS}", one["datetime"])
        assert gate.headers["Location"] == one["address"]


def test_a_decision_on_its_code_is_a_change_of_a_paper(shelved: Shelved) -> None:
    """Of the sample's page too; nothing of another page's."""
    before = shelved.pages.get(f"/timemap{GRAFTS}").text
    shelved.shelf.correct(f"s{CODES[0]}", f"samples/{CODES[0]}", shelved.record, outcome="violated")
    after = shelved.pages.get(f"/timemap{GRAFTS}").text
    assert "30 Nov 2026" not in before
    assert "30 Nov 2026" in after
    assert "30 Nov 2026" in shelved.pages.get(f"/timemap{SAMPLE}").text
    assert "30 Nov 2026" not in shelved.pages.get(f"/timemap/samples/{CODES[1]}").text


def test_a_timemap_stays_until_something_new_is_known_of_the_paper(shelved: Shelved) -> None:
    """What is recorded of other papers, of other links and of code elsewhere leaves it alone."""
    before = shelved.pages.get(f"/timemap{GRAFTS}").data
    own = {"address": "https://example.org/Robin/roots"}
    shelved.shelf.bring(
        line("paper", slug="2604.00001", title="Rooting"),
        line("repository", slug="robin--roots", name="Robin/roots", **own),
        line("paper-reading", source=RECORD, paper="2604.00001", read_at="2026-10-01T00:00:00Z"),
        sample("feedfacefeedface", "robin--roots"),
        run("feedfacefeedface", "violated"),
        at="2026-10-01",
    )
    assert shelved.pages.get(f"/timemap{GRAFTS}").data == before
    shelved.shelf.read("archive", "2026-08-01", label("archive-listed"))
    after = shelved.pages.get(f"/timemap{GRAFTS}")
    assert "Sat, 01 Aug 2026 00:00:00 GMT" in after.text


def test_a_timegate_leads_to_the_paper_as_it_was_then(shelved: Shelved) -> None:
    """The first where it is earlier; whatever is no page has neither."""
    for when, day in (
        ("Mon, 01 Jan 2024 00:00:00 GMT", "2025-07-01T00:00:00Z"),
        ("Wed, 16 Sep 2026 12:00:00 GMT", "2026-09-16T00:00:00Z"),
        (None, "2026-09-24T00:00:00Z"),
    ):
        where = urlsplit(ask(shelved.pages, f"/timegate{GRAFTS}", when).headers["Location"])
        assert (where.path, parse_qs(where.query)["as_read_on"]) == (GRAFTS, [day])
    for nothing in ("papers/2603.99999", f"samples/{'0' * 16}", "samples/nothing", "probes/links"):
        assert shelved.pages.get(f"/timemap/{nothing}").status_code in (400, 404)
        assert ask(shelved.pages, f"/timegate/{nothing}").status_code in (400, 404)


def test_mementos_of_a_sample_are_only_of_when_it_had_a_page(shelved: Shelved) -> None:
    """By all of its digits it has one from when these were read; by the first, from the start."""
    shelved.shelf.read(RECORD, "2026-10-01", sample(FULL), order="2")
    for digits, first in ((FULL, "01 Oct 2026"), (CODES[0], "24 Sep 2026")):
        found = links(shelved.pages.get(f"/timemap/samples/{digits}").text)
        mementos = [one for one in found if "memento" in one["rel"].split()]
        assert first in mementos[0]["datetime"]
        for one in mementos:
            assert shelved.pages.get(one["address"]).status_code == 200
