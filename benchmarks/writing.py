"""Importing and rebuilding, beside the least that the same bytes could cost."""

import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path

import attrs

from benchmarks.home import import_boards
from ledger.events import Recorded
from ledger.store import NewEvents
from web.wiring import Workspace

CHUNK = 2_000
PLAIN_TABLE = """
CREATE TABLE events (
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    stream TEXT NOT NULL,
    version INTEGER NOT NULL,
    topic TEXT NOT NULL,
    state BLOB NOT NULL,
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
    """Read, compare, record: from CSV bytes to durable events."""
    start = time.perf_counter()
    head = import_boards(workspace, benchmarks)
    return Rate(head, time.perf_counter() - start)


def raw_insert(workspace: Workspace, folder: Path) -> Rate:
    """The floor: the same bytes through ``executemany`` into a table with the same keys."""
    connection = sqlite3.connect(folder / "raw.db", isolation_level=None)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute(PLAIN_TABLE)
    insert = "INSERT INTO events (stream, version, topic, state) VALUES (?, ?, ?, ?)"
    facts, seconds = 0, 0.0
    for rows in _stored(workspace):
        start = time.perf_counter()
        connection.execute("BEGIN IMMEDIATE")
        connection.executemany(insert, rows)
        connection.execute("COMMIT")
        seconds += time.perf_counter() - start
        facts += len(rows)
    connection.close()
    return Rate(facts, seconds)


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


def rebuilding(workspace: Workspace) -> Rate:
    """Every event into the read model."""
    head = workspace.ledger.store.head()
    start = time.perf_counter()
    workspace.follower.catch_up()
    return Rate(head, time.perf_counter() - start)


def decoding(workspace: Workspace) -> Rate:
    """The floor of a rebuild: read every event and decode it."""
    facts = 0
    start = time.perf_counter()
    for records in _records(workspace):
        facts += len(records)
    return Rate(facts, time.perf_counter() - start)


def _records(workspace: Workspace) -> Iterator[list[Recorded]]:
    position = 0
    while records := workspace.ledger.store.after(position, CHUNK):
        position = records[-1].position
        yield records


def _stored(workspace: Workspace) -> Iterator[list[tuple[str, int, str, bytes]]]:
    for records in _records(workspace):
        yield [
            (one.envelope.stream, one.envelope.version, one.envelope.type, one.stored)
            for one in records
        ]
