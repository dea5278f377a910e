"""All that is stored in an SQLite file, as one transaction sees it."""

from collections.abc import Sequence

import attrs
from eventsourcing.sqlite import SQLiteCursor

from ledger.store.engine import LAST, Table
from ledger.store.seals import Bundle, Sealed, StoredKey
from ledger.store.sqlite_seals import SQLiteSeals
from ledger.store.whole import WholeRow

_ROWS = (
    "SELECT rowid, originator_id, originator_version, topic, state FROM events"
    " WHERE rowid > ? ORDER BY rowid LIMIT ?"
)


@attrs.frozen
class SQLiteWhole:
    """The file at one moment: in WAL mode a reader goes on seeing what it saw first."""

    _cursor: SQLiteCursor
    _events: Table

    def head(self) -> int:
        """The last position, 0 when there is none."""
        return self._events.head()

    def rows(self, after: int, limit: int) -> Sequence[WholeRow]:
        """At most ``limit`` events after a position, in position order."""
        self._cursor.execute(_ROWS, (min(after, LAST), limit))
        found: Sequence[WholeRow] = self._cursor.fetchall()
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

    @property
    def _seals(self) -> SQLiteSeals:
        return SQLiteSeals(self._cursor, self._events)
