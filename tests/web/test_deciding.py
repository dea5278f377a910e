"""Deciding, whatever the way: who may, what it takes, and what changed since somebody looked."""

import pytest

from ledger import commands as orders
from ledger import events as ev
from ledger.claim import claim_id
from ledger.errors import BadValue, NeedsSecondPerson, NoSnapshotChecked, Refused, SelfReview
from tests.web.desk import COPIED, HERON, IBIS, LOON, Desk, open_desk
from web.reviewing.bulk import decide_each, latest_snapshot
from web.reviewing.since import ChangedSince
from web.settings import Settings

# --- one decision -----------------------------------------------------------------------------


def test_a_decision_is_recorded_once_and_shows_in_the_log(desk: Desk) -> None:
    """One event on the report, the changed score on the board, one entry with its terms."""
    number = desk.file()
    made = desk.decide(desk.order(number, desk.correct(), checks=("digits", "row")))
    assert desk.events(number) == ["report-filed", "decision-made"]
    assert desk.scores()["Heron-7B"] == "70.1"
    assert made.entry is not None
    assert [entry.decision for entry in desk.log()] == [made.name] == [made.entry.decision]
    assert (made.entry.decided_by, made.entry.snapshot) == ("boris", desk.snapshot())
    assert desk.workspace.ledger.report(number).decided[made.name][1].checks == ("row", "digits")


def test_nobody_decides_their_own_report(desk: Desk) -> None:
    """Not as the first person, not as the second, and not by undoing."""
    number = desk.file(by="boris")
    with pytest.raises(SelfReview):
        desk.decide(desk.order(number))
    proposed = desk.decide(desk.order(number, desk.correct(), propose=True), by="clara")
    with pytest.raises(SelfReview):
        desk.approve(proposed, by="boris")
    returned = orders.ReturnDecision(number=number, decision=proposed.name, why="No.")
    with pytest.raises(SelfReview):
        desk.decide(returned, by="boris")
    made = desk.approve(proposed, by="mira")
    with pytest.raises(SelfReview):
        desk.reverse(made, by="boris")


@pytest.mark.parametrize(
    "said", [{"reason": " "}, {"statement": ""}, {"outcome": "maybe"}, {"checks": ("all",)}]
)
def test_a_decision_says_its_outcome_reason_and_statement(desk: Desk, said: dict[str, str]) -> None:
    """Without words, or with words that nobody knows, nothing is recorded."""
    number = desk.file()
    with pytest.raises(BadValue):
        desk.decide(desk.order(number, **said))
    assert desk.events(number) == ["report-filed"]


def test_a_decision_names_the_snapshot_that_was_checked(desk: Desk) -> None:
    """One about a claim does not go without, whether it changes anything or not."""
    number = desk.file()
    for effects in ((), (desk.correct(),)):
        with pytest.raises(NoSnapshotChecked):
            desk.decide(desk.order(number, *effects, snapshot=None))


def test_a_report_is_decided_in_parts(desk: Desk) -> None:
    """Each part is a decision of its own, and the report stays open while something remains."""
    number = desk.file()
    desk.decide(desk.order(number, desk.correct(), outcome="accepted-in-part", remainder=True))
    assert desk.workspace.ledger.report(number).state == "open"
    desk.decide(desk.order(number, outcome="declined", statement="The rest is right."))
    assert desk.workspace.ledger.report(number).state == "decided"
    assert [entry.report for entry in desk.log()] == [number, number]


def test_one_decision_may_correct_several_claims(desk: Desk) -> None:
    """The copied board is corrected along with its original, in one entry."""
    number = desk.file()
    both = (desk.correct(), desk.correct(claim=COPIED))
    made = desk.decide(desk.order(number, *both, outcome="accepted-with-changes"))
    assert made.entry is not None
    assert {touched.claim_id for touched in made.entry.claims} == {HERON, COPIED}


def test_from_when_a_correction_applies_is_what_the_reviewer_said(desk: Desk) -> None:
    """An instant is kept as it was given."""
    number, since = desk.file(), desk.clock()
    made = desk.decide(desk.order(number, desk.correct(applies_from=since)))
    assert made.entry is not None
    (touched,) = made.entry.claims
    assert touched.applies_from == since.isoformat()


# --- the second person ------------------------------------------------------------------------


