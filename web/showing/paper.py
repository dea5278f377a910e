"""What the pages of papers, samples and labels show beside what is known: decisions, numbers in
one row for each claim, the shares of a record's outcomes."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import attrs

from ledger.claim import Plane
from ledger.sample import sample_id
from ledger.store import Store
from ledger.vocabulary import NO_RUN, RUN_OUTCOMES
from projections.board.benchmarks import benchmark_at
from projections.code.papers import Paper
from projections.code.records import RunRecord
from projections.code.repositories import LabelOf
from projections.code.samples import Sample
from projections.code.tally import Tally
from projections.decisions.corrections import Correction, entries, numbers_about
from projections.decisions.subjects import Names, names_of
from projections.keeping.views import Reader
from projections.moment import Moment

MOST_DECISIONS = 20
"""Decisions that a page tells in full; the log has all of them."""


@attrs.frozen
class Decided:
    """What was decided about a page: the first ones in full, and the numbers of all; ``later`` are
    those that were decided after the day and do not show."""

    entries: tuple[Correction, ...]
    numbers: tuple[int, ...]
    names: Names
    later: tuple[int, ...]

    @property
    def notices(self) -> Mapping[str, int]:
        """The number in the public log of each decision that is told here."""
        return {one.decision: one.number for one in self.entries}


def decided_about(
    reader: Reader, store: Store, subjects: Sequence[str], targets: Sequence[str], moment: Moment
) -> Decided:
    """The decisions about labels and samples, and on reports about these pages."""
    numbers = numbers_about(reader, subjects, targets, moment)
    all_known = attrs.evolve(moment, plane=Plane.SINCE)
    ever = numbers_about(reader, subjects, targets, all_known)
    until = moment.instant if moment.plane is Plane.THEN else None
    told = entries(reader, store, numbers[:MOST_DECISIONS], upto=moment.position, decided_by=until)
    return Decided(
        entries=tuple(told),
        numbers=tuple(numbers),
        names=names_of(reader, told, moment),
        later=tuple(sorted(set(ever) - set(numbers))),
    )


# --- a paper ----------------------------------------------------------------------------------


@attrs.frozen
class Stated:
    """One number that a paper states: what it counts, and where to say that it is wrong."""

    claim: str
    score: str
    unit: str | None
    metric: str
    standing: str


@attrs.frozen
class ClaimLine:
    """What a paper states of one name on one benchmark: all its numbers beside each other."""

    benchmark: str
    benchmark_name: str
    name: str
    setting: str | None
    numbers: tuple[Stated, ...]


@attrs.frozen
class Share:
    """One outcome of a record: how often, and where it stands on a bar of all that is harvested."""

    outcome: str
    count: int | None
    start: int
    of: int


@attrs.frozen(kw_only=True)
class PaperPage:
    """A paper, what was decided about it, its claims line by line."""

    paper: Paper
    decided: Decided
    claims: tuple[ClaimLine, ...]

    @property
    def outcomes(self) -> Mapping[str, tuple[Share, ...]]:
        """The shares of each record, by its source."""
        return {one.source.slug: tuple(shares(one.tally)) for one in self.paper.records}

    @property
    def common(self) -> Mapping[str, list[str]]:
        """The words of marks that every one of several samples of a record bears, by its source."""
        return {one.source.slug: _common(one) for one in self.paper.records}

    @property
    def asserters(self) -> str:
        """By name, who links repositories with it or says what they are to it."""
        found = [one.source.name for it in self.paper.repositories for one in it.listings]
        found += [one.source.name for it in self.paper.repositories for one in it.labels]
        return ", ".join(dict.fromkeys(found))

    @property
    def probed(self) -> int:
        """How many of its repositories any window probed."""
        return sum(one.reach is not None for one in self.paper.repositories)


def paper_page(reader: Reader, store: Store, paper: Paper) -> PaperPage:
    """The page of a paper at its moment."""
    targets = [f"papers/{paper.slug}"]
    return PaperPage(
        paper=paper,
        decided=decided_about(reader, store, subjects_of(paper), targets, paper.moment),
        claims=tuple(_lines(reader, paper)),
    )


def subjects_of(paper: Paper) -> list[str]:
    """The labels and samples that a paper's page shows."""
    labels = (label for one in paper.repositories for label in one.labels)
    found = [one.tale.subject for one in labels]
    return found + [one for record in paper.records for one in _samples(record)]


def _samples(record: RunRecord) -> Iterator[str]:
    for one in record.samples:
        yield from map(sample_id, one.sample.codes)


def _common(record: RunRecord) -> list[str]:
    marks = [
        {mark["text"] for mark in one.outcome.tale.marks} if one.outcome else set()
        for one in record.samples
    ]
    return sorted(set.intersection(*marks)) if len(marks) > 1 else []


def _lines(reader: Reader, paper: Paper) -> Iterator[ClaimLine]:
    by_row: dict[tuple[str, str], list[Mapping[str, Any]]] = {}
    for one in paper.claims:
        by_row.setdefault((one["benchmark"], one["key"]), []).append(one)
    known = {slug: benchmark_at(reader, slug, paper.moment) for slug, _ in by_row}
    for (slug, _), found in by_row.items():
        rules = known[slug].rules
        numbers = [
            Stated(
                claim=one["claim"],
                score=one["score"],
                unit=one["unit"],
                metric=rules[one["metric"]].name if one["metric"] in rules else one["metric"],
                standing=one["standing"],
            )
            for one in found
        ]
        first = found[0]
        yield ClaimLine(slug, known[slug].name, first["name"], first["setting"], tuple(numbers))


def shares(found: Tally) -> Iterator[Share]:
    """Each outcome with its number, in the order of the vocabulary; one that nobody stated has no
    room on the bar, and none is made up for it."""
    start = 0
    for outcome in (*(one for one in RUN_OUTCOMES if one != NO_RUN), NO_RUN):
        count = found.outcomes[outcome]
        yield Share(outcome, count, start, found.harvested)
        start += count or 0


# --- samples, labels --------------------------------------------------------------------------


def decided_on_sample(reader: Reader, store: Store, sample: Sample, moment: Moment) -> Decided:
    """What was decided about a sample, under any of the codes by which it was stated."""
    return decided_about(reader, store, subjects_of_sample(sample), [], moment)


def subjects_of_sample(sample: Sample) -> list[str]:
    """What decisions call a sample by."""
    return [sample_id(code) for code in sorted({sample.code, *sample.codes})]


def decided_on_label(reader: Reader, store: Store, label: LabelOf, moment: Moment) -> Decided:
    """What was decided about a label."""
    return decided_about(reader, store, [label.tale.subject], [], moment)


def links_of(paper: Paper) -> Iterable[str]:
    """The addresses of its repositories."""
    return [one.address for one in paper.repositories if one.address is not None]
