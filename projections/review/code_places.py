"""What reports about labels and samples are about: how people know each, and what shows now."""

from collections.abc import Iterable

import attrs

from ledger.sample import sample_id
from ledger.store import Store
from ledger.subject import LABEL, kind_of
from projections.code.papers_of import papers_of
from projections.code.repositories import LabelOf, labels_named
from projections.code.samples import Sample, samples_named
from projections.keeping.views import Reader
from projections.moment import Moment


@attrs.frozen(kw_only=True)
class CodePlace:
    """A label or a sample. ``subject`` is the id that a decision calls it by now: a report may
    have named a sample by fewer digits. ``shows`` is its own word, ``None`` where none shows."""

    subject: str
    name: str
    shows: str | None
    source: str | None
    papers: tuple[str, ...]


def code_places(
    reader: Reader, store: Store, subjects: Iterable[str], moment: Moment
) -> dict[str, CodePlace]:
    """Each of these that is there, by the id that a report gave it."""
    wanted = list(subjects)
    labels = [one for one in wanted if kind_of(one) is LABEL]
    codes = [one[1:] for one in wanted if kind_of(one) is not LABEL]
    known = labels_named(reader, store, labels, moment) if labels else {}
    found = {subject: _of_label(one) for subject, one in known.items()}
    samples = samples_named(reader, store, codes, moment) if codes else {}
    return found | {
        sample_id(code): _of_sample(reader, one, moment) for code, one in samples.items()
    }


def _of_label(label: LabelOf) -> CodePlace:
    return CodePlace(
        subject=label.tale.subject,
        name=label.repository_name,
        shows=label.shows,
        source=label.source.slug,
        papers=(label.paper,),
    )


def _of_sample(reader: Reader, sample: Sample, moment: Moment) -> CodePlace:
    state = sample.tale.state
    shown = None if state is None or state.retracted_by is not None else state.shows.outcome
    return CodePlace(
        subject=sample.tale.subject,
        name=sample.code[:16],
        shows=shown,
        source=next((one.source.slug for one in sample.outcomes), None),
        papers=tuple(papers_of(reader, [sample.tale.subject], moment)),
    )
