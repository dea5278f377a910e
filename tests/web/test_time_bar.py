"""The time bar: of when a page is, the changes before and after, and the four ways to read it."""

from datetime import UTC, datetime
from urllib.parse import parse_qs, urlsplit

import pytest

from ledger import commands as orders
from ledger.claim import claim_id
from ledger.values import Digest
from tests.web.kites import HERON, LOON, Kites
from tests.web.orchard import BIRCH, BOARD, NOW, WRONG, Orchard, correct, read_board
from tests.web.page import Element, page_of
from web.when.bar import after
from web.wiring import Workspace

DAY = "2025-07-28"
PAGES = [BOARD, f"/claims/{BIRCH}", "/models/birch", "/sources/orchard-board"]
HISTORY = "/models/birch/history"


def bar_of(html: str) -> Element:
    """The bar of a page."""
    (found,) = [one for one in page_of(html).root.all("section") if "time" in one.names]
    return found


def turns(html: str) -> list[tuple[str, str | None]]:
    """Where the previous and the next change are: in words, and the day or instant of the link."""
    found = []
    for one in bar_of(html).every():
        if "turn" in one.names:
            asked = parse_qs(urlsplit(one.attributes.get("href", "")).query)
            found.append((one.text, asked.get("as_read_on", [None])[0]))
    return found


def forms(html: str) -> list[dict[str, str]]:
    """What each form of the bar sends as it stands."""
    return [
        {
            one.attributes["name"]: one.attributes["value"]
            for one in form.all("input")
            if one.attributes.get("type") != "radio" or "checked" in one.attributes
        }
        for form in bar_of(html).all("form")
    ]


# --- from change to change --------------------------------------------------------------------


def test_the_bar_leads_to_the_change_before_and_the_next_one(orchard: Orchard) -> None:
    """From a day to days; the three readings and the correction are on three days."""
    assert turns(orchard.page(f"{BOARD}?as_read_on=2025-07-29")) == [
        ("Previous change 28 Jul 2025", DAY),
        ("Next change 10 Aug 2025", "2025-08-10"),
    ]
    assert turns(orchard.page(BOARD)) == [
        ("Previous change 10 Aug 2025", "2025-08-10"),
        ("No later change", None),
    ]
    assert turns(orchard.page(f"{BOARD}?as_read_on=2024-01-01")) == [
        ("No earlier change", None),
        ("Next change 20 Jul 2025", "2025-07-20"),
    ]


def test_from_an_instant_one_comes_to_an_instant(orchard: Orchard) -> None:
    """To the microsecond, so no reading is passed over."""
    html = orchard.page(f"{BOARD}?as_read_on=2025-07-29T00:00:00Z")
    assert turns(html) == [
        ("Previous change 28 Jul 2025, 23:59:59 UTC", "2025-07-28T23:59:59.999999Z"),
        ("Next change 29 Jul 2025, 06:30:00 UTC", "2025-07-29T06:30:00Z"),
    ]


def test_a_turn_is_a_day_on_which_this_very_board_changed(orchard: Orchard) -> None:
    """The correction was of a lab's number, so the board of independent runs knows none of it."""
    labs = f"{BOARD}?view=labs&as_read_on=2025-07-29"
    independent = f"{BOARD}?view=independent&as_read_on=2025-07-29"
    assert turns(orchard.page(labs))[1] == ("Next change 10 Aug 2025", "2025-08-10")
    assert turns(orchard.page(independent))[1] == ("No later change", None)
    hours = turns(orchard.page(f"{BOARD}?metric=hours&as_read_on=2025-07-29"))
    assert [day for _, day in hours] == ["2025-07-20", None]


def test_every_kind_of_page_turns_by_its_own_changes(orchard: Orchard) -> None:
    """A claim by its steps, a model by those of all its claims, a source by its readings."""
    at = "as_read_on=2025-07-29"
    days = {path: [day for _, day in turns(orchard.page(f"{path}?{at}"))] for path in PAGES}
    assert days == {
        BOARD: [DAY, "2025-08-10"],
        f"/claims/{BIRCH}": [DAY, None],
        "/models/birch": [DAY, "2025-08-10"],
        "/sources/orchard-board": [DAY, None],
    }
    assert [day for _, day in turns(orchard.page(f"{HISTORY}?{at}"))] == days["/models/birch"]


