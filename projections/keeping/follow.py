"""Following the ledger: apply its events in the order of their positions, batch by batch.

The position is saved in the transaction that applies the events, so a crash loses nothing and
applies nothing twice; and what a batch writes does not depend on where batches end. A rebuild
fills the next generation beside the live one and then moves the pointer.
"""

import gc
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import attrs
from sqlalchemy import Connection, Table, func, select, text, update

from ledger import events as ev
from ledger import faults
from ledger.model import name_assertion
from ledger.store import Store
from ledger.subject import is_subject_stream
from ledger.values import micros
from projections.keeping.aliases import AliasProjector
from projections.keeping.assertions import AssertedEvent, AssertionProjector
from projections.keeping.claims import ClaimProjector
from projections.keeping.code_facts import CodeEvent, CodeProjector
from projections.keeping.inventory import InventoryProjector
from projections.keeping.proceedings import ReadingProjector, ReportProjector
from projections.keeping.tables import Tables, tables_of
from projections.keeping.views import (
    Views,
    create_generation,
    keep_readers_out,
    let_readers_in,
    live_generation,
    saved_position,
    switch_to,
    work_long,
)

BATCH = 2_000
FILLING = 5
"""So many times as many events are one batch of a rebuild, for which nobody waits."""
ANALYZE_AFTER = (500, 5_000, 50_000, 500_000)
Progress = Callable[[int, int], None]


@attrs.define
class Projectors:
    """All that applies events to the tables of one generation."""

    tables: Tables
    store: Store
    aliases: AliasProjector = attrs.field(init=False)
    assertions: AssertionProjector = attrs.field(init=False)
    claims: ClaimProjector = attrs.field(init=False)
    readings: ReadingProjector = attrs.field(init=False)
    reports: ReportProjector = attrs.field(init=False)
    code: CodeProjector = attrs.field(init=False)
    inventory: InventoryProjector = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self.aliases = AliasProjector(self.tables)
        self.assertions = AssertionProjector(self.tables)
        self.claims = ClaimProjector(self.tables, self.store, self.aliases)
        self.readings = ReadingProjector(self.tables)
        self.reports = ReportProjector(self.tables, self.store)
        self.code = CodeProjector(self.tables)
        self.inventory = InventoryProjector(self.tables)

    def apply(self, connection: Connection, records: Sequence[ev.Recorded]) -> None:
        """Apply one batch and write it."""
        renamed = _renamed(records)
        self.aliases.load(connection, renamed)
        self.assertions.prepare(connection, records)
        # What was decided about a label or a sample is folded when somebody asks.
        of_claims = [one for one in records if not is_subject_stream(one.envelope.stream)]
        self.claims.prepare(connection, of_claims, renamed)
        self.reports.prepare(connection, records)
        for record in records:
            self._apply(record)
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
        self.inventory.apply(record)
        if isinstance(event, ev.ClaimEvent) and not is_subject_stream(record.envelope.stream):
            self.claims.apply(record, event)
        elif isinstance(event, ev.ReportEvent):
            self.reports.apply(record, event)
        if isinstance(event, AssertedEvent):
            self.assertions.apply(record, event)
        if isinstance(event, CodeEvent | ev.ProbeEvent):
            self.code.apply(record, event)
        if isinstance(event, ev.SourceEvent | ev.ImportEvent):
            self.readings.apply(record, event)
        if isinstance(event, ev.ModelRenamed):
            self.claims.changes.renamed(record)
        if isinstance(event, ev.ModelEvent):
            name = self.aliases.apply(record, event)
            if name is not None:
                self.claims.renamed(name, record.position)


def _renamed(records: Sequence[ev.Recorded]) -> list[str]:
    """The names whose meaning these records may change."""
    stated = (
        name_assertion("", record.position, record.event)
        for record in records
        if isinstance(record.event, ev.ModelEvent)
    )
    return [one.key for one in stated if one is not None]


