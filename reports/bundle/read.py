"""What a paper's page rests on: the readings that its facts are from, and whom decisions call what
it shows."""

from collections.abc import Iterator

from ledger.sample import sample_id
from projections.code.papers import Paper
from projections.code.records import RunRecord
from projections.code.repositories import Linked


def subjects_of(paper: Paper) -> list[str]:
    """The labels and samples that it shows, each once; a sample under all of its codes."""
    found = [label.tale.subject for one in paper.repositories for label in one.labels]
    for record in paper.records:
        found += [sample_id(code) for one in record.samples for code in one.sample.codes]
    return sorted(set(found))


def cited_by(paper: Paper) -> Iterator[tuple[str, str]]:
    """The source and the digest of every reading that something it shows is from."""
    for quote in paper.abstracts:
        yield quote.fact.source, quote.fact.reading
    for entry in paper.entries:
        yield entry.fact.source, entry.fact.reading
    for linked in paper.repositories:
        yield from _of_repository(linked, paper)
    for record in paper.records:
        yield from _of_record(record, paper)


def _of_repository(linked: Linked, paper: Paper) -> Iterator[tuple[str, str]]:
    for listing in linked.listings:
        yield listing.fact.source, listing.fact.reading
    for label in linked.labels:
        for reading in label.tale.told.readings_by(paper.moment.instant):
            yield label.source.slug, reading.digest


def _of_record(record: RunRecord, paper: Paper) -> Iterator[tuple[str, str]]:
    if record.counts is not None:
        yield record.counts.source, record.counts.reading
    for one in record.samples:
        yield one.copy.fact.source, one.copy.fact.reading
        if one.outcome is not None:
            for reading in one.outcome.tale.told.readings_by(paper.moment.instant):
                yield one.outcome.source.slug, reading.digest
