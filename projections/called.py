"""What benchmarks and their metrics are called at a moment, for lists that name many of them.

One look-up for a whole page. What has no name there keeps its slug: it is shown, and never left
out.
"""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

import attrs
from sqlalchemy import Select, bindparam, or_, select

from ledger.benchmark import stream_of
from projections.asserted import content_of
from projections.board.benchmarks import Benchmark
from projections.keeping.rectangles import CHUNK, chunks
from projections.keeping.tables import Tables
from projections.keeping.views import Reader, holding
from projections.moment import Moment

RULE = "rule/"


@attrs.frozen
class Called:
    """Names of benchmarks, and of metrics by their benchmark and their slug."""

    benchmarks: Mapping[str, str] = attrs.field(factory=dict)
    metrics: Mapping[tuple[str, str], str] = attrs.field(factory=dict)

    def benchmark(self, slug: str) -> str:
        """The name of a benchmark."""
        return self.benchmarks.get(slug, slug)

    def metric(self, benchmark: str | None, slug: str) -> str:
        """The name of one of its metrics."""
        return self.metrics.get((benchmark or "", slug), slug)


def called(reader: Reader, benchmarks: Iterable[str | None], moment: Moment) -> Called:
    """The names of these benchmarks and of their metrics."""
    query = _named(reader.tables, at_head=reader.at_head(moment.position))
    asked = {"day": moment.day, "position": moment.position}
    streams = {stream_of(one): one for one in benchmarks if one}
    names: dict[str, str] = {}
    metrics: dict[tuple[str, str], str] = {}
    for chunk in chunks(sorted(streams), CHUNK):
        for stream, aspect, text in reader.tuples(query, asked | {"streams": chunk}):
            slug, name = streams[stream], content_of(text).get("name")
            if not name:
                continue
            if aspect.startswith(RULE):
                metrics[slug, aspect.removeprefix(RULE)] = str(name)
            else:
                names[slug] = str(name)
    return Called(names, metrics)


def called_on(benchmark: Benchmark) -> Called:
    """The same of a benchmark that was looked up already."""
    slug = benchmark.slug
    metrics = {(slug, metric): rule.name for metric, rule in benchmark.rules.items()}
    return Called({slug: benchmark.name}, metrics)


@lru_cache(maxsize=16)
def _named(tables: Tables, *, at_head: bool) -> Select[Any]:
    table = tables.assertion_version
    return select(table.c.stream, table.c.aspect, table.c.content).where(
        table.c.stream.in_(bindparam("streams", expanding=True)),
        or_(table.c.aspect == "described", table.c.aspect.like(f"{RULE}%")),
        holding(table, at_head=at_head),
    )
