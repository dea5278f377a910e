"""One board on two days, side by side: which rows moved, and what made them move.

``before`` is the board just before the first instant of the span, ``after`` the one at its end;
every step in between is listed, as are the changes of rules and words. A row moves for a reason of
its own or because others did; none is guessed: what no step explains is said to be so.
"""

from collections.abc import Iterable, Mapping, Sequence

import attrs
from sqlalchemy import select

from ledger.claim import Plane
from ledger.store import Store
from ledger.values import MICROSECOND, Instant, short_instant
from ledger.vocabulary import kinds_in
from projections.asserted import described
from projections.board.boards import Board, board_at
from projections.board.described import ModelOf, SourceOf
from projections.board.rows import Row
from projections.decisions.corrections import numbers_of
from projections.keeping.rectangles import CHUNK, chunks
from projections.keeping.views import Reader
from projections.moment import Moment
from projections.over_time.changes import Step, changes_between
from projections.over_time.renames import Rename, renames_on
from projections.over_time.restated import Said, restatements_of, said_by


@attrs.frozen(kw_only=True)
class Caused:
    """A step with its cause: what its source said in a snapshot, a decision by its number in the
    log, or a curator who renamed the model."""

    step: Step
    source: SourceOf | None = None
    correction: int | None = None
    rename: Rename | None = None


@attrs.frozen(kw_only=True)
class MovedRow:
    """A row that is not where, or not what, it was; ``steps`` are its own, by their places in the
    list of all. ``ruled``: it has none, and the rule that ranks it changed."""

    model: ModelOf
    before: Row | None
    after: Row | None
    steps: tuple[int, ...]
    ruled: bool

    @property
    def restated(self) -> bool:
        """Whether more than its rank differs."""
        return _number(self.before) != _number(self.after)

    @property
    def rise(self) -> int | None:
        """By how many places it rose (fell, below nought); ``None`` if it came or went."""
        if self.before is None or self.after is None:
            return None
        return (self.before.rank or 0) - (self.after.rank or 0)


@attrs.frozen(kw_only=True)
class Compared:
    """A benchmark's span of time: the board before and after, what moved and how many rows did
    not, every step with its cause, and what curators said anew. ``narrowed``: only the steps of
    this board's view and metric are listed."""

    start: Instant
    before: Board
    after: Board
    moved: tuple[MovedRow, ...]
    unmoved: int
    steps: tuple[Caused, ...]
    said: tuple[Said, ...]
    narrowed: bool

    @property
    def changed(self) -> list[MovedRow]:
        """The rows that came, went, or show another number, or that something happened to."""
        return [one for one in self.moved if one.restated or one.steps or one.ruled]

    @property
    def shifted(self) -> list[MovedRow]:
        """The rows of which nothing but the rank is another, as others moved."""
        return [one for one in self.moved if not (one.restated or one.steps or one.ruled)]

    @property
    def corrections(self) -> list[int]:
        """The numbers of the decisions that made a step, in their order."""
        return sorted({one.correction for one in self.steps if one.correction is not None})

    @property
    def changes(self) -> int:
        """How many changes are listed."""
        return len(self.steps) + len(self.said)


def compared(
    reader: Reader,
    store: Store,
    slug: str,
    start: Instant,
    moment: Moment,
    *,
    view: str | None = None,
    metric: str | None = None,
) -> Compared:
    """What changed on a benchmark from ``start`` to the moment, both included.

    Given a view or a metric, only the steps that such a board may show are listed; the boards are
    always of one view and metric, the benchmark's own where none is given.
    """
    after = board_at(reader, slug, moment, view=view, metric=metric)
    ranked = after.rule.metric if after.rule else None
    before = board_at(reader, slug, _before(start, moment), view=after.view, metric=ranked)
    steps = caused(reader, store, changes_between(reader, store, slug, start, moment), moment, slug)
    listed = [one for one in steps if _shows(one, view, ranked if metric else None)]
    restated = [
        one for one in restatements_of(reader, slug, moment) if start <= one.at <= moment.instant
    ]
    said = said_by(store, slug, restated, moment)
    ruled = any(one.restated.aspect == f"rule/{ranked}" for one in said)
    own = _own_steps(listed, after.view, ranked)
    moved, unmoved = _moved(before, after, own, ruled=ruled)
    return Compared(
        start=start,
        before=before,
        after=after,
        moved=tuple(moved),
        unmoved=unmoved,
        steps=tuple(listed),
        said=tuple(said),
        narrowed=view not in (None, "all") or metric is not None,
    )


