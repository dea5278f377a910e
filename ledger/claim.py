"""The life of a claim: one number that one source states, and what was decided about it.

What the source says is folded from its readings in the order (``read_at``, ``order``, position);
on top of that stand the decisions. :func:`state_at` is the whole rule of the design's section
"The fold of one claim" for one day, one plane and whatever facts are handed in; the read model
only stores its answers. Nothing here refuses: it has already happened.
"""

import hashlib
from collections.abc import Iterable, Sequence
from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Context, Decimal
from enum import StrEnum
from typing import Any, TypeVar

import attrs

from ledger import events as ev
from ledger.errors import BadValue
from ledger.events import Change, Recorded, Statement
from ledger.values import Instant, PartialDate, Score, Slug, parse_slug

CORRECTABLE = (
    "score",
    "unit",
    "metric",
    "split",
    "setting",
    "published_on",
    "passed",
    "completed",
    "total",
    "url",
)


class Plane(StrEnum):
    """Which decisions an as-read question takes in.

    ``then``: those decided by the day. ``since``: also those decided later, from the instant that
    each applies from.
    """

    THEN = "then"
    SINCE = "since"


def claim_id(source: str, benchmark: str, key: str, metric: str, split: str | None) -> str:
    """The lasting id of a claim, from what it is and from nothing else.

    The parts are those of the first reading; the id does not change when they are corrected.
    """
    parts = "\x1f".join((source, benchmark, key, metric, split or ""))
    return "c" + hashlib.sha256(parts.encode()).hexdigest()[:23]


def stream_of(claim: str) -> str:
    """The stream in which a claim's events stand."""
    return f"claim:{claim}"


# --- history ----------------------------------------------------------------------------------


@attrs.frozen
class Reading:
    """What the source said about this claim at one reading; ``says=None``: no longer anything."""

    read_at: Instant
    order: str
    position: int
    recorded_at: Instant
    says: Statement | None
    digest: str

    @property
    def turn(self) -> tuple[Instant, str, int]:
        """Where the reading stands among the others of its source."""
        return (self.read_at, self.order, self.position)


@attrs.frozen
class Decided:
    """What one decision did to this claim, and when it was decided."""

    position: int
    at: Instant
    by: str
    fact: ev.DecisionFact


@attrs.frozen
class History:
    """All that is known of one claim: readings in their order (those taken back left out)."""

    source: Slug
    benchmark: Slug
    key: str
    metric: Slug
    readings: tuple[Reading, ...]
    decisions: tuple[Decided, ...]
    version: int

    def readings_by(self, instant: Instant) -> Sequence[Reading]:
        """The readings that had been made by an instant, oldest first."""
        return [reading for reading in self.readings if reading.read_at <= instant]

    @property
    def first_reading(self) -> Reading | None:
        """The reading that first stated the claim, which is what ``start`` means."""
        return next((reading for reading in self.readings if reading.says is not None), None)


def history_of(recorded: Iterable[Recorded]) -> History:
    """Fold the events of one claim's stream (any first part of it) into its history."""
    source, benchmark, key, metric, version = Slug(""), Slug(""), "", Slug(""), 0
    readings: list[Reading] = []
    decisions: list[Decided] = []
    for record in recorded:
        event = record.event
        version = record.envelope.version
        if isinstance(event, ev.ClaimRecorded):
            source, benchmark, key = event.source, event.benchmark, event.key
            metric = event.says.metric
        if isinstance(event, ev.ClaimReadingVoided):
            readings = [one for one in readings if not _is_voided(one, event)]
        elif isinstance(event, ev.SourceFact):
            readings.append(reading_of(record, event))
        elif isinstance(event, ev.DecisionFact):
            at, by = record.envelope.recorded_at, record.envelope.recorded_by
            decisions.append(Decided(record.position, at, by, event))
    readings.sort(key=lambda reading: reading.turn)
    return History(source, benchmark, key, metric, tuple(readings), tuple(decisions), version)


def reading_of(
    record: Recorded,
    event: ev.ClaimRecorded | ev.ClaimRestated | ev.ClaimRelisted | ev.ClaimDelisted,
) -> Reading:
    """What one event says that the source was read to say."""
    says = None if isinstance(event, ev.ClaimDelisted) else event.says
    at = record.envelope.recorded_at
    return Reading(event.read_at, event.order, record.position, at, says, event.reading)


