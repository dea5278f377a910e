"""What stands behind papers, and behind decisions on labels and samples: the streams that they are
worked out from.

They are found as of a position alone, so whoever asks for any day by then needs no others.
"""

from collections.abc import Iterable, Sequence

import attrs
from sqlalchemy import ColumnElement, or_, select

from ledger import events as ev
from ledger import probe, source
from ledger.footing import stands_on
from ledger.paper import repository_stream, stream_of
from ledger.store import Store
from ledger.subject import is_claim
from projections.decisions.touched import streams_of
from projections.keeping.rectangles import CHUNK, chunks
from projections.keeping.views import Reader


@attrs.frozen(kw_only=True)
class OfPapers:
    """The streams behind papers, the labels and samples in them, and the sources whose claims they
    show as their own."""

    streams: frozenset[str]
    subjects: frozenset[str]
    sources: frozenset[str]


def behind_papers(reader: Reader, store: Store, papers: Iterable[str], position: int) -> OfPapers:
    """All that papers are worked out from but their claims and what was decided."""
    slugs, fact = sorted(set(papers)), reader.tables.code_fact
    known = fact.c.position <= position
    own = {*map(stream_of, slugs), *_where(reader, fact.c.stream, fact.c.paper, slugs, known)}
    linked = _where(reader, fact.c.repository, fact.c.paper, slugs, known)
    stems = _where(reader, fact.c.stem, fact.c.repository, linked, known)
    own.update(_where(reader, fact.c.stream, fact.c.stem, stems, known))
    own.update(map(repository_stream, linked))
    own.update(_windows(reader, slugs, map(repository_stream, linked), position))
    events = [one.event for one in store.streams(sorted(own)) if one.position <= position]
    sources = {name for event in events for name in _stated_in(event)}
    ground = {stream for event in events for _, stream in stands_on(event)}
    return OfPapers(
        streams=frozenset({*own, *ground, *map(source.stream_of, sources)}),
        subjects=frozenset(
            one.partition(":")[2] for one in own if one.startswith(("label:", "sample:"))
        ),
        sources=frozenset(sources),
    )


def _stated_in(event: ev.Event) -> Iterable[str]:
    """The source that a paper's own claims are of, as one of its events names it."""
    if isinstance(event, ev.PaperRegistered) and event.source is not None:
        yield event.source
    if isinstance(event, ev.PaperDescribed):
        name = event.facts.get("source")
        if name is not None:
            yield name


def _windows(
    reader: Reader, papers: Sequence[str], repositories: Iterable[str], position: int
) -> list[str]:
    """The streams of the windows about these papers or about nothing in particular, and of those
    that probed a repository."""
    fact, table = reader.tables.code_fact, reader.tables.probe
    known = table.c.position <= position
    links = _where(reader, fact.c.link, fact.c.stream, repositories, fact.c.position <= position)
    about = or_(table.c.about.in_([f"papers/{slug}" for slug in papers]), table.c.about.is_(None))
    opened = select(table.c.window).where(table.c.opens, about, known)
    found = set(reader.connection.scalars(opened) if papers else ())
    found.update(_where(reader, table.c.window, table.c.link, links, known))
    return [probe.stream_of(slug) for slug in sorted(found)]


def _where(
    reader: Reader,
    wanted: ColumnElement[str],
    by: ColumnElement[str],
    values: Iterable[str],
    known: ColumnElement[bool],
) -> list[str]:
    """What one column has where another has one of these values, in order."""
    found: set[str] = set()
    for chunk in chunks(sorted(values), CHUNK):
        query = select(wanted).distinct().where(by.in_(chunk), wanted.is_not(None), known)
        found.update(reader.connection.scalars(query))
    return sorted(found)


# --- decisions --------------------------------------------------------------------------------


def code_streams(store: Store, subjects: Iterable[str], position: int) -> list[str]:
    """The streams of the labels and samples among these subjects, and of all that their facts
    stand on: sources, repositories and papers."""
    own = {stream for one in subjects if not is_claim(one) for stream in streams_of(one)}
    found: set[str] = set()
    for record in store.streams(sorted(own)):
        if record.position <= position:
            found.add(record.envelope.stream)
            if isinstance(record.event, ev.ReadFact):
                found.update(stream for _, stream in stands_on(record.event))
    return sorted(found)
