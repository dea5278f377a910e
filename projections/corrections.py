"""The public log: every decision and every reversal, with what it did to each claim."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import attrs
from sqlalchemy import select

from ledger import events as ev
from ledger.claim import History, Plane, history_of, stream_of
from ledger.store import Store
from ledger.values import Instant, from_micros, micros
from projections.changes import Shown, Step, steps_of
from projections.tables import in_plane
from projections.views import Reader


@attrs.frozen(kw_only=True)
class Touched:
    """What one decision did to one claim; before and after are text, as shown."""

    claim_id: str
    benchmark: str
    model: str | None
    before: Mapping[str, str | None]
    after: Mapping[str, str | None]
    applies_from: str


@attrs.frozen(kw_only=True)
class Correction:
    """One entry of the log, numbered in the order of decisions."""

    number: int
    decision: str
    report: int
    decided_at: Instant
    decided_by: str
    outcome: str
    type: str | None
    reason: str
    statement: str
    snapshot: str | None
    claims: tuple[Touched, ...]
    replaces: int | None
    replaced_by: int | None
    position: int


def corrections(
    reader: Reader,
    store: Store,
    *,
    claim: str | None = None,
    upto: int | None = None,
    decided_by: Instant | None = None,
) -> list[Correction]:
    """The log, newest first; only what touched one claim, what the ledger held at a position, or
    what was decided by an instant, when asked."""
    table, touches = reader.tables.decision, reader.tables.decision_claim
    query = select(table).order_by(table.c.number.desc())
    if claim is not None:
        query = query.where(
            table.c.decision.in_(select(touches.c.decision).where(touches.c.claim == claim))
        )
    if upto is not None:
        query = query.where(table.c.position <= upto)
    if decided_by is not None:
        query = query.where(table.c.decided_at <= micros(decided_by))
    rows: list[Mapping[str, Any]] = [{**row} for row in reader.connection.execute(query).mappings()]
    decisions = [str(row["decision"]) for row in rows]
    claims = _claims_of(reader, decisions)
    histories = _histories(store, {one for found in claims.values() for one in found}, upto)
    numbers = _numbers(reader)
    models = _models(reader, histories, upto)
    replaced = _replaced_by(rows, numbers)
    return [
        Correction(
            number=row["number"],
            decision=row["decision"],
            report=row["report"],
            decided_at=from_micros(row["decided_at"]),
            decided_by=row["decided_by"],
            outcome=row["outcome"],
            type=row["type"],
            reason=row["reason"],
            statement=row["statement"],
            snapshot=row["snapshot"],
            claims=tuple(
                _touched(one, histories[one], row["decision"], models.get(one))
                for one in claims.get(row["decision"], ())
            ),
            replaces=numbers.get(row["replaces"]) if row["replaces"] else None,
            replaced_by=replaced.get(row["decision"]),
            position=row["position"],
        )
        for row in rows
    ]


def _claims_of(reader: Reader, decisions: Sequence[str]) -> dict[str, list[str]]:
    table = reader.tables.decision_claim
    wanted, found = set(decisions), dict[str, list[str]]()
    for decision, claim in reader.connection.execute(
        select(table.c.decision, table.c.claim).order_by(table.c.decision, table.c.claim)
    ):
        if decision in wanted:
            found.setdefault(decision, []).append(claim)
    return found


def _histories(store: Store, claims: Iterable[str], upto: int | None) -> dict[str, History]:
    records: dict[str, list[ev.Recorded]] = {}
    for record in store.streams(stream_of(claim) for claim in sorted(claims)):
        # What was recorded later, a late import say, does not change a pinned page.
        if upto is None or record.position <= upto:
            records.setdefault(record.envelope.stream.partition(":")[2], []).append(record)
    return {claim: history_of(found) for claim, found in records.items()}


def _numbers(reader: Reader) -> dict[str, int]:
    table = reader.tables.decision
    rows = reader.connection.execute(select(table.c.decision, table.c.number))
    return {row.decision: row.number for row in rows}


def _models(reader: Reader, claims: Iterable[str], upto: int | None) -> dict[str, str | None]:
    table = reader.tables.claim_version
    query = (
        select(table.c.claim, table.c.model)
        .where(table.c.claim.in_(list(claims)), in_plane(table, Plane.THEN))
        .order_by(table.c.recorded_from, table.c.read_from)
    )
    if upto is not None:
        query = query.where(table.c.recorded_from <= upto)
    return {row.claim: row.model for row in reader.connection.execute(query)}


def _replaced_by(rows: Sequence[Mapping[str, Any]], numbers: Mapping[str, int]) -> dict[str, int]:
    return {str(row["replaces"]): numbers[str(row["decision"])] for row in rows if row["replaces"]}


def _touched(claim: str, history: History, decision: str, model: str | None) -> Touched:
    step = step_of(claim, history, decision)
    before, after = (
        (_differing(step.before, step.after), _differing(step.after, step.before))
        if (step is not None)
        else ({}, {})
    )
    return Touched(
        claim_id=claim,
        benchmark=history.benchmark,
        model=step.model if step is not None and step.model else model,
        before=before,
        after=after,
        applies_from=_applies_from(history, decision),
    )


def step_of(claim: str, history: History, decision: str) -> Step | None:
    """The step that a decision made on a claim; ``None`` when it changed nothing that shows."""
    latest = max((one.at for one in history.decisions), default=None)
    if latest is None:
        return None
    return next(
        (one for one in steps_of(claim, history, None, latest) if one.decision == decision), None
    )


def _differing(one: Shown | None, other: Shown | None) -> dict[str, str | None]:
    """The fields in which two states differ, as text."""
    mine = {} if one is None else one.fields()
    theirs = {} if other is None else other.fields()
    return {name: mine.get(name) for name in mine | theirs if mine.get(name) != theirs.get(name)}


def _applies_from(history: History, decision: str) -> str:
    for one in history.decisions:
        fact = one.fact
        if fact.decision == decision and not isinstance(fact, ev.ClaimDecisionReversed):
            return "start" if fact.applies_from is None else fact.applies_from.isoformat()
    return "start"
