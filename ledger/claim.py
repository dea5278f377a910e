"""The life of a claim: one number that one source states, and what was decided about it.

What the source says is folded from its readings; on top of that stand the decisions (see
:mod:`ledger.told`, which knows how). :func:`state_at` is the whole rule for one day, one plane and
whatever facts are handed in; the read model only stores its answers. Nothing here refuses: it has
already happened.
"""

import hashlib
from collections.abc import Iterable, Sequence
from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Context, Decimal
from typing import Any

import attrs

from ledger import events as ev
from ledger.errors import BadValue
from ledger.events import Recorded, Statement
from ledger.told import (
    Decided,
    Plane,
    Reading,
    State,
    Told,
    correction_of,
    decided_by,
    field_equals,
    field_text,
    in_force,
    laid_over,
    told_at,
)
from ledger.values import Instant, Slug, parse_partial, parse_slug, score

# A claim is where these are met first, so they are had from here too.
__all__ = [
    "CORRECTABLE",
    "WHOLE",
    "Decided",
    "History",
    "Plane",
    "Reading",
    "State",
    "claim_id",
    "contradicted_by_counters",
    "correction_from",
    "decided_state",
    "field_equals",
    "field_text",
    "history_of",
    "in_force",
    "reading_of",
    "state_at",
    "stream_of",
    "with_field",
]

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
class History(Told[Statement]):
    """All that is known of one claim: readings in their order (those taken back left out)."""

    source: Slug
    benchmark: Slug
    key: str
    metric: Slug
    readings: tuple[Reading[Statement], ...]
    decisions: tuple[Decided, ...]
    version: int


def history_of(recorded: Iterable[Recorded]) -> History:
    """Fold the events of one claim's stream (any first part of it) into its history."""
    source, benchmark, key, metric, version = Slug(""), Slug(""), "", Slug(""), 0
    readings: list[Reading[Statement]] = []
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
            decisions.append(decided_by(record, event))
    readings.sort(key=lambda reading: reading.turn)
    return History(source, benchmark, key, metric, tuple(readings), tuple(decisions), version)


def reading_of(
    record: Recorded,
    event: ev.ClaimRecorded | ev.ClaimRestated | ev.ClaimRelisted | ev.ClaimDelisted,
) -> Reading[Statement]:
    """What one event says that the source was read to say."""
    says = None if isinstance(event, ev.ClaimDelisted) else event.says
    at = record.envelope.recorded_at
    return Reading(event.read_at, event.order, record.position, at, says, event.reading)


def _is_voided(reading: Reading[Statement], event: ev.ClaimReadingVoided) -> bool:
    return (reading.digest, reading.read_at, reading.order) == (
        event.reading,
        event.read_at,
        event.order,
    )


# --- one field of a statement as text ---------------------------------------------------------


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
            return score(text)  # it may be an old one; whoever decides is asked before
        case "metric":
            return parse_slug(text, "metric")
        case "published_on":
            return parse_partial(text, field)
        case "passed" | "completed" | "total":
            if not text.isdecimal():
                raise BadValue(what=field, shown=repr(text), why="not a whole number")
            return int(text)
        case _:
            return text


# --- the fold ---------------------------------------------------------------------------------


def state_at(history: History, day: Instant, plane: Plane) -> State | None:
    """What holds at ``day`` (inclusive, UTC); ``None`` while the source states nothing."""
    return told_at(history, day, plane, with_field)


def decided_state(
    reading: Reading, decisions: Sequence[Decided], day: Instant, plane: Plane
) -> State | None:
    """What one reading says with the decisions that are in force on top of it."""
    return laid_over(reading, decisions, day, plane, with_field)


def correction_from(history: History, now: Instant, field: str) -> str | None:
    """What a new correction of ``field`` replaces: the first ``from`` of the one that shows, or
    what the source says. The claim must stand at ``now``."""
    return correction_of(state_at(history, now, Plane.THEN), history.decisions, now, field)


# --- counters ---------------------------------------------------------------------------------

# Units in which a share can be checked: what one whole is in them. Without a unit it may be either.
WHOLE = {"%": (Decimal(100),), "fraction": (Decimal(1),), None: (Decimal(100), Decimal(1))}
_WIDE = Context(prec=120)


def contradicted_by_counters(statement: Statement) -> str | None:
    """Say how a score fails to follow from its own counters, or ``None`` when it follows.

    Every stated denominator has to give the score at its own precision (case P002: 120 of 215
    completed, 225 in all, published 53.3 follows from one of them only, and is marked).
    """
    if statement.passed is None:
        return None
    wholes = WHOLE.get(statement.unit, ())
    stated = dict.fromkeys((statement.completed, statement.total))
    denominators = [count for count in stated if count]
    if not denominators or not wholes:
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
