"""The sealed log in the SQLite file of the events."""

from collections.abc import Sequence
from typing import Any

import attrs
from eventsourcing.sqlite import SQLiteCursor

from ledger.store.engine import LAST, Stored, Table
from ledger.store.seals import Bundle, Sealed, StoredKey

TABLES = {
    "log_bundles": """
        number INTEGER PRIMARY KEY CHECK (number >= 0),
        last_position INTEGER NOT NULL UNIQUE CHECK (last_position > 0),
        positions BLOB NOT NULL CHECK (typeof(positions) = 'blob' AND length(positions) = 2048),
        entries BLOB NOT NULL CHECK (typeof(entries) = 'blob' AND length(entries) = 8192)
    """,
    "log_subtrees": """
        level INTEGER NOT NULL CHECK (level BETWEEN 1 AND 7),
        number INTEGER NOT NULL CHECK (number >= 0),
        hash BLOB NOT NULL CHECK (typeof(hash) = 'blob' AND length(hash) = 32),
        PRIMARY KEY (level, number)
    """,
    "log_checkpoints": """
        size INTEGER PRIMARY KEY CHECK (size >= 0),
        root BLOB NOT NULL CHECK (typeof(root) = 'blob' AND length(root) = 32),
        position INTEGER NOT NULL UNIQUE CHECK (position >= size),
        note TEXT NOT NULL,
        entries BLOB NOT NULL CHECK (typeof(entries) = 'blob' AND length(entries) % 32 = 0)
    """,
    "log_keys": """
        number INTEGER PRIMARY KEY CHECK (number > 0),
        verifier TEXT NOT NULL UNIQUE,
        size INTEGER NOT NULL CHECK (size >= 0),
        tie TEXT CHECK ((tie IS NULL) = (number = 1)),
        note TEXT CHECK ((note IS NULL) = (number = 1))
    """,
}

# REPLACE deletes without firing a DELETE trigger; so the keys are looked up before a row goes in.
_THERE = {
    "log_bundles": """
        SELECT 1 FROM log_bundles
        WHERE number = NEW.number OR last_position = NEW.last_position
    """,
    "log_subtrees": """
        SELECT 1 FROM log_subtrees WHERE level = NEW.level AND number = NEW.number
    """,
    "log_checkpoints": """
        SELECT 1 FROM log_checkpoints WHERE size = NEW.size OR position = NEW.position
    """,
    "log_keys": """
        SELECT 1 FROM log_keys WHERE number = NEW.number OR verifier = NEW.verifier
    """,
}


def _triggers(table: str) -> dict[str, str]:
    """The triggers that keep a table's rows, by name."""
    when = {
        "changed": f"BEFORE UPDATE ON {table}",
        "removed": f"BEFORE DELETE ON {table}",
        "replaced": f"BEFORE INSERT ON {table} WHEN EXISTS ({_THERE[table]})",
    }
    return {
        f"{table}_are_never_{done}": (
            f"{event} BEGIN SELECT RAISE(ABORT, 'what was sealed is never {done}'); END"
        )
        for done, event in when.items()
    }


TRIGGERS = {name: body for table in TABLES for name, body in _triggers(table).items()}

SCHEMA = [
    *(f"CREATE TABLE IF NOT EXISTS {name} ({columns})" for name, columns in TABLES.items()),
    *(f"CREATE TRIGGER IF NOT EXISTS {name} {body}" for name, body in TRIGGERS.items()),
]

MADE = frozenset({*TABLES, *TRIGGERS})
"""What a finished ledger has."""

_BUNDLE = "SELECT number, last_position, positions, entries FROM log_bundles"
_CHECKPOINT = "SELECT size, root, position, note, entries FROM log_checkpoints"