def test_a_turn_keeps_all_that_was_asked_for(orchard: Orchard) -> None:
    """View, metric, position and reading; only the day is another."""
    query = f"view=labs&metric=grown&corrected=since&recorded_through={orchard.head}"
    html = orchard.page(f"{BOARD}?{query}&as_read_on=2025-08-10")
    (previous, _) = [one for one in bar_of(html).every() if "turn" in one.names]
    asked = parse_qs(urlsplit(previous.attributes["href"]).query)
    assert {name: one for name, (one,) in asked.items()} == {
        "view": "labs",
        "metric": "grown",
        "corrected": "since",
        "recorded_through": str(orchard.head),
        "as_read_on": "2025-07-20",
    }


def test_a_pinned_page_knows_of_no_change_that_was_recorded_later(orchard: Orchard) -> None:
    """A late reading makes a change between two days; whoever asks for the position before it
    does not hear of it."""
    before = orchard.head
    address = f"{BOARD}?as_read_on=2025-07-29&recorded_through="
    read_board(orchard.workspace, "2025-08-01T000000Z.csv", "model,score\nElm,88\n")
    assert turns(orchard.page(f"{address}{before}"))[1][1] == "2025-08-10"
    assert turns(orchard.page(f"{address}{orchard.head}"))[1][1] == "2025-08-01"


def test_a_pinned_page_of_a_lab_knows_of_no_claim_that_became_its_model_s_later(
    orchard: Orchard,
) -> None:
    """A claim that a later decision says to be about the lab's model brings no turn to a page that
    is pinned to a position before."""
    rows = "model,score\nAlder 7B May 2025,72.5\nBirch,69\nElm,88\n"
    read_board(orchard.workspace, "2025-08-01T000000Z.csv", rows)
    address = f"/labs/alder-labs?as_read_on=2025-07-29&recorded_through={orchard.head}"
    orchard.workspace.catch_up()
    before = turns(orchard.page(f"{address}&corrected=then"))
    elm = claim_id("orchard-board", "orchard", "Elm", "grown", None)
    identify(orchard.workspace, 2, elm, "birch")
    # In other words, so that no page is met which was kept whole.
    assert turns(orchard.page(address)) == before
    now = f"/labs/alder-labs?as_read_on=2025-07-29&recorded_through={orchard.head}"
    assert turns(orchard.page(now)) != before


def identify(workspace: Workspace, number: int, claim: str, model: str) -> None:
    """Report a wrong model and accept it."""
    about = orders.FileReport(
        number=number,
        target=f"claims/{claim}",
        reason="wrong-model",
        received_at=workspace.ledger.clock(),
    )
    workspace.ledger.do(about, by="reader")
    decision = orders.Decide(
        number=number,
        outcome="accepted",
        type="correction",
        reason="wrong-model",
        statement="It is the same model.",
        snapshot=Digest(workspace.ledger.claim(claim).readings[-1].digest),
        effects=(orders.Reidentify(claim=claim, applies_from="start", model=model),),
    )
    workspace.ledger.do(decision, by="reviewer")
    workspace.catch_up()


# --- the four readings ------------------------------------------------------------------------


@pytest.mark.parametrize("path", [*PAGES, HISTORY])
def test_each_way_to_read_is_explained_and_keeps_the_names_of_the_contract(
    orchard: Orchard, path: str
) -> None:
    """One line each; only boards can be asked for as published by a day."""
    html = orchard.page(f"{path}?as_read_on={DAY}")
    said = {one.one("b").text for one in bar_of(html).all("span", "reading")}
    published = {"As published by a day"} if path == BOARD else set()
    always = {"As read on that day", "As we know it today", "Only what the ledger held then"}
    assert said == always | published
    assert all(one.one("span", "meaning").text for one in bar_of(html).all("span", "reading"))
    sent = forms(html)
    assert [set(one) - {"view", "metric"} for one in sent] == [
        {"as_read_on", "corrected"},
        {"as_read_on", "corrected", "recorded_through"},
        *([{"as_read_on", "corrected", "published_by"}] if published else []),
    ]
    assert all(one["as_read_on"] == DAY for one in sent)
    for one in sent:
        assert orchard.client.get(path, query_string=one).status_code == 200


def test_what_the_ledger_held_then_is_one_press_away(orchard: Orchard) -> None:
    """The field begins with the day shown; with the position on the page of now, and where the
    ledger held nothing yet."""
    for query, begins in (
        ("?as_read_on=2025-08-11", "2025-08-11"),
        ("", str(orchard.head)),
        (f"?as_read_on={DAY}", str(orchard.head)),
    ):
        _, held, _ = forms(orchard.page(f"{BOARD}{query}"))
        assert held["recorded_through"] == begins


