"""A paper at a moment: what somebody could find, reach and run, and when.

Everything but the paper's name was read from a source at an instant, and shows from then on. What a
page leaves out is counted; what was not probed, not stated or not read yet is not shown as if it
were nothing.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import attrs
from sqlalchemy import func, select

from ledger import events as ev
from ledger.errors import NotFound
from ledger.paper import stream_of
from ledger.probe import Window
from ledger.sample import sample_id
from ledger.store import Store
from ledger.values import Instant, from_micros, parse_instant, short_instant
from projections.asserted import NOTHING, Content, aspects_of
from projections.board.described import SourceOf
from projections.code.cited import Cited, Stated, known_by, latest, sources_of, stands_at, stated_by
from projections.code.probes import reach_of, windows_for
from projections.code.records import RunRecord, records_of
from projections.code.repositories import Linked, labels_of, linked_with
from projections.code.samples import Sample, samples_from
from projections.decisions.corrections import numbers_about
from projections.keeping.views import Reader
from projections.moment import Moment
from projections.sources import source_at

Quote = Cited[ev.AbstractQuoted]
"""The abstract in a source's words, to the byte."""

ArchiveEntry = Cited[ev.ArchiveEntryRead]
"""What one archive holds about a paper."""


@attrs.frozen(kw_only=True)
class Paper:
    """A paper at a moment; ``empty_because`` says why nothing shows where nothing does."""

    slug: str
    title: str
    first_read: Instant
    moment: Moment
    empty_because: str | None = None
    facts: Content = NOTHING
    abstracts: tuple[Quote, ...] = ()
    entries: tuple[ArchiveEntry, ...] = ()
    repositories: tuple[Linked, ...] = ()
    records: tuple[RunRecord, ...] = ()
    windows: tuple[Window, ...] = ()
    claims: tuple[Mapping[str, Any], ...] = ()
    caveats: tuple[tuple[str, str], ...] = ()
    corrections: tuple[int, ...] = ()


def paper_at(reader: Reader, store: Store, slug: str, moment: Moment) -> Paper:
    """The paper with this slug; refused when the ledger never heard of it."""
    aspects = aspects_of(reader, stream_of(slug), moment)
    if "described" not in aspects:
        raise NotFound(what="paper", name=slug)
    facts = aspects["described"]
    first = first_reading(reader, slug, facts, moment)
    paper = Paper(slug=slug, title=str(facts["title"]), first_read=first, moment=moment)
    if first > moment.instant:
        day = short_instant(first).removesuffix("T00:00:00Z")
        because = f"nothing of it had been read by then; the first reading is of {day}"
        return attrs.evolve(paper, empty_because=because)
    return _shown(reader, store, paper, aspects)


def _shown(reader: Reader, store: Store, paper: Paper, aspects: Mapping[str, Content]) -> Paper:
    slug, moment, facts = paper.slug, paper.moment, aspects["described"]
    records = known_by(store, [stream_of(slug)], moment)
    stated = stated_by(records, stands_at(reader, records, moment.position), moment)
    names = sources_of(reader, (one.fact.source for one in stated), moment)
    linked = linked_with(reader, stated, labels_of(reader, store, slug, moment), moment)
    addresses = [one.address for one in linked if one.address is not None]
    windows = windows_for(reader, store, f"papers/{slug}", addresses, moment)
    linked = [attrs.evolve(one, reach=reach_of(windows, one.address)) for one in linked]
    samples = samples_from(reader, store, (one.slug for one in linked), moment)
    return attrs.evolve(
        paper,
        facts=facts,
        abstracts=tuple(_quotes(stated, names)),
        entries=tuple(_entries(stated, names)),
        repositories=tuple(linked),
        records=tuple(records_of(reader, linked, samples, stated, moment)),
        windows=tuple(windows),
        claims=source_at(reader, facts["source"], moment).claims if "source" in facts else (),
        caveats=tuple(_caveats(aspects)),
        corrections=tuple(_decided(reader, slug, linked, samples, moment)),
    )


def first_reading(reader: Reader, slug: str, facts: Content, moment: Moment) -> Instant:
    """When anything was first read about a paper, as the ledger has it at the position."""
    table = reader.tables.code_fact
    query = select(func.min(table.c.read_at)).where(
        table.c.paper == slug, table.c.position <= moment.position
    )
    earliest = reader.connection.scalar(query)
    return parse_instant(facts["read_at"]) if earliest is None else from_micros(earliest)


def _quotes(stated: Iterable[Stated], names: Mapping[str, SourceOf]) -> Iterator[Quote]:
    """What each source gives as the abstract; nothing of one that gives none any more."""
    for fact, one in latest(stated, ev.AbstractQuoted, lambda one: one.source).values():
        if fact.text is not None:
            yield Quote(fact=fact, stated=one, source=names[fact.source])


def _entries(stated: Iterable[Stated], names: Mapping[str, SourceOf]) -> Iterator[ArchiveEntry]:
    for fact, one in latest(stated, ev.ArchiveEntryRead, lambda one: one.source).values():
        yield ArchiveEntry(fact=fact, stated=one, source=names[fact.source])


def _caveats(aspects: Mapping[str, Content]) -> Iterator[tuple[str, str]]:
    for name, one in sorted(aspects.items()):
        if name.startswith("caveat/"):
            yield name.partition("/")[2], str(one["text"])


def _decided(
    reader: Reader,
    slug: str,
    linked: Iterable[Linked],
    samples: Mapping[str, Sample],
    moment: Moment,
) -> list[int]:
    """The entries of the log about a paper, its labels and its samples."""
    subjects = [label.tale.subject for one in linked for label in one.labels]
    subjects += [sample_id(code) for one in samples.values() for code in one.codes]
    return numbers_about(reader, subjects, [f"papers/{slug}"], moment)


@attrs.frozen
class PaperOf:
    """A paper in a list."""

    slug: str
    title: str
