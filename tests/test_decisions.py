"""What a decision does to a board, told day by day: the rules of the fold as sentences."""

from pathlib import Path

import pytest

from ledger import commands as orders
from ledger import events as ev
from ledger.errors import (
    AlreadyDecided,
    BadValue,
    Conflict,
    NoSnapshotChecked,
    NotAReading,
    NothingChanges,
    Refused,
    SelfReview,
    TooLate,
)
from ledger.values import Slug, parse_instant
from projections.review.queue import claims_to_review
from tests.desk import Desk, claim, kinds, open_desk

HERON = claim("heron")


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    """Heron-7B was read to have 72.5 on 1 June; it is 10 June now."""
    made = open_desk(tmp_path)
    made.at("2025-06-10T12:00:00Z")
    made.read("heron,Heron-7B,72.5", "2025-06-01")
    return made


def score(desk: Desk, day: str | None = None, **how: str) -> str | None:
    """What Heron-7B shows on a day."""
    return desk.scores(day, **how).get("Heron-7B")


# --- corrections ------------------------------------------------------------------------------


def test_a_correction_shows_from_the_day_it_was_decided(desk: Desk) -> None:
    """The board as read before it still shows what was read then."""
    desk.correct(HERON, score="70.1")
    assert score(desk, "2025-06-10") == "70.1"
    assert score(desk, "2025-06-09") == "72.5"


def test_a_day_as_we_know_it_today_takes_later_corrections_in(desk: Desk) -> None:
    """From the instant that each applies from, and no earlier."""
    desk.correct(HERON, parse_instant("2025-06-05"), score="70.1")
    assert score(desk, "2025-06-05", corrected="since") == "70.1"
    assert score(desk, "2025-06-04", corrected="since") == "72.5"
    assert score(desk, "2025-06-05", corrected="then") == "72.5"


def test_a_board_cut_at_what_the_ledger_held_never_changes(desk: Desk) -> None:
    """Whatever is decided afterwards."""
    before = desk.workspace.ledger.store.head()
    desk.correct(HERON, score="70.1")
    for corrected in ("then", "since"):
        at = {"corrected": corrected, "recorded_through": str(before)}
        assert score(desk, "2025-06-10", **at) == "72.5"


def test_a_correction_of_a_correction_keeps_what_the_source_said(desk: Desk) -> None:
    """K1 corrects 72.5 to 70.1, K2 corrects that to 71.0, and K3 revokes K2: 70.1 again."""
    assert score(desk) == "72.5"
    desk.correct(HERON, score="70.1")
    assert score(desk) == "70.1"
    number, second = desk.correct(HERON, score="71.0")
    assert score(desk) == "71.0"
    decided = desk.workspace.ledger.claim(HERON).decisions[-1].fact
    assert isinstance(decided, ev.ClaimCorrected)
    assert decided.changes == (ev.Change("score", "72.5", "71.0"),)
    desk.reverse(number, second)
    assert score(desk) == "70.1"
    steps = kinds(desk.changes("2025-06-01", "2025-06-10"))
    assert steps == [
        ("recorded", None, "72.5"),
        ("corrected", "72.5", "70.1"),
        ("corrected", "70.1", "71.0"),
        ("corrected", "71.0", "70.1"),
    ]


def test_a_reversal_can_be_reversed(desk: Desk) -> None:
    """Undoing the undoing brings the correction back."""
    number, decision = desk.correct(HERON, score="70.1")
    desk.reverse(number, decision)
    assert score(desk) == "72.5"
    reversal = desk.workspace.ledger.report(number).reversed_by[decision]
    desk.reverse(number, reversal)
    assert score(desk) == "70.1"


def test_a_correction_shows_only_while_the_source_says_what_it_corrects(desk: Desk) -> None:
    """When the source moves on, the source shows, and the claim is put up for review."""
    desk.correct(HERON, score="70.1")
    desk.at("2025-06-20").read("heron,Heron-7B,73.0", "2025-06-15")
    assert score(desk, "2025-06-14") == "70.1"
    assert score(desk, "2025-06-15") == "73.0"
    state = desk.board().rows[0]
    assert not any(mark["kind"] == "corrected" for mark in state.marks)
    assert review_of(desk) == [HERON]


