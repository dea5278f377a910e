"""The fold of one claim: readings in their order, and the decisions on top of them."""

from collections.abc import Sequence
from datetime import UTC, datetime
from itertools import permutations

import pytest

from ledger import events as ev
from ledger.claim import (
    Decided,
    History,
    Plane,
    Reading,
    claim_id,
    contradicted_by_counters,
    correction_from,
    field_equals,
    history_of,
    state_at,
    stream_of,
    with_field,
)
from ledger.errors import BadValue
from ledger.events import Change, Envelope, Recorded, Statement
from ledger.values import Digest, Instant, PartialDate, Score, Slug

KEY = "heron"
METRIC = Slug("score")


def june(day: int, hour: int = 0) -> Instant:
    """An instant of June 2025."""
    return datetime(2025, 6, day, hour, tzinfo=UTC)


def says(score: str, **more: object) -> Statement:
    """What the source says."""
    return Statement(name="Heron-7B", metric=METRIC, score=Score(score), **more)  # type: ignore[arg-type]


def read(
    day: int, stated: Statement | str | None, order: str = "", position: int | None = None
) -> Reading:
    """One reading; ``None``: the source says nothing any more."""
    said = says(stated) if isinstance(stated, str) else stated
    at = june(day)
    return Reading(at, order, day if position is None else position, at, said, "0" * 64)


def decided(day: int, fact: ev.DecisionFact, position: int | None = None) -> Decided:
    """One decision, made at noon."""
    return Decided(100 + day if position is None else position, june(day, 12), "reviewer", fact)


def corrected(
    day: int,
    name: str,
    since: int | None = None,
    **changes: tuple[str | None, str | None],
) -> Decided:
    """A correction of one or more fields; ``since=None`` means from the first reading."""
    fact = ev.ClaimCorrected(
        decision=name,
        changes=tuple(Change(field, of, to) for field, (of, to) in changes.items()),
        applies_from=None if since is None else june(since),
    )
    return decided(day, fact)


def reversed_by(day: int, name: str, reverses: str) -> Decided:
    """A reversal."""
    return decided(day, ev.ClaimDecisionReversed(decision=name, reverses=reverses))


def life(readings: Sequence[Reading], *decisions: Decided) -> History:
    """A history."""
    ordered = tuple(sorted(readings, key=lambda one: one.turn))
    return History(Slug("board"), Slug("kitebench"), KEY, METRIC, ordered, decisions, 1)


def shows(history: History, day: int, plane: Plane = Plane.THEN, hour: int = 23) -> str | None:
    """The score that shows late on a day."""
    state = state_at(history, june(day, hour), plane)
    return None if state is None else state.shows.score.text


# --- what it is -------------------------------------------------------------------------------


def test_a_claims_id_follows_from_what_it_is_and_from_nothing_else() -> None:
    """Source, benchmark, row key, metric, split: each of them tells claims apart."""
    one = claim_id("board", "kitebench", "heron", "score", None)
    assert one == claim_id("board", "kitebench", "heron", "score", None)
    others = {
        claim_id("other", "kitebench", "heron", "score", None),
        claim_id("board", "other", "heron", "score", None),
        claim_id("board", "kitebench", "ibis", "score", None),
        claim_id("board", "kitebench", "heron", "other", None),
        claim_id("board", "kitebench", "heron", "score", "hard"),
    }
    assert len(others | {one}) == 6


# --- readings ---------------------------------------------------------------------------------


def test_a_claim_holds_from_the_instant_of_its_first_reading() -> None:
    """That instant included, nothing before it."""
    history = life([read(5, "72.5")])
    assert shows(history, 4) is None
    assert shows(history, 5, hour=0) == "72.5"


@pytest.mark.parametrize("order", list(permutations(range(4))))
def test_readings_apply_in_their_own_order_and_not_in_that_of_arrival(order: Sequence[int]) -> None:
    """By read_at, then the order in the file name, then the position."""
    made = [("1", "", 5), ("2", "001", 5), ("3", "002", 5), ("4", "", 6)]
    readings = [
        read(day, score, turn, position=order.index(number))
        for number, (score, turn, day) in enumerate(made)
    ]
    history = life(readings)
    assert [one.says.score.text for one in history.readings if one.says] == ["1", "2", "3", "4"]
    assert (shows(history, 5), shows(history, 6)) == ("3", "4")


