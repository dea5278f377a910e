"""What a report is about where that can be decided upon: a claim, a label or a sample, told alike.

The review page shows one of these beside the frozen source that it rests on. What differs from one
kind to another is how people know it and what its own words are; everything else is the same.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import attrs

from ledger.claim import Plane
from ledger.errors import NotFound
from ledger.label import Label
from ledger.paper import stream_of
from ledger.sample import FEWEST_DIGITS, Run
from ledger.store import Store
from ledger.subject import CLAIM, LABEL, SAMPLE, Kind, address_of, kind_of
from ledger.told import State
from projections.asserted import described
from projections.board.described import SourceOf
from projections.code.papers import PaperOf
from projections.code.papers_of import papers_of
from projections.code.repositories import LabelOf, label_at
from projections.code.samples import Sample, sample_at
from projections.code.tales import Tale
from projections.decisions.corrections import Correction, corrections
from projections.decisions.subjects import Names, names_of
from projections.keeping.views import Reader
from projections.moment import Moment
from projections.over_time.changes import Step
from projections.story import FrozenReading, readings_of
from web.frozen.passage import Quoted
from web.showing.claim import ClaimPage, claim_page


@attrs.frozen(kw_only=True)
class Reported:
    """One claim, label or sample at a moment.

    ``subject`` is the id that decisions call it by. ``readings`` are those that it can be checked
    against, latest first, ``quoted`` what it took from each, by digest. Exactly one of ``claim``,
    ``label`` and ``sample`` is there.
    """

    subject: str
    state: State[Any] | None
    steps: Sequence[Step]
    marks: Sequence[Mapping[str, str]]
    corrections: Sequence[Correction]
    names: Names
    sources: Sequence[SourceOf]
    readings: tuple[FrozenReading, ...]
    quoted: Mapping[str, Quoted]
    papers: Sequence[PaperOf] = ()
    claim: ClaimPage | None = None
    label: LabelOf | None = None
    sample: Sample | None = None

    @property
    def kind(self) -> Kind:
        """Which of the three it is."""
        return kind_of(self.subject)

    @property
    def word(self) -> str:
        """What the first of its fields is called: score, label or outcome."""
        return WORDS[self.kind.name]

    @property
    def address(self) -> str:
        """The target that names it."""
        return address_of(self.subject)

    @property
    def shows(self) -> Any:
        """What shows now; ``None`` while its source states nothing."""
        return self.state.shows if self.state else None

    @property
    def name_as_written(self) -> str:
        """A claim's model as its source writes it, where look-alike letters matter."""
        return self.state.says.name if self.state is not None and self.claim is not None else ""

    @property
    def notices(self) -> Mapping[str, int]:
        """The number in the public log of each decision about it."""
        return {one.decision: one.number for one in self.corrections}


WORDS: Mapping[str, str] = {CLAIM.name: "score", LABEL.name: "label", SAMPLE.name: "outcome"}


def reported(reader: Reader, store: Store, subject: str, moment: Moment) -> Reported:
    """A claim, a label or a sample by its id; refused when the ledger never heard of it."""
    kind = kind_of(subject)
    if kind is CLAIM:
        return _claim(claim_page(reader, store, subject, moment))
    if kind is LABEL:
        return _label(reader, store, label_at(reader, store, subject, moment), moment)
    return _sample(reader, store, sample_at(reader, store, subject[1:], moment), moment)


# --- a claim ----------------------------------------------------------------------------------


def _claim(page: ClaimPage) -> Reported:
    story = page.story
    standing = tuple(one.frozen for one in reversed(page.readings) if not one.frozen.withdrawn)
    return Reported(
        subject=story.claim_id,
        state=story.state,
        steps=story.steps,
        marks=story.marks,
        corrections=story.corrections,
        names=page.names,
        sources=(story.source,),
        readings=standing,
        quoted=_quoted_by_claim(page),
        claim=page,
    )


def _quoted_by_claim(page: ClaimPage) -> dict[str, Quoted]:
    """The name and digits that its source stated at each reading; where it stated none, those
    that it states last."""
    found: dict[str, Quoted] = {}
    state = page.story.state
    for one in page.readings:
        says = one.says or (state.says if state else None)
        if says is not None:
            found[one.frozen.digest] = Quoted(says.name, says.score.text)
    return found


# --- a label, a sample ------------------------------------------------------------------------


def _label(reader: Reader, store: Store, label: LabelOf, moment: Moment) -> Reported:
    tale = label.tale

    def quote(reading: FrozenReading, says: Label | None) -> Quoted:
        # What was typed in as a record names the repository by its slug, a page as its host does.
        name = label.repository if reading.transcribed else label.repository_name
        return Quoted(name, says.label if says else "")

    readings = _readings(reader, [label.source.slug], tale, moment)
    said = {one.digest: one.says for one in tale.told.readings}
    return _told(
        reader,
        store,
        tale,
        moment,
        sources=[label.source],
        readings=readings,
        quoted={one.digest: quote(one, said[one.digest]) for one in readings},
        papers=[label.paper],
        label=label,
    )


def _sample(reader: Reader, store: Store, sample: Sample, moment: Moment) -> Reported:
    tale = sample.tale

    def quote(says: Run | None) -> Quoted:
        return Quoted(sample.code[:FEWEST_DIGITS], (says.outcome if says else None) or "")

    sources = [one.source for one in sample.outcomes]
    readings = _readings(reader, [one.slug for one in sources], tale, moment)
    said = {one.digest: one.says for one in tale.told.readings}
    return _told(
        reader,
        store,
        tale,
        moment,
        sources=sources,
        readings=readings,
        quoted={one.digest: quote(said[one.digest]) for one in readings},
        papers=papers_of(reader, [tale.subject], moment),
        sample=sample,
    )


def _told(
    reader: Reader,
    store: Store,
    tale: Tale[Any],
    moment: Moment,
    *,
    papers: Iterable[str],
    **rest: Any,
) -> Reported:
    decided = corrections(
        reader,
        store,
        claim=tale.subject,
        upto=moment.position,
        decided_by=moment.instant if moment.plane is Plane.THEN else None,
    )
    return Reported(
        subject=tale.subject,
        state=tale.state,
        steps=tale.steps,
        marks=tale.marks,
        corrections=decided,
        names=names_of(reader, decided, moment),
        papers=tuple(_papers(reader, papers, moment)),
        **rest,
    )


def _papers(reader: Reader, slugs: Iterable[str], moment: Moment) -> Iterator[PaperOf]:
    streams = {slug: stream_of(slug) for slug in slugs}
    known = described(reader, streams.values(), moment)
    for slug, stream in streams.items():
        yield PaperOf(slug, str(known.get(stream, {}).get("title", slug)))


def _readings(
    reader: Reader, sources: Iterable[str], tale: Tale[Any], moment: Moment
) -> tuple[FrozenReading, ...]:
    """The readings in which it is stated, latest first; those taken back cannot be checked."""
    cited = {one.digest for one in tale.told.readings}
    found = [
        one
        for source in sources
        for one in readings_of(reader, source, moment)
        if one.digest in cited and not one.withdrawn
    ]
    return tuple(sorted(found, key=lambda one: (one.read_at, one.position), reverse=True))


# --- finding it -------------------------------------------------------------------------------


def must_rest_on(found: Reported | None, digest: str) -> Reported:
    """What a report is about, if it rests on a snapshot; refused where it does not."""
    if found is None or digest not in {one.digest for one in found.readings}:
        raise NotFound(what="snapshot", name=digest)
    return found
