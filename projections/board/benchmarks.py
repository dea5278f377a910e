"""A benchmark at a moment: its facts, ranking rules, caveats and evaluation changes."""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

import attrs
from sqlalchemy import BigInteger, ColumnElement, Select, Table, bindparam, func, select

from ledger.benchmark import stream_of
from ledger.errors import NotFound
from ledger.events import RankingRuleSet
from ledger.values import PartialDate, Score, score
from ledger.wire import structure
from projections.asserted import Content, aspects_of, with_aspect
from projections.keeping.tables import Tables
from projections.keeping.views import Reader
from projections.moment import Moment


@attrs.frozen
class Rule:
    """How one metric ranks."""

    metric: str
    name: str
    unit: str | None
    higher_is_better: bool
    splits: tuple[str, ...] | None
    combine: str
    decimals: int
    headline: bool
    known_from: str
    ordinal: int
    counted_in: str | None = None
    """What a board compares in where the rule names no unit; see ``boards.counted``."""

    @property
    def compares_in(self) -> str | None:
        """What numbers are brought to before they are compared."""
        return self.unit or self.counted_in


@attrs.frozen
class Benchmark:
    """What was said of a benchmark by a moment; ``caveat_names`` are the caveats' own slugs, in
    the same order."""

    slug: str
    name: str
    facts: Content
    rules: Mapping[str, Rule]
    caveats: tuple[str, ...]
    evaluation_changes: tuple[Mapping[str, Any], ...]
    caveat_names: tuple[str, ...] = ()

    @property
    def released(self) -> PartialDate | None:
        """When the benchmark came out, as precisely as is known."""
        text = self.facts.get("released")
        return PartialDate(text) if text else None

    @property
    def near_ceiling(self) -> Score | None:
        """The score from which on the benchmark tells little any more."""
        text = self.facts.get("near_ceiling")
        return score(text) if text else None

    @property
    def view(self) -> str:
        """The view that is shown when none is asked for."""
        return str(self.facts.get("view", "all"))

    @property
    def headline(self) -> Rule | None:
        """The rule of the headline metric: one that says so, else the one met first."""
        rules = sorted(
            self.rules.values(),
            key=lambda rule: (not rule.headline, rule.known_from, rule.ordinal, rule.metric),
        )
        return rules[0] if rules else None

    def rule(self, metric: str | None) -> Rule | None:
        """The rule of a metric by slug or name, of the headline for ``None``; refused when there is
        no such rule."""
        if metric is None:
            return self.headline
        named = [rule for rule in self.rules.values() if rule.name == metric]
        if metric not in self.rules and len(named) != 1:
            known = ", ".join(sorted(self.rules)) or "none yet"
            raise NotFound(what=f"metric of {self.slug} (known: {known})", name=metric)
        return self.rules.get(metric) or named[0]


def benchmark_at(reader: Reader, slug: str, moment: Moment) -> Benchmark:
    """The benchmark with this slug; refused when the ledger never heard of it."""
    aspects = aspects_of(reader, stream_of(slug), moment)
    if "described" not in aspects:
        raise NotFound(what="benchmark", name=slug)
    facts = aspects["described"]
    caveats = [
        (name.partition("/")[2], one["text"])
        for name, one in sorted(aspects.items())
        if name.startswith("caveat/")
    ]
    changes = [one for name, one in aspects.items() if name.startswith("evaluation/")]
    return Benchmark(
        slug=slug,
        name=facts["name"],
        facts=facts,
        rules={
            name.partition("/")[2]: _rule(one)
            for name, one in aspects.items()
            if name.startswith("rule/")
        },
        caveats=tuple(text for _, text in caveats),
        caveat_names=tuple(name for name, _ in caveats),
        evaluation_changes=tuple(sorted(changes, key=lambda one: str(one["changed_on"]))),
    )


def _rule(content: Content) -> Rule:
    rule = structure(RankingRuleSet, content)
    return Rule(
        rule.metric,
        rule.name,
        rule.unit,
        rule.higher_is_better,
        rule.splits,
        rule.combine,
        rule.decimals,
        rule.headline,
        str(content["known_from"]),
        rule.ordinal,
    )


def all_benchmarks(reader: Reader, moment: Moment) -> list[str]:
    """The slugs of all benchmarks with a reading by the moment, by name."""
    known = [
        (str(content.get("name", "")), stream.partition(":")[2])
        for stream, content in with_aspect(reader, "described", moment)
        if stream.startswith("benchmark:")
    ]
    return [slug for _, slug in sorted(known)]


def first_reading(reader: Reader, slug: str, moment: Moment) -> int | None:
    """When (microseconds) the ledger, at the moment's position, has the first reading for."""
    table = reader.tables.reading
    query = (
        select(table.c.read_at)
        .where(
            table.c.benchmark == slug,
            table.c.position <= moment.position,
            table.c.withdrawn > moment.position,
        )
        .order_by(table.c.read_at)
        .limit(1)
    )
    return reader.connection.scalar(query)


def last_reading(reader: Reader, slug: str, moment: Moment) -> int | None:
    """When (microseconds) any source was last read for a benchmark, by the moment."""
    table = reader.tables.reading
    query = select(func.max(table.c.read_at)).where(
        table.c.benchmark == slug,
        table.c.read_at <= moment.day,
        table.c.position <= moment.position,
        table.c.withdrawn > moment.position,
    )
    latest: int | None = reader.connection.scalar(query)
    return latest


Entries = Sequence[tuple[int, str, int]]
"""When (microseconds) which source said that it has how many entries, in the order of readings."""


def entries_stated(
    reader: Reader, slug: str, moment: Moment, sources: Sequence[str]
) -> dict[str, int]:
    """How many entries each source said that it has, at its latest reading by the moment."""
    query, asked = _entries(reader.tables), {"slug": slug, "position": moment.position}
    stated = recall_entries(reader, slug, moment.position, lambda: reader.tuples(query, asked))
    return {
        source: count
        for read_at, source, count in stated
        if read_at <= moment.day and source in sources
    }


def recall_entries(
    reader: Reader, slug: str, position: int, look: Callable[[], Entries]
) -> Entries:
    """What the sources of a benchmark stated, as a position knows it; looked up once."""
    return reader.recalled((recall_entries, slug), position, look)


@lru_cache(maxsize=8)
def _entries(tables: Tables) -> Select[Any]:
    table = tables.reading
    position = bindparam("position", type_=BigInteger)
    return (
        select(table.c.read_at, table.c.source, table.c.entries_stated)
        .where(*with_entries(table, bindparam("slug"), position))
        .order_by(table.c.read_at, table.c.turn, table.c.position)
    )


def with_entries(
    reading: Table, slug: ColumnElement[str], position: ColumnElement[int]
) -> Sequence[ColumnElement[bool]]:
    """The readings for a benchmark that stated how many entries there are, and stand."""
    return (
        reading.c.benchmark == slug,
        reading.c.position <= position,
        reading.c.withdrawn > position,
        reading.c.entries_stated.is_not(None),
    )
