"""A board as read on some day, beside the same board from a table without history.

The plain table holds what is shown now: one row a claim, indexed by benchmark and metric, joined
with a table of models, ranked by the database. It answers one day; the ledger answers any.
"""

import random
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path

import attrs

from benchmarks.boards import MODELS
from projections.boards import board_at
from web.wiring import Workspace

READS = 400
DAYS = ("2024-01-10", "2024-02-10", "2024-03-10", "2024-04-10", "2026-01-01")
PLAIN = """
CREATE TABLE model (slug TEXT PRIMARY KEY, name TEXT NOT NULL, version TEXT, lab TEXT);
CREATE TABLE current (
    claim TEXT PRIMARY KEY, benchmark TEXT NOT NULL, metric TEXT NOT NULL, source TEXT NOT NULL,
    key TEXT NOT NULL, model TEXT NOT NULL, name TEXT NOT NULL, split TEXT, setting TEXT,
    score TEXT NOT NULL, score_key TEXT NOT NULL, unit TEXT, published_on TEXT, standing TEXT,
    marks TEXT
);
CREATE INDEX current_board ON current (benchmark, metric);
"""
PLAIN_BOARD = """
SELECT current.*, model.name AS model_name, model.version, model.lab
FROM current JOIN model ON model.slug = current.model
WHERE benchmark = ? AND metric = ?
ORDER BY score_key DESC, published_on, model.name, claim
"""


@attrs.frozen
class Latency:
    """Milliseconds of one board."""

    p50: float
    p99: float


def as_read(workspace: Workspace, benchmarks: int) -> Latency:
    """Boards of random benchmarks on random days, ranked and ready to show."""
    chance = random.Random(7)

    def read() -> None:
        moment = workspace.moment(as_read_on=chance.choice(DAYS))
        slug = f"bench-{chance.randrange(benchmarks):04d}"
        with workspace.views.read() as reader:
            board = board_at(reader, slug, moment)
        assert len(board.rows) == MODELS

    return _measured(read)


def plain(workspace: Workspace, benchmarks: int, folder: Path) -> Latency:
    """The same boards from a table that knows only now."""
    connection = sqlite3.connect(folder / "plain.db")
    connection.row_factory = sqlite3.Row
    connection.executescript(PLAIN)
    _fill(connection, workspace, benchmarks)
    chance = random.Random(7)

    def read() -> None:
        chance.choice(DAYS)
        slug = f"bench-{chance.randrange(benchmarks):04d}"
        rows = connection.execute(PLAIN_BOARD, (slug, "score")).fetchall()
        ranked = [{"rank": rank, **dict(row)} for rank, row in enumerate(rows, 1)]
        assert len(ranked) == MODELS

    return _measured(read)


def _fill(connection: sqlite3.Connection, workspace: Workspace, benchmarks: int) -> None:
    moment = workspace.moment()
    for number in range(benchmarks):
        with workspace.views.read() as reader:
            board = board_at(reader, f"bench-{number:04d}", moment)
        rows = [row for row in board.rows if row.model is not None]
        connection.executemany(
            "INSERT OR IGNORE INTO model VALUES (?, ?, ?, ?)",
            [(m.id, m.name, m.version, m.lab) for m in (row.model for row in rows) if m],
        )
        connection.executemany(
            f"INSERT INTO current VALUES ({', '.join('?' * 15)})",
            [
                (
                    row.claim_id,
                    board.benchmark.slug,
                    row.metric,
                    row.source.slug,
                    row.key,
                    row.model.id if row.model else "",
                    row.as_written,
                    row.split,
                    row.setting,
                    str(row.score),
                    row.sort_key,
                    row.unit,
                    str(row.published_on),
                    "ranked",
                    None,
                )
                for row in rows
            ],
        )
    connection.commit()
    connection.execute("ANALYZE")


def _measured(read: Callable[[], None]) -> Latency:
    for _ in range(20):
        read()
    times = []
    for _ in range(READS):
        start = time.perf_counter()
        read()
        times.append((time.perf_counter() - start) * 1000)
    times.sort()
    return Latency(times[len(times) // 2], times[int(len(times) * 0.99)])