def _before(start: Instant, moment: Moment) -> Moment:
    """The moment just before the span; from midnight on that is the day before."""
    last = start - MICROSECOND if start.year > 1 else start
    whole = last.time() == END_OF_DAY
    return attrs.evolve(
        moment,
        as_read_on=last.date().isoformat() if whole else short_instant(last),
        instant=last,
        plane=Plane.THEN,
    )


END_OF_DAY = Instant.max.time()


def _shows(one: Caused, view: str | None, metric: str | None) -> bool:
    """Whether a board of a view and a metric may show a step; names belong to every board."""
    if one.source is None:
        return True
    if view is not None and one.source.kind not in kinds_in(view):
        return False
    metrics = {shown.metric for shown in (one.step.before, one.step.after) if shown is not None}
    return metric is None or metric in metrics


# --- causes -----------------------------------------------------------------------------------


def caused(
    reader: Reader, store: Store, steps: Sequence[Step], moment: Moment, slug: str | None = None
) -> list[Caused]:
    """Steps with their causes; ``slug`` is the benchmark that renamed models stand on."""
    sources = sources_of(reader, {one.claim_id for one in steps if one.claim_id}, moment)
    numbers = numbers_of(reader, sorted({one.decision for one in steps if one.decision}))
    renames: dict[int, Rename] = {}
    if slug is not None and any(not one.claim_id for one in steps):
        renames = {one.position: one for one in renames_on(reader, store, slug, moment)}
    return [
        Caused(
            step=one,
            source=sources.get(one.claim_id),
            correction=numbers.get(one.decision) if one.decision else None,
            rename=None if one.claim_id else renames.get(one.position),
        )
        for one in steps
    ]


def sources_of(reader: Reader, claims: Iterable[str], moment: Moment) -> dict[str, SourceOf]:
    """The source of each claim, by the names of the moment."""
    table = reader.tables.claim
    found: dict[str, str] = {}
    for chunk in chunks(sorted(claims), CHUNK):
        query = select(table.c.claim, table.c.source).where(table.c.claim.in_(chunk))
        found |= {row.claim: row.source for row in reader.connection.execute(query)}
    said = described(reader, {f"source:{slug}" for slug in found.values()}, moment)
    named = {
        name.partition(":")[2]: SourceOf(name.partition(":")[2], one["kind"], one["name"])
        for name, one in said.items()
    }
    return {claim: named[slug] for claim, slug in found.items()}


# --- rows -------------------------------------------------------------------------------------


def _moved(
    before: Board, after: Board, own: Mapping[str, Sequence[int]], *, ruled: bool
) -> tuple[list[MovedRow], int]:
    """The rows that differ, by their place after and then before; and how many do not."""
    was, becomes = _by_model(before), _by_model(after)
    found = []
    for model in dict.fromkeys([*becomes, *was]):
        one, other = was.get(model), becomes.get(model)
        if _place(one) == _place(other):
            continue
        rows = [row for row in (one, other) if row is not None]
        shown = {part.claim_id for row in rows for part in (row, *row.parts)}
        # What its own numbers tell comes first; others of the model explain what those do not.
        places = _places(own, filter(None, shown)) or _places(own, [model])
        told = rows[-1].model
        assert told is not None  # noqa: S101 -- rows are found by their models
        moved = MovedRow(
            model=told,
            before=one,
            after=other,
            steps=tuple(places),
            ruled=ruled and not places,
        )
        found.append(moved)
    return found, len(was.keys() & becomes.keys()) - sum(
        1 for one in found if one.before is not None and one.after is not None
    )


def _places(own: Mapping[str, Sequence[int]], names: Iterable[str]) -> list[int]:
    return sorted({place for name in names for place in own.get(name, ())})


def _own_steps(
    steps: Sequence[Caused], view: str, metric: str | None
) -> Mapping[str, Sequence[int]]:
    """The places of the steps of each claim and of each model that a board may show."""
    found: dict[str, list[int]] = {}
    for place, one in enumerate(steps):
        if one.step.claim_id and _shows(one, view, metric):
            for name in filter(None, (one.step.claim_id, one.step.model)):
                found.setdefault(name, []).append(place)
    return found


def _by_model(board: Board) -> dict[str, Row]:
    return {row.model.id: row for row in board.rows if row.model is not None}


def _place(row: Row | None) -> tuple[int | None, str] | None:
    return None if row is None else (row.rank, str(row.score))


def _number(row: Row | None) -> str | None:
    return None if row is None else str(row.score)
