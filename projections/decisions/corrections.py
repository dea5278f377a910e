"""The public log: every decision and every reversal, with what it did to each claim.

What a decision did is worked out from what its claims' streams held when it was recorded, so an
entry never says anything else later; what came in its place is of the moment that is asked about.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import attrs
from sqlalchemy import or_, select

from ledger import events as ev
from ledger.claim import History, Plane, history_of, stream_of
from ledger.store import Store
from ledger.subject import address_of, is_claim
from ledger.values import Instant, from_micros
from projections.decisions.chain import Chains, chains, known_by
from projections.decisions.touched import TouchedSubject, applies_from, names, touched_subjects
from projections.keeping.rectangles import CHUNK, chunks
from projections.keeping.tables import in_plane
from projections.keeping.views import Reader
from projections.moment import Moment
from projections.over_time.changes import Shown, Step, steps_of


@attrs.frozen(kw_only=True)
class Touched:
    """What one decision did to one claim; before and after are text, as shown.

    ``as_written`` is what the source calls the model, ``upstream_on`` the source's own date for
    what it withdrew.
    """

    claim_id: str
    benchmark: str
    model: str | None
    as_written: str
    before: Mapping[str, str | None]
    after: Mapping[str, str | None]
    applies_from: str
    upstream_on: str | None = None

    @property
    def changes(self) -> list[tuple[str, str | None, str | None]]:
        """Field, before and after, by the field's name."""
        fields = sorted({*self.before, *self.after})
        return [(name, self.before.get(name), self.after.get(name)) for name in fields]


@attrs.frozen(kw_only=True)
class Correction:
    """One entry of the log, numbered in the order of decisions.

    ``claims`` are those that it touches, ``subjects`` the labels and samples.
    ``target`` is what its report is about. ``proposed_by`` is who proposed it, where a second
    person, ``decided_by``, let it take effect. ``replaced_by`` is what came in its place last, also
    when that was undone since; ``in_force`` says whether it counts at the moment. ``changed_at`` is
    when anything that the entry says changed last.
    """

    number: int
    decision: str
    report: int
    target: str
    decided_at: Instant
    decided_by: str
    proposed_by: str | None
    outcome: str
    type: str | None
    reason: str
    statement: str
    snapshot: str | None
    claims: tuple[Touched, ...]
    subjects: tuple[TouchedSubject, ...]
    replaces: int | None
    replaced_by: int | None
    in_force: bool
    changed_at: Instant
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
    query = (
        select(table.c.number)
        .where(known_by(reader.tables, upto, decided_by))
        .order_by(table.c.number.desc())
    )
    if claim is not None:
        query = query.where(
            table.c.decision.in_(select(touches.c.decision).where(touches.c.claim == claim))
        )
    numbers = list(reader.connection.scalars(query))
    return entries(reader, store, numbers, upto=upto, decided_by=decided_by)


def entries(
    reader: Reader,
    store: Store,
    numbers: Sequence[int],
    *,
    upto: int | None = None,
    decided_by: Instant | None = None,
) -> list[Correction]:
    """The entries with these numbers, in their order, as known at a position and an instant."""
    rows = _rows(reader, numbers)
    claims = _claims_of(reader, [str(row["decision"]) for row in rows])
    subjects = {
        decision: [one for one in found if not is_claim(one)] for decision, found in claims.items()
    }
    ids = sorted({one for found in claims.values() for one in found if is_claim(one)})
    records = _records(store, ids, upto)
    models = _models(reader, ids, upto)
    linked = chains(reader, upto=upto, decided_by=decided_by)
    others = touched_subjects(reader, store, subjects, upto)
    return [
        _entry(
            row,
            linked,
            tuple(
                _touched(one, records[one], row["decision"], models.get(one))
                for one in claims.get(row["decision"], ())
                if is_claim(one)
            ),
            others.get(row["decision"], ()),
        )
        for row in rows
    ]


