"""The page of a paper on its days: each clock tells its own, and nothing shows before its time."""

import pytest

from ledger.sample import sample_id
from tests.shelf import CODES, FULL, LABEL, RECORD, counts, sample
from tests.web.orchard import Orchard
from tests.web.paper_reading import cells, ids, on
from tests.web.shelved import GRAFTS, OPEN_CODE, Shelved, paper, paper_once, shelved
from tests.web.test_paper_pages import RAN, TITLE
from web.app import create_app

__all__ = ["paper", "paper_once", "shelved"]


# --- the clocks -------------------------------------------------------------------------------


def test_before_anything_was_read_nothing_shows_and_the_page_says_why(paper: Orchard) -> None:
    """Not even its code: the page says when it was first read."""
    page = on(paper, OPEN_CODE, "2025-07-27")
    assert "nothing of it had been read by then; the first reading is of 2025-07-28" in (
        page.main.text
    )
    assert ids(page) == []


def test_of_august_2025_there_is_the_archive_and_nothing_that_ran(paper: Orchard) -> None:
    """Its repository and flags, its empty results with the freeze date, and no reachability."""
    page = on(paper, OPEN_CODE, "2025-08-01")
    (row,) = page.rows("repositories")
    assert row["Repository"].text.startswith("opencodeinterpreter/opencodeinterpreter")
    assert "not marked official, not recorded as mentioned" in row["Repository"].text
    assert row["Reachability"].text == ""
    assert "nothing of reachability shows" in page.section("code").text
    assert "nothing is said of what ran" in page.section("ran").text
    assert [cells(one)["What"] for one in page.rows("dates-table")] == [
        "Paper archive frozen",
        "this page",
    ]


@pytest.mark.parametrize(("day", "state"), [("2026-09-17", "open"), ("2026-09-20", "closed")])
def test_a_window_that_did_not_probe_it_shows_nothing(paper: Orchard, day: str, state: str) -> None:
    """Said in words, so that nothing is not taken for unreachable."""
    page = on(paper, OPEN_CODE, day)
    said = page.section("code").text
    assert f"16 Sep 2026 to 18 Sep 2026 ({state})" in said
    assert "It probed none of these repositories, so nothing shows." in said
    assert page.rows("repositories")[0]["Reachability"].text == ""
    assert "nothing is said of what ran" in page.section("ran").text


def test_of_the_day_of_the_record_there_is_what_ran_with_its_blame(paper: Orchard) -> None:
    """3 harvested, 3 ran, 0 honoured, 1 violated, 2 drafts wrong; no run and fixture are nought."""
    page = on(paper, OPEN_CODE, "2026-09-24")
    said = page.section(RAN).text
    assert "3 of 3 samples from 1 repository ran; 0 without a recorded run." in said
    assert "community (archive-listed): 3 samples from 1 repository, 3 ran" in said
    found = {one["Outcome"].text: cells(one) for one in page.rows("outcomes-syntology")}
    counted = {name: one["Samples"].partition(" ")[0] for name, one in found.items()}
    assert counted == {
        "ran · honoured": "0",
        "ran · violated contract": "1",
        "ran · our draft was wrong": "2",
        "fixture could not drive it": "0",
        "no recorded run": "0",
    }
    assert found["fixture could not drive it"]["Samples"] == "0 by the sum"
    assert [one["Blames"] for one in found.values()] == [
        "nobody",
        "the code",
        "the instrument",
        "the instrument",
        "nobody",
    ]
    assert "Pointer only: 0 of 3." in said


def test_each_date_says_what_it_means_and_none_is_made_up(paper: Orchard) -> None:
    """Frozen, probed, read; when it was harvested and ran nobody stated."""
    rows = [cells(one) for one in on(paper, OPEN_CODE, "2026-09-24").rows("dates-table")]
    assert {one["What"]: one["Date"] for one in rows} == {
        "Paper archive frozen": "28 Jul 2025",
        "probe window": "16 Sep 2026 to 18 Sep 2026",
        "Syntology read": "24 Sep 2026",
        "harvested": "not stated",
        "ran": "not stated",
        "this page": "24 Sep 2026",
    }
    assert "when the record was read, not when samples ran" in {
        one["What it means"] for one in rows
    }


