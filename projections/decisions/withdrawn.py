"""Reports that their reporters took back before anybody decided them.

Nothing came of them, so nothing of them is public but that it happened (case P006): when, for which
kind of reason the report was filed, on which benchmark, and why it was taken back. Never shown are
the claim, what was asked for, and who asked. Words of people without an account are shown only when
they are one of the fixed reasons: nobody has looked at them, and the log is no notice board.
"""

from collections.abc import Iterable, Iterator

import attrs
from sqlalchemy import or_, select

from ledger import events as ev
from ledger.report import Report, evolve, stream_of
from ledger.store import Store
from ledger.values import Instant
from ledger.vocabulary import REASONS, WITHDRAWALS
from projections.decisions.log import decided_by
from projections.keeping.views import Reader
from projections.moment import Moment

WITHOUT_ACCOUNT = "reporter-"
"""How the handles of people without an account begin."""


@attrs.frozen(kw_only=True)
class Withdrawn:
    """One report taken back; ``why`` is what may be shown of its reporter's reason."""

    report: int
    at: Instant
    position: int
    reason: str
    benchmark: str | None
    why: str | None


def withdrawn(reader: Reader, store: Store, moment: Moment) -> list[Withdrawn]:
    """What had been taken back by a moment and was not decided, latest first.

    Each is read from its own stream: there are few.
    """
    records: dict[int, list[ev.Recorded]] = {}
    for record in store.streams(stream_of(number) for number in _numbers(reader)):
        if _is_known(record, moment):
            number = int(record.envelope.stream.partition(":")[2])
            records.setdefault(number, []).append(record)
    found = [one for report in records.values() for one in _taken_back(reader, report)]
    return sorted(found, key=lambda one: one.position, reverse=True)


def _numbers(reader: Reader) -> list[int]:
    """Reports that are withdrawn, or that a decision said so of afterwards."""
    report, decision = reader.tables.report, reader.tables.decision
    told = select(decision.c.report).where(decision.c.outcome == "withdrawn")
    query = select(report.c.number).where(
        or_(report.c.state == "withdrawn", report.c.number.in_(told))
    )
    return list(reader.connection.scalars(query.order_by(report.c.number)))


def _is_known(record: ev.Recorded, moment: Moment) -> bool:
    until = decided_by(moment)
    return record.position <= moment.position and (
        until is None or record.envelope.recorded_at <= until
    )


def _taken_back(reader: Reader, records: Iterable[ev.Recorded]) -> Iterator[Withdrawn]:
    """The withdrawal, while that is the last word on the report."""
    report: Report | None = None
    was_open, last, reason = False, None, ""
    for record in records:
        if isinstance(record.event, ev.ReportFiled):
            reason = record.event.reason
        if isinstance(record.event, ev.ReportWithdrawn):
            was_open, last = report is not None and report.state == "open", record
        report = evolve(report, record)
    if report is None or last is None or not was_open or report.state != "withdrawn":
        return
    if report.decided:
        return  # a part of it was decided, and the log has that
    assert isinstance(last.event, ev.ReportWithdrawn)  # noqa: S101 -- that is how it got here
    yield Withdrawn(
        report=report.number,
        at=last.envelope.recorded_at,
        position=last.position,
        reason=reason,
        benchmark=_benchmark(reader, report.target),
        why=_shown(last.event.reason, last.envelope.recorded_by),
    )


def _benchmark(reader: Reader, target: str) -> str | None:
    """The benchmark that a report was about, if claims are on it: a reporter may name anything."""
    kind, _, name = target.partition("#")[0].partition("/")
    table = reader.tables.claim
    column = {"benchmarks": table.c.benchmark, "claims": table.c.claim}.get(kind)
    if column is None:
        return None
    return reader.connection.scalar(select(table.c.benchmark).where(column == name).limit(1))


def _shown(reason: str | None, by: str) -> str | None:
    if reason is None or reason in REASONS or reason in WITHDRAWALS.values():
        return reason
    return None if by.startswith(WITHOUT_ACCOUNT) else reason
