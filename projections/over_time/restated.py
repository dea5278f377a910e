"""When a benchmark's own rules, caveats, facts and evaluation changed: what a curator says of it.

What holds from the beginning is no change, nor is what was said again; a caveat or an evaluation
change is one from the day on which it was first stated.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any

import attrs
from sqlalchemy import Select, bindparam, select

from ledger import events as ev
from ledger.benchmark import stream_of
from ledger.events import RankingRuleSet
from ledger.store import Store
from ledger.values import Instant, from_micros
from ledger.wire import structure
from projections.asserted import NOTHING, Content, content_of
from projections.keeping.assertions import assertion_of
from projections.keeping.tables import ALWAYS, FOREVER, Tables
from projections.keeping.views import Reader, recorded
from projections.moment import Moment

UNSAID = frozenset({"read_at", "why", "known_from", "ordinal", "met", "caveat", "metric"})
"""What is stored beside a statement and is none of it."""
OF_RULES = ("name", "unit", "higher_is_better", "splits", "combine", "decimals", "headline")


@attrs.frozen(kw_only=True)
class Restated:
    """One change of an aspect: ``rule/<metric>``, ``caveat/<name>``, ``evaluation/<n>`` or
    ``described``. An empty ``after`` takes it back."""

    aspect: str
    at: Instant
    before: Content
    after: Content

    @property
    def kind(self) -> str:
        """``rule``, ``caveat``, ``evaluation`` or ``described``."""
        return self.aspect.partition("/")[0]

    @property
    def name(self) -> str:
        """The rule's metric, or the caveat's own name."""
        return self.aspect.partition("/")[2]

    @property
    def fields(self) -> Mapping[str, tuple[str | None, str | None]]:
        """What differs, field by field, as text: before and after."""
        before, after = self._whole(self.before), self._whole(self.after)
        names = sorted({*before, *after} - UNSAID)
        found = {name: (_text(before.get(name)), _text(after.get(name))) for name in names}
        return {name: pair for name, pair in found.items() if pair[0] != pair[1]}

    def _whole(self, content: Content) -> Content:
        """A statement with what goes without saying: a rule has an answer to everything."""
        if self.kind != "rule" or not content:
            return content
        rule = structure(RankingRuleSet, content)
        return {name: getattr(rule, name) for name in OF_RULES}


def _text(value: object) -> str | None:
    if value is None:
        return None
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def restatements_of(reader: Reader, slug: str, moment: Moment) -> list[Restated]:
    """Every change, at any time, that the ledger held at the moment's position, oldest first."""
    query = _spans(reader.tables, at_head=reader.at_head(moment.position))
    asked = {"stream": stream_of(slug), "position": moment.position}
    spans: dict[str, list[tuple[int, int, str]]] = {}
    for aspect, start, end, text in reader.tuples(query, asked):
        spans.setdefault(aspect, []).append((start, end, text))
    found = [one for aspect, own in spans.items() for one in _of(aspect, own)]
    return sorted(found, key=lambda one: (one.at, one.aspect))


def _of(aspect: str, spans: Iterable[tuple[int, int, str]]) -> Iterator[Restated]:
    """The changes of one aspect; its spans come in order."""
    before, until = NOTHING, ALWAYS
    for start, end, text in spans:
        if before and start > until:
            yield Restated(aspect=aspect, at=from_micros(until), before=before, after=NOTHING)
            before = NOTHING
        after = content_of(text)
        if start > ALWAYS:
            one = Restated(aspect=aspect, at=from_micros(start), before=before, after=after)
            if one.fields or not before:
                yield one
        before, until = after, end
    if before and until < FOREVER:
        yield Restated(aspect=aspect, at=from_micros(until), before=before, after=NOTHING)


@lru_cache(maxsize=16)
def _spans(tables: Tables, *, at_head: bool) -> Select[Any]:
    table = tables.assertion_version
    return (
        select(table.c.aspect, table.c.read_from, table.c.read_to, table.c.content)
        .where(table.c.stream == bindparam("stream"), recorded(table, at_head=at_head))
        .order_by(table.c.aspect, table.c.read_from)
    )


# --- who says so ------------------------------------------------------------------------------


@attrs.frozen(kw_only=True)
class Said:
    """A change, where it stands in the ledger, who recorded it and why."""

    restated: Restated
    position: int
    by: str
    why: str


def said_by(store: Store, slug: str, found: Iterable[Restated], moment: Moment) -> list[Said]:
    """These changes of a benchmark, each with the event that made it."""
    made: dict[tuple[str, Instant], ev.Recorded] = {}
    for record in store.stream(stream_of(slug)):
        event = record.event
        if record.position <= moment.position and isinstance(event, ev.BenchmarkEvent):
            stated = assertion_of(record, event)
            if stated is not None:
                made[stated[0], event.read_at] = record
    return [_said(one, made[one.aspect, one.at]) for one in found]


def _said(one: Restated, record: ev.Recorded) -> Said:
    why = str(getattr(record.event, "why", None) or "")
    by = record.envelope.recorded_by
    return Said(restated=one, position=record.position, by=by, why=why)