def _is_voided(reading: Reading, event: ev.ClaimReadingVoided) -> bool:
    return (reading.digest, reading.read_at, reading.order) == (
        event.reading,
        event.read_at,
        event.order,
    )


# --- one field of a statement as text ---------------------------------------------------------


def field_text(statement: Statement, field: str) -> str | None:
    """A correctable field as text, as written; ``None`` when it is not stated."""
    value = getattr(statement, field)
    return None if value is None else str(value)


def field_equals(field: str, one: str | None, other: str | None) -> bool:
    """Whether two texts say the same: scores by value (72.5 is 72.50), all else by letter."""
    if one == other:
        return True
    if field == "score" and one is not None and other is not None:
        return Score(one) == Score(other)
    return False


def with_field(statement: Statement, field: str, text: str | None) -> Statement:
    """The statement with one field replaced; refused when the text does not fit the field."""
    if field not in CORRECTABLE:
        why = f"correctable are {', '.join(CORRECTABLE)}"
        raise BadValue(what="field", shown=repr(field), why=why)
    changed: dict[str, Any] = {field: _field_value(field, text)}
    return attrs.evolve(statement, **changed)


def _field_value(field: str, text: str | None) -> object:
    match field:
        case "score" | "metric" if text is None:
            raise BadValue(what=field, shown="nothing", why="a claim always has one")
        case _ if text is None:
            return None
        case "score":
            return Score(text)
        case "metric":
            return parse_slug(text, "metric")
        case "published_on":
            return PartialDate(text)
        case "passed" | "completed" | "total":
            if not text.isdecimal():
                raise BadValue(what=field, shown=repr(text), why="not a whole number")
            return int(text)
        case _:
            return text


# --- the fold ---------------------------------------------------------------------------------


@attrs.frozen
class State:
    """What holds of a claim on one day: what the source said, what shows, which decisions."""

    reading: Reading
    says: Statement
    shows: Statement
    corrected_by: tuple[str, ...] = ()
    model: str | None = None
    reidentified_by: str | None = None
    retracted_by: str | None = None
    held_out_by: str | None = None
    readmitted_by: str | None = None
    disputed_by: str | None = None
    disputed_about: str | None = None
    review: tuple[str, ...] = ()

    @property
    def held_out(self) -> str | None:
        """Why the claim shows but does not rank, or ``None`` when it ranks."""
        if self.held_out_by is not None:
            return "held out of the ranking by a decision"
        if self.says.not_ranked is not None and self.readmitted_by is None:
            return self.says.not_ranked or "not ranked by its source"
        return None


def state_at(history: History, day: Instant, plane: Plane) -> State | None:
    """What holds at ``day`` (inclusive, UTC); ``None`` while the source states nothing."""
    readings = history.readings_by(day)
    if not readings:
        return None
    return decided_state(readings[-1], history.decisions, day, plane)


def decided_state(
    reading: Reading, decisions: Sequence[Decided], day: Instant, plane: Plane
) -> State | None:
    """What one reading says with the decisions that are in force on top of it."""
    says = reading.says
    if says is None:
        return None
    if not decisions:
        return State(reading, says, says)
    force = in_force(decisions, day, plane)
    shows, corrected_by, review = _corrected(says, force)
    identified = _last(force, ev.ClaimReidentified)
    validity = _last(force, ev.ClaimRetracted, ev.ClaimReinstated)
    ranking = _last(force, ev.ClaimHeldOut, ev.ClaimReadmitted)
    dispute = _last(force, ev.ClaimDisputed, ev.ClaimCleared)
    return State(
        reading,
        says,
        shows,
        corrected_by=corrected_by,
        model=identified.model if identified else None,
        reidentified_by=identified.decision if identified else None,
        retracted_by=validity.decision if isinstance(validity, ev.ClaimRetracted) else None,
        held_out_by=ranking.decision if isinstance(ranking, ev.ClaimHeldOut) else None,
        readmitted_by=ranking.decision if isinstance(ranking, ev.ClaimReadmitted) else None,
        disputed_by=dispute.decision if isinstance(dispute, ev.ClaimDisputed) else None,
        disputed_about=dispute.about if isinstance(dispute, ev.ClaimDisputed) else None,
        review=review,
    )