def numbers_about(
    reader: Reader, subjects: Iterable[str], targets: Iterable[str], moment: Moment
) -> list[int]:
    """The entries, newest first, that touch one of these subjects, or decide a report about one of
    them or of these targets, as far as they are known at a moment."""
    until = moment.instant if moment.plane is Plane.THEN else None
    return numbers_known(reader, subjects, targets, moment.position, until)


def numbers_known(
    reader: Reader,
    subjects: Iterable[str],
    targets: Iterable[str],
    position: int,
    until: Instant | None = None,
) -> list[int]:
    """The same as far as they were recorded by a position, and decided by an instant if one is
    given."""
    table, touches, report = (
        reader.tables.decision,
        reader.tables.decision_claim,
        reader.tables.report,
    )
    known = known_by(reader.tables, position, until)
    wanted, found = sorted(set(subjects)), set[int]()
    for chunk in chunks(wanted, CHUNK):
        query = (
            select(table.c.number)
            .join(touches, touches.c.decision == table.c.decision)
            .where(touches.c.claim.in_(chunk), known)
        )
        found.update(reader.connection.scalars(query))
    named = [address_of(one) for one in wanted] + list(targets)
    for chunk in chunks(named, CHUNK // 2):
        whole = report.c.target.in_(chunk)
        parts = (report.c.target.startswith(f"{one}#", autoescape=True) for one in chunk)
        query = (
            select(table.c.number)
            .join(report, report.c.number == table.c.report)
            .where(or_(whole, *parts), known)
        )
        found.update(reader.connection.scalars(query))
    return sorted(found, reverse=True)


def numbers_of(reader: Reader, decisions: Sequence[str]) -> dict[str, int | None]:
    """The numbers of decisions by their names; ``None`` for one that the log does not have."""
    table = reader.tables.decision
    found: dict[str, int | None] = dict.fromkeys(decisions)
    for chunk in chunks(decisions, CHUNK):
        query = select(table.c.decision, table.c.number).where(table.c.decision.in_(chunk))
        found |= {row.decision: row.number for row in reader.connection.execute(query)}
    return found


def number_at(reader: Reader, position: int) -> int | None:
    """The entry that was recorded at a position."""
    table = reader.tables.decision
    return reader.connection.scalar(select(table.c.number).where(table.c.position == position))


def filed_by(reader: Reader, number: int) -> tuple[int, str] | None:
    """The report that an entry decides, and the handle of who filed it."""
    table, report = reader.tables.decision, reader.tables.report
    query = (
        select(report.c.number, report.c.filed_by)
        .join(table, table.c.report == report.c.number)
        .where(table.c.number == number)
    )
    row = reader.connection.execute(query).first()
    return None if row is None else (row.number, row.filed_by)


def _rows(reader: Reader, numbers: Sequence[int]) -> list[Mapping[str, Any]]:
    table, report = reader.tables.decision, reader.tables.report
    found: dict[int, Mapping[str, Any]] = {}
    for chunk in chunks(numbers, CHUNK):
        query = (
            select(table, report.c.target)
            .join(report, report.c.number == table.c.report)
            .where(table.c.number.in_(chunk))
        )
        found |= {row["number"]: {**row} for row in reader.connection.execute(query).mappings()}
    return [found[number] for number in numbers]


def _claims_of(reader: Reader, decisions: Sequence[str]) -> dict[str, list[str]]:
    table = reader.tables.decision_claim
    found: dict[str, list[str]] = {}
    for chunk in chunks(decisions, CHUNK):
        query = (
            select(table.c.decision, table.c.claim)
            .where(table.c.decision.in_(chunk))
            .order_by(table.c.decision, table.c.claim)
        )
        for decision, claim in reader.connection.execute(query):
            found.setdefault(decision, []).append(claim)
    return found


def _records(store: Store, claims: Iterable[str], upto: int | None) -> dict[str, list[ev.Recorded]]:
    records: dict[str, list[ev.Recorded]] = {}
    for record in store.streams(stream_of(claim) for claim in claims):
        if upto is None or record.position <= upto:
            records.setdefault(record.envelope.stream.partition(":")[2], []).append(record)
    return records


def _models(reader: Reader, claims: Sequence[str], upto: int | None) -> dict[str, str | None]:
    table = reader.tables.claim_version
    found: dict[str, str | None] = {}
    for chunk in chunks(claims, CHUNK):
        query = (
            select(table.c.claim, table.c.model)
            .where(table.c.claim.in_(chunk), in_plane(table, Plane.THEN))
            .order_by(table.c.recorded_from, table.c.read_from)
        )
        if upto is not None:
            query = query.where(table.c.recorded_from <= upto)
        found |= {row.claim: row.model for row in reader.connection.execute(query)}
    return found


def _entry(
    row: Mapping[str, Any],
    linked: Chains,
    claims: tuple[Touched, ...],
    subjects: tuple[TouchedSubject, ...],
) -> Correction:
    decision, decided_at = str(row["decision"]), from_micros(row["decided_at"])
    before, after = linked.replaces(decision), linked.replaced_by(decision)
    return Correction(
        number=row["number"],
        decision=decision,
        report=row["report"],
        target=row["target"],
        decided_at=decided_at,
        decided_by=row["decided_by"],
        proposed_by=row["proposed_by"],
        outcome=row["outcome"],
        type=row["type"],
        reason=row["reason"],
        statement=row["statement"],
        snapshot=row["snapshot"],
        claims=claims,
        subjects=subjects,
        replaces=before.number if before else None,
        replaced_by=after.number if after else None,
        in_force=linked.stands(decision),
        changed_at=linked.changed_at(decision, decided_at),
        position=row["position"],
    )


# --- what it did to one claim -----------------------------------------------------------------


def _touched(
    claim: str, records: Sequence[ev.Recorded], decision: str, model: str | None
) -> Touched:
    own = [place for place, record in enumerate(records) if names(record, decision)]
    # What was recorded later, a late reading say, does not change what the decision did.
    history = history_of(records[: own[-1] + 1] if own else records)
    facts = [one.fact for one in history.decisions if one.fact.decision == decision]
    steps = steps_by(claim, history, decision)
    before = _fields(steps[0].before if steps else None, history)
    after = _fields(steps[-1].after if steps else None, history)
    differ = [name for name in before | after if before.get(name) != after.get(name)]
    return Touched(
        claim_id=claim,
        benchmark=history.benchmark,
        model=next((step.model for step in reversed(steps) if step.model), model),
        as_written=steps[-1].name if steps else _name(history),
        before={name: before.get(name) for name in differ},
        after={name: after.get(name) for name in differ},
        applies_from=applies_from(facts),
        upstream_on=_upstream_on(facts),
    )


def steps_by(claim: str, history: History, decision: str) -> list[Step]:
    """The steps that a decision made on a claim; none when it changed nothing that shows."""
    latest = max((one.at for one in history.decisions), default=None)
    if latest is None:
        return []
    return [one for one in steps_of(claim, history, None, latest) if one.decision == decision]


def _fields(shown: Shown | None, history: History) -> dict[str, str | None]:
    """What showed, field by field; a model that only its name tells is the one that a decision
    found there."""
    if shown is None:
        return {}
    fields = shown.fields()
    if fields["model"] is None:
        facts = (one.fact for one in history.decisions)
        named = (one.before for one in facts if isinstance(one, ev.ClaimReidentified))
        fields["model"] = next((model for model in named if model), None)
    return fields


def _name(history: History) -> str:
    """What its source called the model last."""
    stated = (one.says.name for one in reversed(history.readings) if one.says is not None)
    return next(stated, history.key)


def _upstream_on(facts: Iterable[ev.DecisionFact]) -> str | None:
    dates = (one.upstream_on for one in facts if isinstance(one, ev.ClaimRetracted))
    return next((str(date) for date in dates if date is not None), None)
