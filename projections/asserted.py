"""Reading assertions at a moment: what a benchmark, model, lab or source was said to be then."""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import Any

import orjson
from sqlalchemy import Select, bindparam, select

from projections.keeping.rectangles import CHUNK, chunks
from projections.keeping.tables import Tables
from projections.keeping.views import Reader, holding
from projections.moment import Moment

Content = Mapping[str, Any]
NOTHING: Content = MappingProxyType({})


@lru_cache(maxsize=20_000)
def content_of(text: str | None) -> Content:
    """A stored content; asked for again and again, so it is kept."""
    return MappingProxyType(orjson.loads(text)) if text else NOTHING


def aspects_of(reader: Reader, stream: str, moment: Moment) -> dict[str, Content]:
    """All that was asserted of one stream, by aspect."""
    query = _aspects(reader.tables, at_head=reader.at_head(moment.position))
    asked = {"stream": stream, "day": moment.day, "position": moment.position}
    return {aspect: content_of(text) for aspect, text in reader.tuples(query, asked)}


@lru_cache(maxsize=16)
def _aspects(tables: Tables, *, at_head: bool) -> Select[Any]:
    table = tables.assertion_version
    return select(table.c.aspect, table.c.content).where(
        table.c.stream == bindparam("stream"), holding(table, at_head=at_head)
    )


def described(reader: Reader, streams: Iterable[str], moment: Moment) -> dict[str, Content]:
    """The descriptions of several streams."""
    query = _described(reader.tables, at_head=reader.at_head(moment.position))
    asked = {"day": moment.day, "position": moment.position}
    found: dict[str, Content] = {}
    for chunk in chunks(sorted(set(streams)), CHUNK):
        rows = reader.tuples(query, asked | {"streams": chunk})
        found.update((stream, content_of(text)) for stream, text in rows)
    return found


@lru_cache(maxsize=16)
def _described(tables: Tables, *, at_head: bool) -> Select[Any]:
    table = tables.assertion_version
    return select(table.c.stream, table.c.content).where(
        table.c.stream.in_(bindparam("streams", expanding=True)),
        table.c.aspect == "described",
        holding(table, at_head=at_head),
    )


def with_aspect(reader: Reader, aspect: str, moment: Moment) -> Sequence[tuple[str, Content]]:
    """Every stream of which an aspect was asserted, such as all posts read for a benchmark."""
    table = reader.tables.assertion_version
    query = (
        select(table.c.stream, table.c.content)
        .where(table.c.aspect == aspect, reader.holds(table, moment.day, moment.position))
        .order_by(table.c.stream)
    )
    return [(stream, content_of(text)) for stream, text in reader.connection.execute(query)]
