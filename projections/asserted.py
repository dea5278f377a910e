"""Reading assertions at a moment: what a benchmark, model, lab or source was said to be then."""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import Any

import orjson
from sqlalchemy import select

from projections.moment import Moment
from projections.rectangles import CHUNK, chunks
from projections.views import Reader

Content = Mapping[str, Any]
NOTHING: Content = MappingProxyType({})


@lru_cache(maxsize=20_000)
def content_of(text: str | None) -> Content:
    """A stored content; asked for again and again, so it is kept."""
    return MappingProxyType(orjson.loads(text)) if text else NOTHING


def aspects_of(reader: Reader, stream: str, moment: Moment) -> dict[str, Content]:
    """All that was asserted of one stream, by aspect."""
    table = reader.tables.assertion_version
    query = select(table.c.aspect, table.c.content).where(
        table.c.stream == stream, reader.holds(table, moment.day, moment.position)
    )
    return {aspect: content_of(text) for aspect, text in reader.connection.execute(query)}


def described(reader: Reader, streams: Iterable[str], moment: Moment) -> dict[str, Content]:
    """The descriptions of several streams."""
    table = reader.tables.assertion_version
    found: dict[str, Content] = {}
    for chunk in chunks(sorted(set(streams)), CHUNK):
        query = select(table.c.stream, table.c.content).where(
            table.c.stream.in_(chunk),
            table.c.aspect == "described",
            reader.holds(table, moment.day, moment.position),
        )
        rows = reader.connection.execute(query)
        found.update((stream, content_of(text)) for stream, text in rows)
    return found


def with_aspect(reader: Reader, aspect: str, moment: Moment) -> Sequence[tuple[str, Content]]:
    """Every stream of which an aspect was asserted, such as all posts read for a benchmark."""
    table = reader.tables.assertion_version
    query = (
        select(table.c.stream, table.c.content)
        .where(table.c.aspect == aspect, reader.holds(table, moment.day, moment.position))
        .order_by(table.c.stream)
    )
    return [(stream, content_of(text)) for stream, text in reader.connection.execute(query)]
