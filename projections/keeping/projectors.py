"""All that applies events to the tables of one generation, or to a share of it.

A batch is folded first and written afterwards, so that whoever fills a generation beside others
keeps the database to himself for the second part alone.
"""

from collections.abc import Sequence

import attrs
from sqlalchemy import Connection

from ledger import events as ev
from ledger.model import name_assertion
from ledger.store import Store
from ledger.subject import is_subject_stream
from projections.keeping.aliases import AliasProjector, NamesRemembered
from projections.keeping.assertions import AssertedEvent, AssertionProjector
from projections.keeping.claims import ClaimProjector
from projections.keeping.code_facts import CodeEvent, CodeProjector
from projections.keeping.inventory import InventoryProjector
from projections.keeping.proceedings import ReadingProjector, ReportProjector
from projections.keeping.shares import Share
from projections.keeping.tables import Tables


@attrs.define
class Projectors:
    """One of each, for a share of what is recorded; all of it, if nothing else is said."""

    tables: Tables
    store: Store
    share: Share = attrs.field(factory=Share)
    aliases: AliasProjector = attrs.field(init=False)
    assertions: AssertionProjector = attrs.field(init=False)
    claims: ClaimProjector = attrs.field(init=False)
    readings: ReadingProjector = attrs.field(init=False)
    reports: ReportProjector = attrs.field(init=False)
    code: CodeProjector = attrs.field(init=False)
    inventory: InventoryProjector = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        names = AliasProjector if self.share.is_first else NamesRemembered
        self.aliases = names(self.tables)
        self.assertions = AssertionProjector(self.tables)
        self.claims = ClaimProjector(self.tables, self.store, self.aliases, self.share)
        self.readings = ReadingProjector(self.tables)
        self.reports = ReportProjector(self.tables, self.store)
        self.code = CodeProjector(self.tables)
        self.inventory = InventoryProjector(self.tables)

    def fold(self, connection: Connection, records: Sequence[ev.Recorded]) -> None:
        """Apply one batch, in memory; the connection is only read from."""
        renamed = _renamed(records)
        self.aliases.load(connection, renamed)
        self.assertions.prepare(connection, records)
        # What was decided about a label or a sample is folded when somebody asks.
        of_claims = [one for one in records if not is_subject_stream(one.envelope.stream)]
        self.claims.prepare(connection, of_claims, renamed)
        self.reports.prepare(connection, records)
        for record in records:
            self._apply(record)

    def write(self, connection: Connection) -> None:
        """Write the batch that was folded."""
        for projector in (
            self.aliases,
            self.assertions,
            self.claims,
            self.readings,
            self.reports,
            self.code,
            self.inventory,
        ):
            projector.flush(connection)

    def _apply(self, record: ev.Recorded) -> None:
        event = record.event
        if isinstance(event, ev.ClaimEvent) and not is_subject_stream(record.envelope.stream):
            self.inventory.apply(record)
            self.claims.apply(record, event)
        elif self.share.is_first:
            self.inventory.apply(record)
            self._apply_once(record)
        if isinstance(event, ev.ModelEvent):
            name = self.aliases.apply(record, event)
            if name is not None:
                self.claims.renamed(name, record.position)

    def _apply_once(self, record: ev.Recorded) -> None:
        """What falls to one share alone."""
        event = record.event
        if isinstance(event, ev.ReportEvent):
            self.reports.apply(record, event)
        if isinstance(event, AssertedEvent):
            self.assertions.apply(record, event)
        if isinstance(event, CodeEvent | ev.ProbeEvent):
            self.code.apply(record, event)
        if isinstance(event, ev.SourceEvent | ev.ImportEvent):
            self.readings.apply(record, event)
        if isinstance(event, ev.ModelRenamed):
            self.claims.changes.renamed(record)


def _renamed(records: Sequence[ev.Recorded]) -> list[str]:
    """The names whose meaning these records may change."""
    stated = (
        name_assertion("", record.position, record.event)
        for record in records
        if isinstance(record.event, ev.ModelEvent)
    )
    return [one.key for one in stated if one is not None]
