"""The events in PostgreSQL, in the schema ``ledger``.

Writers take the library's table lock, so positions are handed out in the order of commit. What is
taken over from the library without its pipeline: 5,000 events in one pipelined call hung for ever.
Every wait has an end: for the lock, for a statement, for a peer that is gone.
"""

import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from threading import Lock
from typing import Any, LiteralString

import attrs
import psycopg
from eventsourcing.persistence import PersistenceError, StoredEvent
from eventsourcing.postgres import PostgresApplicationRecorder, PostgresDatastore
from psycopg import Connection, Cursor
from psycopg.conninfo import conninfo_to_dict
from psycopg.rows import DictRow, dict_row, tuple_row
from psycopg.sql import SQL, Composed

from ledger.errors import BadValue, Busy
from ledger.store import postgres_seals
from ledger.store.connecting import (
    CONNECT_SECONDS,
    CONNECTION_SECONDS,
    IDLE_SECONDS,
    KEPT,
    MOST,
    STATEMENT_SECONDS,
    USUAL,
    was_cut,
)
from ledger.store.engine import LAST, MISTAKES, Cut, Row, Stored, Table, Unavailable, Work
from ledger.store.filling import Filling, begun
from ledger.store.seals import SealTable
from ledger.store.whole import Whole, WholeRow

ONE_MOMENT = b"SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY"
"""Each statement of the transaction sees what the first one saw."""

LOOK_AGAIN = 1.0
"""Seconds between two looks of one who waits for events, should no notice come."""

CHANNEL = "ledger_events"
MAKING = 0x636F727269676E64
"""Names the lock under which the table is made ("corrignd")."""

# The columns are the library's. Identity instead of its bigserial: a position cannot be chosen.
TABLE: LiteralString = """
CREATE TABLE IF NOT EXISTS ledger.events (
    originator_id text COLLATE "C" NOT NULL,
    originator_version bigint NOT NULL CHECK (originator_version > 0),
    topic text NOT NULL,
    state bytea NOT NULL,
    notification_id bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
    PRIMARY KEY (originator_id, originator_version)
) WITH (
    autovacuum_analyze_threshold = 1000,
    autovacuum_analyze_scale_factor = 0.01
)
"""

REFUSE: LiteralString = """
CREATE OR REPLACE FUNCTION ledger.events_stay() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'a recorded event is never changed, removed or replaced (%)', TG_OP;
END $$
"""

# For each statement: also one that would hit no row, and also INSERT ... ON CONFLICT DO UPDATE.
TRIGGER: LiteralString = """
CREATE OR REPLACE TRIGGER events_stay BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger.events
FOR EACH STATEMENT EXECUTE FUNCTION ledger.events_stay()
"""

# Replication and `session_replication_role` do not switch it off.
ALWAYS: LiteralString = "ALTER TABLE ledger.events ENABLE ALWAYS TRIGGER events_stay"

# LOCK TABLE asks for a right to change rows, which who only appends shall not have. The function
# runs as its owner and does nothing else.
LOCKING: LiteralString = """
CREATE OR REPLACE FUNCTION ledger.lock_events() RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
BEGIN
    LOCK TABLE ledger.events IN EXCLUSIVE MODE;
END $$
"""

COPY: LiteralString = (
    "COPY ledger.events (originator_id, originator_version, topic, state)"
    " FROM STDIN (FORMAT BINARY)"
)

# COPY writes the positions that it is given, also into an identity column.
COPY_WHOLE: LiteralString = (
    "COPY ledger.events (notification_id, originator_id, originator_version, topic, state)"
    " FROM STDIN (FORMAT BINARY)"
)

# Not undone by a rollback, which then leaves a gap: positions may have gaps.
GO_ON_FROM: LiteralString = (
    "SELECT setval(pg_get_serial_sequence('ledger.events', 'notification_id'), %s)"
)


class _Datastore(PostgresDatastore):
    """A pool of connections to the address as it was given, with all its parameters."""

    def __init__(self, conninfo: dict[str, Any], *, patience: float) -> None:
        # The first five stand in `conninfo`, which takes their place below.
        super().__init__(
            dbname="",
            host="",
            port="",
            user="",
            password="",
            connect_timeout=float(conninfo["connect_timeout"]) or CONNECT_SECONDS,
            idle_in_transaction_session_timeout=IDLE_SECONDS,
            pool_size=KEPT,
            max_overflow=MOST - KEPT,
            conn_max_age=CONNECTION_SECONDS,
            pre_ping=True,
            schema="ledger",
            originator_id_type="text",
        )
        self.pool.kwargs = {**conninfo, "row_factory": dict_row}
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


