"""What waits for a reviewer: open reports, and claims that have to be looked at again."""

from collections.abc import Mapping
from typing import Any

import attrs
import orjson
from sqlalchemy import ColumnElement, and_, func, or_, select

from ledger.claim import Plane
from ledger.values import Instant, from_micros
from projections.keeping.tables import FOREVER, in_plane
from projections.keeping.views import Reader


@attrs.frozen(kw_only=True)
class WaitingReport:
    """One report as it stands; ``awaiting`` is a decision that takes a second person, proposed by
    ``proposed_by``."""

    number: int
    state: str
    target: str
    reason: str
    proposes: tuple[Mapping[str, Any], ...]
    filed_by: str
    received_at: Instant
    held_by: str | None
    version: int
    awaiting: str | None
    proposed_by: str | None


@attrs.frozen
class ClaimToReview:
    """A claim whose decision has to be looked at again, and why."""

    claim_id: str
    benchmark: str
    name: str
    why: str


# --- reports ----------------------------------------------------------------------------------


def reports(reader: Reader, state: str | None = None) -> list[WaitingReport]:
    """Reports, oldest first; only those in a state, when asked."""
    table = reader.tables.report
    return _reports(reader, table.c.state == state if state is not None else None)


def reports_of(reader: Reader, by: str) -> list[WaitingReport]:
    """The reports that were filed under a handle."""
    return _reports(reader, reader.tables.report.c.filed_by == by)


def report_numbered(reader: Reader, number: int) -> WaitingReport | None:
    """One report, whatever its state."""
    found = _reports(reader, reader.tables.report.c.number == number)
    return found[0] if found else None


def unsettled(reader: Reader) -> list[WaitingReport]:
    """The open reports, and those of which a decision or its undoing awaits a second person."""
    return _reports(reader, _unsettled(reader.tables.report))


def waiting_since(reader: Reader) -> tuple[int, Instant | None]:
    """How many reports are unsettled, and when the oldest of them came in."""
    table = reader.tables.report
    query = select(func.count(), func.min(table.c.received_at)).where(_unsettled(table))
    count, oldest = reader.connection.execute(query).one()
    return int(count), None if oldest is None else from_micros(oldest)


def _unsettled(table: Any) -> ColumnElement[bool]:
    return or_(table.c.state == "open", table.c.awaiting.is_not(None))


def _reports(reader: Reader, which: ColumnElement[bool] | None) -> list[WaitingReport]:
    table = reader.tables.report
    query = select(table).order_by(table.c.received_at, table.c.number)
    if which is not None:
        query = query.where(which)
    return [_waiting(row) for row in reader.connection.execute(query).mappings()]


def _waiting(row: Any) -> WaitingReport:
    return WaitingReport(
        number=row["number"],
        state=row["state"],
        target=row["target"],
        reason=row["reason"],
        proposes=tuple(orjson.loads(row["proposes"])),
        filed_by=row["filed_by"],
        received_at=from_micros(row["received_at"]),
        held_by=row["held_by"],
        version=row["version"],
        awaiting=row["awaiting"],
        proposed_by=row["proposed_by"],
    )


def next_report_number(reader: Reader) -> int:
    """The first free number; two who file at once are told apart by the ledger."""
    table = reader.tables.report
    highest = reader.connection.scalar(
        select(table.c.number).order_by(table.c.number.desc()).limit(1)
    )
    return (highest or 0) + 1


# --- claims -----------------------------------------------------------------------------------


def claims_to_review(reader: Reader) -> list[ClaimToReview]:
    """Claims whose source moved on from what a decision corrected, and new claims in the place of
    one that bore a decision (same source, model, metric and split under another key)."""
    table = reader.tables.claim_version
    moved = select(table.c.claim, table.c.benchmark, table.c.name, table.c.review).where(
        table.c.review.is_not(None), _current(table)
    )
    found = [ClaimToReview(*row) for row in reader.connection.execute(moved)]
    return found + _successors(reader)


def _open(table: Any) -> ColumnElement[bool]:
    """What the ledger holds now, as read then."""
    return and_(in_plane(table, Plane.THEN), table.c.recorded_to == FOREVER)


def _current(table: Any) -> ColumnElement[bool]:
    return and_(_open(table), table.c.read_to == FOREVER)


def _successors(reader: Reader) -> list[ClaimToReview]:
    """New claims in the place of a decided one that went at the reading that brought them, until
    something is decided about them too."""
    decided = select(reader.tables.decision_claim.c.claim)
    table = reader.tables.claim_version
    new, gone, other = (table.alias(name) for name in ("new", "gone", "other"))
    query = (
        select(new.c.claim, new.c.benchmark, new.c.name, gone.c.claim, gone.c.key)
        .join(
            gone,
            and_(
                gone.c.benchmark == new.c.benchmark,
                gone.c.source == new.c.source,
                gone.c.model == new.c.model,
                gone.c.metric == new.c.metric,
                gone.c.split.is_not_distinct_from(new.c.split),
                gone.c.claim != new.c.claim,
                gone.c.read_to == new.c.read_from,
            ),
        )
        .where(
            gone.c.claim.in_(decided),
            new.c.claim.not_in(decided),
            _open(gone),
            _open(new),
            # It went, and was not only restated; the other is new, and is still stated.
            ~_has(other, gone.c.claim, other.c.read_from == gone.c.read_to),
            ~_has(other, new.c.claim, other.c.read_from < new.c.read_from),
            _has(other, new.c.claim, other.c.read_to == FOREVER),
        )
        .order_by(new.c.claim, gone.c.claim)
    )
    return [
        ClaimToReview(
            claim,
            benchmark,
            name,
            f"stands in the place of {before} (key {key}), which bears a decision",
        )
        for claim, benchmark, name, before, key in reader.connection.execute(query)
    ]


def _has(table: Any, claim: ColumnElement[str], which: ColumnElement[bool]) -> ColumnElement[bool]:
    """Whether a claim has such a span."""
    return select(table.c.claim).where(table.c.claim == claim, _open(table), which).exists()
