"""Reading assertions at a moment: what a benchmark, model, lab or source was said to be then."""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import Any, NamedTuple

import orjson
from sqlalchemy import Select, bindparam, select

from projections.keeping.rectangles import CHUNK, chunks
from projections.keeping.tables import Tables
from projections.keeping.views import Reader, recorded
from projections.moment import Moment

Content = Mapping[str, Any]
NOTHING: Content = MappingProxyType({})


@lru_cache(maxsize=20_000)
def content_of(text: str | None) -> Content:
    """A stored content; asked for again and again, so it is kept."""
    return MappingProxyType(orjson.loads(text)) if text else NOTHING


def aspects_of(reader: Reader, stream: str, moment: Moment) -> dict[str, Content]:
    """All that was asserted of one stream, by aspect."""
    spans = spans_of(reader, [stream], None, moment.position)[stream]
    return {span.aspect: content_of(span.text) for span in spans if span.holds(moment.day)}


def described(reader: Reader, streams: Iterable[str], moment: Moment) -> dict[str, Content]:
    """The descriptions of several streams."""
    day = moment.day
    return {
        stream: content_of(span.text)
        for stream, spans in spans_of(reader, streams, DESCRIBED, moment.position).items()
        for span in spans
        if span.holds(day)
    }


DESCRIBED = "described"
MOST = 50_000
"""Streams of which an aspect is remembered."""


class Span(NamedTuple):
    """What was asserted of an aspect, and for which days (microseconds, end excluded)."""

    aspect: str
    read_from: int
    read_to: int
    text: str

    def holds(self, day: int) -> bool:
        """Whether it was asserted by a day."""
        return self.read_from <= day < self.read_to


UNKNOWN: Sequence[Span] = ()
"""Not looked up so far; what was looked up and not found is a list."""


def spans_of(
    reader: Reader, streams: Iterable[str], aspect: str | None, position: int
) -> dict[str, Sequence[Span]]:
    """What a position knows of one aspect of these streams, or of all their aspects, for any day;
    what was looked up before is remembered."""
    held: dict[str, Sequence[Span]] = reader.recalled((Span, aspect), position, dict)
    answer = {stream: held.get(stream, UNKNOWN) for stream in streams}
    missing = sorted(stream for stream, spans in answer.items() if spans is UNKNOWN)
    if missing:
        spans = _read_spans(reader, missing, aspect, position)
        found = {stream: spans.get(stream, []) for stream in missing}
        remember(reader, aspect, position, found)
        answer |= found
    return answer


def remember(
    reader: Reader, aspect: str | None, position: int, found: Mapping[str, Sequence[Span]]
) -> None:
    """Remember all that a position knows of an aspect of some streams, or of all their aspects."""
    held: dict[str, Sequence[Span]] = reader.recalled((Span, aspect), position, dict)
    if len(held) < MOST:
        held.update(found)


def _read_spans(
    reader: Reader, streams: Sequence[str], aspect: str | None, position: int
) -> dict[str, list[Span]]:
    query = _asserted(reader.tables, aspect, at_head=reader.at_head(position))
    found: dict[str, list[Span]] = {}
    for chunk in chunks(streams, CHUNK):
        for stream, *span in reader.tuples(query, {"position": position, "streams": chunk}):
            found.setdefault(stream, []).append(Span._make(span))
    return found


@lru_cache(maxsize=32)
def _asserted(tables: Tables, aspect: str | None, *, at_head: bool) -> Select[Any]:
    table = tables.assertion_version
    query = select(
        table.c.stream, table.c.aspect, table.c.read_from, table.c.read_to, table.c.content
    ).where(
        table.c.stream.in_(bindparam("streams", expanding=True)),
        recorded(table, at_head=at_head),
    )
    return query if aspect is None else query.where(table.c.aspect == aspect)


def with_aspect(reader: Reader, aspect: str, moment: Moment) -> Sequence[tuple[str, Content]]:
    """Every stream of which an aspect was asserted, such as all posts read for a benchmark."""
    table = reader.tables.assertion_version
    query = (
        select(table.c.stream, table.c.content)
        .where(table.c.aspect == aspect, reader.holds(table, moment.day, moment.position))
        .order_by(table.c.stream)
    )
    return [(stream, content_of(text)) for stream, text in reader.connection.execute(query)]
