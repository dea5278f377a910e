"""Taking back a withdrawal (P026)."""

import pytest

from ledger import commands as orders
from ledger import events as ev
from ledger.decision import TwoPersonRule
from ledger.errors import (
    NeedsSecondPerson,
)
from ledger.ledger import Ledger
from ledger.values import (
    PartialDate,
    short_instant,
)
from tests.cases.given import story
from tests.desk import Desk, claim


@pytest.fixture
def reinstated(desk: Desk) -> Desk:
    """A claim that was retracted on 22 June (upstream: the 20th) and came back on the 27th."""
    desk.at("2025-06-01T10:00:00Z").read("k,Heron-7B,70", "2025-06-01")
    desk.at("2025-06-22T06:01:27Z")
    retract = orders.Retract(
        claim=claim("k"), applies_from="start", upstream_on=PartialDate("2025-06-20")
    )
    desk.decide(desk.report(claim("k")), retract, type="retraction", reason="withdrawn upstream")
    desk.at("2025-06-27T10:00:00Z")
    reinstate = orders.Reinstate(claim=claim("k"), applies_from="start")
    desk.decide(desk.report(claim("k")), reinstate, type="reinstatement", reason="it was right")
    return desk


def test_a_retracted_claim_is_absent_with_a_marker_until_it_is_reinstated(reinstated: Desk) -> None:
    """P026: there on the 21st, gone with its reason on the 23rd, back on the 28th."""
    reinstated.at("2025-06-28T10:00:00Z")
    assert reinstated.scores("2025-06-21") == {"Heron-7B": "70"}
    gone = reinstated.board("2025-06-23")
    assert [(row.name, row.why_unranked) for row in gone.unranked] == [("Heron-7B", "retracted")]
    assert gone.rows == ()
    assert reinstated.log()[1].reason == "withdrawn upstream"
    assert reinstated.scores("2025-06-28") == {"Heron-7B": "70"}


def test_the_sources_own_date_of_a_withdrawal_moves_nothing(reinstated: Desk) -> None:
    """P026: it is a field of its own; the board goes by when it was decided here."""
    assert reinstated.scores("2025-06-20") == {"Heron-7B": "70"}
    fact = reinstated.workspace.ledger.claim(claim("k")).decisions[0].fact
    assert isinstance(fact, ev.ClaimRetracted)
    assert str(fact.upstream_on) == "2025-06-20"


def test_when_a_claim_last_changed_only_grows(reinstated: Desk) -> None:
    """P026: a reinstatement is a change, and no earlier one."""
    last = [
        story(reinstated, claim("k"), day).steps[-1].read_at
        for day in ("2025-06-21", "2025-06-23", "2025-06-27")
    ]
    assert [short_instant(one)[:10] for one in last] == ["2025-06-01", "2025-06-22", "2025-06-27"]


def test_a_bulk_withdrawal_needs_a_second_person_and_is_undone_as_events(desk: Desk) -> None:
    """P026: 90 of 100 rows go only when somebody else agrees, and come back without a deletion."""
    rows = ";".join(f"k{number},Model {number},{number}" for number in range(100))
    desk.at("2025-06-01T10:00:00Z").read(rows, "2025-06-01")
    ledger = Ledger(
        desk.workspace.ledger.store,
        desk.workspace.ledger.archive,
        desk.clock,
        TwoPersonRule(),
    )
    desk.at("2025-06-22T10:00:00Z")
    number = desk.report(claim("k0"))
    effects = tuple(
        orders.Retract(claim=claim(f"k{number}"), applies_from="start") for number in range(90)
    )
    decide = orders.Decide(
        number=number,
        outcome="accepted",
        type="removal",
        reason="other",
        statement="All of them.",
        snapshot=desk.snapshot(claim("k0")),
        effects=effects,
    )
    ledger.do(decide, "reviewer")
    (proposed,) = ledger.report(number).proposed
    approve = orders.ApproveDecision(number=number, decision=proposed)
    with pytest.raises(NeedsSecondPerson):
        ledger.do(approve, "reviewer")
    assert len(desk.board().rows) == 100
    desk.at("2025-06-23T10:00:00Z")
    ledger.do(approve, "second-reviewer")
    assert len(desk.board().rows) == 10

    head = ledger.store.head()
    desk.at("2025-06-24T10:00:00Z")
    reverse = orders.ReverseDecision(number=number, decision=proposed, statement="They were right.")
    ledger.do(reverse, "reviewer")
    for waiting in ledger.report(number).proposed:
        ledger.do(orders.ApproveDecision(number=number, decision=waiting), "second-reviewer")
    assert len(desk.board().rows) == 100
    undone = [
        one
        for one in ledger.store.after(head, 1_000)
        if isinstance(one.event, ev.ClaimDecisionReversed)
    ]
    assert len(undone) == 90
    assert [len(desk.board(day).rows) for day in ("2025-06-22", "2025-06-23", "2025-06-24")] == [
        100,
        10,
        100,
    ]