def test_the_bar_turns_to_the_days_on_which_anything_was_read(paper: Orchard) -> None:
    """From the archive to the window to the record; an earlier page says how much follows."""
    page = on(paper, OPEN_CODE, "2026-09-17")
    links = page.main.links()
    assert links["Previous change 16 Sep 2026"].endswith("as_read_on=2026-09-16")
    assert links["Next change 18 Sep 2026"].endswith("as_read_on=2026-09-18")
    assert "2 changes after this day" in links


# --- on the way -------------------------------------------------------------------------------


def test_the_list_of_papers_is_of_its_day(paper: Orchard) -> None:
    """One that nothing had been read of is not in it yet."""
    assert on(paper, "/papers").main.links()[TITLE] == OPEN_CODE
    before = on(paper, "/papers", "2025-07-27")
    assert TITLE not in before.main.links()
    assert "nothing had been read of any paper" in before.main.text


def test_a_pinned_page_may_be_kept_for_ever_and_any_other_is_confirmed(paper: Orchard) -> None:
    """As every page of a time; the permalink is one."""
    plain = paper.get(OPEN_CODE)
    assert paper.get(OPEN_CODE, If_None_Match=plain.headers["ETag"]).status_code == 304
    links = on(paper, OPEN_CODE).main.all("a")
    pinned = next(
        one.attributes["href"]
        for one in links
        if "recorded_through=" in one.attributes["href"] and OPEN_CODE in one.text
    )
    kept = paper.get(pinned)
    assert kept.status_code == 200
    assert "immutable" in kept.headers["Cache-Control"]


def test_json_and_citations_are_of_the_same_moment(paper: Orchard) -> None:
    """Under the names of the command line's JSON; a citation is pinned."""
    found = paper.json(f"{OPEN_CODE}.json?as_read_on=2025-08-01")
    assert found["records"] == []
    assert found["paper"]["title"] == TITLE
    assert "2402.14658" in paper.get(f"{OPEN_CODE}.bib?as_read_on=2025-08-01").text
    csl = paper.get(f"{OPEN_CODE}.csl.json").json
    assert csl is not None
    assert "recorded_through=" in str(csl)
    assert paper.json(f"/labels/{label_in(paper)}.json")["name"] == "community (archive-listed)"


def label_in(paper: Orchard) -> str:
    """The label of the demo's repository."""
    found = paper.json(f"{OPEN_CODE}.json")
    return str(found["repositories"][0]["labels"][0]["id"])


@pytest.mark.parametrize(
    ("address", "status"),
    [
        ("/papers/9999.99999", 404),
        ("/papers/9999.99999.json", 404),
        ("/labels/l00000000000000000000000", 404),
        ("/labels/l0", 404),
        (f"{OPEN_CODE}?view=all", 400),
        (f"{OPEN_CODE}?as_read_on=2025-02-30", 400),
    ],
)
def test_what_cannot_be_asked_is_refused_with_the_reason(
    paper: Orchard, address: str, status: int
) -> None:
    """Never today's page in the place of another."""
    assert paper.get(address).status_code == status


def test_a_pinned_page_says_the_same_whatever_is_recorded_later(shelved: Shelved) -> None:
    """Another reading and two decisions later, to the byte and from another process's memory."""
    shelf, pages = shelved.shelf, shelved.pages
    pinned = f"as_read_on=2026-11-01&corrected=then&recorded_through={pages.head}"
    named = (GRAFTS, f"{GRAFTS}.json", f"/samples/{CODES[1]}", f"/labels/{LABEL}", "/papers")
    addresses = [f"{one}?{pinned}" for one in named]
    before = [pages.get(one).data for one in addresses]
    shelf.read(RECORD, "2026-10-01", counts(3, 3, 0, honoured=1, draft_wrong=2), sample(FULL))
    shelf.correct(LABEL, f"labels/{LABEL}", shelved.archive, label="named-in-paper")
    shelf.correct(sample_id(CODES[1]), f"samples/{CODES[1]}", shelved.record, outcome="violated")
    later = create_app(shelf.desk.workspace).test_client()
    assert [later.get(one).data for one in addresses] == before
    assert later.get(GRAFTS).data not in before


def test_the_sitemap_and_the_head_of_every_page_lead_to_papers(paper: Orchard) -> None:
    """To the list and to each of them."""
    found = paper.get("/sitemap.xml").text
    for address in ("/papers", OPEN_CODE, "/probes"):
        assert f"{address}</loc>" in found
    assert on(paper, "/").root.one("header").links()["Papers"] == "/papers"