@attrs.frozen
class Follower:
    """Keeps the read model up with the ledger."""

    store: Store
    views: Views
    batch: int = BATCH

    def catch_up(self, upto: int | None = None, progress: Progress | None = None) -> int:
        """Apply what the ledger holds beyond the saved position; returns the position reached.

        ``upto`` stops early. Several processes may call it at once: they take turns.
        """
        while True:
            with self.views.write() as connection:
                tables = tables_of(live_generation(connection))
                position, more = self._step(connection, tables, upto)
            faults.here("follow:committed")
            if progress is not None:
                progress(position, self.store.head())
            if not more:
                return position

    def position(self) -> int:
        """The position that the live tables have reached."""
        with self.views.read() as reader:
            return reader.position

    def _step(
        self, connection: Connection, tables: Tables, upto: int | None, most: int | None = None
    ) -> tuple[int, bool]:
        position, most = saved_position(connection, tables), most or self.batch
        records = self.store.after(position, most, upto)
        if not records:
            return position, False
        Projectors(tables, self.store).apply(connection, records)
        last = records[-1]
        connection.execute(
            update(tables.progress).values(
                position=last.position, recorded_at=micros(last.envelope.recorded_at)
            )
        )
        if any(position < mark <= last.position for mark in ANALYZE_AFTER):
            connection.execute(text("ANALYZE"))
        # Crash before this commit: the whole batch is applied again. After it: none of it is.
        faults.here("follow:applied")
        return last.position, len(records) == most

    # --- rebuilding ---------------------------------------------------------------------------

    def rebuild(self, progress: Progress | None = None) -> int:
        """Fill a new generation from position 0, then let it be the live one."""
        generation = self._fill(progress)
        with self.views.write() as connection:
            # Whatever landed while the pointer was still on the old tables.
            tables = tables_of(generation)
            while self._step(connection, tables, None)[1]:
                pass
            before = live_generation(connection)
            switch_to(connection, generation)
            # Crash here: the old tables stay the live ones, and the next rebuild fills anew.
            faults.here("rebuild:switching")
        # Crash here: the new tables are live; the next rebuild drops what is older.
        faults.here("rebuild:switched")
        self._drop_older_than(before)
        return self.position()

    def check(self, progress: Progress | None = None) -> list[str]:
        """Rebuild beside the live tables and say where they differ, row by row; empty is good."""
        self.catch_up()
        with self.views.read() as reader:
            position = reader.position
        generation = self._fill(progress, upto=position)
        try:
            with self.views.read() as reader:
                work_long(reader.connection)
                fresh = tables_of(generation)
                return [
                    difference
                    for live, other in zip(reader.tables.compared, fresh.compared, strict=True)
                    for difference in differences(reader.connection, live, other)
                ]
        finally:
            with self.views.write() as connection:
                tables_of(generation).metadata.drop_all(connection)

    def _fill(self, progress: Progress | None, upto: int | None = None) -> int:
        with _no_circles():
            return self._filled(progress, upto)

    def _filled(self, progress: Progress | None, upto: int | None) -> int:
        with self.views.write() as connection:
            generation = live_generation(connection) + 1
            tables = create_generation(connection, generation)
            keep_readers_out(connection, tables)
        more = True
        while more:
            with self.views.write() as connection:
                position, more = self._step(connection, tables, upto, self.batch * FILLING)
            if progress is not None:
                progress(position, self.store.head())
        with self.views.write() as connection:
            let_readers_in(connection, tables)
        return generation

    def _drop_older_than(self, generation: int) -> None:
        """The generation before the live one stays, for whoever is still reading it."""
        with self.views.write() as connection:
            if generation > 1:
                tables_of(generation - 1).metadata.drop_all(connection)


@contextmanager
def _no_circles() -> Iterator[None]:
    """Do not look for circles of objects meanwhile: events and rectangles make none, and looking
    through hundreds of thousands of them again and again takes a fifth of the time."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


MOST_DIFFERENCES = 20


def differences(connection: Connection, live: Table, other: Table) -> list[str]:
    """Rows that only one of two tables of the same shape has, in words."""
    found = []
    for one, another, where in ((live, other, "live"), (other, live, "rebuilt")):
        mine, theirs = select(*one.c), select(*another.c)
        only = mine.except_(theirs).subquery()
        count = connection.scalar(select(func.count()).select_from(only)) or 0
        if count:
            name = live.name.partition("_")[2]
            rows = connection.execute(select(*only.c).limit(MOST_DIFFERENCES))
            found += [f"{name}: only in the {where} tables: {tuple(row)}" for row in rows]
    return found
