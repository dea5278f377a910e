"""The private store, copied into another database by its owner, who moves the ledger with it.

All tables go, whatever is in them, in one transaction. Nothing is mixed: the other store has to be
empty, or hold no more than an attempt that was broken off left there.
"""

import hashlib
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from sqlalchemy import Connection, Row, Table, delete, func, insert, select, text

from ledger.errors import Refused
from web.private.store import PrivateStore, metadata, scrub_due

ROWS = 50
"""Rows in memory at once; one may be a file of a megabyte."""

ONE_MOMENT = text("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")


class PrivateNotEmpty(Refused):
    """There are private {table} already that are not of this ledger; name a place without, or
    remove that private store first."""


def copy_private(
    source: PrivateStore, target: PrivateStore, told: Callable[[int], None] = lambda _: None
) -> int:
    """Copy every row, and say how many that were. Raises ``PrivateNotEmpty``.

    What is due to be cleaned from the files of the one is not in those of the other.
    """
    tables = [table for table in metadata.sorted_tables if table is not scrub_due]
    count = 0
    with source.read() as reading, target.write() as writing:
        if reading.dialect.name == "postgresql":
            reading.execute(ONE_MOMENT)
        for table in reversed(tables):
            _empty(table, reading, writing)
        for table in tables:
            for rows in _rows(table, reading):
                writing.execute(insert(table), rows)
                count += len(rows)
                told(count)
            _go_on_numbering(table, writing)
    return count


def _rows(table: Table, connection: Connection) -> Iterator[list[Mapping[str, Any]]]:
    found = connection.execution_options(yield_per=ROWS).execute(select(table))
    for some in found.partitions():
        yield [dict(row._mapping) for row in some]  # noqa: SLF001 -- that is its public name


def _empty(table: Table, reading: Connection, writing: Connection) -> None:
    """Remove what an attempt that died left there, and refuse what it cannot have left."""
    left = {_digest(row) for row in writing.execute(select(table))}
    if not left:
        return
    if not left <= {_digest(row) for row in reading.execute(select(table))}:
        raise PrivateNotEmpty(table=table.name)
    writing.execute(delete(table))


def _digest(row: Row[Any]) -> bytes:
    return hashlib.sha256(repr(tuple(row)).encode()).digest()


def _go_on_numbering(table: Table, connection: Connection) -> None:
    """Let PostgreSQL number what comes next behind what was copied; SQLite does so by itself."""
    column = table.autoincrement_column
    if column is None or connection.dialect.name != "postgresql":
        return
    last = connection.scalar(select(func.max(column)))
    sequence = connection.scalar(select(func.pg_get_serial_sequence(table.name, column.name)))
    if last is not None and sequence is not None:
        connection.execute(select(func.setval(sequence, last)))