def in_force(decisions: Sequence[Decided], day: Instant, plane: Plane) -> list[Decided]:
    """The decisions that stand at ``day``, oldest first; a reversal that is itself reversed lifts.

    ``then``: decided by the day and not reversed by it. ``since``: applying from the day or
    earlier and never reversed.
    """
    made = [one for one in decisions if plane is Plane.SINCE or one.at <= day]
    lifted: set[str] = set()
    for one in reversed(made):  # the latest first: nothing later can lift it any more
        if isinstance(one.fact, ev.ClaimDecisionReversed) and one.fact.decision not in lifted:
            lifted.add(one.fact.reverses)
    return [one for one in made if one.fact.decision not in lifted and _applies(one, day, plane)]


def _applies(decided: Decided, day: Instant, plane: Plane) -> bool:
    if isinstance(decided.fact, ev.ClaimDecisionReversed) or plane is Plane.THEN:
        return True
    return decided.fact.applies_from is None or decided.fact.applies_from <= day


FactT = TypeVar("FactT")


def _last(force: Sequence[Decided], *kinds: type[FactT]) -> FactT | None:
    """The latest decision of these kinds; ``force`` is oldest first."""
    return next((one.fact for one in reversed(force) if isinstance(one.fact, kinds)), None)


def _corrected(
    says: Statement, force: Sequence[Decided]
) -> tuple[Statement, tuple[str, ...], tuple[str, ...]]:
    """Apply the correction in force of each field where the source says what it corrects."""
    latest: dict[str, ev.ClaimCorrected] = {}
    for one in force:
        if isinstance(one.fact, ev.ClaimCorrected):
            latest |= dict.fromkeys((change.field for change in one.fact.changes), one.fact)
    shows, applied, review = says, [], []
    for correction in dict.fromkeys(latest.values()):
        own = [change for change in correction.changes if latest[change.field] is correction]
        if _source_says(says, correction.changes, "from_"):
            for change in own:
                shows = with_field(shows, change.field, change.to)
            applied.append(correction.decision)
        elif not _source_says(says, own, "to"):
            decision = correction.decision
            review.append(f"the source no longer says what decision {decision} corrected")
    return shows, tuple(applied), tuple(review)


def _source_says(says: Statement, changes: Iterable[Change], side: str) -> bool:
    return all(
        field_equals(change.field, field_text(says, change.field), getattr(change, side))
        for change in changes
    )


def correction_from(history: History, now: Instant, field: str) -> str | None:
    """What a new correction of ``field`` replaces: the first ``from`` of the one that shows, or
    what the source says. The claim must stand at ``now``."""
    state = state_at(history, now, Plane.THEN)
    if state is None:
        return None
    for one in reversed(in_force(history.decisions, now, Plane.THEN)):
        if isinstance(one.fact, ev.ClaimCorrected) and one.fact.decision in state.corrected_by:
            for change in one.fact.changes:
                if change.field == field:
                    return change.from_
    return field_text(state.says, field)


# --- counters ---------------------------------------------------------------------------------

# Units in which a share can be checked: what one whole is in them. Without a unit it may be either.
WHOLE = {"%": (Decimal(100),), "fraction": (Decimal(1),), None: (Decimal(100), Decimal(1))}
_WIDE = Context(prec=120)


def contradicted_by_counters(statement: Statement) -> str | None:
    """Say how a score fails to follow from its own counters, or ``None`` when it follows.

    Every stated denominator has to give the score at its own precision (case P002: 120 of 215
    completed, 225 in all, published 53.3 follows from one of them only, and is marked).
    """
    wholes = WHOLE.get(statement.unit, ())
    stated = dict.fromkeys((statement.completed, statement.total))
    denominators = [count for count in stated if count]
    if statement.passed is None or not denominators or not wholes:
        return None
    if any(_follows(statement, denominators, whole) for whole in wholes):
        return None
    worked = ", ".join(
        f"{statement.passed}/{count} = {_share(statement, count, wholes[0])[0]}"
        for count in denominators
    )
    return f"does not follow from its own counters ({worked})"


def _follows(statement: Statement, denominators: Sequence[int], whole: Decimal) -> bool:
    return all(statement.score.value in _share(statement, n, whole) for n in denominators)


def _share(statement: Statement, denominator: int, whole: Decimal) -> list[Decimal]:
    """The share at the score's precision, rounded both ways that people round."""
    exact = _WIDE.divide(Decimal(statement.passed or 0) * whole, Decimal(denominator))
    digit = Decimal(1).scaleb(-statement.score.decimals)
    return [exact.quantize(digit, way, _WIDE) for way in (ROUND_HALF_UP, ROUND_HALF_EVEN)]
