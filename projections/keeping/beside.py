"""The live read model beside one that was just folded from the events, row by row.

Both are read in the order of their keys, a few thousand rows at a time, so memory does not grow
with the tables. The fold may lie in another database, of another kind; keys that are text are
ordered by code point in either. What differs is told by whoever looks at both.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import attrs
from sqlalchemy import Connection, String, Table, literal, select
from sqlalchemy.exc import DBAPIError

from projections.keeping.pointer import live_generation, progress, saved_position
from projections.keeping.refusals import ViewsUnavailable
from projections.keeping.tables import Tables, tables_of
from projections.keeping.views import Views, work_long

ROWS = 2_000
"""Rows that are held of each side."""

TableRow = Sequence[Any]


@attrs.frozen
class TwoTables:
    """One table on both sides; the first ``keys`` of its columns are its key."""

    name: str
    columns: tuple[str, ...]
    keys: int
    live: Iterator[TableRow]
    folded: Iterator[TableRow]


@attrs.frozen
class Live:
    """The live tables, as they stand at one moment."""

    connection: Connection
    tables: Tables
    position: int

    def beside(self, folded: Views) -> Iterator[TwoTables]:
        """Every table of both; look at one before going on to the next."""
        with folded.engine.begin() as connection:
            fresh = tables_of(live_generation(connection))
            yield TwoTables(
                "progress",
                ("one", "position", "recorded_at"),
                1,
                _reached(self.connection, self.tables),
                _reached(connection, fresh),
            )
            for live, other in zip(self.tables.compared, fresh.compared, strict=True):
                columns = _columns(live)
                keys = len(_keys(live))
                mine, theirs = _rows(self.connection, live), _rows(connection, other)
                yield TwoTables(live.name.partition("_")[2], columns, keys, mine, theirs)


@contextmanager
def live(views: Views) -> Iterator[Live]:
    """The live tables; whatever is written meanwhile does not show. Raises ``ViewsUnavailable``,
    also from inside, when there are none that can be read."""
    try:
        with views.look() as connection:
            work_long(connection)
            tables = tables_of(live_generation(connection))
            yield Live(connection, tables, saved_position(connection, tables))
    except DBAPIError as why:
        # Whoever alters a database alters its form as well: then it is no read model of ours.
        raise ViewsUnavailable(why=str(why.orig)) from why


def _reached(connection: Connection, tables: Tables) -> Iterator[TableRow]:
    """How far these tables say that they have come, whatever the number of their generation."""
    query = select(literal(1), progress.c.position, progress.c.recorded_at).where(
        progress.c.generation == tables.generation
    )
    return iter(connection.execute(query).all())


def _keys(table: Table) -> list[str]:
    return [column.name for column in table.primary_key.columns]


def _columns(table: Table) -> tuple[str, ...]:
    """The columns of its key first, then the others."""
    key = _keys(table)
    return (*key, *(column.name for column in table.columns if column.name not in key))


def _rows(connection: Connection, table: Table) -> Iterator[TableRow]:
    query = select(*(table.c[name] for name in _columns(table))).order_by(
        *(_by_code_point(connection, table, name) for name in _keys(table))
    )
    streaming = {"yield_per": ROWS}
    return iter(connection.execute(query, execution_options=streaming))


def _by_code_point(connection: Connection, table: Table, name: str) -> Any:
    column = table.c[name]
    if isinstance(column.type, String) and connection.dialect.name == "postgresql":
        return column.collate("C")
    return column
