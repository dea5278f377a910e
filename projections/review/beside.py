"""What else stands or falls with a label or a sample: the others of its papers that were read from
the same frozen snapshot."""

from collections.abc import Iterable, Iterator
from typing import Any

import attrs

from projections.code.papers import Paper
from projections.code.tales import Tale

MOST = 50
"""Facts that are listed; of the others only their number is told."""


@attrs.frozen(kw_only=True)
class Fact:
    """Another label or sample, as it shows; ``shows=None``: nothing any more, or not told."""

    subject: str
    name: str
    source: str
    source_name: str
    shows: str | None


@attrs.frozen
class Beside:
    """The first of some labels and samples, and how many there are."""

    facts: tuple[Fact, ...]
    total: int

    @property
    def left_out(self) -> int:
        """How many are not listed."""
        return self.total - len(self.facts)


NOTHING_BESIDE = Beside((), 0)


def beside_on(papers: Iterable[Paper], digest: str, *, but: str, most: int = MOST) -> Beside:
    """The labels and samples of these papers that rest on a snapshot, each once; ``but`` is left
    out."""
    found = {
        fact.subject: fact
        for paper in papers
        for fact in _facts_on(paper, digest)
        if fact.subject != but
    }
    return Beside(tuple(found.values())[:most], len(found))


def _facts_on(paper: Paper, digest: str) -> Iterator[Fact]:
    for repository in paper.repositories:
        for label in repository.labels:
            if _rests_on(label.tale, digest):
                yield Fact(
                    subject=label.tale.subject,
                    name=label.repository_name,
                    source=label.source.slug,
                    source_name=label.source.name,
                    shows=label.shows,
                )
    for record in paper.records:
        for listed in record.samples:
            if listed.outcome is not None and _rests_on(listed.outcome.tale, digest):
                yield Fact(
                    subject=listed.sample.tale.subject,
                    name=listed.sample.code,
                    source=record.source.slug,
                    source_name=record.source.name,
                    shows=listed.shows,
                )


def _rests_on(tale: Tale[Any], digest: str) -> bool:
    return tale.state is not None and tale.state.reading.digest == digest
