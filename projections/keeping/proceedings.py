"""Readings, imports, reports and decisions: what happened, one row each."""

from collections.abc import Iterable
from typing import Any

import attrs
import orjson
from sqlalchemy import Connection, bindparam, delete, func, insert, select, update

from ledger import events as ev
from ledger.report import Report, evolve, report_of, stream_of
from ledger.store import Store
from ledger.values import micros
from projections.keeping.tables import FOREVER, Tables

Rows = list[dict[str, Any]]


@attrs.define
class ReadingProjector:
    """Readings of sources, and the imports that brought them."""

    tables: Tables
    _readings: Rows = attrs.field(factory=list)
    _withdrawn: Rows = attrs.field(factory=list)
    _imports: Rows = attrs.field(factory=list)

    def apply(self, record: ev.Recorded, event: ev.SourceEvent | ev.ImportEvent) -> None:
        """One reading, one reading taken back, or one import."""
        if isinstance(event, ev.SourceFrozen):
            self._readings.append(_reading_row(record, event))
        elif isinstance(event, ev.ReadingWithdrawn):
            self._withdraw(record, event)
        elif isinstance(event, ev.ImportReceived):
            self._imports.append(_import_row(record, event))

    def _withdraw(self, record: ev.Recorded, event: ev.ReadingWithdrawn) -> None:
        source = record.envelope.stream.partition(":")[2]
        what = (source, event.benchmark, event.digest, micros(event.read_at), event.order)
        for row in self._readings:
            held = (row["source"], row["benchmark"], row["digest"], row["read_at"], row["turn"])
            if held == what and row["withdrawn"] == FOREVER:
                row["withdrawn"] = record.position
                return
        names = ("is_source", "is_benchmark", "is_digest", "is_read_at", "is_turn")
        self._withdrawn.append(dict(zip(names, what, strict=True)) | {"at": record.position})

    def flush(self, connection: Connection) -> None:
        """Write the batch."""
        table = self.tables.reading
        if self._readings:
            connection.execute(insert(table), self._readings)
        if self._withdrawn:
            columns = ("source", "benchmark", "digest", "read_at", "turn")
            # A reading of a paper has no benchmark, and nothing equals NULL.
            same = (
                table.c[name].is_not_distinct_from(
                    bindparam(f"is_{name}", type_=table.c[name].type)
                )
                for name in columns
            )
            statement = update(table).where(*same, table.c.withdrawn == FOREVER)
            connection.execute(statement.values(withdrawn=bindparam("at")), self._withdrawn)
        if self._imports:
            connection.execute(insert(self.tables.imported), self._imports)
        self._readings.clear()
        self._withdrawn.clear()
        self._imports.clear()


def _reading_row(record: ev.Recorded, event: ev.SourceFrozen) -> dict[str, Any]:
    return {
        "position": record.position,
        "withdrawn": FOREVER,
        "source": record.envelope.stream.partition(":")[2],
        "benchmark": event.benchmark,
        "digest": event.digest,
        "read_at": micros(event.read_at),
        "turn": event.order,
        "recorded_at": micros(record.envelope.recorded_at),
        "recorded_by": record.envelope.recorded_by,
        "media_type": event.media_type,
        "size": event.size,
        "entries_stated": event.entries_stated,
        "transcribed": event.transcribed,
        "file": event.file,
    }


def _import_row(record: ev.Recorded, event: ev.ImportReceived) -> dict[str, Any]:
    return {
        "position": record.position,
        "digest": event.digest,
        "file": event.file,
        "format": event.format,
        "source": event.source,
        "benchmark": event.benchmark,
        "read_at": micros(event.read_at),
        "recorded_at": micros(record.envelope.recorded_at),
        "recorded_by": record.envelope.recorded_by,
        "counts": orjson.dumps(dict(event.counts)).decode(),
        "refused": orjson.dumps(list(event.refused)).decode(),
    }


