"""Made-up boards of any size: some benchmarks, many models, a few versions of each."""

import csv
import io
import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

MODELS = 500
VERSIONS = 4
DEEP = "bench-deep"
START = datetime(2024, 1, 1, tzinfo=UTC)


def files(benchmarks: int, seed: int = 1) -> Iterator[tuple[str, str, bytes]]:
    """Slug, file name (which tells the instant) and CSV bytes, board after board, oldest first.

    Every version restates every row, so ``benchmarks x MODELS x VERSIONS`` facts come of it.
    """
    chance = random.Random(seed)
    for number in range(benchmarks):
        for version in range(VERSIONS):
            at = START + timedelta(days=30 * version, minutes=number)
            yield f"bench-{number:04d}", _name(at), _board(chance, version)


def long_history(seed: int = 2) -> Iterator[tuple[str, str, bytes]]:
    """One board more, :data:`DEEP`, with ten times as many versions over the same days."""
    chance = random.Random(seed)
    for version in range(10 * VERSIONS):
        yield DEEP, _name(START + timedelta(days=3 * version)), _board(chance, version % 10)


def _name(at: datetime) -> str:
    return f"{at:%Y-%m-%dT%H%M%S}Z.csv"


def _board(chance: random.Random, version: int) -> bytes:
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(["key", "model", "score", "date"])
    for model in range(MODELS):
        score = f"{chance.randrange(0, 1000) / 10:.1f}{version}"
        writer.writerow([f"run-{model:04d}", f"model-{model:04d}", score, "2023-12-01"])
    return out.getvalue().encode()