def test_a_removal_waits_for_a_second_person(desk: Desk) -> None:
    """Nothing changes until somebody else approves; the log then names both."""
    number, version = desk.file(LOON), desk.workspace.ledger.claim(LOON).version
    retract = orders.Retract(claim=LOON, version=version, applies_from="start")
    proposed = desk.decide(desk.order(number, retract))
    assert (proposed.proposed, proposed.entry) == (True, None)
    assert proposed.why == ("it takes a claim off every board",)
    assert "Loon-3B" in desk.scores()
    with pytest.raises(NeedsSecondPerson):
        desk.approve(proposed, by="boris")
    made = desk.approve(proposed)
    assert "Loon-3B" not in desk.scores()
    assert made.entry is not None
    assert (made.entry.proposed_by, made.entry.decided_by) == ("boris", "clara")


def test_many_claims_at_once_wait_for_a_second_person(desk: Desk) -> None:
    """More than ten; and undoing it is a fact of each claim, not a row that is deleted (P026)."""
    rows = "".join(f"Finch-{number},{number}\n" for number in range(1, 13))
    desk.read_again(f"model,score\nHeron-7B,72.5\nIbis-13B,80.0\nLoon-3B,40\n{rows}")
    finches = [claim_of(f"Finch-{number}") for number in range(1, 13)]
    change = [desk.correct(claim=one, to=(("setting", "3-shot"),)) for one in finches]
    number = desk.file(finches[0])
    proposed = desk.decide(desk.order(number, *change))
    assert proposed.why == ("it touches 12 claims, more than 10",)
    made = desk.approve(proposed)
    undone = desk.approve(desk.reverse(made, by="boris"))
    assert undone.entry is not None
    assert len(undone.entry.claims) == 12
    last = desk.workspace.ledger.store.stream(f"claim:{finches[0]}")[-1]
    assert isinstance(last.event, ev.ClaimDecisionReversed)


def claim_of(model: str) -> str:
    """The claim of a row of the leaderboard."""
    return claim_id("kite-board", "kitebench", model, "score", None)


def test_another_number_one_waits_for_a_second_person(desk: Desk) -> None:
    """The rule is asked with the effect that is worked out here, not with what somebody says."""
    number = desk.file(IBIS)
    proposed = desk.decide(desk.order(number, desk.correct("70", IBIS), changes_number_one=False))
    assert proposed.why == ("a board gets another number one",)
    assert desk.scores()["Ibis-13B"] == "80.0"


def test_what_takes_two_people_to_decide_takes_two_to_undo(desk: Desk) -> None:
    """A reversal that gives a board another number one is proposed, also on a decided report."""
    made = desk.accept("70", IBIS)
    assert desk.scores()["Ibis-13B"] == "70"
    undoing = desk.reverse(made, by="boris")
    assert (undoing.proposed, desk.scores()["Ibis-13B"]) == (True, "70")
    undone = desk.approve(undoing)
    assert undone.entry is not None
    assert (undone.entry.outcome, undone.entry.proposed_by) == ("reversed", "boris")
    assert desk.scores()["Ibis-13B"] == "80.0"


def test_undoing_a_reinstatement_is_a_removal(desk: Desk) -> None:
    """It takes the claim off the boards again, so it takes two; undoing a removal does not."""
    claims = desk.workspace.ledger.claim
    number = desk.file(LOON)
    retract = orders.Retract(claim=LOON, version=claims(LOON).version, applies_from="start")
    removed = desk.approve(desk.decide(desk.order(number, retract, remainder=True)))
    back = orders.Reinstate(claim=LOON, version=claims(LOON).version, applies_from="start")
    reinstated = desk.decide(desk.order(number, back))
    assert not reinstated.proposed
    assert desk.reverse(reinstated).why == ("it takes a claim off every board",)
    waiting = desk.workspace.ledger.report(number).proposed
    returned = orders.ReturnDecision(number=number, decision=next(iter(waiting)), why="No.")
    assert desk.decide(returned).returned
    assert not desk.reverse(removed).proposed


def test_without_the_rule_one_person_is_enough(desk: Desk) -> None:
    """The setting switches it off."""
    settings = Settings(home=desk.workspace.settings.home, two_person=False)
    with open_desk(settings, desk.clock) as alone:
        made = alone.decide(alone.order(alone.file(IBIS), alone.correct("70", IBIS)))
    assert not made.proposed


