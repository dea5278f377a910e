"""What a run record holds about a paper at a moment: its samples one by one, and its counts.

Every record is told by itself: two of them that ran the same code are not added up.
"""

from collections.abc import Iterable, Mapping, Sequence

import attrs

from ledger import events as ev
from ledger.sample import samples_among
from ledger.values import Instant
from projections.board.described import SourceOf
from projections.code.cited import Stated, latest, sources_of
from projections.code.repositories import Linked
from projections.code.samples import Copy, Outcome, Sample
from projections.code.tally import Known, Tally, tally
from projections.keeping.views import Reader
from projections.moment import Moment


@attrs.frozen(kw_only=True)
class Listed:
    """A sample as a record has it from one repository; ``label`` is that repository's."""

    sample: Sample
    copy: Copy
    outcome: Outcome | None
    label: str | None

    @property
    def said(self) -> str | None:
        """What the record says became of it."""
        state = self.outcome.tale.state if self.outcome else None
        return None if state is None else state.says.outcome

    @property
    def shows(self) -> str | None:
        """What became of it, with decisions; ``None`` where that is not told, or retracted."""
        state = self.outcome.tale.state if self.outcome else None
        return None if state is None or state.retracted_by is not None else state.shows.outcome

    @property
    def known(self) -> Known:
        """It, as it is counted."""
        return Known(
            repository=self.copy.fact.repository,
            label=self.label,
            code=self.sample.code,
            said=self.said,
            outcome=self.shows,
            pointer_only=self.copy.fact.pointer_only is not None,
        )


@attrs.frozen(kw_only=True)
class RunRecord:
    """What one record holds; ``counts`` are those that it states, ``read_at`` when it was read
    last."""

    source: SourceOf
    counts: ev.RunCountsRead | None
    counts_stated: Stated | None
    samples: tuple[Listed, ...]
    tally: Tally
    read_at: Instant


def records_of(
    reader: Reader,
    linked: Sequence[Linked],
    samples: Mapping[str, Sample],
    stated: Sequence[Stated],
    moment: Moment,
) -> list[RunRecord]:
    """The records that hold anything about a paper: by its own facts, and by the samples from its
    repositories (which are in their order)."""
    counts = latest(stated, ev.RunCountsRead, lambda one: str(one.source))
    found = {slug for one in samples.values() for slug in _sources_of(one, linked)}
    names = sources_of(reader, found | set(counts), moment)
    return [
        _record(names[slug], linked, samples.values(), counts.get(slug)) for slug in sorted(names)
    ]


def _sources_of(sample: Sample, linked: Iterable[Linked]) -> set[str]:
    here = {one.slug for one in linked}
    return {copy.source.slug for copy in sample.copies if copy.fact.repository in here}


def _record(
    source: SourceOf,
    linked: Iterable[Linked],
    samples: Iterable[Sample],
    counts: tuple[ev.RunCountsRead, Stated] | None,
) -> RunRecord:
    known = list(samples)
    listed = [one for repository in linked for one in _listed(source, repository, known)]
    fact, stated = counts or (None, None)
    read = [one.copy.fact.read_at for one in listed]
    read += [
        one.outcome.tale.state.reading.read_at
        for one in listed
        if one.outcome is not None and one.outcome.tale.state is not None
    ]
    read += [fact.read_at] if fact is not None else []
    return RunRecord(
        source=source,
        counts=fact,
        counts_stated=stated,
        samples=tuple(listed),
        tally=tally([one.known for one in listed], fact),
        read_at=max(read),
    )


def _listed(source: SourceOf, repository: Linked, samples: Sequence[Sample]) -> list[Listed]:
    """The samples that a record has from one repository, each once, in the order of the record.

    A prefix that the same record completes for the same repository is no sample beside that one.
    """
    copies = {
        copy.fact.code: (sample, copy)
        for sample in samples
        for copy in sample.copies
        if copy.source.slug == source.slug and copy.fact.repository == repository.slug
    }
    found: list[Listed] = []
    for code in samples_among(copies):
        sample = copies[code][0]
        same = [copy for other, (_, copy) in copies.items() if code.startswith(other)]
        found.append(
            Listed(
                sample=sample,
                copy=max(same, key=lambda copy: copy.stated.turn),
                outcome=sample.outcome_of(source.slug),
                label=repository.label,
            )
        )
    return sorted(found, key=lambda one: one.copy.stated.turn)
