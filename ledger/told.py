"""What somebody was read to say in one place, and what decisions laid over it.

A claim, a label of a repository and the outcome of a sample are folded alike: readings in the
order (``read_at``, ``order``, position), and on top of the latest one the decisions that are in
force (the design's section "The fold of one claim"). What is said differs, a
:class:`~ledger.events.Statement` or something smaller; how one of its fields is replaced is handed
in. Nothing here refuses: it has already happened.
"""

from collections.abc import Callable, Iterable, Sequence
from enum import StrEnum
from typing import Any, Generic

import attrs
from typing_extensions import TypeVar

from ledger import events as ev
from ledger.events import Change, Statement
from ledger.values import Instant, Slug, score

SaysT = TypeVar("SaysT", default=Statement)
FactT = TypeVar("FactT")
Replace = Callable[[SaysT, str, str | None], SaysT]
"""Takes what is said, a field and its text, and gives what is said with that field replaced."""


class Plane(StrEnum):
    """Which decisions an as-read question takes in.

    ``then``: those decided by the day. ``since``: also those decided later, from the instant that
    each applies from.
    """

    THEN = "then"
    SINCE = "since"


# --- history ----------------------------------------------------------------------------------


@attrs.frozen
class Reading(Generic[SaysT]):
    """What the source said in this place at one reading; ``says=None``: no longer anything."""

    read_at: Instant
    order: str
    position: int
    recorded_at: Instant
    says: SaysT | None
    digest: str

    @property
    def turn(self) -> tuple[Instant, str, int]:
        """Where the reading stands among the others of its source."""
        return (self.read_at, self.order, self.position)


@attrs.frozen
class Decided:
    """What one decision did, and when it was decided."""

    position: int
    at: Instant
    by: str
    fact: ev.DecisionFact


@attrs.frozen
class Told(Generic[SaysT]):
    """All that is known of one place: readings in their order (those taken back left out)."""

    source: Slug
    readings: tuple[Reading[SaysT], ...]
    decisions: tuple[Decided, ...]
    version: int

    @property
    def sources(self) -> tuple[Slug, ...]:
        """Whose readings it rests on."""
        return (self.source,) if self.source else ()

    def readings_by(self, instant: Instant) -> Sequence[Reading[SaysT]]:
        """The readings that had been made by an instant, oldest first."""
        return [reading for reading in self.readings if reading.read_at <= instant]

    @property
    def first_reading(self) -> Reading[SaysT] | None:
        """The reading that first stated it, which is what ``start`` means."""
        return next((reading for reading in self.readings if reading.says is not None), None)


def decided_by(record: ev.Recorded, fact: ev.DecisionFact) -> Decided:
    """A decision's fact with where, when and by whom it was recorded."""
    envelope = record.envelope
    return Decided(record.position, envelope.recorded_at, envelope.recorded_by, fact)


# --- one field as text ------------------------------------------------------------------------


def field_text(says: Any, field: str) -> str | None:
    """A correctable field as text, as written; ``None`` when it is not stated."""
    value = getattr(says, field)
    return None if value is None else str(value)


def field_equals(field: str, one: str | None, other: str | None) -> bool:
    """Whether two texts say the same: scores by value (72.5 is 72.50), all else by letter."""
    if one == other:
        return True
    if field == "score" and one is not None and other is not None:
        return score(one) == score(other)
    return False


# --- the fold ---------------------------------------------------------------------------------


@attrs.frozen
class State(Generic[SaysT]):
    """What holds on one day: what the source said, what shows, which decisions."""

    reading: Reading[SaysT]
    says: SaysT
    shows: SaysT
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
        """Why it shows but does not rank, or ``None`` when it ranks."""
        if self.held_out_by is not None:
            return "held out of the ranking by a decision"
        not_ranked: str | None = getattr(self.says, "not_ranked", None)
        if not_ranked is not None and self.readmitted_by is None:
            return not_ranked or "not ranked by its source"
        return None


def told_at(
    told: Told[SaysT], day: Instant, plane: Plane, replace: Replace[SaysT]
) -> State[SaysT] | None:
    """What holds at ``day`` (inclusive, UTC); ``None`` while the source states nothing."""
    readings = told.readings_by(day)
    if not readings:
        return None
    return laid_over(readings[-1], told.decisions, day, plane, replace)


def laid_over(
    reading: Reading[SaysT],
    decisions: Sequence[Decided],
    day: Instant,
    plane: Plane,
    replace: Replace[SaysT],
) -> State[SaysT] | None:
    """What one reading says with the decisions that are in force on top of it."""
    says = reading.says
    if says is None:
        return None
    if not decisions:
        return State(reading, says, says)
    force = in_force(decisions, day, plane)
    shows, corrected_by, review = _corrected(says, force, replace)
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


def _last(force: Sequence[Decided], *kinds: type[FactT]) -> FactT | None:
    """The latest decision of these kinds; ``force`` is oldest first."""
    return next((one.fact for one in reversed(force) if isinstance(one.fact, kinds)), None)


def _corrected(
    says: SaysT, force: Sequence[Decided], replace: Replace[SaysT]
) -> tuple[SaysT, tuple[str, ...], tuple[str, ...]]:
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
                shows = replace(shows, change.field, change.to)
            applied.append(correction.decision)
        elif not _source_says(says, own, "to"):
            decision = correction.decision
            review.append(f"the source no longer says what decision {decision} corrected")
    return shows, tuple(applied), tuple(review)


def _source_says(says: Any, changes: Iterable[Change], side: str) -> bool:
    return all(
        field_equals(change.field, field_text(says, change.field), getattr(change, side))
        for change in changes
    )


def correction_of(
    state: State[SaysT] | None, decisions: Sequence[Decided], now: Instant, field: str
) -> str | None:
    """What a new correction of ``field`` replaces: the first ``from`` of the one that shows, or
    what the source says; nothing when it says nothing."""
    if state is None:
        return None
    for one in reversed(in_force(decisions, now, Plane.THEN)):
        if isinstance(one.fact, ev.ClaimCorrected) and one.fact.decision in state.corrected_by:
            for change in one.fact.changes:
                if change.field == field:
                    return change.from_
    return field_text(state.says, field)
