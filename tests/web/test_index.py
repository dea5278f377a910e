"""The index: benchmarks by category, and a search for plain words that works without a script."""

import pytest

from tests.web.orchard import Orchard
from tests.web.page import Page, page_of
from tests.web.seeded import seeded, seeded_once
from web.showing.named import MOST

__all__ = ["seeded", "seeded_once"]


DAY = "2025-07-28"


def index(orchard: Orchard, query: str = "") -> Page:
    """The index, which has to be there."""
    return page_of(orchard.page(f"/{query}"))


def found(orchard: Orchard, query: str) -> list[str]:
    """The names of the benchmarks that a search finds."""
    return [one.all("a")[0].text for one in index(orchard, query).main.all("h3")]


@pytest.mark.parametrize(
    "words",
    ["big", "BIGCODE", "code+big", "python+libraries", "coding", "university", "deepseek", "139"],
)
def test_a_search_finds_words_anywhere_in_any_order(seeded: Orchard, words: str) -> None:
    """In names, descriptions, categories, facts and the leader's name; case is no matter."""
    assert "BigCodeBench" in found(seeded, f"?q={words}")


def test_every_word_has_to_occur(seeded: Orchard) -> None:
    """One that occurs nowhere leaves nothing, and the page says so."""
    assert found(seeded, "?q=python+functions") == ["BigCodeBench"]
    assert found(seeded, "?q=python") == [
        "BigCodeBench",
        "SWE-bench Verified",
        "Code Interpreter Benchmark",
    ]
    page = index(seeded, "?q=python+zebra")
    assert not page.main.all("h3")
    assert "0 benchmarks with “python zebra”." in page.main.text
    assert "No benchmark has all of this." in page.main.text


def test_a_search_finds_models_and_labs_too(seeded: Orchard) -> None:
    """By name, with the version; each leads to its page."""
    page = index(seeded, "?q=gpt-4o")
    links = page.section("models").links()
    assert links == {"GPT-4o": "/models/gpt-4o-2024-11", "GPT-4o mini": "/models/gpt-4o-mini"}
    assert "GPT-4o May 2024 GPT-4o Nov 2024 GPT-4o mini" in page.section("models").text
    assert index(seeded, "?q=seed").section("labs").links() == {
        "ByteDance Seed": "/labs/bytedance-seed"
    }


def test_a_search_shows_so_many_models_and_says_how_many_there_are(seeded: Orchard) -> None:
    """The list is bounded; the count is not."""
    models = index(seeded, "?q=e").section("models")
    count = int(models.one("h2").text.split()[1])
    assert len(models.all("a")) == MOST < count
    assert f"and {count - MOST} more; another word narrows them down" in models.text


@pytest.mark.parametrize("pattern", ["%25", "_", ".*", "big*", "[a-z]", "\\", "'", "(", "c$"])
def test_no_character_has_a_special_meaning(seeded: Orchard, pattern: str) -> None:
    """Case P044: words are words."""
    assert found(seeded, f"?q={pattern}zzz") == []
    assert seeded.get(f"/?q={pattern}").status_code == 200


def test_a_search_is_bounded(seeded: Orchard) -> None:
    """Length, number of words, and characters that nobody sees: refused with the reason."""
    for query, why in (
        ("?q=" + "a" * 129, "at most 128 characters"),
        ("?q=" + "+".join("abcdefghi"), "at most 8 words"),
        ("?q=a%00b", "a reader cannot see"),
        ("?q=a%E2%80%AEb", "a reader cannot see"),
        ("?q=a&q=b", "give it once"),
        ("?query=a", "has no parameter"),
    ):
        response = seeded.get(f"/{query}")
        assert (response.status_code, why in response.text) == (400, True), query


def test_the_categories_are_a_form_that_may_stay_empty(seeded: Orchard) -> None:
    """BP-16: all benchmarks of a category have an address; an empty field asks for nothing."""
    assert found(seeded, "?q=&category=") == found(seeded, "")
    assert found(seeded, "?category=Tool+use")[-2:] == ["MCP Atlas", "τ³-bench Banking"]
    assert found(seeded, "?category=Tool+use&q=python") == ["Code Interpreter Benchmark"]
    page = index(seeded, "?category=Tool+use")
    assert page.main.one("h1").text == "Benchmarks: Tool use"
    (chosen,) = [one for one in page.main.all("option") if "selected" in one.attributes]
    assert chosen.text == "Tool use (7)"
    assert found(seeded, "?category=Unheard-of") == []


def test_an_index_of_another_day_stays_there(orchard: Orchard) -> None:
    """Links, form and search keep the moment; what was not read by then is not there."""
    day = f"as_read_on={DAY}"
    page = index(orchard, f"?{day}&q=orchard")
    assert "share the top score of 71.0%" in page.main.text
    assert page.main.links()["Orchard"] == f"/benchmarks/orchard?{day}"
    hidden = {
        one.attributes["name"]: one.attributes["value"]
        for one in page.main.one("form", "controls").all("input")
        if one.attributes["type"] == "hidden"
    }
    assert hidden == {"as_read_on": DAY}
    early = index(orchard, "?as_read_on=2025-07-01").main.text
    assert "Nothing had been read for orchard by 2025-07-01" in early


def test_a_page_elsewhere_leads_to_the_search(orchard: Orchard) -> None:
    """Every page has it at its top, a page that is not there too."""
    for address in ("/benchmarks/orchard", "/corrections", "/nowhere"):
        form = page_of(orchard.get(address).text).root.one("header").one("form")
        assert form.attributes["action"] == "/"
        assert form.one("input").attributes["name"] == "q"
