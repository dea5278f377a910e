"""Papers, repositories and samples are found: by the search, page by page, by search engines."""

import pytest

from tests.shelf import CODES, OWN, line
from tests.web.page import Page, page_of
from tests.web.shelved import GRAFTS, Shelved, shelved
from web import papers

__all__ = ["shelved"]


def page(shelved: Shelved, address: str) -> Page:
    """A page, which has to be there."""
    return page_of(shelved.pages.page(address))


def sections(shelved: Shelved, query: str) -> set[str]:
    """The kinds of what a search finds."""
    found = page(shelved, f"/?q={query}").main.all("h2")
    return {one.attributes["id"] for one in found} & {"papers", "repositories", "samples"}


@pytest.mark.parametrize("words", ["graft", "GRAFTING", "wren+ada", "2603.0", "finch+grafting"])
def test_a_search_finds_papers_by_title_author_and_id(shelved: Shelved, words: str) -> None:
    """All words, in any order, whatever their case."""
    found = page(shelved, f"/?q={words}").section("papers")
    assert found.links() == {"Grafting": GRAFTS}
    assert found.one("h2").text == "Papers 1"


def test_a_search_finds_repositories_with_the_papers_that_link_them(shelved: Shelved) -> None:
    """A repository has no page of its own; the papers' pages tell of it."""
    found = page(shelved, "/?q=wren/grafts").section("repositories")
    assert "Wren/grafts linked with Grafting" in found.text
    assert found.links() == {"Grafting": f"{GRAFTS}#code"}
    assert sections(shelved, "grafts") == {"repositories"}


def test_a_search_finds_samples_by_their_first_digits(shelved: Shelved) -> None:
    """Eight at least, or more than are known; together with another word none."""
    for digits in (CODES[0][:8], CODES[0], CODES[0].upper(), f"{CODES[0]}{'0' * 48}"):
        found = page(shelved, f"/?q={digits}").section("samples")
        assert found.links() == {CODES[0]: f"/samples/{CODES[0]}"}
    for words in (CODES[0][:7], f"{CODES[0][:8]}+grafting", "deadbeef", "g" * 16):
        assert "samples" not in sections(shelved, words)


def test_a_search_of_an_earlier_day_finds_what_had_been_read_by_then(shelved: Shelved) -> None:
    """And its links are of that day."""
    assert sections(shelved, "grafting&as_read_on=2025-06-30") == set()
    assert sections(shelved, f"{CODES[0]}&as_read_on=2026-09-23") == set()
    assert sections(shelved, "grafts&as_read_on=2025-07-27") == set()
    found = page(shelved, "/?q=grafting&as_read_on=2025-07-28").section("papers")
    assert found.links() == {"Grafting": f"{GRAFTS}?as_read_on=2025-07-28"}


def test_what_was_taken_back_is_not_found(shelved: Shelved) -> None:
    """A sample whose only reading was withdrawn has no page, so there is nothing to lead to."""
    shelved.shelf.take_back(shelved.record)
    assert sections(shelved, CODES[0]) == set()


def test_a_repository_that_many_papers_link_names_the_first_of_them(shelved: Shelved) -> None:
    """And says how many others there are."""
    for number in range(5):
        slug = f"2604.0000{number}"
        shelved.shelf.bring(
            line("paper", slug=slug, title=f"Rooting {number}"),
            line("paper-reading", source="archive", paper=slug, read_at=f"2026-10-0{number + 1}"),
            line("listed-repository", repository=OWN),
            at="2026-10-01",
        )
    found = page(shelved, "/?q=wren/grafts").section("repositories")
    assert list(found.links()) == ["Grafting", "Rooting 0", "Rooting 1"]
    assert "and 3 other papers" in found.text


def test_the_list_of_papers_has_pages_that_stay(
    shelved: Shelved, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By id; each page begins where the one before ends, and a new paper moves none to another."""
    monkeypatch.setattr(papers, "MOST_PAPERS", 2)
    shelved.shelf.bring(
        *(line("paper", slug=f"2604.0000{one}", title=f"Rooting {9 - one}") for one in range(5)),
        at="2026-10-01",
    )
    first = page(shelved, "/papers")
    assert "6 papers in all" in first.main.text
    seen, address, links = [], "/papers", first.main.links()
    for _ in range(3):
        links = page(shelved, address).main.links()
        seen += [one for one in links.values() if one.startswith("/papers/")]
        address = links.get("Papers after these", "")
    assert seen == [GRAFTS, *(f"/papers/2604.0000{one}" for one in range(5))]
    assert address == ""
    back = page(shelved, links["Papers before these"]).main.links()
    assert [one for one in back.values() if one.startswith("/papers/")] == seen[2:4]
    shelved.shelf.bring(line("paper", slug="2604.00009", title="A"), at="2026-10-01")
    after = page(shelved, "/papers?after=2604.00000").main.links()
    assert [one for one in after.values() if one.startswith("/papers/")] == seen[2:4]
    assert "No paper is there." in page(shelved, "/papers?after=9999.0").main.text


@pytest.mark.parametrize(
    "query", ["after=", "after=%20b", "after=a&before=b", "after=a&after=b", "page=2", "after=Ä"]
)
def test_what_no_list_begins_with_is_400(shelved: Shelved, query: str) -> None:
    """As whatever else no page knows."""
    assert shelved.pages.get(f"/papers?{query}").status_code == 400


def test_search_engines_are_told_of_papers(shelved: Shelved) -> None:
    """By their plain addresses."""
    assert f"{GRAFTS}</loc>" in shelved.pages.get("/sitemap.xml").text
