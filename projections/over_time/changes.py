"""What changed on a benchmark between two days, step by step, and why.

Every fact of every claim is taken at its turn, (``read_at``, order, position) for readings and
(``recorded_at``, position) for decisions, and the claim's state just before and just after it is
compared. A fact that changes nothing at its turn shows nowhere.
"""

from collections.abc import Callable, Iterator, Sequence
from operator import attrgetter
from typing import Any

import attrs
from sqlalchemy import select

from ledger import events as ev
from ledger.claim import (
    Decided,
    History,
    Plane,
    Reading,
    State,
    decided_state,
    history_of,
    stream_of,
)
from ledger.errors import BadValue
from ledger.store import Store
from ledger.told import SaysT, Told
from ledger.values import Instant, micros
from projections.keeping.rectangles import CHUNK, chunks
from projections.keeping.tables import in_plane
from projections.keeping.timeline import standing
from projections.keeping.views import Reader, recorded
from projections.moment import Moment
from projections.over_time.renames import Rename, renames_on

Turn = tuple[Instant, int, str, int]


@attrs.frozen
class Step:
    """One change: of which kind, from what to what, when, and by which decision or, where its
    source said so, in which snapshot."""

    kind: str
    claim_id: str
    model: str | None
    name: str
    metric: str
    old: str | None
    new: str | None
    read_at: Instant
    position: int
    decision: str | None
    order: str = ""
    before: "Shown | None" = None
    after: "Shown | None" = None
    snapshot: str | None = None


# What a reader sees of a claim beside name, metric, split, score, standing and model.
REST = (
    "setting",
    "unit",
    "published_on",
    "url",
    "lab",
    "passed",
    "completed",
    "total",
    "as_written",
    "section",
    "locator",
)


@attrs.frozen
class Shown:
    """What a reader sees of a claim."""

    name: str
    metric: str
    split: str | None
    score: str
    standing: str
    rest: tuple[str | None, ...]
    model: str | None
    held_out: str | None = None
    disputed: str | None = None
    extra: tuple[tuple[str, str], ...] = ()

    def fields(self) -> dict[str, str | None]:
        """Field by field, as text."""
        named = {
            "name": self.name,
            "metric": self.metric,
            "split": self.split,
            "score": self.score,
            "standing": self.standing,
            "model": self.model,
            "held_out": self.held_out,
            "disputed": self.disputed,
        }
        return named | dict(zip(REST, self.rest, strict=True)) | dict(self.extra)


Look = Callable[[Sequence[Reading[SaysT]], Sequence[Decided], Instant], Shown | None]


def changes_between(
    reader: Reader, store: Store, slug: str, start: Instant, moment: Moment
) -> list[Step]:
    """Every step from ``start`` to the moment (both included), oldest first."""
    if start > moment.instant:
        raise BadValue(what="from", shown=start.isoformat(), why="it is later than to")
    found = _claim_steps(reader, store, slug, start, moment)
    found += list(_model_renames(reader, store, slug, start, moment))
    return sorted(found, key=turn_of)


def turn_of(step: Step) -> tuple[Instant, bool, str, int]:
    """Of one instant readings come first, as they do in the fold."""
    return (step.read_at, step.decision is not None, step.order, step.position)


def _claim_steps(
    reader: Reader, store: Store, slug: str, start: Instant, moment: Moment
) -> list[Step]:
    ids = _claims_in(reader, slug, start, moment)
    records: dict[str, list[ev.Recorded]] = {}
    for record in store.streams(stream_of(claim) for claim in ids):
        if record.position <= moment.position:
            records.setdefault(record.envelope.stream.partition(":")[2], []).append(record)
    models = _models(reader, ids, moment)
    return [
        step
        for claim, history in ((one, history_of(found)) for one, found in records.items())
        for step in steps_of(claim, history, models.get(claim), moment.instant)
        if start <= step.read_at
    ]


def _claims_in(reader: Reader, slug: str, start: Instant, moment: Moment) -> list[str]:
    """The claims on a benchmark that changed in the span."""
    table = reader.tables.change
    query = (
        select(table.c.claim)
        .distinct()
        .where(
            table.c.benchmark == slug,
            recorded(table, at_head=reader.at_head(moment.position)),
            table.c.read_from >= micros(start),
            table.c.read_from <= moment.day,
        )
        .order_by(table.c.claim)
    )
    return [claim for (claim,) in reader.tuples(query, {"position": moment.position})]


def _models(reader: Reader, ids: Sequence[str], moment: Moment) -> dict[str, str]:
    """The model that each claim is about as known at the moment (of its latest span by then)."""
    table = reader.tables.claim_version
    found: dict[str, str] = {}
    for chunk in chunks(ids, CHUNK):
        query = (
            select(table.c.claim, table.c.model)
            .where(
                table.c.claim.in_(chunk),
                in_plane(table, Plane.THEN),
                table.c.read_from <= moment.day,
                table.c.recorded_from <= moment.position,
                table.c.recorded_to > moment.position,
                table.c.model.is_not(None),
            )
            .order_by(table.c.read_from)
        )
        found |= {row.claim: row.model for row in reader.connection.execute(query)}
    return found


