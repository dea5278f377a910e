"""Importing, following and rebuilding, beside the least that the same bytes could cost."""

import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

import attrs
import psycopg

from benchmarks.boards import files
from benchmarks.home import import_boards
from ledger.events import Recorded
from ledger.store import NewEvents
from web.wiring import Workspace

CHUNK = 2_000
Row = tuple[str, int, str, bytes]
SQLITE_TABLE = """
CREATE TABLE events (
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    stream TEXT NOT NULL,
    version INTEGER NOT NULL,
    topic TEXT NOT NULL,
    state BLOB NOT NULL,
    UNIQUE (stream, version)
)
"""
POSTGRES_TABLE = """
CREATE TABLE raw_events (
    position BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    stream TEXT NOT NULL,
    version BIGINT NOT NULL,
    topic TEXT NOT NULL,
    state BYTEA NOT NULL,
    UNIQUE (stream, version)
)
"""


@attrs.frozen
class Rate:
    """So many facts in so many seconds."""

    facts: int
    seconds: float

    @property
    def per_second(self) -> float:
        """Facts a second."""
        return self.facts / self.seconds


def importing(workspace: Workspace, benchmarks: int) -> Rate:
    """From CSV bytes to durable, projected and sealed events: read, compare, record, show, sign."""
    start = time.perf_counter()
    head = import_boards(workspace, files(benchmarks))
    workspace.catch_up()
    return Rate(head, time.perf_counter() - start)


def recording(workspace: Workspace, benchmarks: int) -> Rate:
    """The same as far as durable events."""
    start = time.perf_counter()
    head = import_boards(workspace, files(benchmarks))
    return Rate(head, time.perf_counter() - start)


def following(workspace: Workspace) -> Rate:
    """Every event into the read model, as it comes in."""
    head = workspace.ledger.store.head()
    return Rate(head, _seconds(workspace.follower.catch_up))


def sealing(workspace: Workspace) -> Rate:
    """Every event into the log, signed."""
    return Rate(workspace.ledger.store.head(), _seconds(workspace.seal))


def rebuilding(workspace: Workspace) -> Rate:
    """Every event into a read model of its own, while the live one serves."""
    return Rate(workspace.ledger.store.head(), _seconds(workspace.follower.rebuild))


def raw_insert(workspace: Workspace, folder: Path) -> Rate:
    """The floor: the same bytes through ``executemany`` into a table with the same keys."""
    address = workspace.settings.database_url
    opened = _raw_sqlite(folder) if address is None else _raw_postgres(address)
    facts, seconds = 0, 0.0
    with opened as insert:
        for rows in _stored(workspace):
            seconds += _seconds(lambda rows=rows: insert(rows))  # type: ignore[misc]
            facts += len(rows)
    return Rate(facts, seconds)


@contextmanager
def _raw_sqlite(folder: Path) -> Iterator[Callable[[Sequence[Row]], None]]:
    statement = "INSERT INTO events (stream, version, topic, state) VALUES (?, ?, ?, ?)"
    with closing(sqlite3.connect(folder / "raw.db", isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute(SQLITE_TABLE)

        def insert(rows: Sequence[Row]) -> None:
            connection.execute("BEGIN IMMEDIATE")
            connection.executemany(statement, rows)
            connection.execute("COMMIT")

        yield insert


@contextmanager
def _raw_postgres(address: str) -> Iterator[Callable[[Sequence[Row]], None]]:
    statement = "INSERT INTO raw_events (stream, version, topic, state) VALUES (%s, %s, %s, %s)"
    with psycopg.connect(address) as connection:
        connection.execute(POSTGRES_TABLE)
        connection.commit()

        def insert(rows: Sequence[Row]) -> None:
            with connection.cursor() as cursor:
                cursor.executemany(statement, rows)
            connection.commit()

        yield insert
        connection.execute("DROP TABLE raw_events")


def appending(workspace: Workspace, other: Workspace) -> Rate:
    """Append alone: the same events, once more, into another ledger."""
    facts, seconds = 0, 0.0
    for records in _records(workspace):
        new = [
            NewEvents(one.envelope.stream, one.envelope.version - 1, (one.event,))
            for one in records
        ]
        start = time.perf_counter()
        other.ledger.store.append(new, by="bench")
        seconds += time.perf_counter() - start
        facts += len(new)
    return Rate(facts, seconds)


def decoding(workspace: Workspace) -> Rate:
    """The floor of a rebuild: read every event and decode it."""
    facts = 0
    start = time.perf_counter()
    for records in _records(workspace):
        facts += len(records)
    return Rate(facts, time.perf_counter() - start)


def _seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def _records(workspace: Workspace) -> Iterator[list[Recorded]]:
    position = 0
    while records := workspace.ledger.store.after(position, CHUNK):
        position = records[-1].position
        yield records


def _stored(workspace: Workspace) -> Iterator[list[Row]]:
    for records in _records(workspace):
        yield [
            (one.envelope.stream, one.envelope.version, one.envelope.type, one.stored)
            for one in records
        ]
