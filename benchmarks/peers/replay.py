"""A naive replay: each board an aggregate of the library that we store with, folded when asked."""

from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_URL, UUID, uuid5

from eventsourcing.application import Application
from eventsourcing.domain import Aggregate, event

from benchmarks.peers.asking import Latency, asked, end_of, versions

READS = 60
"""Each folds a whole history, so fewer are enough."""


class Board(Aggregate):
    """A board that grows row by row."""

    def __init__(self, slug: str) -> None:
        self.slug = slug
        self.rows: dict[str, tuple[str, str]] = {}

    @event("RowRead")
    def read(self, model: str, score: str, day: str, read_at: datetime) -> None:
        """A row as a source was read to say it."""
        self.rows[model] = (score, day)
        self.read_at = read_at

    @staticmethod
    def create_id(slug: str) -> UUID:
        """The same for the same slug."""
        return uuid5(NAMESPACE_URL, slug)


def replayed(folder: Path, benchmarks: int) -> Latency:
    """What a board costs that is folded from its first event to the last one by the day."""
    app: Application[UUID] = Application(
        env={
            "PERSISTENCE_MODULE": "eventsourcing.sqlite",
            "SQLITE_DBNAME": str(folder / "replay.db"),
        }
    )
    boards: dict[str, Board] = {}
    for version in versions(benchmarks):
        board = boards.setdefault(version.slug, Board(slug=version.slug))
        for model, score, day in version.rows:
            board.read(model=model, score=score, day=day, read_at=version.read_at)
        app.save(board)

    def read(slug: str, day: str) -> Sequence[Any]:
        until = end_of(day)
        found: Any = None
        for one in app.events.get(Board.create_id(slug)):
            happened: Any = one
            if getattr(happened, "read_at", until) <= until:
                found = happened.mutate(found)
        rows = sorted(found.rows.items(), key=lambda row: (-Decimal(row[1][0]), row[1][1], row[0]))
        return list(enumerate(rows, 1))

    try:
        return asked(benchmarks, read, READS)
    finally:
        app.close()
