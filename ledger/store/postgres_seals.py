"""The sealed log in PostgreSQL, in the schema of the events."""

from collections.abc import Sequence
from typing import Any, LiteralString

import attrs
from psycopg import Cursor
from psycopg.rows import DictRow

from ledger.store.engine import LAST, Stored, Table
from ledger.store.seals import Bundle, Sealed, StoredKey

TABLES: tuple[LiteralString, ...] = (
    """
    CREATE TABLE IF NOT EXISTS ledger.log_bundles (
        number bigint PRIMARY KEY CHECK (number >= 0),
        last_position bigint NOT NULL UNIQUE CHECK (last_position > 0),
        positions bytea NOT NULL CHECK (length(positions) = 2048),
        entries bytea NOT NULL CHECK (length(entries) = 8192)
    )
    """,
    """
    CREATE TABLE IF NOT EXISTS ledger.log_subtrees (
        level smallint NOT NULL CHECK (level BETWEEN 1 AND 7),
        number bigint NOT NULL CHECK (number >= 0),
        hash bytea NOT NULL CHECK (length(hash) = 32),
        PRIMARY KEY (level, number)
    )
    """,
    """
    CREATE TABLE IF NOT EXISTS ledger.log_checkpoints (
        size bigint PRIMARY KEY CHECK (size >= 0),
        root bytea NOT NULL CHECK (length(root) = 32),
        position bigint NOT NULL UNIQUE CHECK (position >= size),
        note text NOT NULL,
        entries bytea NOT NULL CHECK (length(entries) % 32 = 0)
    )
    """,
    """
    CREATE TABLE IF NOT EXISTS ledger.log_keys (
        number bigint PRIMARY KEY CHECK (number > 0),
        verifier text NOT NULL UNIQUE,
        size bigint NOT NULL CHECK (size >= 0),
        tie text CHECK ((tie IS NULL) = (number = 1)),
        note text CHECK ((note IS NULL) = (number = 1))
    )
    """,
)

REFUSE: LiteralString = """
CREATE OR REPLACE FUNCTION ledger.seals_stay() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'what was sealed is never changed, removed or replaced (%)', TG_OP;
END $$
"""

# Each table gets its trigger and keeps it under replication, as the events do.
TRIGGERS: LiteralString = """
DO $$
DECLARE sealed text;
BEGIN
    FOREACH sealed IN ARRAY
        ARRAY['log_bundles', 'log_subtrees', 'log_checkpoints', 'log_keys']
    LOOP
        EXECUTE format(
            'CREATE OR REPLACE TRIGGER seals_stay BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger.%I'
            ' FOR EACH STATEMENT EXECUTE FUNCTION ledger.seals_stay()', sealed);
        EXECUTE format('ALTER TABLE ledger.%I ENABLE ALWAYS TRIGGER seals_stay', sealed);
    END LOOP;
END $$
"""

# As the one for the events is: for who may add, and change nothing.
LOCKING: LiteralString = """
CREATE OR REPLACE FUNCTION ledger.lock_log() RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
BEGIN
    LOCK TABLE ledger.log_checkpoints IN EXCLUSIVE MODE;
END $$
"""

SCHEMA: tuple[LiteralString, ...] = (*TABLES, REFUSE, TRIGGERS, LOCKING)

MADE = len(TABLES)
"""How many tables of a finished ledger bear the trigger."""

LOCK = b"SELECT ledger.lock_log()"
"""One sealer at a time; readers read on, and so do those who append events."""

_BUNDLE: LiteralString = "SELECT number, last_position, positions, entries FROM ledger.log_bundles"
_CHECKPOINT: LiteralString = (
    "SELECT size, root, position, note, entries FROM ledger.log_checkpoints"
)


