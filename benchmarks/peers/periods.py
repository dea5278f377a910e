"""A table with period columns, as people write it by hand: a row a version, and while it held.

It knows what a board said on any day, and nothing of what was known when: one axis, no reason, no
source. It is the same table on SQLite and on PostgreSQL.
"""

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import attrs
from sqlalchemy import Connection, Engine, create_engine, text

from benchmarks.peers.asking import Latency, asked, end_of, versions

FOREVER = "9999-12-31T00:00:00+00:00"
TABLES = (
    "CREATE TABLE model (slug TEXT PRIMARY KEY, name TEXT NOT NULL, version TEXT, lab TEXT)",
    """CREATE TABLE period (
        claim TEXT NOT NULL, benchmark TEXT NOT NULL, metric TEXT NOT NULL, source TEXT NOT NULL,
        key TEXT NOT NULL, model TEXT NOT NULL, name TEXT NOT NULL, split TEXT, setting TEXT,
        score TEXT NOT NULL, rank_by NUMERIC NOT NULL, unit TEXT, published_on TEXT, standing TEXT,
        marks TEXT, valid_from TEXT NOT NULL, valid_to TEXT NOT NULL,
        PRIMARY KEY (claim, valid_from)
    )""",
    "CREATE INDEX period_board ON period (benchmark, metric, valid_to, valid_from)",
)
CLOSE = """
UPDATE period SET valid_to = :at
WHERE benchmark = :benchmark AND metric = 'score' AND valid_to = :forever
"""
MODEL = "INSERT INTO model (slug, name) VALUES (:model, :model) ON CONFLICT DO NOTHING"
ADD = """
INSERT INTO period (
    claim, benchmark, metric, source, key, model, name, score, rank_by, published_on, standing,
    valid_from, valid_to
) VALUES (
    :claim, :benchmark, 'score', :source, :model, :model, :model, :score, :rank_by, :day, 'ranked',
    :at, :forever
)
"""
BOARD = """
SELECT period.*, model.name AS model_name, model.version, model.lab
FROM period JOIN model ON model.slug = period.model
WHERE benchmark = :benchmark AND metric = 'score' AND valid_to > :at AND valid_from <= :at
ORDER BY rank_by DESC, published_on, model.name, claim
"""


@attrs.frozen
class Periods:
    """How long it took to load, in seconds, and what a board costs."""

    facts: int
    seconds: float
    board: Latency


def on_sqlite(folder: Path, benchmarks: int) -> Periods:
    """The table in a file."""
    with _engine(f"sqlite:///{folder / 'periods.db'}") as engine:
        return _measured(engine, benchmarks)


def on_postgres(address: str, benchmarks: int) -> Periods:
    """The table in an empty database of a server."""
    url = address.replace("postgresql://", "postgresql+psycopg://")
    with _engine(url) as engine:
        return _measured(engine, benchmarks)


@contextmanager
def _engine(url: str) -> Iterator[Engine]:
    engine = create_engine(url)
    try:
        yield engine
    finally:
        engine.dispose()


def _measured(engine: Engine, benchmarks: int) -> Periods:
    with engine.begin() as connection:
        for statement in TABLES:
            connection.execute(text(statement))
    facts, start = 0, time.perf_counter()
    for version in versions(benchmarks):
        with engine.begin() as connection:
            facts += _load(connection, version.slug, version.read_at.isoformat(), version.rows)
    seconds = time.perf_counter() - start
    with engine.begin() as connection:
        connection.execute(text("ANALYZE"))
    query = text(BOARD)

    def read(slug: str, day: str) -> Sequence[Any]:
        at = end_of(day).isoformat()
        with engine.begin() as connection:
            rows = connection.execute(query, {"benchmark": slug, "at": at}).mappings().all()
        held = Counter(row["rank_by"] for row in rows)
        return [
            {"rank": rank, "tied": held[row["rank_by"]] > 1, **row}
            for rank, row in enumerate(rows, 1)
        ]

    return Periods(facts, seconds, asked(benchmarks, read))


def _load(connection: Connection, slug: str, at: str, rows: Sequence[tuple[str, str, str]]) -> int:
    common = {"benchmark": slug, "at": at, "forever": FOREVER}
    connection.execute(text(CLOSE), common)
    known = [
        {
            **common,
            "claim": f"{slug}/{model}",
            "source": f"{slug}-board",
            "model": model,
            "score": score,
            "rank_by": float(score),
            "day": day,
        }
        for model, score, day in rows
    ]
    connection.execute(text(MODEL), [{"model": one["model"]} for one in known])
    connection.execute(text(ADD), known)
    return len(rows)
