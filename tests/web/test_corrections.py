"""The public log: every decision is there, a later one changes none before it, on both engines."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from ledger import commands as orders
from ledger.values import PartialDate
from tests.web.flat_page import Page
from tests.web.kites import HERON, LOON, Kites, make_kites, open_kites
from tests.web.public_log import ATOM, by_title, feed, table, text, three, told
from web.settings import Settings

# --- every decision is there ------------------------------------------------------------------


def test_every_decision_is_listed_newest_first_rejections_too(kites: Kites) -> None:
    """With number, date, type, reason, board, before → after, decider, snapshot and a link."""
    kites.correct("70.1")
    kites.wait(days=1)
    kites.decide(statement="The table says what we say.")
    page = text(kites, "/corrections")
    assert page.index("Correction 2: declined") < page.index("Correction 1: accepted")
    assert "About Heron-7B on KiteBench v1; nothing was changed." in page
    assert "Heron-7B on KiteBench v1: score 72.5 → 70.1" in page
    assert "1 Jul 2025, 08:00:00 UTC by boris; correction; wrong value; snapshot checked:" in page
    html = kites.page("/corrections")
    assert '<a href="/corrections/1">' in html
    assert f"/snapshots/{kites.snapshot()}" in html


def test_the_story_of_three_shows_everywhere_in_turn(kites: Kites) -> None:
    """Board, claim, log, CSV and feed show 72.5, 70.1, 71.0 and 70.1 again."""
    steps: list[Callable[[], object]] = [
        lambda: None,
        lambda: kites.correct("70.1"),
        lambda: kites.correct("71.0", replaces="1.1"),
        lambda: kites.reverse("2.1"),
    ]
    shown: list[str] = []
    for step in steps:
        step()
        kites.wait(hours=1)
        rows = kites.json("/benchmarks/kitebench.json")["rows"]
        (score,) = [row["score"] for row in rows if row["as_written"] == "Heron-7B"]
        assert f"Heron-7B: {score}%" in text(kites, f"/claims/{HERON}")
        if shown:
            assert table(kites)[0]["after"] == score
            assert f"→ {score}" in text(kites, "/corrections")
            assert f"→ {score}" in told(by_title(kites)[len(shown)], "content")
        shown.append(score)
    assert shown == ["72.5", "70.1", "71.0", "70.1"]


def test_the_chain_says_what_is_in_force(kites: Kites) -> None:
    """A reversal brings the one before back; each page says so, and links to the others."""
    three(kites)
    first, second, third = (text(kites, f"/corrections/{number}") for number in (1, 2, 3))
    assert "This decision is in force again, after correction 2 was undone." in first
    assert "This decision is no longer in force: correction 3 came in its place." in second
    assert "Undoes correction 2 on" in third
    chain = "Correction 1: accepted, by boris"
    assert chain in second
    assert chain in third
    log = kites.json("/corrections.json")["corrections"]
    assert [one["in_force"] for one in log] == [True, False, True]
    assert [(one["replaces"], one["replaced_by"]) for one in log] == [(2, None), (1, 3), (None, 2)]


def test_a_mark_leads_to_the_notice_of_the_decision_in_force(kites: Kites) -> None:
    """On the board and on the claim: after the reversal that is the first one again."""
    first = kites.correct("70.1")
    second = kites.correct("71.0", replaces=first)
    board, claim = "/benchmarks/kitebench", f"/claims/{HERON}"
    for address in (board, claim):
        assert '<a href="/corrections/2">corrected</a>' in kites.page(address)
    kites.reverse(second)
    for address in (board, claim):
        assert '<a href="/corrections/1">corrected</a>' in kites.page(address)


def test_a_page_read_before_shows_no_mark_and_says_changed_since(kites: Kites) -> None:
    """It keeps what was read, and leads to what was decided since."""
    kites.wait(days=1)
    kites.correct("70.1")
    day = "as_read_on=2025-06-15"
    for address in (f"/benchmarks/kitebench?{day}", f"/claims/{HERON}?{day}"):
        html = kites.page(address)
        assert ">corrected<" not in html
        assert "72.5" in html
        said = Page.of(html).text
        assert "Changed since: after this day 1 decision changed what is shown here" in said
        assert "changed since: correction 1" in said or "/claims/" in address
    for document in ("/benchmarks/kitebench", f"/claims/{HERON}"):
        (since,) = kites.json(f"{document}.json?{day}")["changed_since"]
        assert (since["correction"], since["claim_id"]) == (1, HERON)
        assert kites.json(f"{document}.json")["changed_since"] == []
    untouched = text(kites, f"/claims/{LOON}?{day}")
    assert "Changed since" not in untouched
    assert "Changed since" not in text(kites, f"/benchmarks/kitebench?{day}&corrected=since")
    assert "Changed since" not in text(kites, "/benchmarks/kitebench")


def test_a_pinned_board_never_hears_of_what_came_after_it(kites: Kites) -> None:
    """It is kept for ever, so it may not begin to say that something changed since."""
    pinned = f"/benchmarks/kitebench?as_read_on=2025-06-15&recorded_through={kites.head}"
    before = kites.page(pinned)
    kites.correct("70.1")
    assert kites.page(pinned) == before


# --- a pinned log -----------------------------------------------------------------------------


def test_a_pinned_log_never_changes(kites: Kites) -> None:
    """Not its entries, not what is in force, not what is found by a name that came later."""
    kites.correct("70.1")
    query = f"?as_read_on=2025-07-01&recorded_through={kites.head}"
    addresses = [f"/corrections{form}{query}" for form in ("", ".json", ".csv")]
    addresses += [f"/corrections{query}&q=heron", f"/corrections/1{query}"]
    before = [kites.get(address).text for address in addresses]
    kites.wait(days=1)
    kites.correct("71.0", replaces="1.1")
    kites.file()
    kites.withdraw(kites.file())
    assert [kites.get(address).text for address in addresses] == before


# --- P026 -------------------------------------------------------------------------------------


def test_a_withdrawal_and_its_undoing_are_both_readable(kites: Kites) -> None:
    """Case P026: present, absent with mark and reason, present again; the source's own date is a
    field that moves nothing, and what changed last only grows."""
    day: dict[str, Any] = {}
    kites.clock.now = kites.clock.now.replace(month=6, day=22, hour=6, minute=1, second=27)
    wish = orders.Retract(claim=HERON, applies_from="start", upstream_on=PartialDate("2025-06-20"))
    kites.decide(wish, type="retraction", reason="source-withdrew-it")
    kites.clock.now = kites.clock.now.replace(day=27)
    kites.decide(
        orders.Reinstate(claim=HERON, applies_from="start"), type="reinstatement", replaces="1.1"
    )
    kites.clock.now = kites.clock.now.replace(day=30)
    for read_on in ("2025-06-21", "2025-06-23", "2025-06-28"):
        board = kites.json(f"/benchmarks/kitebench.json?as_read_on={read_on}")
        day[read_on] = "Heron-7B" in [row["as_written"] for row in board["rows"]]
    assert day == {"2025-06-21": True, "2025-06-23": False, "2025-06-28": True}
    claim = text(kites, f"/claims/{HERON}?as_read_on=2025-06-23")
    assert "retracted" in claim
    assert "source withdrew it" in claim
    reinstated, withdrawn = kites.json("/corrections.json")["corrections"]
    assert withdrawn["claims"][0]["upstream_on"] == "2025-06-20"
    assert withdrawn["decided_at"].startswith("2025-06-22T06:01:27")
    assert withdrawn["changed_at"] == reinstated["decided_at"]
    assert "This decision is no longer in force: correction 2" in text(kites, "/corrections/1")


# --- the other engine -------------------------------------------------------------------------


def test_on_postgresql_the_log_says_the_same(
    kites: Kites, tmp_path: Path, postgres_url: str
) -> None:
    """Entries, filters, search, paging, feed, notices and what changed since."""
    settings = Settings(home=tmp_path / "home", database_url=postgres_url, two_person=False)
    make_kites(settings)
    with open_kites(settings) as other:
        for one in (kites, other):
            one.correct("70.1", statement="Straße, 100%, ÉTÉ")
            one.wait(days=1)
            one.reverse("1.1")
            one.decide(number=one.file("benchmarks/gliders"), snapshot=None, outcome="duplicate")
            one.withdraw(one.file(f"claims/{LOON}"))
        for query in (
            "",
            "q=heron",
            "q=straße",
            "q=100%25",
            "q=LOON",
            "q=_",
            "benchmark=gliders",
            "benchmark=kitebench&outcome=reversed",
            "year=2025&decided_by=clara",
            "count=1",
            "count=1&before=3",
            "count=1&after=1",
            "as_read_on=2025-07-01",
        ):
            address = f"/corrections.json?{query}"
            found = [without_positions(one.json(address)) for one in (kites, other)]
            assert found[0] == found[1], query
            assert other.get(f"/corrections?{query}").status_code == 200
        for address in ("/corrections/1.json", "/corrections/2.json", "/corrections/3.json"):
            assert without_positions(kites.json(address)) == without_positions(other.json(address))
        assert len(feed(other).findall("a:entry", ATOM)) == 3
        assert "changed since: correction 1, correction 2" in text(
            other, "/benchmarks/kitebench?as_read_on=2025-06-15"
        )


def without_positions(document: Any) -> Any:
    """A document without what two ledgers count each for themselves."""
    return {name: value for name, value in document.items() if name not in ("before", "after")}
