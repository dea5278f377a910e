"""A board as read on some day, beside the same board from a table without history.

The plain table holds what is shown now: one row a claim, indexed by benchmark and metric, joined
with a table of models, ranked by the database. It answers one day; the ledger answers any.
"""

import random
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import attrs
from sqlalchemy import Connection, create_engine, text

from benchmarks.boards import MODELS
from projections.board.boards import board_at
from projections.board.rows import Row
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
PLAIN_MODEL = "INSERT OR IGNORE INTO model VALUES (:id, :name, :version, :lab)"
PLAIN_CLAIM = """
INSERT INTO current VALUES (
    :claim, :benchmark, :metric, :source, :key, :model, :name, :split, :setting, :score,
    :score_key, :unit, :published_on, :standing, :marks
)
"""
PLAIN_BOARD = """
SELECT current.*, model.name AS model_name, model.version, model.lab
FROM current JOIN model ON model.slug = current.model
WHERE benchmark = :benchmark AND metric = :metric
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
    """The same boards, through the same library, from a table that knows only now."""
    engine = create_engine(f"sqlite:///{folder / 'plain.db'}")
    with engine.begin() as connection:
        for statement in PLAIN.split(";")[:-1]:
            connection.execute(text(statement))
        _fill(connection, workspace, benchmarks)
    with engine.begin() as connection:
        connection.execute(text("ANALYZE"))
    chance = random.Random(7)
    query = text(PLAIN_BOARD)

    def read() -> None:
        chance.choice(DAYS)
        slug = f"bench-{chance.randrange(benchmarks):04d}"
        with engine.begin() as connection:
            asked = {"benchmark": slug, "metric": "score"}
            rows = connection.execute(query, asked).mappings().all()
        held = Counter(row["score_key"] for row in rows)
        ranked = [
            {"rank": rank, "tied": held[row["score_key"]] > 1, **row}
            for rank, row in enumerate(rows, 1)
        ]
        assert len(ranked) == MODELS

    return _measured(read)


def _fill(connection: Connection, workspace: Workspace, benchmarks: int) -> None:
    moment = workspace.moment()
    for number in range(benchmarks):
        with workspace.views.read() as reader:
            board = board_at(reader, f"bench-{number:04d}", moment)
        rows = [row for row in board.rows if row.model is not None]
        for row in rows:
            model = row.model
            if model is not None:
                named = attrs.asdict(model)
                connection.execute(text(PLAIN_MODEL), named | {"released": None})
        connection.execute(
            text(PLAIN_CLAIM), [_plain_row(board.benchmark.slug, row) for row in rows]
        )


def _plain_row(benchmark: str, row: Row) -> dict[str, str | None]:
    return {
        "claim": row.claim_id,
        "benchmark": benchmark,
        "metric": row.metric,
        "source": row.source.slug,
        "key": row.key,
        "model": row.model.id if row.model else None,
        "name": row.as_written,
        "split": row.split,
        "setting": row.setting,
        "score": str(row.score),
        "score_key": row.sort_key,
        "unit": row.unit,
        "published_on": str(row.published_on),
        "standing": "ranked",
        "marks": None,
    }


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
