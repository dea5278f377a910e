"""The events in an SQLite file.

What the library leaves open is closed here: positions survive VACUUM (a named AUTOINCREMENT
column), a writer takes its lock before it reads (``BEGIN IMMEDIATE``), and triggers keep every row
as it is. In-memory databases are not offered: their readers would see what is rolled back later.
"""

import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Condition, Lock
from types import TracebackType
from typing import Any

from eventsourcing.persistence import ConnectionUnavailableError, PersistenceError, StoredEvent
from eventsourcing.sqlite import (
    SQLiteApplicationRecorder,
    SQLiteConnection,
    SQLiteCursor,
    SQLiteDatastore,
    SQLiteTransaction,
)

from ledger.errors import BadValue, Busy
from ledger.store import sqlite_seals, sqlite_table
from ledger.store.engine import MISTAKES, DiskFull, Table, Unavailable, Work
from ledger.store.filling import Filling, begun
from ledger.store.seals import SealTable
from ledger.store.sqlite_table import SQLiteTable
from ledger.store.whole import Whole
from ledger.store.write_ahead import write_ahead

LOOK_AGAIN = 0.05
"""Seconds between two looks of one who waits for events."""

CACHE_KIB = 64 * 1024
"""Pages that a writer keeps in memory; the library's 2 MB would write a long import twice."""

NO_ROOM = frozenset({sqlite3.SQLITE_FULL, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN})
"""Errors after which nothing was committed for certain."""

SCHEMA = [*sqlite_table.SCHEMA, *sqlite_seals.SCHEMA]
MADE = sqlite_table.MADE | sqlite_seals.MADE


class _Transaction(SQLiteTransaction):
    """A reader's transaction, or a writer's, which begins with the lock."""

    def __init__(self, connection: SQLiteConnection, *, commit: bool, patience: float) -> None:
        super().__init__(connection, commit=commit)
        self._patience = patience

    def __enter__(self) -> SQLiteCursor:
        if not self.commit:
            return super().__enter__()
        cursor = self.connection.cursor()
        cursor.execute(f"PRAGMA busy_timeout = {int(self._patience * 1000)}")
        cursor.execute(f"PRAGMA cache_size = -{CACHE_KIB}")
        cursor.execute("PRAGMA synchronous = FULL")
        # Reading first and asking for the lock later would lose the race instead of waiting.
        cursor.execute("BEGIN IMMEDIATE")
        return cursor

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc_val: BaseException | None,
        exc_tb: TracebackType | None,
    ) -> None:
        try:
            super().__exit__(exc_type, exc_val, exc_tb)
        finally:
            # A COMMIT that failed leaves its transaction open; the next user must not inherit it.
            self.connection.rollback()


class _Datastore(SQLiteDatastore):
    """Connections to one file; the threads of this process queue for the lock outside the pool.

    The library's own queue for writers would keep the readers waiting as well: a second writer
    waits inside the pool's turnstile.
    """

    def __init__(self, path: str, *, patience: float) -> None:
        super().__init__(path, pool_size=8, max_overflow=24, originator_id_type="text")
        self._patience = patience
        self._turn = Lock()
        self._users, self._closing = 0, False
        self._changed = Condition()

    @contextmanager
    def transaction(self, *, commit: bool) -> Iterator[SQLiteCursor]:
        with (
            self._one_writer(commit=commit) as patience,
            self.get_connection(commit=commit) as connection,
            _Transaction(connection, commit=commit, patience=patience) as cursor,
            cursor,
        ):
            yield cursor

    @contextmanager
    def _one_writer(self, *, commit: bool) -> Iterator[float]:
        """Wait for the writer's turn; gives the patience that is left for other processes."""
        if not commit:
            yield self._patience
            return
        begun = time.monotonic()
        if not self._turn.acquire(timeout=self._patience):
            raise Busy
        try:
            yield max(0.0, self._patience - (time.monotonic() - begun))
        finally:
            self._turn.release()

    @contextmanager
    def get_connection(self, *, commit: bool) -> Iterator[SQLiteConnection]:
        del commit
        with self._one_more_user():
            connection = self.pool.get_connection()
            try:
                yield connection
            finally:
                self.pool.put_connection(connection)

    @contextmanager
    def _one_more_user(self) -> Iterator[None]:
        with self._changed:
            if self._closing:
                raise Unavailable(why="it has been closed")
            self._users += 1
        try:
            yield
        finally:
            with self._changed:
                self._users -= 1
                self._changed.notify_all()

    def close(self) -> None:
        """Let nobody in any more, and close every connection when the last one is given back.

        Closed in the middle of another thread's statement, SQLite takes the whole process down; so
        whoever takes longer than a writer would wait keeps theirs until the process ends.
        """
        with self._changed:
            self._closing = True
            unused = self._changed.wait_for(lambda: not self._users, self._patience)
        if unused:
            super().close()