@attrs.frozen
class PostgresTable:
    """The events as one PostgreSQL connection sees them."""

    _cursor: Cursor[DictRow]

    def head(self) -> int:
        """The last position, 0 when there is none."""
        return self._position("SELECT MAX(notification_id) AS found FROM ledger.events")

    def last(self, upto: int = LAST) -> Stored | None:
        """The last event at or before a position."""
        self._cursor.execute(
            "SELECT notification_id, state FROM ledger.events"
            " WHERE notification_id <= %s ORDER BY notification_id DESC LIMIT 1",
            (upto,),
        )
        row = self._cursor.fetchone()
        return None if row is None else (row["notification_id"], row["state"])

    def first_after(self, position: int) -> int:
        """The position that follows, 0 when there is none."""
        return self._position(
            "SELECT MIN(notification_id) AS found FROM ledger.events WHERE notification_id > %s",
            (position,),
        )

    def versions(self, streams: Collection[str]) -> dict[str, int]:
        """The version that each stream has reached, 0 for one that does not exist."""
        self._cursor.execute(
            "SELECT stream, (SELECT MAX(originator_version) FROM ledger.events"
            " WHERE originator_id = stream) AS version FROM unnest(%s::text[]) AS stream",
            (list(streams),),
        )
        return {row["stream"]: row["version"] or 0 for row in self._cursor.fetchall()}

    def events(self, streams: Collection[str]) -> list[Stored]:
        """All events of these streams in position order.

        Stream by stream (OFFSET 0 keeps PostgreSQL from merging the two): before the first ANALYZE,
        `= ANY(…)` read the whole table.
        """
        self._cursor.execute(
            "SELECT e.notification_id, e.state FROM unnest(%s::text[]) AS stream CROSS JOIN LATERAL"
            " (SELECT * FROM ledger.events WHERE originator_id = stream OFFSET 0) AS e"
            " ORDER BY e.notification_id",
            (list(set(streams)),),
            binary=True,
        )
        return [(row["notification_id"], row["state"]) for row in self._cursor.fetchall()]

    def after(self, position: int, limit: int) -> list[Stored]:
        """At most ``limit`` events after a position, in position order."""
        self._cursor.execute(
            "SELECT notification_id, state FROM ledger.events"
            " WHERE notification_id > %s ORDER BY notification_id LIMIT %s",
            (min(position, LAST), limit),
            binary=True,
        )
        return [(row["notification_id"], row["state"]) for row in self._cursor.fetchall()]

    def of_stream(self, stream: str, low: int, high: int, limit: int) -> list[Stored]:
        """At most ``limit`` events of a stream from position ``low`` to ``high``, last first."""
        self._cursor.execute(
            "SELECT notification_id, state FROM ledger.events WHERE originator_id = %s"
            " AND notification_id BETWEEN %s AND %s ORDER BY originator_version DESC LIMIT %s",
            (stream, low, min(high, LAST), limit),
            binary=True,
        )
        return [(row["notification_id"], row["state"]) for row in self._cursor.fetchall()]

    def rows(self, after: int, limit: int) -> Sequence[WholeRow]:
        """At most ``limit`` whole rows after a position, in position order."""
        connection = self._cursor.connection
        with connection.cursor(row_factory=tuple_row, binary=True) as plain:
            plain.execute(
                "SELECT notification_id, originator_id, originator_version, topic, state"
                " FROM ledger.events WHERE notification_id > %s ORDER BY notification_id LIMIT %s",
                (min(after, LAST), limit),
            )
            found: Sequence[WholeRow] = plain.fetchall()
        return found

    def insert(self, rows: Sequence[Row]) -> None:
        """Add rows in this order."""
        with self._cursor.copy(COPY) as copy:
            copy.set_types(("text", "int8", "text", "bytea"))
            for row in rows:
                copy.write_row(row)

    def put(self, rows: Sequence[WholeRow]) -> None:
        """Add whole rows at the positions that they bear; the next event gets one behind them."""
        if not rows:
            return
        with self._cursor.copy(COPY_WHOLE) as copy:
            copy.set_types(("int8", "text", "int8", "text", "bytea"))
            for row in rows:
                copy.write_row(row)
        self._cursor.execute(GO_ON_FROM, (rows[-1][0],))

    def _position(self, statement: LiteralString, params: Sequence[Any] = ()) -> int:
        self._cursor.execute(statement, params)
        row = self._cursor.fetchone()
        return int(row["found"] or 0) if row else 0


class PostgresEvents(PostgresApplicationRecorder):
    """The library's recorder on our table, which stamps under the lock."""

    datastore: _Datastore

    def __init__(self, datastore: _Datastore) -> None:
        super().__init__(datastore, events_table_name="events")
        self.channel_name = CHANNEL
        statements = (TABLE, REFUSE, TRIGGER, ALWAYS, LOCKING, *postgres_seals.SCHEMA)
        self.sql_create_statements = [Composed([SQL(statement)]) for statement in statements]
        milliseconds = max(1, int(datastore.patience * 1000))
        self._patience = f"SET LOCAL lock_timeout = '{milliseconds}ms'".encode()
        self.lock_table_statements = [
            self._patience,
            b"SELECT ledger.lock_events()",
        ]
        self._ear = _Ear(datastore.conninfo)

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


class _Ear:
    """One connection that hears notices. That none comes proves nothing: its user looks anyway."""

    def __init__(self, conninfo: dict[str, Any]) -> None:
        self._conninfo = conninfo
        self._mine = Lock()
        self._connection: Connection | None = None

    def listen(self, seconds: float) -> None:
        """Return at a notice, or after so many seconds; one thread hears at a time."""
        end = time.monotonic() + seconds
        if not self._mine.acquire(blocking=False):
            # What the other one hears is for both: look when it is done.
            if self._mine.acquire(timeout=seconds):
                self._mine.release()
            return
        try:
            if self._connection is None:
                # From now on nothing is missed; what came before, the caller sees at once.
                self._connection = self._connect()
                return
            for _ in self._connection.notifies(timeout=end - time.monotonic(), stop_after=1):
                pass
        except psycopg.OperationalError:
            # Deaf: the next call connects anew, and until then looking does.
            self._hang_up()
            time.sleep(max(0.0, end - time.monotonic()))
        finally:
            self._mine.release()

    def close(self) -> None:
        """Hang up."""
        with self._mine:
            self._hang_up()

    def _connect(self) -> Connection:
        connection = psycopg.connect(**self._conninfo, autocommit=True)
        connection.execute(f"LISTEN {CHANNEL}".encode())
        return connection

    def _hang_up(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None


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
