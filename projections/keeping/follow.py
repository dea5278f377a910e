"""Following the ledger: apply its events in the order of their positions, batch by batch.

The position is saved in the transaction that applies the events, so a crash loses nothing and
applies nothing twice; and what a batch writes does not depend on where batches end. A rebuild
fills the next generation beside the live one and then moves the pointer.
"""

from collections.abc import Callable, Iterator
from contextlib import suppress

import attrs
from sqlalchemy import Connection, Table, func, select

from ledger import faults
from ledger.store import Store
from projections.keeping.alone import BeingFilled, alone
from projections.keeping.crew import Crew
from projections.keeping.filling import analyze, fill
from projections.keeping.pointer import (
    generations,
    live_generation,
    next_generation,
    note_position,
    saved_position,
    switch_to,
)
from projections.keeping.projectors import Projectors
from projections.keeping.shares import Share
from projections.keeping.tables import Tables, tables_of
from projections.keeping.views import (
    Views,
    create_generation,
    drop_generation,
    keep_readers_out,
    let_readers_in,
    work_long,
)

BATCH = 2_000

WORTH_A_CREW = 20_000
"""So many events are sooner filled in anew by several processes than followed by one."""

Progress = Callable[[int, int], None]


@attrs.frozen
class Follower:
    """Keeps the read model up with the ledger. A ``crew``, if there is one, helps with a great deal
    at once, while the pages show what they did before."""

    store: Store
    views: Views
    batch: int = BATCH
    crew: Crew | None = None

    def catch_up(self, upto: int | None = None, progress: Progress | None = None) -> int:
        """Apply what the ledger holds beyond the saved position; returns the position reached.

        ``upto`` stops early. Several processes may call it at once: they take turns.
        """
        if upto is None and self.crew is not None and self._misses_most():
            # Whoever else is filling it comes to the same; we may follow meanwhile.
            with suppress(BeingFilled):
                self.rebuild(progress)
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

    def _misses_most(self) -> bool:
        position = self.position()
        return self.store.head() - position >= max(WORTH_A_CREW, position)

    def _step(self, connection: Connection, tables: Tables, upto: int | None) -> tuple[int, bool]:
        position = saved_position(connection, tables)
        records = self.store.after(position, self.batch, upto)
        if not records:
            return position, False
        projectors = Projectors(tables, self.store)
        projectors.fold(connection, records)
        projectors.write(connection)
        last = records[-1]
        note_position(connection, tables, last.position, last.envelope.recorded_at)
        analyze(connection, position, last.position)
        # Crash before this commit: the whole batch is applied again. After it: none of it is.
        faults.here("follow:applied")
        return last.position, len(records) == self.batch

    # --- rebuilding ---------------------------------------------------------------------------

    def rebuild(self, progress: Progress | None = None) -> int:
        """Fill a new generation from position 0, then let it be the live one.

        Raises ``BeingFilled`` while somebody else does so.
        """
        with alone(self.views.engine):
            return self._rebuild(progress)

    def _rebuild(self, progress: Progress | None) -> int:
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
        """Rebuild beside the live tables and say where they differ, row by row; empty is good.
        Raises ``BeingFilled`` while somebody else fills them."""
        self.catch_up()
        with alone(self.views.engine):
            return self._check(progress)

    def _check(self, progress: Progress | None) -> list[str]:
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
                drop_generation(connection, generation)

    def _fill(self, progress: Progress | None, upto: int | None = None) -> int:
        """A generation beside the live one that holds what the live one would at a position."""
        upto = self.store.head() if upto is None else upto
        with self.views.write() as connection:
            generation = next_generation(connection)
            self._drop_cut_short(connection)
            tables = create_generation(connection, generation)
            keep_readers_out(connection, tables)
        for position in self._filled(tables, upto):
            if progress is not None:
                progress(position, upto)
        with self.views.write() as connection:
            at = self.store.recorded_at(upto)
            if at is not None:
                note_position(connection, tables, upto, at)
            let_readers_in(connection, tables)
        return generation

    @staticmethod
    def _drop_cut_short(connection: Connection) -> None:
        """Take away what was never finished: those who filled it may be at work until they notice,
        and find that their tables are gone."""
        live = live_generation(connection)
        for one in generations(connection):
            if one > live:
                drop_generation(connection, one)

    def _filled(self, tables: Tables, upto: int) -> Iterator[int]:
        if self.crew is None or upto < WORTH_A_CREW:
            return fill(self.store, self.views, tables, Share(), upto)
        return self.crew.fill(tables, upto)

    def _drop_older_than(self, generation: int) -> None:
        """The generation before the live one stays, for whoever is still reading it."""
        with self.views.write() as connection:
            for one in generations(connection):
                if one < generation:
                    drop_generation(connection, one)


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
