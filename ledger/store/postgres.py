"""The events in PostgreSQL, in the schema ``ledger``.

Writers take the library's table lock, so positions are handed out in the order of commit. What is
taken over from the library without its pipeline: 5,000 events in one pipelined call hung for ever.
Every wait has an end: for the lock, for a statement, for a peer that is gone.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import psycopg
from eventsourcing.persistence import PersistenceError, StoredEvent
from eventsourcing.postgres import (
    ConnectionPool,
    PostgresApplicationRecorder,
    PostgresDatastore,
)
from psycopg import Connection, Cursor
from psycopg.conninfo import conninfo_to_dict
from psycopg.rows import DictRow, dict_row
from psycopg.sql import SQL, Composed

from ledger.errors import BadValue, Busy
from ledger.store import postgres_seals, postgres_table
from ledger.store.connecting import (
    CONNECT_SECONDS,
    CONNECTION_SECONDS,
    IDLE_SECONDS,
    KEPT,
    MOST,
    STATEMENT_SECONDS,
    USUAL,
    look_at,
    was_cut,
)
from ledger.store.engine import MISTAKES, Cut, Table, Unavailable, Work
from ledger.store.filling import Filling, begun
from ledger.store.postgres_notices import CHANNEL, LOOK_AGAIN, Ear
from ledger.store.postgres_table import PostgresTable
from ledger.store.seals import SealTable
from ledger.store.whole import Whole

ONE_MOMENT = b"SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY"
"""Each statement of the transaction sees what the first one saw."""

MAKING = 0x636F727269676E64
"""Names the lock under which the table is made ("corrignd")."""


class _Datastore(PostgresDatastore):
    """A pool of connections to the address as it was given, with all its parameters."""

    def __init__(self, conninfo: dict[str, Any], *, patience: float) -> None:
        # The first five stand in `conninfo`, and its pool is replaced by ours below.
        super().__init__(
            dbname="",
            host="",
            port="",
            user="",
            password="",
            idle_in_transaction_session_timeout=IDLE_SECONDS,
            schema="ledger",
            originator_id_type="text",
        )
        self.pool = ConnectionPool(
            connection_class=Connection[DictRow],
            kwargs={**conninfo, "row_factory": dict_row},
            min_size=KEPT,
            max_size=MOST,
            open=False,
            configure=self.after_connect_func(),
            timeout=float(conninfo["connect_timeout"]) or CONNECT_SECONDS,
            max_lifetime=CONNECTION_SECONDS,
            check=look_at,
        )
        self.conninfo = conninfo
        self.patience = patience

    def after_connect_func(self) -> Callable[[Connection[Any]], None]:
        """The library's set-up of a new connection, with a limit for every statement."""
        usual = super().after_connect_func()

        def after_connect(connection: Connection[Any]) -> None:
            usual(connection)
            connection.execute(f"SET statement_timeout = '{STATEMENT_SECONDS}s'".encode())
            # Without statistics it took 70 ms to compile a query of 3 ms.
            connection.execute("SET jit = off")

        return after_connect