def test_a_source_that_comes_round_to_the_correction_is_not_reviewed(desk: Desk) -> None:
    """It says now what the decision said."""
    desk.correct(HERON, score="70.1")
    desk.at("2025-06-20").read("heron,Heron-7B,70.10", "2025-06-15")
    assert score(desk, "2025-06-15") == "70.10"
    assert review_of(desk) == []


def test_the_same_number_in_other_digits_is_still_what_was_corrected(desk: Desk) -> None:
    """72.50 is 72.5."""
    desk.correct(HERON, score="70.1")
    desk.at("2025-06-20").read("heron,Heron-7B,72.50", "2025-06-15")
    assert score(desk, "2025-06-15") == "70.1"


def review_of(desk: Desk) -> list[str]:
    """The claims that a reviewer has to look at again."""
    desk.workspace.follower.catch_up()
    with desk.workspace.views.read() as reader:
        return [one.claim_id for one in claims_to_review(reader)]


def test_a_late_reading_lands_where_it_belongs_and_the_correction_with_it(desk: Desk) -> None:
    """1 in January, 1 in March; a February reading of 2 arrives late: March still says 1."""
    desk.at("2025-06-20").read("heron,Heron-7B,72.5", "2025-06-15", name="again.csv")
    desk.correct(HERON, score="70.1")
    desk.at("2025-06-25").read("heron,Heron-7B,99.0", "2025-06-12")
    assert score(desk, "2025-06-12") == "99.0"
    assert score(desk, "2025-06-16") == "72.5"
    assert score(desk, "2025-06-20") == "70.1"
    assert score(desk, "2025-06-12", corrected="since") == "99.0"
    assert score(desk, "2025-06-11", corrected="since") == "70.1"


# --- standing ---------------------------------------------------------------------------------


def test_a_retraction_stands_whatever_the_source_says(desk: Desk) -> None:
    """Until a decision lifts it; nobody else can."""
    number = desk.report(HERON)
    desk.decide(number, orders.Retract(claim=HERON, applies_from="start"), type="retraction")
    assert score(desk) is None
    assert [row.why_unranked for row in desk.board().unranked] == ["retracted"]
    desk.at("2025-06-20").read("heron,Heron-7B,74.0", "2025-06-15")
    assert score(desk) is None
    desk.decide(desk.report(HERON), orders.Reinstate(claim=HERON, applies_from="start"))
    assert score(desk) == "74.0"


def test_a_claim_held_out_shows_beside_the_ranking_with_its_reason(desk: Desk) -> None:
    """And ranks again when it is readmitted."""
    desk.decide(desk.report(HERON), orders.HoldOut(claim=HERON, applies_from="start"))
    board = desk.board()
    assert (list(board.rows), [row.name for row in board.unranked]) == ([], ["Heron-7B"])
    desk.decide(desk.report(HERON), orders.Readmit(claim=HERON, applies_from="start"))
    assert score(desk) == "72.5"


def test_a_dispute_marks_a_claim_and_leaves_it_in_its_place(desk: Desk) -> None:
    """Readers see what it is about."""
    wish = orders.Dispute(claim=HERON, applies_from="start", about="denominator")
    desk.decide(desk.report(HERON), wish)
    row = desk.board().rows[0]
    texts = [mark["text"] for mark in row.marks if mark["kind"] == "disputed"]
    assert (str(row.score), texts) == ("72.5", ["disputed: denominator"])


# --- which model ------------------------------------------------------------------------------


def test_a_reidentified_claim_moves_to_the_other_model(desk: Desk) -> None:
    """From the day of the decision; before it the row was read as it was."""
    registered = ev.ModelRegistered(
        slug=Slug("ibis"), name="Ibis-13B", read_at=parse_instant("2025-06-01")
    )
    desk.model("ibis", registered)
    desk.decide(
        desk.report(HERON), orders.Reidentify(claim=HERON, model="ibis", applies_from="start")
    )
    assert desk.scores("2025-06-10") == {"Ibis-13B": "72.5"}
    assert desk.scores("2025-06-09") == {"Heron-7B": "72.5"}
    assert desk.scores("2025-06-09", corrected="since") == {"Ibis-13B": "72.5"}


