"""The table of events in the schema ``ledger``: how it is made, and as one connection sees it."""

from collections.abc import Collection, Sequence
from typing import Any, LiteralString

import attrs
from psycopg import Cursor
from psycopg.rows import DictRow, tuple_row

from ledger.store.engine import LAST, Row, Stored
from ledger.store.whole import WholeRow

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

SCHEMA: tuple[LiteralString, ...] = (TABLE, REFUSE, TRIGGER, ALWAYS, LOCKING)

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