def test_a_reading_in_use_is_shown_and_can_be_dropped(orchard: Orchard) -> None:
    """The folded forms stand open, and one link leads back to the day alone."""
    html = orchard.page(f"{BOARD}?published_by={DAY}&recorded_through=30&as_read_on={DAY}")
    (more,) = bar_of(html).all("details", "time-more")
    assert "open" in more.attributes
    back = more.links()["Drop what is set here"]
    assert back == f"{BOARD}?as_read_on={DAY}&corrected=then"
    assert "open" not in bar_of(orchard.page(BOARD)).one("details", "time-more").attributes


# --- what came since --------------------------------------------------------------------------


def test_an_earlier_page_says_how_much_changed_since_and_leads_there(orchard: Orchard) -> None:
    """The number is that of the entries behind it: two scores, a row that went, a decision."""
    links = bar_of(orchard.page(f"{BOARD}?as_read_on={DAY}")).links()
    where = links["4 changes in all"]
    assert urlsplit(where).path == f"{BOARD}/changes"
    assert parse_qs(urlsplit(where).query)["from"] == ["2025-07-29"]
    assert "4 changes, with 1 correction" in page_of(orchard.page(where)).root.text
    independent = bar_of(orchard.page(f"{BOARD}?view=independent&as_read_on={DAY}")).links()
    assert "3 changes in all" in independent or "3 changes after this day" in independent


def test_corrections_of_what_is_shown_are_named_and_can_be_taken_in(kites: Kites) -> None:
    """Of a claim its own alone; once they are shown they are no news."""
    kites.wait(days=1)
    kites.correct("70.1")
    day = "as_read_on=2025-06-15"
    links = bar_of(kites.page(f"/claims/{HERON}?{day}")).links()
    assert links["correction 1"] == "/corrections/1"
    taken_in = links["Show this day with what was corrected since"]
    assert taken_in == f"/claims/{HERON}?{day}&corrected=since"
    assert "70.1" in page_of(kites.page(taken_in)).root.one("h1").text
    for address in (taken_in, f"/claims/{LOON}?{day}", f"/claims/{HERON}"):
        assert "Changed since" not in bar_of(kites.page(address)).text


def test_the_page_of_now_is_nothing_special(orchard: Orchard) -> None:
    """No banner, and the link to what changed lately."""
    for path in PAGES:
        assert "Not the present state" not in bar_of(orchard.page(path)).text
    links = bar_of(orchard.page(BOARD)).links()
    lately = orchard.page(links["What changed between two days"])
    assert "From the start of 10 Aug 2025 to the end of 20 Aug 2025" in page_of(lately).root.text


# --- pinned -----------------------------------------------------------------------------------


@pytest.mark.parametrize("path", [*PAGES, HISTORY])
def test_the_permalink_is_pinned_to_the_day_and_the_position(orchard: Orchard, path: str) -> None:
    """It may be kept for ever, and says the same whatever comes."""
    cite = bar_of(orchard.page(f"{path}?as_read_on={DAY}")).one("details", "time-cite")
    address = next(one for text, one in cite.links().items() if text.startswith("http://"))
    asked = parse_qs(urlsplit(address).query)
    assert asked["as_read_on"] == [DAY]
    assert asked["recorded_through"] == [str(orchard.head)]
    before = orchard.get(address)
    assert before.headers["Cache-Control"].endswith("immutable")
    orchard.clock.now = datetime(2026, 1, 1, tzinfo=UTC)
    correct(orchard.workspace, 2, BIRCH, "33.3")
    read_board(orchard.workspace, "2025-07-10T000000Z.csv", "model,score\nBirch,5\n")
    assert orchard.get(address).data == before.data


@pytest.mark.parametrize("path", [*PAGES, HISTORY, f"{BOARD}.bib", f"/claims/{WRONG}.csl.json"])
@pytest.mark.parametrize(
    "query",
    [
        "as_read_on=2025-02-30",
        "as_read_on=28/07/2025",
        "as_read_on=",
        f"as_read_on={NOW.year + 1}-01-01",
        "recorded_through=x",
        "recorded_through=",
        "corrected=maybe",
        "published_by=2025-02-30",
        "date=2025-07-28",
    ],
)
def test_an_impossible_time_is_400_on_every_page(orchard: Orchard, path: str, query: str) -> None:
    """And never today's page."""
    assert orchard.get(f"{path}?{query}").status_code == 400


def test_the_day_after_a_day_and_the_instant_after_an_instant() -> None:
    """What came after is everything from there on, and nothing twice."""
    assert after("2024-02-28") == "2024-02-29"
    assert after("2025-12-31") == "2026-01-01"
    assert after("2025-07-28T23:59:59.999999Z") == "2025-07-29T00:00:00.000000Z"
    assert after("2025-07-29T01:00:00+01:00") == "2025-07-29T00:00:00.000001Z"
