"""Facts of one claim → what shows in which span of reading time, in both planes.

The rule itself is :func:`ledger.claim.state_at`; here it is asked at every instant at which its
answer can change, and neighbouring equal answers are joined. The model of a row is resolved from
the name that the row first bore.
"""

from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import Any

import attrs
import orjson

from ledger import events as ev
from ledger.claim import (
    Decided,
    History,
    Plane,
    Reading,
    State,
    contradicted_by_counters,
    decided_state,
)
from ledger.model import NameAssertion, resolve
from ledger.values import Instant, micros
from projections.keeping.tables import FOREVER

Cells = tuple[str | None, ...]

# The columns of claim_version that a timeline fills, in this order.
COLUMNS = (
    "metric",
    "model",
    "name",
    "split",
    "setting",
    "score",
    "score_key",
    "unit",
    "published_on",
    "lab",
    "as_written",
    "section",
    "locator",
    "standing",
    "held_out",
    "marks",
    "review",
)


@attrs.frozen
class Naming:
    """The name that a row of a source first bore, when, and what is asserted about that name."""

    named_at: Instant
    assertions: Sequence[NameAssertion] = ()

    def model_at(self, day: Instant) -> str | None:
        """The model that the row is about, as known by ``day``."""
        return resolve(self.assertions, self.named_at, day)


@attrs.frozen
class Segment:
    """One span of reading time (microseconds, end excluded) and what shows in it."""

    read_from: int
    read_to: int
    cells: Cells


def timeline(history: History, naming: Naming, plane: Plane) -> list[Segment]:
    """The segments of one claim in one plane, oldest first; a gap is when it is not stated."""
    answers: list[tuple[int, Cells | None]] = []
    readings = history.readings
    place = 0
    for instant in _instants(history, naming, plane):
        while place < len(readings) and readings[place].read_at <= instant:
            place += 1
        cells = answer(readings[place - 1], history.decisions, naming, instant, plane)
        if not answers or answers[-1][1] != cells:
            answers.append((micros(instant), cells))
    if not answers:  # every reading that stated it was taken back
        return []
    ends = [start for start, _ in answers[1:]] + [FOREVER]
    return [
        Segment(start, end, cells)
        for (start, cells), end in zip(answers, ends, strict=True)
        if cells is not None
    ]


def _instants(history: History, naming: Naming, plane: Plane) -> list[Instant]:
    """Where the answer can change: readings, decisions, and what became known about the name."""
    if not history.readings:
        return []
    first = history.readings[0].read_at
    instants = {reading.read_at for reading in history.readings}
    instants.update(one.read_at for one in naming.assertions if one.read_at > first)
    for decided in history.decisions:
        since = (
            None
            if isinstance(decided.fact, ev.ClaimDecisionReversed)
            else (decided.fact.applies_from)
        )
        instant = decided.at if plane is Plane.THEN else since
        if instant is not None and instant > first:
            instants.add(instant)
    return sorted(instants)


def answer(
    reading: Reading,
    decisions: Sequence[Decided],
    naming: Naming,
    instant: Instant,
    plane: Plane,
) -> Cells | None:
    """What shows at an instant of what a reading says; ``None`` when it states nothing."""
    state = decided_state(reading, decisions, instant, plane)
    return None if state is None else cells_of(state, naming.model_at(instant))


def cells_of(state: State, named: str | None) -> Cells:
    """What a claim shows, column by column (:data:`COLUMNS`)."""
    shows = state.shows
    return (
        shows.metric,
        state.model or named,
        shows.name,
        shows.split,
        shows.setting,
        shows.score.text,
        score_key(shows.score.value),
        shows.unit,
        str(shows.published_on) if shows.published_on else None,
        shows.lab,
        shows.as_written,
        shows.section,
        shows.locator,
        standing(state),
        state.held_out,
        _json(marks_of(state)),
        "; ".join(state.review) or None,
    )


def standing(state: State[Any]) -> str:
    """``ranked``, ``held-out`` (shows, does not rank) or ``retracted`` (shows on no board)."""
    if state.retracted_by is not None:
        return "retracted"
    return "held-out" if state.held_out is not None else "ranked"


def marks_of(state: State) -> list[dict[str, str]]:
    """What a reader has to be told beside the number."""
    return [
        *decision_marks(state),
        *_marks_of_the_number(state),
        *added_later(state.reading.read_at, state.reading.recorded_at),
    ]


def decision_marks(state: State[Any]) -> list[dict[str, str]]:
    """What decisions laid over what is said, of whatever kind it is."""
    marks = [
        {"kind": "corrected", "text": "corrected", "decision": decision}
        for decision in state.corrected_by
    ]
    if state.reidentified_by:
        text = "the model was corrected"
        marks.append({"kind": "corrected", "text": text, "decision": state.reidentified_by})
    if state.retracted_by:
        marks.append({"kind": "retracted", "text": "retracted", "decision": state.retracted_by})
    if state.held_out_by:
        text = "held out of the ranking"
        marks.append({"kind": "held-out", "text": text, "decision": state.held_out_by})
    if state.disputed_by:
        text = f"disputed: {state.disputed_about}"
        marks.append({"kind": "disputed", "text": text, "decision": state.disputed_by})
    return marks


def added_later(read_at: Instant, recorded_at: Instant) -> list[dict[str, str]]:
    """What was recorded after the day on which it was read says so."""
    if recorded_at.date() <= read_at.date():
        return []
    return [{"kind": "added-later", "text": "added to the ledger later"}]


def _marks_of_the_number(state: State) -> list[dict[str, str]]:
    marks, shows = [], state.shows
    contradicted = contradicted_by_counters(shows)
    if contradicted:
        marks.append({"kind": "counters", "text": contradicted})
    if shows.completed is not None and shows.total is not None and shows.completed < shows.total:
        text = f"{shows.completed} of {shows.total} run"
        marks.append({"kind": "partial-run", "text": text})
    return marks


def _json(marks: Iterable[dict[str, str]]) -> str | None:
    listed = list(marks)
    return orjson.dumps(listed).decode() if listed else None


def score_key(value: Decimal) -> str:
    """A text that sorts by code point as the number sorts; equal numbers have equal texts.

    Sign, then the exponent on three digits, then the significant digits; for negative numbers all
    of it complemented and closed with ``~``, which sorts after every digit.
    """
    if not value:
        return "1"
    digits = "".join(map(str, value.as_tuple().digits)).strip("0")
    positive = f"{value.adjusted() + 500:03d}{digits}"
    if value > 0:
        return "2" + positive
    return "0" + positive.translate(_COMPLEMENT) + "~"


_COMPLEMENT = str.maketrans("0123456789", "9876543210")
