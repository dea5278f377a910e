"""All that is stored in PostgreSQL, as one transaction sees it."""

from collections.abc import Sequence
from typing import LiteralString

import attrs
from psycopg import Connection
from psycopg.rows import DictRow, tuple_row

from ledger.store.engine import LAST, Table
from ledger.store.postgres_seals import PostgresSeals
from ledger.store.seals import Bundle, Sealed, StoredKey
from ledger.store.whole import WholeRow

ONE_MOMENT = b"SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY"
"""Each statement of the transaction sees what the first one saw."""

_ROWS: LiteralString = (
    "SELECT notification_id, originator_id, originator_version, topic, state FROM ledger.events"
    " WHERE notification_id > %s ORDER BY notification_id LIMIT %s"
)


@attrs.frozen
class PostgresWhole:
    """The database at one moment."""

    _connection: Connection[DictRow]
    _events: Table
    _seals: PostgresSeals

    def head(self) -> int:
        """The last position, 0 when there is none."""
        return self._events.head()

    def rows(self, after: int, limit: int) -> Sequence[WholeRow]:
        """At most ``limit`` events after a position, in position order."""
        with self._connection.cursor(row_factory=tuple_row, binary=True) as cursor:
            cursor.execute(_ROWS, (min(after, LAST), limit))
            found: Sequence[WholeRow] = cursor.fetchall()
        return found

    def bundle(self, number: int) -> Bundle | None:
        """A bundle of 256 leaves, if it is there."""
        return self._seals.bundle(number)

    def subtree(self, level: int, number: int) -> bytes | None:
        """A hash of a tile level from 1 on, if it is there."""
        found = self._seals.subtrees(level, number, 1)
        return found[0] if found else None

    def checkpoints(self, after: int, limit: int) -> list[Sealed]:
        """At most ``limit`` checkpoints of more than ``after`` leaves, in the order of sizes."""
        return self._seals.checkpoints(after, limit)

    def keys(self) -> list[StoredKey]:
        """All keys, oldest first."""
        return self._seals.keys()
