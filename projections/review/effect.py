"""What a decision would do to each board, seen before it is taken.

The claims are folded with the decision on top, as if it had been made just now, and each board
that they stand on, before or after, is ranked both ways in all three views. A decision that is
only wished for, one that is proposed, and the undoing of one are looked at alike.
"""

from collections.abc import Iterable, Mapping, Sequence

import attrs
from sqlalchemy import select

from ledger import commands as orders
from ledger import effects
from ledger import events as ev
from ledger.claim import Decided, History, Plane, decided_state, history_of, stream_of
from ledger.store import Store
from ledger.subject import is_claim
from ledger.vocabulary import VIEWS
from projections.board.benchmarks import benchmark_at
from projections.board.boards import Board, board_at
from projections.board.rows import Row, Stored
from projections.keeping.aliases import named_model
from projections.keeping.tables import in_plane
from projections.keeping.timeline import COLUMNS, cells_of
from projections.keeping.views import Reader
from projections.moment import Moment

PREVIEW = "preview"
"""What the decision is called while it is none: no decision has such a name."""

Facts = Mapping[str, Sequence[ev.DecisionFact]]


@attrs.frozen
class Moved:
    """One row that a decision would move; a rank of ``None`` is not on the board."""

    name: str
    claim_id: str | None
    rank_before: int | None
    rank_after: int | None
    score_before: str | None
    score_after: str | None


@attrs.frozen
class BoardEffect:
    """What would happen to one board; ``moved`` lists the rows that differ, best first."""

    benchmark: str
    benchmark_name: str
    view: str
    metric: str
    metric_name: str
    rows_before: int
    rows_after: int
    leader_before: str | None
    leader_after: str | None
    moved: tuple[Moved, ...]

    @property
    def changes_number_one(self) -> bool:
        """Whether another model would lead, or none any more."""
        return self.leader_before != self.leader_after


def effect_of(
    reader: Reader, store: Store, wishes: Sequence[orders.AnyEffect], moment: Moment
) -> list[BoardEffect]:
    """The boards that these wishes would change, as of the moment (now, at the head); what is done
    to a label or a sample changes none.

    Raises the refusal that deciding would raise.
    """
    of_claims = [wish for wish in wishes if is_claim(wish.claim)]
    histories = _histories(store, (wish.claim for wish in of_claims))
    planned = [effects.plan(histories[one.claim], one, moment.instant) for one in of_claims]
    return _effects(reader, histories, _facts(planned), moment)


def effect_of_proposal(
    reader: Reader, store: Store, planned: Sequence[ev.PlannedEffect], moment: Moment
) -> list[BoardEffect]:
    """The same for what was proposed, exactly as it was worked out then."""
    of_claims = [one for one in planned if is_claim(one.claim)]
    histories = _histories(store, (one.claim for one in of_claims))
    return _effects(reader, histories, _facts(of_claims), moment)


def effect_of_reversal(
    reader: Reader, store: Store, decision: str, claims: Iterable[str], moment: Moment
) -> list[BoardEffect]:
    """The same for undoing a decision that touched these claims."""
    histories = _histories(store, filter(is_claim, claims))
    undone = ev.ClaimDecisionReversed(decision=PREVIEW, reverses=decision)
    return _effects(reader, histories, dict.fromkeys(histories, (undone,)), moment)


def _facts(planned: Iterable[ev.PlannedEffect]) -> Facts:
    found: dict[str, list[ev.DecisionFact]] = {}
    for one in planned:
        found.setdefault(one.claim, []).append(effects.fact_of(one, PREVIEW))
    return found


def _effects(
    reader: Reader, histories: Mapping[str, History], facts: Facts, moment: Moment
) -> list[BoardEffect]:
    shown = _shown_now(reader, histories, moment)
    instead: dict[str, Stored] = {}
    boards: dict[tuple[str, str], None] = {}
    for claim, history in histories.items():
        before = shown.get(claim)
        after = _shown_then(reader, claim, history, facts[claim], moment)
        for row in (before, after):
            if row is not None:
                boards[history.benchmark, row.metric] = None
        if after is not None:
            instead[claim] = after
    found = (
        _effect(reader, slug, metric, view=view, moment=moment, instead=instead)
        for slug, metric in boards
        for view in VIEWS
    )
    return [effect for effect in found if effect is not None]


