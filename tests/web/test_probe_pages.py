"""The page of a probe window: which links, what was found, how much of it is done."""

from tests.shelf import line
from tests.web.orchard import Orchard
from tests.web.page import page_of
from tests.web.shelved import LINK, WINDOW, Shelved, paper, paper_once, shelved

__all__ = ["paper", "paper_once", "shelved"]

ITS = f"/probes/{WINDOW}"


def test_coverage_says_how_much_is_done_and_what_is_left(shelved: Shelved) -> None:
    """In numbers and by name; of what was not probed nothing else is said."""
    page = page_of(shelved.pages.page(ITS))
    said = page.section("coverage").text
    assert "1 of 2 links probed: 0 reachable, 1 unreachable, 0 the probe could not tell." in said
    assert "Left 1" in said
    (row,) = page.rows("links-table")
    assert row["Link"].text == "Wren/grafts"
    assert row["Link"].one("a").attributes["href"] == LINK
    assert row["Found"].text == "unreachable not found HTTP 404"
    assert row["Probed"].text == "17 Sep 2026"
    assert "https://example.org/Finch/g" in page.section("links").text


def test_a_window_says_its_state_by_the_day(shelved: Shelved) -> None:
    """Open on its days, closed after them; before it was opened there is no page."""
    pages = shelved.pages
    assert pages.get(f"{ITS}?as_read_on=2026-09-15").status_code == 404
    first = page_of(pages.page(f"{ITS}?as_read_on=2026-09-16"))
    assert first.main.one("h1").text.endswith("open")
    assert "No link had been probed by this moment." in first.section("links").text
    assert (
        page_of(pages.page(f"{ITS}?as_read_on=2026-09-19")).main.one("h1").text.endswith("closed")
    )


def test_a_window_of_which_nobody_said_how_many_links_makes_up_no_number(paper: Orchard) -> None:
    """Not stated, not known; and closed, so it takes no more probes."""
    said = page_of(paper.page("/probes/syntology-2026-09")).section("coverage").text
    assert "how many there are to probe is not stated" in said
    assert "Left not known" in said
    assert "it takes no more probes" in said


def test_a_window_about_a_paper_leads_to_it(shelved: Shelved) -> None:
    """By its title."""
    days = {"first_day": "2026-10-01", "last_day": "2026-10-02"}
    about = line("probe-window", slug="w", subject="links", about="papers/2603.01234", **days)
    shelved.shelf.bring(about, at="2026-10-01")
    page = page_of(shelved.pages.page("/probes/w"))
    assert page.main.links()["Grafting"] == "/papers/2603.01234"


def test_all_windows_are_listed_with_their_days(shelved: Shelved) -> None:
    """The newest first, each leading to its own page."""
    page = page_of(shelved.pages.page("/probes"))
    (row,) = page.rows("windows")
    assert row["Days"].text == "16 Sep 2026 to 18 Sep 2026"
    assert row["What"].one("a").attributes["href"] == ITS
    assert row["Probed"].text == "1 of 2 links"
    assert ITS in page_of(shelved.pages.page("/papers")).main.links().values()


def test_a_window_leads_to_its_form_and_has_json_and_citations(shelved: Shelved) -> None:
    """As every page of a time."""
    pages = shelved.pages
    page = page_of(pages.page(ITS))
    targets = {one.attributes["href"] for one in page.root.all("a") if "report-link" in one.names}
    assert {pages.get(one).status_code for one in targets} == {200}
    assert pages.json(f"{ITS}.json")["coverage"]["left"] == 1
    assert pages.get(f"{ITS}.bib").status_code == 200
    assert pages.get(f"{ITS}.csl.json").status_code == 200
    assert pages.get("/probes/nowhere").status_code == 404