@attrs.frozen
class PostgresSeals:
    """The sealed log as one PostgreSQL connection sees it."""

    _cursor: Cursor[DictRow]
    _events: Table

    def head(self) -> int:
        """The position of the last event, 0 when there is none."""
        return self._events.head()

    def after(self, position: int, limit: int) -> list[Stored]:
        """At most ``limit`` events after a position: position and stored bytes, in order."""
        return self._events.after(position, limit)

    def bundle(self, number: int) -> Bundle | None:
        """A bundle, if it is there."""
        return self._bundle(_BUNDLE + " WHERE number = %s", number)

    def last_bundle(self) -> Bundle | None:
        """The last bundle."""
        return self._bundle(_BUNDLE + " WHERE number <= %s ORDER BY number DESC LIMIT 1", LAST)

    def bundle_reaching(self, position: int) -> Bundle | None:
        """The first bundle whose last position is this one or lies behind it."""
        return self._bundle(
            _BUNDLE + " WHERE last_position >= %s ORDER BY last_position LIMIT 1",
            min(position, LAST),
        )

    def subtrees(self, level: int, start: int, count: int) -> list[bytes]:
        """Up to ``count`` hashes of a tile level."""
        found = self._all(
            "SELECT hash FROM ledger.log_subtrees"
            " WHERE level = %s AND number >= %s AND number < %s ORDER BY number",
            (level, start, start + count),
        )
        return [row["hash"] for row in found]

    def checkpoint(self, upto: int | None = None) -> Sealed | None:
        """The last checkpoint, or the last of at most so many leaves."""
        most = LAST if upto is None else min(upto, LAST)
        return self._checkpoint(_CHECKPOINT + " WHERE size <= %s ORDER BY size DESC LIMIT 1", most)

    def checkpoints(self, after: int, limit: int) -> list[Sealed]:
        """At most ``limit`` checkpoints of more than ``after`` leaves, in the order of sizes."""
        found = self._all(_CHECKPOINT + " WHERE size > %s ORDER BY size LIMIT %s", (after, limit))
        return [Sealed(**row) for row in found]

    def checkpoint_reaching(self, position: int) -> Sealed | None:
        """The first checkpoint whose position is this one or lies behind it."""
        return self._checkpoint(
            _CHECKPOINT + " WHERE position >= %s ORDER BY position LIMIT 1", min(position, LAST)
        )

    def keys(self) -> list[StoredKey]:
        """All keys, oldest first."""
        found = self._all(
            "SELECT number, verifier, size, tie, note FROM ledger.log_keys ORDER BY number"
        )
        return [StoredKey(**row) for row in found]

    def add_bundle(self, bundle: Bundle) -> None:
        """Add the next bundle."""
        self._cursor.execute(
            "INSERT INTO ledger.log_bundles (number, last_position, positions, entries)"
            " VALUES (%s, %s, %s, %s)",
            attrs.astuple(bundle),
        )

    def add_subtrees(self, level: int, start: int, hashes: Sequence[bytes]) -> None:
        """Add the next hashes of a tile level."""
        self._cursor.execute(
            "INSERT INTO ledger.log_subtrees (level, number, hash)"
            " SELECT %s, %s + nth - 1, hash"
            " FROM unnest(%s::bytea[]) WITH ORDINALITY AS new (hash, nth)",
            (level, start, list(hashes)),
        )

    def add_checkpoint(self, sealed: Sealed) -> None:
        """Add a checkpoint."""
        self._cursor.execute(
            "INSERT INTO ledger.log_checkpoints (size, root, position, note, entries)"
            " VALUES (%s, %s, %s, %s, %s)",
            attrs.astuple(sealed),
        )

    def add_key(self, key: StoredKey) -> None:
        """Add the next key."""
        self._cursor.execute(
            "INSERT INTO ledger.log_keys (number, verifier, size, tie, note)"
            " VALUES (%s, %s, %s, %s, %s)",
            attrs.astuple(key),
        )

    def _bundle(self, statement: LiteralString, key: int) -> Bundle | None:
        found = self._all(statement, (key,))
        return Bundle(**found[0]) if found else None

    def _checkpoint(self, statement: LiteralString, key: int) -> Sealed | None:
        found = self._all(statement, (key,))
        return Sealed(**found[0]) if found else None

    def _all(self, statement: LiteralString, params: Sequence[Any] = ()) -> list[DictRow]:
        self._cursor.execute(statement, params, binary=True)
        return self._cursor.fetchall()