@attrs.define
class ReportProjector:
    """Reports as they stand, and every decision with its number."""

    tables: Tables
    store: Store
    _reports: dict[int, Report] = attrs.field(factory=dict)
    _filed: dict[int, dict[str, Any]] = attrs.field(factory=dict)
    _decisions: Rows = attrs.field(factory=list)
    _claims: Rows = attrs.field(factory=list)
    _next: int = 0

    def prepare(self, connection: Connection, records: Iterable[ev.Recorded]) -> None:
        """Load the reports that this batch goes on with."""
        touched: dict[int, int] = {}
        for record in records:
            if isinstance(record.event, ev.ReportEvent):
                number = int(record.envelope.stream.partition(":")[2])
                touched.setdefault(number, record.position)
        if not touched:
            return
        highest = connection.scalar(select(func.max(self.tables.decision.c.number)))
        self._next = (highest or 0) + 1
        for number, position in touched.items():
            stream = self.store.stream(stream_of(number))
            earlier = [one for one in stream if one.position < position]
            report = report_of(earlier)
            if report is not None:
                self._reports[number] = report
                self._filed[number] = _filed_row(earlier)

    def apply(self, record: ev.Recorded, event: ev.ReportEvent) -> None:
        """One event of a report."""
        number = int(record.envelope.stream.partition(":")[2])
        report = evolve(self._reports.get(number), record)
        if report is None:
            return
        self._reports[number] = report
        if isinstance(event, ev.ReportFiled):
            self._filed[number] = _filed_row([record])
        elif isinstance(event, ev.ReportAmended):
            self._filed[number]["proposes"] = _json_list(event.proposes)
        elif isinstance(event, ev.DecisionMade):
            self._decide(record, report, event)
        elif isinstance(event, ev.DecisionReversed):
            self._reverse(record, report, event)

    def _decide(self, record: ev.Recorded, report: Report, event: ev.DecisionMade) -> None:
        terms = event.terms
        self._add(
            record,
            report,
            event.decision,
            terms.claims,
            outcome=terms.outcome,
            type=terms.type,
            reason=terms.reason,
            snapshot=terms.snapshot,
            applies_from=_applies_from(terms),
            statement=terms.statement,
            replaces=terms.replaces,
        )

    def _reverse(self, record: ev.Recorded, report: Report, event: ev.DecisionReversed) -> None:
        self._add(
            record,
            report,
            event.decision,
            event.claims,
            outcome="reversed",
            type=None,
            reason="reversal",
            snapshot=event.snapshot,
            applies_from=None,
            statement=event.statement,
            replaces=event.reverses,
        )

    def _add(
        self,
        record: ev.Recorded,
        report: Report,
        decision: str,
        claims: Iterable[str],
        **terms: Any,
    ) -> None:
        self._decisions.append(
            {
                "number": self._next,
                "decision": decision,
                "report": report.number,
                "position": record.position,
                "decided_at": micros(record.envelope.recorded_at),
                "decided_by": record.envelope.recorded_by,
                "proposed_by": report.proposers.get(decision),
                **terms,
            }
        )
        self._claims += [{"decision": decision, "claim": claim} for claim in claims]
        self._next += 1

    def flush(self, connection: Connection) -> None:
        """Write the batch."""
        if self._reports:
            table = self.tables.report
            connection.execute(delete(table).where(table.c.number.in_(list(self._reports))))
            rows = [_report_row(self._filed[n], report) for n, report in self._reports.items()]
            connection.execute(insert(table), rows)
        if self._decisions:
            connection.execute(insert(self.tables.decision), self._decisions)
        if self._claims:
            connection.execute(insert(self.tables.decision_claim), self._claims)
        for cache in (self._reports, self._filed, self._decisions, self._claims):
            cache.clear()


def _filed_row(records: Iterable[ev.Recorded]) -> dict[str, Any]:
    """What a report asks for, from the events so far."""
    row: dict[str, Any] = {}
    for record in records:
        event = record.event
        if isinstance(event, ev.ReportFiled):
            row = {
                "number": event.number,
                "target": event.target,
                "reason": event.reason,
                "proposes": _json_list(event.proposes),
                "received_at": micros(event.received_at),
                "recorded_at": micros(record.envelope.recorded_at),
            }
        elif isinstance(event, ev.ReportAmended):
            row["proposes"] = _json_list(event.proposes)
    return row


def _applies_from(terms: ev.Terms) -> int | None:
    """The earliest instant that any effect applies from; ``None`` for the first reading."""
    instants = [effect.applies_from for effect in terms.effects]
    dated = [micros(instant) for instant in instants if instant is not None]
    return min(dated) if len(dated) == len(instants) and dated else None


def _json_list(changes: Iterable[ev.Change]) -> str:
    listed = [{"field": one.field, "from": one.from_, "to": one.to} for one in changes]
    return orjson.dumps(listed).decode()


def _report_row(filed: dict[str, Any], report: Report) -> dict[str, Any]:
    return filed | {
        "state": report.state,
        "filed_by": report.filed_by,
        "held_by": report.held_by,
        "awaiting": next(iter(report.proposed), None),
        "proposed_by": next((by for by, _ in report.proposed.values()), None),
        "version": report.version,
    }
