"""A board as read on some day, beside the same board from a table without history.

The plain table holds what is shown now: one row a claim, indexed by benchmark and metric, joined
with a table of models, ranked by the database. It answers one day; the ledger answers any.
"""

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import attrs
from sqlalchemy import Connection, create_engine, text

from benchmarks.boards import DEEP
from benchmarks.peers.asking import Latency, asked
from projections.board.boards import board_at
from projections.board.rows import Row
from web.settings import Settings
from web.wiring import Workspace, open_workspace

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
PLAIN_MODEL = "INSERT INTO model VALUES (:id, :name, :version, :lab) ON CONFLICT DO NOTHING"
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
class Boards:
    """Boards of the ledger, one with ten times the history, and the same from the plain table."""

    ours: Latency
    deep: Latency
    plain: Latency


def apart(workspace: Workspace, benchmarks: int, folder: Path) -> Boards:
    """All three, measured by a process that does nothing else; the ledger holds
    :data:`~benchmarks.boards.DEEP`."""
    settings = workspace.settings
    task = {
        "home": str(settings.home),
        "address": settings.database_url,
        "benchmarks": benchmarks,
        "folder": str(folder),
    }
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.reading"],
        input=json.dumps(task),
        capture_output=True,
        text=True,
        check=True,
    )
    return Boards(*(Latency(**one) for one in json.loads(done.stdout)))


def _measured(task: Mapping[str, Any]) -> list[Latency]:
    settings = Settings(home=Path(task["home"]), database_url=task["address"])
    with closing(open_workspace(settings)) as workspace:
        return [
            as_read(workspace, task["benchmarks"]),
            as_read_deep(workspace),
            plain(workspace, task["benchmarks"], Path(task["folder"])),
        ]


def as_read(workspace: Workspace, benchmarks: int) -> Latency:
    """Boards of random benchmarks on random days, ranked and ready to show."""
    return asked(benchmarks, lambda slug, day: _board(workspace, slug, day))


def as_read_deep(workspace: Workspace) -> Latency:
    """The same of the one board that has ten times the history."""
    return asked(1, lambda _, day: _board(workspace, DEEP, day))


def _board(workspace: Workspace, slug: str, day: str) -> Sequence[Any]:
    moment = workspace.moment(as_read_on=day)
    with workspace.views.read() as reader:
        return board_at(reader, slug, moment).rows


def plain(workspace: Workspace, benchmarks: int, folder: Path) -> Latency:
    """The same boards, through the same library, from a table that knows only now."""
    address = workspace.settings.database_url
    url = f"sqlite:///{folder / 'plain.db'}"
    if address is not None:
        url = address.replace("postgresql://", "postgresql+psycopg://")
    engine = create_engine(url)
    try:
        with engine.begin() as connection:
            for statement in PLAIN.split(";")[:-1]:
                connection.execute(text(statement))
            _fill(connection, workspace, benchmarks)
        with engine.begin() as connection:
            connection.execute(text("ANALYZE"))
        query = text(PLAIN_BOARD)

        def read(slug: str, _: str) -> Sequence[Any]:
            with engine.begin() as connection:
                named = {"benchmark": slug, "metric": "score"}
                rows = connection.execute(query, named).mappings().all()
            held = Counter(row["score_key"] for row in rows)
            return [
                {"rank": rank, "tied": held[row["score_key"]] > 1, **row}
                for rank, row in enumerate(rows, 1)
            ]

        return asked(benchmarks, read)
    finally:
        engine.dispose()


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


if __name__ == "__main__":
    print(json.dumps([attrs.asdict(one) for one in _measured(json.load(sys.stdin))]))
