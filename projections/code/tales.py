"""A label or a run with what happened to it, told as a claim's story is.

The steps are those of :mod:`projections.over_time.changes`: what showed before and after each
fact, in the words that a claim's steps use. What a claim has as its score, a label has as the
label itself, and a run as its outcome.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Generic

import attrs

from ledger.claim import Decided, Reading, State
from ledger.subject import kind_of, state_at
from ledger.told import Plane, SaysT, Told, laid_over
from ledger.values import Instant
from projections.keeping.timeline import added_later, decision_marks, standing
from projections.moment import Moment
from projections.over_time.changes import REST, Shown, Step, steps_seen

NOT_STATED = "not stated"


@attrs.frozen(kw_only=True)
class Tale(Generic[SaysT]):
    """What is told of one subject at a moment; ``state`` is ``None`` while nothing is stated."""

    subject: str
    told: Told[SaysT]
    state: State[SaysT] | None
    steps: tuple[Step, ...]
    marks: tuple[Mapping[str, str], ...]


def tale_of(subject: str, name: str, told: Told[SaysT], moment: Moment) -> Tale[SaysT]:
    """The tale of a label or a sample, which people know by ``name``, at a moment."""
    state = state_at(subject, told, moment.instant, moment.plane)
    marks: list[Mapping[str, str]] = []
    if state is not None:
        marks += decision_marks(state)
        marks += added_later(state.reading.read_at, state.reading.recorded_at)
    return Tale(
        subject=subject,
        told=told,
        state=state,
        steps=tuple(steps_on(subject, name, told, moment.instant)),
        marks=tuple(marks),
    )


def steps_on(subject: str, name: str, told: Told[SaysT], until: Instant) -> list[Step]:
    """What changed of what a label or a sample shows, up to an instant."""
    kind = kind_of(subject)

    def look(
        readings: Sequence[Reading[SaysT]], decisions: Sequence[Decided], at: Instant
    ) -> Shown | None:
        if not readings:
            return None
        state = laid_over(readings[-1], decisions, at, Plane.THEN, kind.with_field)
        return None if state is None else seen(state, name, kind.correctable)

    return list(steps_seen(subject, told, None, until, look))


def seen(state: State[Any], name: str, fields: Sequence[str]) -> Shown:
    """What a reader sees of a label or a run: its own word first, and its date."""
    word, date = (getattr(state.shows, field) for field in fields)
    rest = {"published_on": None if date is None else str(date)}
    return Shown(
        name=name,
        metric=fields[0],
        split=None,
        score=word or NOT_STATED,
        standing=standing(state),
        rest=tuple(rest.get(field) for field in REST),
        model=None,
        disputed=state.disputed_about,
    )