def test_of_two_readings_with_the_same_turn_the_one_recorded_last_counts() -> None:
    """Positions only grow."""
    assert shows(life([read(5, "1", position=9), read(5, "2", position=10)]), 5) == "2"


def test_a_claim_that_its_source_no_longer_states_shows_nothing() -> None:
    """Until it states it again."""
    history = life([read(1, "72.5"), read(5, None), read(9, "71")])
    assert [shows(history, day) for day in (4, 5, 8, 9)] == ["72.5", None, None, "71"]


def test_a_reading_taken_back_never_was() -> None:
    """What the one before said holds again."""
    reading = {"reading": Digest("1" * 64), "read_at": june(5), "order": ""}
    facts: list[ev.ClaimEvent] = [
        ev.ClaimRecorded(
            source=Slug("board"),
            benchmark=Slug("kitebench"),
            key=KEY,
            says=says("72.5"),
            reading=Digest("0" * 64),
            read_at=june(1),
        ),
        ev.ClaimRestated(says=says("99"), **reading),  # type: ignore[arg-type]
        ev.ClaimReadingVoided(**reading),  # type: ignore[arg-type]
    ]
    records = [
        Recorded(
            number,
            Envelope(
                stream=stream_of("c1"),
                version=number,
                type="",
                recorded_at=june(10),
                recorded_by="curator",
                cause=None,
                salt="",
            ),
            fact,
            b"",
        )
        for number, fact in enumerate(facts, 1)
    ]
    assert shows(history_of(records[:2]), 5) == "99"
    assert shows(history_of(records), 5) == "72.5"
    assert history_of(records).version == 3


# --- corrections ------------------------------------------------------------------------------

SCORE = ("72.5", "70.1")


def test_as_read_then_a_correction_shows_from_when_it_was_decided() -> None:
    """The decision is a fact of that instant and of none before."""
    history = life([read(1, "72.5")], corrected(10, "k1", score=SCORE))
    assert shows(history, 10, hour=11) == "72.5"
    assert shows(history, 10, hour=12) == "70.1"


def test_as_we_know_it_today_a_correction_shows_from_when_it_applies() -> None:
    """From the reviewer's instant, or from the first reading, whatever that turns out to be."""
    dated = life([read(1, "72.5")], corrected(10, "k1", since=5, score=SCORE))
    assert [shows(dated, day, Plane.SINCE) for day in (4, 5)] == ["72.5", "70.1"]
    from_start = life([read(2, "72.5"), read(1, "72.5")], corrected(10, "k1", score=SCORE))
    assert shows(from_start, 1, Plane.SINCE) == "70.1"
    assert shows(from_start, 1, Plane.THEN) == "72.5"


def test_a_correction_of_several_fields_shows_only_while_the_source_says_all_of_them() -> None:
    """Otherwise the source shows, and the claim is put up for review."""
    both = corrected(10, "k1", score=SCORE, unit=(None, "%"))
    history = life(
        [read(1, "72.5"), read(20, says("72.5", unit="points")), read(25, "72.50")], both
    )
    held = state_at(history, june(15), Plane.THEN)
    assert held is not None
    assert (held.shows.score.text, held.shows.unit, held.corrected_by) == ("70.1", "%", ("k1",))
    moved = state_at(history, june(20), Plane.THEN)
    assert moved is not None
    assert (moved.shows, moved.corrected_by) == (moved.says, ())
    assert moved.review == ("the source no longer says what decision k1 corrected",)
    assert shows(history, 25) == "70.1"


def test_a_source_that_says_what_was_decided_is_not_put_up_for_review() -> None:
    """It came round to it, in its own digits."""
    history = life([read(1, "72.5"), read(20, "70.10")], corrected(10, "k1", score=SCORE))
    state = state_at(history, june(20), Plane.THEN)
    assert state is not None
    assert (state.shows.score.text, state.corrected_by, state.review) == ("70.10", (), ())


