"""What curators asserted about benchmarks, labs, models, sources, indexes, papers and repositories,
as rectangles.

Each assertion is about one *aspect* of a stream: ``described`` (patches are merged), ``rule/<m>``,
``caveat/<c>``, ``evaluation/<n>``, ``post/<benchmark>``, ``found``, ``ranking`` (the latest
stands). Names and rules have no "before": the first one known stands for earlier days too.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, assert_never

import attrs
import orjson
from sqlalchemy import Connection, insert, select, tuple_

from ledger import events as ev
from ledger.values import micros
from ledger.wire import plain
from projections.keeping.rectangles import CHUNK, Keeper, Span, chunks
from projections.keeping.tables import ALWAYS, FOREVER, Tables

Aspect = tuple[str, str]
Entry = tuple[int, int, str | None]  # read_at, position, content
Content = Mapping[str, Any]
AssertedEvent = (
    ev.BenchmarkEvent
    | ev.LabEvent
    | ev.ModelEvent
    | ev.SourceEvent
    | ev.IndexEvent
    | ev.PaperRegistered
    | ev.PaperDescribed
    | ev.RepositoryRegistered
)
Registered = (
    ev.BenchmarkRegistered
    | ev.LabRegistered
    | ev.ModelRegistered
    | ev.SourceRegistered
    | ev.PaperRegistered
    | ev.RepositoryRegistered
)


def assertion_of(record: ev.Recorded, event: AssertedEvent) -> tuple[str, Content | None] | None:
    """The aspect that an event is about, and what it says; ``None`` content takes it back."""
    match event:
        case ev.BenchmarkRegistered() | ev.LabRegistered():
            return "described", {"name": event.name}
        case ev.BenchmarkDescribed() | ev.ModelDescribed() | ev.PaperDescribed():
            return "described", dict(event.facts)
        case ev.EvaluationChanged():
            return f"evaluation/{record.envelope.version}", plain(event)
        case ev.RankingRuleSet():
            return f"rule/{event.metric}", plain(event)
        case ev.CaveatStated():
            stated = None if event.text is None else {"caveat": event.caveat, "text": event.text}
            return f"caveat/{event.caveat}", stated
        case ev.ModelRegistered():
            released = str(event.released) if event.released else None
            named = {"name": event.name, "version": event.version}
            return "described", {**named, "lab": event.lab, "released": released}
        case ev.ModelRenamed():
            return "described", {"name": event.name, "version": event.version}
        case ev.SourceRegistered() | ev.PaperRegistered() | ev.RepositoryRegistered():
            return "described", plain(event)
        case ev.PostRead():
            return f"post/{event.benchmark}", {"listed": event.listed}
        case ev.SourceFoundChanged():
            return "found", plain(event)
        case ev.CapabilityIndexRead():
            return "ranking", plain(event)
        case ev.AliasAsserted() | ev.AliasWithdrawn() | ev.SourceFrozen() | ev.ReadingWithdrawn():
            return None
        case _:
            assert_never(event)


@attrs.define
class AssertionProjector:
    """Applies assertions; entries of an aspect are folded in the order (``read_at``, position)."""

    tables: Tables
    keeper: Keeper[Aspect] = attrs.field(init=False)
    _entries: dict[Aspect, list[Entry]] = attrs.field(factory=dict)
    _new: list[dict[str, Any]] = attrs.field(factory=list)

    def __attrs_post_init__(self) -> None:
        table = self.tables.assertion_version
        self.keeper = Keeper(table, ("stream", "aspect"), ("content",))

    def prepare(self, connection: Connection, records: Iterable[ev.Recorded]) -> None:
        """Load what the aspects of this batch were asserted to be before it."""
        touched: set[Aspect] = set()
        for record in records:
            if isinstance(record.event, AssertedEvent) and record.envelope.version > 1:
                stated = assertion_of(record, record.event)
                if stated is not None:
                    touched.add((record.envelope.stream, stated[0]))
        table = self.tables.assertion
        columns = (table.c.stream, table.c.aspect, table.c.read_at, table.c.position)
        for chunk in chunks(sorted(touched), CHUNK // 2):
            asked = select(*columns, table.c.content).where(
                tuple_(table.c.stream, table.c.aspect).in_(chunk)
            )
            for stream, aspect, read_at, position, content in connection.execute(asked):
                entries = self._entries.setdefault((stream, aspect), [])
                entries.append((read_at, position, content))
        self.keeper.load(connection, "stream", {stream for stream, _ in touched})

    def apply(self, record: ev.Recorded, event: AssertedEvent) -> None:
        """Enter one assertion."""
        stated = assertion_of(record, event)
        if stated is None:
            return
        aspect, content = stated
        text = None if content is None else orjson.dumps(content).decode()
        # A registration is what everything else is said on top of, also what was said earlier.
        read_at = ALWAYS if isinstance(event, Registered) else micros(event.read_at)
        subject = (record.envelope.stream, aspect)
        self._new.append(
            {
                "position": record.position,
                "stream": record.envelope.stream,
                "aspect": aspect,
                "read_at": read_at,
                "content": text,
            }
        )
        entries = self._entries.setdefault(subject, [])
        entries.append((read_at, record.position, text))
        entries.sort(key=lambda entry: entry[:2])
        self.keeper.change(subject, spans(aspect, entries), record.position)

    def flush(self, connection: Connection) -> None:
        """Write the batch."""
        if self._new:
            connection.execute(insert(self.tables.assertion), self._new)
        self.keeper.flush(connection)
        self._new.clear()
        self._entries.clear()


def spans(aspect: str, entries: Sequence[Entry]) -> list[Span]:
    """The spans of reading time in which each content stands; entries are in their order."""
    standing: list[tuple[int, str | None]] = []
    content: str | None = None
    if aspect.startswith("rule/"):
        entries = _rules(entries)
    for read_at, _, text in entries:
        content = _merged(content, text) if aspect == "described" else text
        if standing and standing[-1][0] == read_at:
            standing.pop()
        standing.append((read_at, content))
    if aspect == "described" or aspect.startswith("rule/"):
        standing[0] = (ALWAYS, standing[0][1])
    ends = [start for start, _ in standing[1:]] + [FOREVER]
    joined: list[Span] = []
    for (start, text), end in zip(standing, ends, strict=True):
        if text is None:
            continue
        if joined and joined[-1][1] == start and joined[-1][2] == (text,):
            joined[-1] = (joined[-1][0], end, (text,))
        else:
            joined.append((start, end, (text,)))
    return joined


def _rules(entries: Sequence[Entry]) -> list[Entry]:
    """The rules of a metric that count: those that somebody set, and the earliest that an import
    met unless one was set by then. Each says when the metric was first known, and its place then.
    """
    rules = [(at, position, orjson.loads(text or "{}")) for at, position, text in entries]
    counting = [rule for rule in rules if not rule[2].get("met")]
    met = [rule for rule in rules if rule[2].get("met")]
    if met:
        # Two readings of one instant may have met it: which of them arrived first does not count.
        first = min(met, key=lambda rule: (rule[0], orjson.dumps(rule[2])))
        if not any(at <= first[0] for at, _, _ in counting):
            counting.insert(0, first)
    known = {"known_from": counting[0][2]["read_at"], "ordinal": counting[0][2].get("ordinal", 0)}
    return [(at, position, orjson.dumps(rule | known).decode()) for at, position, rule in counting]


def _merged(before: str | None, patch: str | None) -> str | None:
    merged: dict[str, Any] = orjson.loads(before) if before else {}
    merged.update(orjson.loads(patch) if patch else {})
    stated = {name: value for name, value in merged.items() if value is not None}
    return orjson.dumps(stated, option=orjson.OPT_SORT_KEYS).decode()