# --- one claim --------------------------------------------------------------------------------


def steps_of(claim: str, history: History, model: str | None, until: Instant) -> Iterator[Step]:
    """The steps of one claim up to an instant, in the order of their turns."""
    return steps_seen(claim, history, model, until, _shown)


def steps_seen(
    claim: str, history: Told[SaysT], model: str | None, until: Instant, look: Look[SaysT]
) -> Iterator[Step]:
    """The same for whatever is told as a claim is; ``look`` gives what a reader sees after some
    readings and decisions."""
    before: Shown | None = None
    ever = False
    readings: list[Reading[SaysT]] = []
    decisions: list[Decided] = []
    for fact in _in_turn(history):
        at = fact.read_at if isinstance(fact, Reading) else fact.at
        if at > until:
            return
        if isinstance(fact, Reading):
            readings.append(fact)
        else:
            decisions.append(fact)
        after = look(readings, decisions, at)
        if after != before:
            yield step_of(claim, fact, before, after, model, ever=ever)
        ever = ever or after is not None
        before = after


def _in_turn(history: Told[SaysT]) -> list[Reading[SaysT] | Decided]:
    turns: list[tuple[Turn, Reading[SaysT] | Decided]] = [
        ((one.read_at, 0, one.order, one.position), one) for one in history.readings
    ]
    turns += [((one.at, 1, "", one.position), one) for one in history.decisions]
    return [fact for _, fact in sorted(turns, key=lambda turn: turn[0])]


def _shown(readings: Sequence[Reading], decisions: Sequence[Decided], at: Instant) -> Shown | None:
    if not readings:
        return None
    state = decided_state(readings[-1], decisions, at, Plane.THEN)
    return None if state is None else seen_in(state)


def seen_in(state: State) -> Shown:
    """What a reader sees of a claim in a state."""
    says = state.shows
    return Shown(
        says.name,
        says.metric,
        says.split,
        says.score.text,
        standing(state),
        tuple([None if value is None else str(value) for value in _rest_of(says)]),
        state.model,
        state.held_out,
        state.disputed_about,
        says.extra,
    )


_rest_of = attrgetter(*REST)


def step_of(
    claim: str,
    fact: Reading[Any] | Decided,
    before: Shown | None,
    after: Shown | None,
    model: str | None,
    *,
    ever: bool,
) -> Step:
    """The step from one state to another, which differ; ``ever``: the claim had been stated."""
    latest = after or before
    assert latest is not None  # noqa: S101 -- one of them differs from the other
    kind = _kind(fact, before, after, ever=ever)
    renamed = kind == "renamed"
    return Step(
        kind=kind,
        claim_id=claim,
        model=latest.model or model,
        name=latest.name,
        metric=latest.metric,
        old=None if before is None else (before.name if renamed else before.score),
        new=None if after is None else (after.name if renamed else after.score),
        read_at=fact.read_at if isinstance(fact, Reading) else fact.at,
        position=fact.position,
        decision=fact.fact.decision if isinstance(fact, Decided) else None,
        order=fact.order if isinstance(fact, Reading) else "",
        before=before,
        after=after,
        snapshot=fact.digest if isinstance(fact, Reading) else None,
    )


def _kind(
    fact: Reading[Any] | Decided, before: Shown | None, after: Shown | None, *, ever: bool
) -> str:
    if after is None:
        return "delisted"
    if before is None:
        return "relisted" if ever else "recorded"
    if isinstance(fact, Decided):
        return _kind_of_decision(before, after)
    if after.name != before.name and attrs.evolve(after, name=before.name) == before:
        return "renamed"
    return "restated"


def _kind_of_decision(before: Shown, after: Shown) -> str:
    if before.standing == after.standing:
        return "corrected"
    if after.standing == "retracted":
        return "retracted"
    if before.standing == "retracted":
        return "reinstated"
    return "held-out" if after.standing == "held-out" else "readmitted"


# --- models renamed ---------------------------------------------------------------------------


def _model_renames(
    reader: Reader, store: Store, slug: str, start: Instant, moment: Moment
) -> Iterator[Step]:
    """Models on this benchmark whose own name changed in the span."""
    for one in renames_on(reader, store, slug, moment, by=moment.day):
        if start <= one.read_at <= moment.instant:
            yield renamed(one)


def renamed(one: Rename) -> Step:
    """A model's rename as a step; it is none of a claim."""
    before, after = one.before, one.after
    return Step("renamed", "", one.model, after, "", before, after, one.read_at, one.position, None)