def test_one_correction_per_field_is_in_force() -> None:
    """K1 corrects score and unit, K2 the score again; undoing K2 brings K1's score back."""
    first = corrected(10, "k1", score=SCORE, unit=(None, "%"))
    second = corrected(11, "k2", score=("72.5", "71.0"))
    history = life([read(1, "72.5")], first, second, reversed_by(12, "k3", "k2"))
    states = [state_at(history, june(day, 13), Plane.THEN) for day in (10, 11, 12)]
    assert [(one.shows.score.text, one.shows.unit) for one in states if one] == [
        ("70.1", "%"),
        ("71.0", "%"),
        ("70.1", "%"),
    ]


@pytest.mark.parametrize("plane", list(Plane))
def test_a_reversal_brings_back_the_one_before_and_can_itself_be_reversed(plane: Plane) -> None:
    """K1 72.5 to 70.1, K2 to 71.0, K3 reverses K2, K4 reverses K3."""
    decisions = (
        corrected(10, "k1", score=SCORE),
        corrected(11, "k2", score=("72.5", "71.0")),
        reversed_by(12, "k3", "k2"),
        reversed_by(13, "k4", "k3"),
    )
    told = [shows(life([read(1, "72.5")], *decisions[:count]), 20, plane) for count in range(5)]
    assert told == ["72.5", "70.1", "71.0", "70.1", "71.0"]


def test_as_read_then_a_reversal_does_not_reach_back() -> None:
    """On the day between, the correction stood."""
    history = life(
        [read(1, "72.5")], corrected(10, "k1", since=2, score=SCORE), reversed_by(12, "k2", "k1")
    )
    assert [shows(history, day) for day in (9, 10, 11, 12)] == ["72.5", "70.1", "70.1", "72.5"]
    assert [shows(history, day, Plane.SINCE) for day in (2, 11)] == ["72.5", "72.5"]


def test_a_correction_of_a_correction_keeps_the_first_from() -> None:
    """Of one that shows; otherwise it is what the source says now."""
    history = life([read(1, "72.5"), read(20, "73")], corrected(10, "k1", score=SCORE))
    assert correction_from(history, june(15), "score") == "72.5"
    assert correction_from(history, june(20), "score") == "73"
    assert correction_from(history, june(15), "unit") is None


def test_a_late_reading_takes_the_correction_along_where_it_fits() -> None:
    """The correction holds of what it corrects, on whichever day the source said that."""
    late = [read(1, "72.5"), read(12, "99"), read(15, "72.5")]
    history = life(late, corrected(10, "k1", score=SCORE))
    assert [shows(history, day) for day in (11, 12, 15)] == ["70.1", "99", "70.1"]


# --- standing ---------------------------------------------------------------------------------


def test_a_retraction_stands_whatever_the_source_says_until_it_is_lifted() -> None:
    """By a reinstatement, or by reversing it; and a reversed reinstatement retracts again."""
    retracted = decided(10, ev.ClaimRetracted(decision="k1", applies_from=None))
    reinstated = decided(12, ev.ClaimReinstated(decision="k2", applies_from=None))
    undone = reversed_by(14, "k3", "k2")
    history = life([read(1, "72.5"), read(11, "74")], retracted, reinstated, undone)
    states = [state_at(history, june(day, 13), Plane.THEN) for day in (9, 11, 12, 14)]
    assert [one and one.retracted_by for one in states] == [None, "k1", None, "k1"]


def test_only_a_decision_lifts_that_a_source_does_not_rank_its_own_number() -> None:
    """Readmitted it ranks, held out it does not, and undoing that lets it rank again."""
    said = says("72.5", not_ranked="self-reported")
    readmitted = decided(10, ev.ClaimReadmitted(decision="k1", applies_from=None))
    held = decided(12, ev.ClaimHeldOut(decision="k2", applies_from=None))
    history = life([read(1, said)], readmitted, held, reversed_by(14, "k3", "k2"))
    states = [state_at(history, june(day, 13), Plane.THEN) for day in (9, 10, 12, 14)]
    assert [one and one.held_out for one in states] == [
        "self-reported",
        None,
        "held out of the ranking by a decision",
        None,
    ]