def test_a_second_person_may_send_a_proposal_back(desk: Desk) -> None:
    """The report is open again, and why stands in its history."""
    number = desk.file()
    proposed = desk.decide(desk.order(number, desk.correct(), propose=True))
    order = orders.ReturnDecision(number=number, decision=proposed.name, why="Check the appendix.")
    assert desk.decide(order, by="clara").returned
    assert desk.events(number) == ["report-filed", "decision-proposed", "decision-returned"]
    assert not desk.decide(desk.order(number, desk.correct("70.2"))).proposed


def test_a_proposal_that_waits_keeps_others_from_deciding(desk: Desk) -> None:
    """Unless they overrule it by name: then it is sent back, in the same step (case P046)."""
    number = desk.file()
    held = desk.decide(desk.order(number, propose=True))
    with pytest.raises(Refused, match="awaits a second person"):
        desk.decide(desk.order(number, desk.correct()), by="clara")
    desk.decide(desk.order(number, desk.correct(), replaces=held.name), by="clara")
    assert desk.events(number)[1:] == ["decision-proposed", "decision-returned", "decision-made"]
    (_, terms), *_ = desk.workspace.ledger.report(number).decided.values()
    assert terms.replaces == held.name


# --- what changed since -----------------------------------------------------------------------


def test_an_outdated_page_is_refused_with_what_changed_since(desk: Desk) -> None:
    """A withdrawal that came in between is told, and nothing is recorded (case P006)."""
    number = desk.file()
    order = desk.order(number, desk.correct())
    withdrawal = orders.WithdrawReport(number=number, reason="The run was adaptive.")
    desk.workspace.ledger.do(withdrawal, "dana")
    with pytest.raises(ChangedSince, match="withdrawn by its reporter: The run was adaptive"):
        desk.decide(order)
    assert desk.scores()["Heron-7B"] == "72.5"
    assert desk.log() == []


def test_that_a_report_was_withdrawn_may_be_told_in_public(desk: Desk) -> None:
    """Nothing else can be decided on it, and it changes no claim."""
    number = desk.file()
    proposed = desk.decide(desk.order(number, desk.correct(), propose=True))
    desk.workspace.ledger.do(orders.WithdrawReport(number=number), "dana")
    with pytest.raises(Refused, match="withdrawn by its reporter"):
        desk.approve(proposed)
    with pytest.raises(Refused, match="withdrawn by its reporter"):
        desk.decide(desk.order(number, desk.correct()))
    made = desk.decide(desk.order(number, outcome="withdrawn", snapshot=None))
    assert made.entry is not None
    assert (made.entry.outcome, made.entry.claims) == ("withdrawn", ())


def test_a_claim_that_moved_on_is_looked_at_again(desk: Desk) -> None:
    """Its source was read anew after the page was opened."""
    number = desk.file()
    order = desk.order(number, desk.correct())
    desk.read_again("model,score\nHeron-7B,71.9\nIbis-13B,80.0\nLoon-3B,40\n")
    with pytest.raises(ChangedSince, match=r"its source was read to state 71\.9"):
        desk.decide(order)
    assert desk.events(number) == ["report-filed"]


def test_a_proposal_is_not_approved_on_a_claim_that_moved_on(desk: Desk) -> None:
    """What was proposed was worked out on another number; it has to be sent back."""
    number = desk.file()
    proposed = desk.decide(desk.order(number, desk.correct(), propose=True))
    desk.read_again("model,score\nHeron-7B,71.9\nIbis-13B,80.0\nLoon-3B,40\n")
    with pytest.raises(Refused, match="moved on"):
        desk.approve(proposed)


# --- many at once -----------------------------------------------------------------------------


def test_many_reports_are_turned_down_at_once_each_with_a_decision_of_its_own(desk: Desk) -> None:
    """One that cannot be decided says why, and the others stand."""
    numbers = [desk.file(), desk.file(by="boris"), desk.file()]
    wanted = [
        desk.order(number, snapshot=latest_snapshot(desk.workspace, number)) for number in numbers
    ]
    settled = decide_each(desk.workspace, wanted, "boris")
    assert [one.refusal is None for one in settled] == [True, False, True]
    assert isinstance(settled[1].refusal, SelfReview)
    assert [entry.report for entry in desk.log()] == [numbers[2], numbers[0]]