class SQLiteEvents(SQLiteApplicationRecorder):
    """The library's recorder on our table, which stamps under the lock."""

    def __init__(self, datastore: SQLiteDatastore) -> None:
        super().__init__(datastore, events_table_name="events")

    def construct_create_table_statements(self) -> list[str]:
        """Our tables and their triggers, instead of the library's table."""
        return SCHEMA

    def create_table(self) -> None:
        """Make what is missing; opening a finished ledger does not wait for its writer."""
        with self.datastore.transaction(commit=False) as cursor:
            cursor.execute("SELECT name FROM sqlite_master")
            there = {row["name"] for row in cursor.fetchall()}
        if not there >= MADE:
            super().create_table()

    def _insert_events(
        self, c: SQLiteCursor, stored_events: Sequence[StoredEvent], **kwargs: Any
    ) -> None:
        """Under the lock: let the work stamp and add its events (nothing else comes in here)."""
        del stored_events
        work: Work = kwargs["work"]
        work.write(SQLiteTable(c))

    @contextmanager
    def reading(self) -> Iterator[Table]:
        """The table as it stands now; in WAL mode no writer disturbs this."""
        with self.datastore.transaction(commit=False) as cursor:
            yield SQLiteTable(cursor)

    @contextmanager
    def seals(self) -> Iterator[SealTable]:
        """The sealed log as it stands now."""
        with self.datastore.transaction(commit=False) as cursor:
            yield sqlite_seals.SQLiteSeals(cursor, SQLiteTable(cursor))

    @contextmanager
    def sealing(self) -> Iterator[SealTable]:
        """The sealed log under the write lock, which SQLite has only one of."""
        with self.datastore.transaction(commit=True) as cursor:
            yield sqlite_seals.SQLiteSeals(cursor, SQLiteTable(cursor))

    @contextmanager
    def whole(self) -> Iterator[Whole]:
        """All that is stored, as it stands now, for as long as it is looked at."""
        with self.datastore.transaction(commit=False) as cursor:
            # Plain tuples: whoever reads everything reads it many times faster.
            cursor.sqlite_cursor.row_factory = None
            events = SQLiteTable(cursor)
            yield Whole(events, sqlite_seals.SQLiteSeals(cursor, events))

    @contextmanager
    def filling(self) -> Iterator[Filling]:
        """An empty ledger under the write lock, to be filled in one transaction."""
        with self.datastore.transaction(commit=True) as cursor:
            cursor.sqlite_cursor.row_factory = None
            events = SQLiteTable(cursor)
            yield begun(events, sqlite_seals.SQLiteSeals(cursor, events))

    @contextmanager
    def refusals(self) -> Iterator[None]:
        """Say SQLite's errors as ours; nobody is told that "database is locked"."""
        try:
            yield
        except ConnectionUnavailableError as why:
            raise Busy from why
        except MISTAKES:
            raise
        except (sqlite3.Error, PersistenceError) as why:
            if _is_locked(why):
                raise Busy from why
            if isinstance(why, sqlite3.IntegrityError | sqlite3.ProgrammingError):
                raise
            if _code_of(why) in NO_ROOM:
                raise DiskFull(why=str(why)) from why
            raise Unavailable(why=str(why)) from why

    def await_news(self, seconds: float) -> None:
        """Sleep a moment: SQLite tells nobody."""
        time.sleep(min(seconds, LOOK_AGAIN))

    def close(self) -> None:
        """Close every connection."""
        self.datastore.close()


def _is_locked(why: BaseException) -> bool:
    """Whether SQLite gave up waiting for a lock (SQLITE_BUSY or SQLITE_LOCKED, any kind)."""
    return _code_of(why) in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}


def _code_of(why: BaseException) -> int | None:
    """SQLite's own number of an error, without what makes it more exact."""
    cause = why if isinstance(why, sqlite3.Error) else why.__cause__
    code: int | None = getattr(cause, "sqlite_errorcode", None)
    return None if code is None else code & 0xFF


def open_sqlite(path: Path, *, patience: float) -> SQLiteEvents:
    """Open or make the events table in this file; its folder has to exist."""
    name = str(path.absolute())
    if ":memory:" in name or "mode=memory" in name:
        raise BadValue(what="ledger address", shown=repr(str(path)), why="a ledger is a file")
    events = SQLiteEvents(_Datastore(name, patience=patience))
    with events.refusals():
        with closing(sqlite3.connect(name, timeout=patience)) as connection:
            write_ahead(connection, patience)
        events.create_table()
    return events