def test_a_dispute_says_what_it_is_about_until_it_is_cleared() -> None:
    """The number keeps its place all the while."""
    disputed = ev.ClaimDisputed(decision="k1", applies_from=None, about="denominator")
    cleared = ev.ClaimCleared(decision="k2", applies_from=None)
    history = life([read(1, "72.5")], decided(10, disputed), decided(12, cleared))
    states = [state_at(history, june(day, 13), Plane.THEN) for day in (10, 12)]
    assert [one and one.disputed_about for one in states] == ["denominator", None]
    assert [shows(history, day) for day in (10, 12)] == ["72.5", "72.5"]


def test_the_latest_reidentification_says_which_model_it_is_about() -> None:
    """From when it applies, in the plane that knows later decisions."""
    first = ev.ClaimReidentified(decision="k1", before=None, model="ibis", applies_from=june(3))
    second = ev.ClaimReidentified(decision="k2", before="ibis", model="loon", applies_from=june(6))
    history = life([read(1, "72.5")], decided(10, first), decided(11, second))
    then = [state_at(history, june(day, 13), Plane.THEN) for day in (9, 10, 11)]
    since = [state_at(history, june(day), Plane.SINCE) for day in (2, 3, 6)]
    assert [one and one.model for one in then] == [None, "ibis", "loon"]
    assert [one and one.model for one in since] == [None, "ibis", "loon"]


# --- fields -----------------------------------------------------------------------------------


def test_scores_are_equal_by_value_and_all_else_by_letter() -> None:
    """72.5 is 72.50; one setting is not another for a capital."""
    assert field_equals("score", "72.5", "72.50")
    assert not field_equals("setting", "greedy", "Greedy")
    assert not field_equals("score", "72.5", None)


@pytest.mark.parametrize(
    ("field", "text"),
    [
        ("name", "Ibis"),
        ("score", None),
        ("metric", None),
        ("score", "NaN"),
        ("published_on", "5/7"),
    ],
)
def test_a_field_takes_only_what_fits_it(field: str, text: str | None) -> None:
    """And not every field can be corrected."""
    with pytest.raises(BadValue):
        with_field(says("72.5"), field, text)


def test_a_field_that_is_not_stated_can_be_corrected_away_and_back() -> None:
    """``None`` means that it is not stated."""
    stated = with_field(says("72.5"), "published_on", "2025-06")
    assert stated.published_on == PartialDate("2025-06")
    assert with_field(stated, "published_on", None).published_on is None


# --- counters ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("score", "unit", "passed", "completed", "total"),
    [
        ("71.6", "%", 161, None, 225),
        ("0.716", "fraction", 161, None, 225),
        ("71.6", None, 161, None, 225),
        ("0.72", None, 161, None, 225),
        ("12.5", "%", 1, 8, None),  # exactly
        ("0.12", "fraction", 1, None, 8),  # 0.125, half to even
        ("0.13", "fraction", 1, None, 8),  # 0.125, half up
        ("100", "%", 133, 133, 133),
        ("53.3", "%", 120, 225, 225),
        ("1200", "elo", 3, None, 4),  # no share
        ("53.3", "%", None, 215, 225),  # nothing to check
        ("53.3", "%", 120, None, None),
        ("53.3", "%", 120, 0, None),  # nothing was run
    ],
)
def test_a_score_that_follows_from_its_counters_is_not_marked(
    score: str, unit: str | None, passed: int | None, completed: int | None, total: int | None
) -> None:
    """At its own precision, rounded either way; what is not stated is not checked."""
    said = says(score, unit=unit, passed=passed, completed=completed, total=total)
    assert contradicted_by_counters(said) is None


@pytest.mark.parametrize(
    ("score", "unit", "passed", "completed", "total", "sums"),
    [
        ("53.3", "%", 120, 215, 225, "120/215 = 55.8, 120/225 = 53.3"),
        ("90.0", "%", 133, None, 133, "133/133 = 100.0"),
        ("0.54", "fraction", 120, None, 225, "120/225 = 0.53"),
        ("54", None, 120, None, 225, "120/225 = 53"),
    ],
)
def test_a_score_that_does_not_follow_from_its_counters_is_told_with_the_sums(
    score: str, unit: str | None, passed: int, completed: int | None, total: int, sums: str
) -> None:
    """Every stated denominator has to give it (case P002)."""
    said = says(score, unit=unit, passed=passed, completed=completed, total=total)
    assert contradicted_by_counters(said) == f"does not follow from its own counters ({sums})"
