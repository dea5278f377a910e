"""The table of events in an SQLite file: how it is made, guarded, and seen in one transaction."""

from collections.abc import Collection, Sequence
from typing import Any

import attrs
import orjson
from eventsourcing.sqlite import SQLiteCursor

from ledger.store.engine import LAST, Row, Stored
from ledger.store.whole import WholeRow

TABLE = """
CREATE TABLE IF NOT EXISTS events (
    rowid INTEGER PRIMARY KEY AUTOINCREMENT CHECK (rowid > 0),
    originator_id TEXT NOT NULL CHECK (typeof(originator_id) = 'text'),
    originator_version INTEGER NOT NULL CHECK (originator_version > 0),
    topic TEXT NOT NULL,
    state BLOB NOT NULL CHECK (typeof(state) = 'blob'),
    UNIQUE (originator_id, originator_version)
)
"""

# REPLACE deletes without firing a DELETE trigger; so the key is looked up before the row goes in.
# Only after it went in is a rowid that SQLite chose itself known.
TRIGGERS = {
    "events_are_never_changed": """
        BEFORE UPDATE ON events
        BEGIN SELECT RAISE(ABORT, 'a recorded event is never changed'); END
    """,
    "events_are_never_removed": """
        BEFORE DELETE ON events
        BEGIN SELECT RAISE(ABORT, 'a recorded event is never removed'); END
    """,
    "events_are_never_replaced": """
        BEFORE INSERT ON events
        WHEN EXISTS (SELECT 1 FROM events WHERE rowid = NEW.rowid) OR EXISTS (
            SELECT 1 FROM events
            WHERE originator_id = NEW.originator_id AND originator_version = NEW.originator_version
        )
        BEGIN SELECT RAISE(ABORT, 'a recorded event is never replaced'); END
    """,
    "events_are_never_slipped_in": """
        AFTER INSERT ON events
        WHEN NEW.rowid < (SELECT MAX(rowid) FROM events)
        BEGIN SELECT RAISE(ABORT, 'an event is recorded after all others'); END
    """,
}

SCHEMA = (
    TABLE,
    *(f"CREATE TRIGGER IF NOT EXISTS {name} {body}" for name, body in TRIGGERS.items()),
)
MADE = frozenset({"events", *TRIGGERS})


@attrs.frozen
class SQLiteTable:
    """The events as one SQLite transaction sees them."""

    _cursor: SQLiteCursor

    def head(self) -> int:
        """The last position, 0 when there is none."""
        return int(self._one("SELECT MAX(rowid) FROM events")[0] or 0)

    def last(self, upto: int = LAST) -> Stored | None:
        """The last event at or before a position."""
        row = self._one(
            "SELECT rowid, state FROM events WHERE rowid <= ? ORDER BY rowid DESC LIMIT 1", (upto,)
        )
        return None if row is None else (row[0], row[1])

    def first_after(self, position: int) -> int:
        """The position that follows, 0 when there is none."""
        return int(self._one("SELECT MIN(rowid) FROM events WHERE rowid > ?", (position,))[0] or 0)

    def versions(self, streams: Collection[str]) -> dict[str, int]:
        """The version that each stream has reached, 0 for one that does not exist."""
        self._cursor.execute(
            "SELECT value, (SELECT MAX(originator_version) FROM events"
            " WHERE originator_id = value) FROM json_each(?)",
            (_listed(streams),),
        )
        return {row[0]: row[1] or 0 for row in self._cursor.fetchall()}

    def events(self, streams: Collection[str]) -> list[Stored]:
        """All events of these streams in position order."""
        self._cursor.execute(
            "SELECT rowid, state FROM events"
            " WHERE originator_id IN (SELECT value FROM json_each(?)) ORDER BY rowid",
            (_listed(streams),),
        )
        return [(row[0], row[1]) for row in self._cursor.fetchall()]

    def after(self, position: int, limit: int) -> list[Stored]:
        """At most ``limit`` events after a position, in position order."""
        self._cursor.execute(
            "SELECT rowid, state FROM events WHERE rowid > ? ORDER BY rowid LIMIT ?",
            (min(position, LAST), limit),
        )
        return [(row[0], row[1]) for row in self._cursor.fetchall()]

    def of_stream(self, stream: str, low: int, high: int, limit: int) -> list[Stored]:
        """At most ``limit`` events of a stream from position ``low`` to ``high``, last first."""
        # By the stream's versions, which grow as its positions do and are what the index has.
        self._cursor.execute(
            "SELECT rowid, state FROM events WHERE originator_id = ? AND +rowid BETWEEN ? AND ?"
            " ORDER BY originator_version DESC LIMIT ?",
            (stream, low, min(high, LAST), limit),
        )
        return [(row[0], row[1]) for row in self._cursor.fetchall()]

    def rows(self, after: int, limit: int) -> Sequence[WholeRow]:
        """At most ``limit`` whole rows after a position, in position order."""
        self._cursor.execute(
            "SELECT rowid, originator_id, originator_version, topic, state FROM events"
            " WHERE rowid > ? ORDER BY rowid LIMIT ?",
            (min(after, LAST), limit),
        )
        found: Sequence[WholeRow] = self._cursor.fetchall()
        return found

    def insert(self, rows: Sequence[Row]) -> None:
        """Add rows in this order."""
        self._cursor.executemany(
            "INSERT INTO events (originator_id, originator_version, topic, state)"
            " VALUES (?, ?, ?, ?)",
            rows,
        )

    def put(self, rows: Sequence[WholeRow]) -> None:
        """Add whole rows at the positions that they bear."""
        self._cursor.executemany(
            "INSERT INTO events (rowid, originator_id, originator_version, topic, state)"
            " VALUES (?, ?, ?, ?, ?)",
            rows,
        )

    def _one(self, statement: str, params: Sequence[Any] = ()) -> Any:
        self._cursor.execute(statement, params)
        return self._cursor.fetchone()


def _listed(streams: Collection[str]) -> str:
    return orjson.dumps(list(streams)).decode()