class PostgresEvents(PostgresApplicationRecorder):
    """The library's recorder on our table, which stamps under the lock."""

    datastore: _Datastore

    def __init__(self, datastore: _Datastore) -> None:
        super().__init__(datastore, events_table_name="events")
        self.channel_name = CHANNEL
        statements = (*postgres_table.SCHEMA, *postgres_seals.SCHEMA)
        self.sql_create_statements = [Composed([SQL(statement)]) for statement in statements]
        milliseconds = max(1, int(datastore.patience * 1000))
        self._patience = f"SET LOCAL lock_timeout = '{milliseconds}ms'".encode()
        self.lock_table_statements = [
            self._patience,
            b"SELECT ledger.lock_events()",
        ]
        self._ear = Ear(datastore.conninfo)

    def create_table(self) -> None:
        """Make what is missing; a finished ledger needs no right to make anything."""
        if not self._is_made():
            with self.datastore.transaction(commit=True) as cursor:
                # Two that open a new ledger at once take turns. One that dies here leaves nothing.
                cursor.execute("SELECT pg_advisory_xact_lock(%s)", (MAKING,))
                # Not to_regnamespace: it may answer what this session knew before it waited.
                cursor.execute("SELECT 1 AS found FROM pg_namespace WHERE nspname = 'ledger'")
                if cursor.fetchone() is None:
                    cursor.execute("CREATE SCHEMA ledger")
                self._create_table(cursor)

    def _is_made(self) -> bool:
        with self.datastore.get_connection() as connection:
            found = connection.execute(
                "SELECT COUNT(*) FILTER (WHERE tgname = 'events_stay') AS events,"
                " COUNT(*) FILTER (WHERE tgname = 'seals_stay') AS seals,"
                " (SELECT COUNT(*) FROM pg_proc WHERE proname IN ('lock_events', 'lock_log')"
                "  AND pronamespace = to_regnamespace('ledger')) AS locks"
                " FROM pg_trigger JOIN pg_class ON tgrelid = pg_class.oid"
                " WHERE tgenabled = 'A' AND relnamespace = to_regnamespace('ledger')"
            ).fetchone()
        return found == {"events": 1, "seals": postgres_seals.MADE, "locks": 2}

    def insert_events(self, stored_events: Sequence[StoredEvent], **kwargs: Any) -> None:
        """In one transaction: take the lock, announce, and let the work add its events.

        Without the library's pipeline, and without its ten silent tries: the store tries again
        itself, and looks for its own events when it does.
        """
        with self.datastore.transaction(commit=True) as cursor:
            self._lock_table(cursor)
            # Delivered at COMMIT, and never if we die before it.
            self._notify_channel(cursor)
            self._insert_events(cursor, stored_events, **kwargs)

    def _insert_events(
        self, curs: Cursor[DictRow], stored_events: Sequence[StoredEvent], **kwargs: Any
    ) -> None:
        """Under the lock: let the work stamp and add its events (nothing else comes in here)."""
        del stored_events
        work: Work = kwargs["work"]
        work.write(PostgresTable(curs))

    @contextmanager
    def reading(self) -> Iterator[Table]:
        """The table for statements that each see what is committed by then."""
        with self.datastore.get_connection() as connection, connection.cursor() as cursor:
            yield PostgresTable(cursor)

    @contextmanager
    def seals(self) -> Iterator[SealTable]:
        """The sealed log for statements that each see what is committed by then."""
        with self.datastore.get_connection() as connection, connection.cursor() as cursor:
            yield postgres_seals.PostgresSeals(cursor, PostgresTable(cursor))

    @contextmanager
    def sealing(self) -> Iterator[SealTable]:
        """The sealed log under a lock of its own: events go on being appended meanwhile."""
        with self.datastore.transaction(commit=True) as cursor:
            cursor.execute(self._patience)
            cursor.execute(postgres_seals.LOCK)
            yield postgres_seals.PostgresSeals(cursor, PostgresTable(cursor))

    @contextmanager
    def whole(self) -> Iterator[Whole]:
        """All that is stored, as it stands now, for as long as it is looked at."""
        with self.datastore.transaction(commit=False) as cursor:
            cursor.execute(ONE_MOMENT)
            events = PostgresTable(cursor)
            yield Whole(events, postgres_seals.PostgresSeals(cursor, events))

    @contextmanager
    def filling(self) -> Iterator[Filling]:
        """An empty ledger under the locks of writers and sealers, to be filled in one
        transaction."""
        with self.datastore.transaction(commit=True) as cursor:
            self._lock_table(cursor)
            cursor.execute(postgres_seals.LOCK)
            events = PostgresTable(cursor)
            yield begun(events, postgres_seals.PostgresSeals(cursor, events))

    @contextmanager
    def refusals(self) -> Iterator[None]:
        """Say PostgreSQL's errors as ours."""
        try:
            yield
        except MISTAKES:
            raise
        except PersistenceError as why:
            if isinstance(why.__cause__, psycopg.errors.LockNotAvailable):
                raise Busy from why
            if was_cut(why.__cause__):
                raise Cut(why=_one_line(why)) from why
            raise Unavailable(why=_one_line(why)) from why

    def await_news(self, seconds: float) -> None:
        """Return when a notice came, or soon, so that the caller looks for itself."""
        self._ear.listen(min(seconds, LOOK_AGAIN))

    def close(self) -> None:
        """Close every connection."""
        self._ear.close()
        self.datastore.close()


def open_postgres(url: str, *, patience: float) -> PostgresEvents:
    """Open or make the events table in the schema ``ledger`` of this database."""
    try:
        conninfo: dict[str, Any] = {**USUAL, **conninfo_to_dict(url)}
    except psycopg.ProgrammingError:
        # Without what libpq says: it may quote the password.
        raise BadValue(
            what="ledger address", shown="postgresql://…", why="PostgreSQL cannot read it"
        ) from None
    try:
        # Once without the pool, which would wait, and never say why it cannot connect.
        psycopg.connect(**conninfo).close()
    except psycopg.OperationalError as why:
        raise Unavailable(why=_one_line(why)) from why
    datastore = _Datastore(conninfo, patience=patience)
    try:
        events = PostgresEvents(datastore)
        events.create_table()
    except PersistenceError as why:
        datastore.close()
        raise Unavailable(why=_one_line(why)) from why
    return events


def _one_line(why: BaseException) -> str:
    return " ".join(str(why).split())