@attrs.frozen
class SQLiteSeals:
    """The sealed log as one SQLite transaction sees it."""

    _cursor: SQLiteCursor
    _events: Table

    def head(self) -> int:
        """The position of the last event, 0 when there is none."""
        return self._events.head()

    def after(self, position: int, limit: int) -> list[Stored]:
        """At most ``limit`` events after a position: position and stored bytes, in order."""
        return self._events.after(position, limit)

    def bundle(self, number: int) -> Bundle | None:
        """A bundle, if it is there."""
        return self._bundle("WHERE number = ?", number)

    def last_bundle(self) -> Bundle | None:
        """The last bundle."""
        return self._bundle("WHERE number <= ? ORDER BY number DESC LIMIT 1", LAST)

    def bundle_reaching(self, position: int) -> Bundle | None:
        """The first bundle whose last position is this one or lies behind it."""
        return self._bundle(
            "WHERE last_position >= ? ORDER BY last_position LIMIT 1", min(position, LAST)
        )

    def subtrees(self, level: int, start: int, count: int) -> list[bytes]:
        """Up to ``count`` hashes of a tile level."""
        found = self._all(
            "SELECT hash FROM log_subtrees WHERE level = ? AND number >= ? AND number < ?"
            " ORDER BY number",
            (level, start, start + count),
        )
        return [row[0] for row in found]

    def checkpoint(self, upto: int | None = None) -> Sealed | None:
        """The last checkpoint, or the last of at most so many leaves."""
        most = LAST if upto is None else min(upto, LAST)
        return self._checkpoint("WHERE size <= ? ORDER BY size DESC LIMIT 1", most)

    def checkpoints(self, after: int, limit: int) -> list[Sealed]:
        """At most ``limit`` checkpoints of more than ``after`` leaves, in the order of sizes."""
        found = self._all(f"{_CHECKPOINT} WHERE size > ? ORDER BY size LIMIT ?", (after, limit))
        return [Sealed(*row) for row in found]

    def checkpoint_reaching(self, position: int) -> Sealed | None:
        """The first checkpoint whose position is this one or lies behind it."""
        return self._checkpoint(
            "WHERE position >= ? ORDER BY position LIMIT 1", min(position, LAST)
        )

    def keys(self) -> list[StoredKey]:
        """All keys, oldest first."""
        found = self._all("SELECT number, verifier, size, tie, note FROM log_keys ORDER BY number")
        return [StoredKey(*row) for row in found]

    def add_bundle(self, bundle: Bundle) -> None:
        """Add the next bundle."""
        self._cursor.execute(
            "INSERT INTO log_bundles (number, last_position, positions, entries)"
            " VALUES (?, ?, ?, ?)",
            attrs.astuple(bundle),
        )

    def add_subtrees(self, level: int, start: int, hashes: Sequence[bytes]) -> None:
        """Add the next hashes of a tile level."""
        self._cursor.executemany(
            "INSERT INTO log_subtrees (level, number, hash) VALUES (?, ?, ?)",
            [(level, number, one) for number, one in enumerate(hashes, start)],
        )

    def add_checkpoint(self, sealed: Sealed) -> None:
        """Add a checkpoint."""
        self._cursor.execute(
            "INSERT INTO log_checkpoints (size, root, position, note, entries)"
            " VALUES (?, ?, ?, ?, ?)",
            attrs.astuple(sealed),
        )

    def add_key(self, key: StoredKey) -> None:
        """Add the next key."""
        self._cursor.execute(
            "INSERT INTO log_keys (number, verifier, size, tie, note) VALUES (?, ?, ?, ?, ?)",
            attrs.astuple(key),
        )

    def _bundle(self, which: str, key: int) -> Bundle | None:
        found = self._all(f"{_BUNDLE} {which}", (key,))
        return Bundle(*found[0]) if found else None

    def _checkpoint(self, which: str, key: int) -> Sealed | None:
        found = self._all(f"{_CHECKPOINT} {which}", (key,))
        return Sealed(*found[0]) if found else None

    def _all(self, statement: str, params: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        self._cursor.execute(statement, params)
        return [tuple(row) for row in self._cursor.fetchall()]