def test_a_freed_name_takes_no_old_score_along(desk: Desk) -> None:
    """Case P010: the old row stays with the model that it meant."""
    slug = desk.board().rows[0].model
    assert slug is not None
    desk.at("2025-06-20")
    why = "moved to another owner"
    read_at = parse_instant("2025-06-12")
    desk.model(slug.id, ev.ModelRenamed(name="corp/Heron-7B", read_at=read_at, why=why))
    taken = parse_instant("2025-06-15")
    other = ev.ModelRegistered(slug=Slug("other"), name="Heron-7B", read_at=taken, means_from=taken)
    desk.model("other", other)
    assert desk.scores("2025-06-11") == {"Heron-7B": "72.5"}
    assert desk.scores("2025-06-16") == {"corp/Heron-7B": "72.5"}


# --- who may ----------------------------------------------------------------------------------


def test_nobody_decides_their_own_report(desk: Desk) -> None:
    """Not even a reviewer."""
    number = desk.report(HERON, by="reviewer")
    with pytest.raises(SelfReview):
        desk.decide(number, correction("70.1"), by="reviewer")


def test_a_report_is_decided_once(desk: Desk) -> None:
    """The second decision names the first."""
    number, decision = desk.correct(HERON, score="70.1")
    with pytest.raises(AlreadyDecided, match=decision):
        desk.decide(number, correction("71.0"))


def test_a_report_can_be_decided_in_parts(desk: Desk) -> None:
    """Each part is a decision of its own, with a number of its own."""
    number = desk.report(HERON)
    desk.decide(number, correction("70.1"), outcome="accepted-in-part", remainder=True)
    wish = orders.Dispute(claim=HERON, applies_from="start", about="denominator")
    desk.decide(number, wish)
    assert [(one.number, one.report) for one in desk.log()] == [(2, 1), (1, 1)]


def test_a_decision_names_a_snapshot_that_its_claim_rests_on(desk: Desk) -> None:
    """None is refused, and so is one of something else."""
    number = desk.report(HERON)
    with pytest.raises(NoSnapshotChecked):
        desk.decide(number, correction("70.1"), snapshot=None)
    with pytest.raises(NotAReading):
        desk.decide(number, correction("70.1"), snapshot="0" * 64)


def test_nothing_is_saved_when_a_claim_moved_on_since_it_was_looked_at(desk: Desk) -> None:
    """Neither the decision nor any of its effects."""
    number = desk.report(HERON)
    stale = desk.workspace.ledger.claim(HERON).version
    desk.correct(HERON, score="71.0")
    head = desk.workspace.ledger.store.head()
    wish = orders.Correct(claim=HERON, version=stale, applies_from="start", to=(("score", "70.1"),))
    with pytest.raises(Conflict):
        desk.decide(number, wish)
    assert desk.workspace.ledger.store.head() == head
    assert score(desk) == "71.0"


@pytest.mark.parametrize(
    ("wish", "refusal"),
    [
        ({"score": "72.5"}, NothingChanges),
        ({"score": "NaN"}, BadValue),
        ({"score": None}, BadValue),
        ({"name": "Ibis"}, BadValue),
        ({}, BadValue),
    ],
)
def test_a_correction_changes_something_that_can_be_corrected(
    desk: Desk, wish: dict[str, str | None], refusal: type[Refused]
) -> None:
    """To a value of its field."""
    with pytest.raises(refusal):
        desk.decide(
            desk.report(HERON),
            orders.Correct(claim=HERON, applies_from="start", to=tuple(wish.items())),
        )


def test_a_correction_cannot_apply_from_the_future(desk: Desk) -> None:
    """It is given by the reviewer, and never later than the decision."""
    with pytest.raises(TooLate):
        desk.correct(HERON, parse_instant("2025-06-11"), score="70.1")


def correction(to: str) -> orders.Correct:
    return orders.Correct(claim=HERON, applies_from="start", to=(("score", to),))
