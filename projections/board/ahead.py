"""What a board needs besides its rows, in one question where nobody asked before.

A benchmark's rules, its sources' descriptions and how many entries they say that they have would be
three questions, each as short as the way there and back. They are remembered as those who ask for
them would remember them (:meth:`projections.keeping.views.Reader.recalled`).
"""

from functools import lru_cache
from typing import Any

from sqlalchemy import BigInteger, CompoundSelect, Text, bindparam, cast, literal, select, union_all

from ledger.benchmark import stream_of
from projections.asserted import DESCRIBED, Span, remember
from projections.board.benchmarks import Entries, recall_entries, with_entries
from projections.keeping.tables import Tables
from projections.keeping.views import Reader, recorded
from projections.moment import Moment

ENTRIES = "entries/"
"""Stands before a reading's turn where an assertion has its aspect."""


def ask_ahead(reader: Reader, slug: str, moment: Moment) -> None:
    """See that all this is remembered for a benchmark, as the moment's position knows it."""
    reader.recalled((ask_ahead, slug), moment.position, lambda: _ask(reader, slug, moment.position))


def _ask(reader: Reader, slug: str, position: int) -> None:
    benchmark = stream_of(slug)
    asked = {"slug": slug, "stream": benchmark, "position": position}
    query = _question(reader.tables, at_head=reader.at_head(position))
    of_benchmark: list[Span] = []
    of_sources: dict[str, list[Span]] = {}
    stated: list[tuple[int, str, int, str, int]] = []
    for stream, aspect, since, until, text in reader.tuples(query, asked):
        if aspect.startswith(ENTRIES):
            stated.append((since, aspect, until, stream, int(text)))
        elif stream == benchmark:
            of_benchmark.append(Span(aspect, since, until, text))
        else:
            of_sources.setdefault(stream, []).append(Span(aspect, since, until, text))
    remember(reader, None, position, {benchmark: of_benchmark})
    remember(reader, DESCRIBED, position, of_sources)
    entries: Entries = [(at, source, count) for at, _, _, source, count in sorted(stated)]
    recall_entries(reader, slug, position, lambda: entries)


@lru_cache(maxsize=8)
def _question(tables: Tables, *, at_head: bool) -> CompoundSelect[Any]:
    told, reading = tables.assertion_version, tables.reading
    known = recorded(told, at_head=at_head)
    said = select(told.c.stream, told.c.aspect, told.c.read_from, told.c.read_to, told.c.content)
    sources = select("source:" + reading.c.source).where(reading.c.benchmark == bindparam("slug"))
    stated = select(
        reading.c.source,
        literal(ENTRIES) + reading.c.turn,
        reading.c.read_at,
        reading.c.position,
        cast(reading.c.entries_stated, Text),
    )
    return union_all(
        said.where(told.c.stream == bindparam("stream"), known),
        said.where(told.c.stream.in_(sources), told.c.aspect == DESCRIBED, known),
        stated.where(
            *with_entries(reading, bindparam("slug"), bindparam("position", type_=BigInteger))
        ),
    )