def _histories(store: Store, claims: Iterable[str]) -> dict[str, History]:
    records: dict[str, list[ev.Recorded]] = {claim: [] for claim in claims}
    for record in store.streams(stream_of(claim) for claim in records):
        records[record.envelope.stream.partition(":")[2]].append(record)
    return {claim: history_of(found) for claim, found in records.items()}


def _shown_now(
    reader: Reader, histories: Mapping[str, History], moment: Moment
) -> dict[str, Stored]:
    table = reader.tables.claim_version
    query = select(*(table.c[name] for name in Stored._fields)).where(
        table.c.claim.in_(list(histories)),
        in_plane(table, Plane.THEN),
        reader.holds(table, moment.day, moment.position),
    )
    rows = reader.connection.execute(query)
    return {row.claim: Stored._make(row) for row in rows}


def _shown_then(
    reader: Reader,
    claim: str,
    history: History,
    facts: Iterable[ev.DecisionFact],
    moment: Moment,
) -> Stored | None:
    """What the claim would show right after the decision; ``None`` when nothing is stated."""
    decisions = list(history.decisions)
    decisions += [Decided(moment.position + 1, moment.instant, PREVIEW, fact) for fact in facts]
    readings = history.readings_by(moment.instant)
    if not readings:
        return None
    state = decided_state(readings[-1], decisions, moment.instant, Plane.THEN)
    if state is None:
        return None
    named = named_model(reader, claim, moment.instant)
    cells = dict(zip(COLUMNS, cells_of(state, named), strict=True))
    fixed = {"claim": claim, "source": history.source, "key": history.key}
    return Stored(**{name: (cells | fixed)[name] for name in Stored._fields})  # type: ignore[arg-type]


# --- one board --------------------------------------------------------------------------------


def _effect(
    reader: Reader,
    slug: str,
    metric: str,
    *,
    view: str,
    moment: Moment,
    instead: Mapping[str, Stored],
) -> BoardEffect | None:
    if metric not in benchmark_at(reader, slug, moment).rules:
        return None
    return difference(
        board_at(reader, slug, moment, view=view, metric=metric),
        board_at(reader, slug, moment, view=view, metric=metric, instead=instead),
    )


def difference(before: Board, after: Board) -> BoardEffect | None:
    """What differs between one board before and after; ``None`` when no row moved."""
    moved = _moved(before, after)
    if not moved:
        return None
    return BoardEffect(
        before.benchmark.slug,
        before.benchmark.name,
        before.view,
        before.rule.metric if before.rule else "",
        before.rule.name if before.rule else "",
        len(before.rows),
        len(after.rows),
        _leader(before),
        _leader(after),
        tuple(moved),
    )


def _leader(board: Board) -> str | None:
    return board.rows[0].name if board.rows else None


def _moved(before: Board, after: Board) -> list[Moved]:
    was, becomes = _by_model(before), _by_model(after)
    found = [
        _move(was.get(model), becomes.get(model))
        for model in dict.fromkeys([*becomes, *was])
        if _place(was.get(model)) != _place(becomes.get(model))
    ]
    return sorted(found, key=lambda one: (one.rank_after or one.rank_before or 0, one.name))


def _by_model(board: Board) -> dict[str, Row]:
    return {row.model.id: row for row in board.rows if row.model is not None}


def _place(row: Row | None) -> tuple[int | None, str] | None:
    return None if row is None else (row.rank, str(row.score))


def _move(was: Row | None, becomes: Row | None) -> Moved:
    row = becomes or was
    assert row is not None  # noqa: S101 -- one of two places that differ
    return Moved(
        row.name,
        row.claim_id,
        was.rank if was else None,
        becomes.rank if becomes else None,
        str(was.score) if was else None,
        str(becomes.score) if becomes else None,
    )


def touches_number_one(effects: Iterable[BoardEffect]) -> bool:
    """Whether any board would have another number one."""
    return any(effect.changes_number_one for effect in effects)
