"""The question that every peer answers: a benchmark's board as read on some day, best first.

A peer says how long it took to take the boards in, and what a board costs to get out again. Only
answers that are complete count: a board of another length stops the benchmark.
"""

import csv
import io
import random
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, date, datetime, timedelta

import attrs

from benchmarks.boards import MODELS, files

DAYS = ("2024-01-10", "2024-02-10", "2024-03-10", "2024-04-10", "2026-01-01")
"""As read on these; every board has at least one version by the first of them."""


@attrs.frozen
class Latency:
    """Milliseconds of one board."""

    p50: float
    p99: float


@attrs.frozen
class Version:
    """One version of one board: rows of (model, score, day on the row), and when it was read."""

    slug: str
    read_at: datetime
    rows: tuple[tuple[str, str, str], ...] = attrs.field(repr=False)


def versions(benchmarks: int) -> Iterator[Version]:
    """The boards that the ledger gets too, as any other program would take them in."""
    for slug, name, data in files(benchmarks):
        read_at = datetime.strptime(name, "%Y-%m-%dT%H%M%SZ.csv").replace(tzinfo=UTC)
        rows = csv.DictReader(io.StringIO(data.decode()))
        found = tuple((row["model"], row["score"], row["date"]) for row in rows)
        yield Version(slug, read_at, found)


def end_of(day: str) -> datetime:
    """The instant before which a day ends (UTC)."""
    start = datetime.combine(date.fromisoformat(day), datetime.min.time(), UTC)
    return start + timedelta(days=1)


def asked(
    benchmarks: int, read: Callable[[str, str], Sequence[object]], reads: int = 400
) -> Latency:
    """What random boards on random days cost; ``read`` takes a slug and a day."""
    chance = random.Random(7)

    def one() -> None:
        day = chance.choice(DAYS)
        rows = read(f"bench-{chance.randrange(benchmarks):04d}", day)
        assert len(rows) == MODELS

    for _ in range(min(20, reads)):
        one()
    times = []
    for _ in range(reads):
        start = time.perf_counter()
        one()
        times.append((time.perf_counter() - start) * 1000)
    times.sort()
    return Latency(times[len(times) // 2], times[int(len(times) * 0.99)])
