"""Code samples at a moment: which codes are one sample, where it is from, what became of it.

Which codes are one sample follows from all codes that were stated by the moment
(:func:`ledger.sample.resolved`). What is told by several sources is told side by side; a decision
stands over what any of them says where that is what it corrects.
"""

from collections.abc import Iterable, Mapping, Sequence

import attrs
from sqlalchemy import ColumnElement, select

from ledger import events as ev
from ledger.errors import NotFound, SeveralSamples
from ledger.label import Stands
from ledger.paper import repository_stream
from ledger.sample import (
    ALL_DIGITS,
    Run,
    completed_by,
    parse_code,
    resolved,
    sample_id,
    samples_among,
    stem,
    told_of,
)
from ledger.store import Store
from projections.asserted import described
from projections.board.described import SourceOf
from projections.code.cited import Stated, known_by, latest, sources_of, stands_at, stated_by
from projections.code.tales import Tale, tale_of
from projections.keeping.rectangles import CHUNK, chunks
from projections.keeping.views import Reader
from projections.moment import Moment


@attrs.frozen(kw_only=True)
class Copy:
    """A sample as it was found in one repository, by one source."""

    fact: ev.SampleHarvested
    stated: Stated
    source: SourceOf
    repository_name: str
    repository_address: str | None

    @property
    def file(self) -> str | None:
        """The address of its file: at its commit, or at the default branch, which may have changed
        since; ``None`` where the path or the address is not known."""
        if self.repository_address is None or self.fact.path is None:
            return None
        at = self.fact.commit or "HEAD"
        return f"{self.repository_address.rstrip('/')}/blob/{at}/{self.fact.path}"


@attrs.frozen(kw_only=True)
class Outcome:
    """What one source says became of a sample, with decisions on top of it."""

    source: SourceOf
    tale: Tale[Run]


@attrs.frozen(kw_only=True)
class Sample:
    """A sample at a moment. ``code`` is as many digits as are known, ``codes`` all by which it was
    stated, ``may_be`` the samples of which it is one where that cannot be told."""

    code: str
    codes: tuple[str, ...]
    may_be: tuple[str, ...]
    copies: tuple[Copy, ...]
    outcomes: tuple[Outcome, ...]
    tale: Tale[Run]

    @property
    def complete(self) -> bool:
        """Whether all digits of its digest are known."""
        return len(self.code) == ALL_DIGITS

    def outcome_of(self, source: str) -> Outcome | None:
        """What one source says became of it."""
        return next((one for one in self.outcomes if one.source.slug == source), None)

    @property
    def disagree(self) -> bool:
        """Whether two sources say that different things became of it."""
        states = [one.tale.state for one in self.outcomes]
        shown = {state.shows.outcome for state in states if state is not None}
        return len(shown - {None}) > 1


# --- finding them -----------------------------------------------------------------------------


def samples_from(
    reader: Reader, store: Store, repositories: Iterable[str], moment: Moment
) -> Mapping[str, Sample]:
    """All samples of which a copy is from one of these repositories, by their codes."""
    table = reader.tables.code_fact
    stems, wanted = set[str](), set(repositories)
    for chunk in chunks(sorted(wanted), CHUNK):
        stems |= _stems(reader, table.c.repository.in_(chunk), moment)
    return {
        code: one
        for code, one in _with_stems(reader, store, stems, moment).items()
        if any(copy.fact.repository in wanted for copy in one.copies)
    }


def sample_at(reader: Reader, store: Store, code: str, moment: Moment) -> Sample:
    """The sample with these digits, 16 at least; refused when there is none, or several."""
    digits = parse_code(code)
    fitting = _fitting(_with_stems(reader, store, {stem(digits)}, moment), digits)
    if len(fitting) > 1:
        known = ", ".join(one.code for one in fitting)
        raise SeveralSamples(digits=digits, known=known)
    if not fitting:
        raise NotFound(what="sample", name=digits)
    return fitting[0]


def samples_named(
    reader: Reader, store: Store, codes: Iterable[str], moment: Moment
) -> dict[str, Sample]:
    """The sample that each of these digits names; without those that name none, or several."""
    wanted = {digits: stem(digits) for digits in codes}
    found = _with_stems(reader, store, set(wanted.values()), moment)
    fitting = {digits: _fitting(found, digits) for digits in wanted}
    return {digits: own[0] for digits, own in fitting.items() if len(own) == 1}


def _fitting(found: Mapping[str, Sample], digits: str) -> list[Sample]:
    fitting = [one for name, one in found.items() if name.startswith(digits) and not one.may_be]
    return fitting or [one for one in found.values() if digits in one.codes]


def _stems(reader: Reader, which: ColumnElement[bool], moment: Moment) -> set[str]:
    table = reader.tables.code_fact
    query = (
        select(table.c.stem)
        .distinct()
        .where(
            which,
            table.c.stem.is_not(None),
            table.c.position <= moment.position,
            table.c.read_at <= moment.day,
        )
    )
    return {found for found in reader.connection.scalars(query) if found is not None}


def _with_stems(
    reader: Reader, store: Store, stems: Iterable[str], moment: Moment
) -> dict[str, Sample]:
    table = reader.tables.code_fact
    streams: set[str] = set()
    for chunk in chunks(sorted(stems), CHUNK):
        query = (
            select(table.c.stream)
            .distinct()
            .where(table.c.stem.in_(chunk), table.c.position <= moment.position)
        )
        streams.update(reader.connection.scalars(query))
    records = known_by(store, sorted(streams), moment)
    stands = stands_at(reader, records, moment.position)
    return _gathered(reader, records, stands, moment)


# --- putting them together --------------------------------------------------------------------


def _gathered(
    reader: Reader,
    records: Sequence[ev.Recorded],
    stands: Stands,
    moment: Moment,
) -> dict[str, Sample]:
    stated = stated_by(records, stands, moment)
    names = sources_of(reader, {one.fact.source for one in stated}, moment)
    by_source: dict[str, set[str]] = {}
    for one in stated:
        if isinstance(one.fact, ev.SampleEvent):
            by_source.setdefault(one.fact.source, set()).add(one.fact.code)
    codes = {code for own in by_source.values() for code in own}
    samples, meant = samples_among(codes), resolved(codes)
    copies = _copies(reader, stated, names, moment)
    grouped: dict[str, list[ev.Recorded]] = {code: [] for code in sorted(set(meant.values()))}
    for record in records:
        code = meant.get(_code_in(record.envelope.stream))
        if code is not None:
            grouped[code].append(record)
    return {
        code: Sample(
            code=code,
            codes=tuple(one for one, its in meant.items() if its == code),
            may_be=tuple(one for one in completed_by(code, samples) if one != code),
            copies=tuple(one for one in copies if meant[one.fact.code] == code),
            outcomes=tuple(
                Outcome(source=names[slug], tale=_tale(code, own, stands, moment, source=slug))
                for slug in sorted(by_source)
                if any(meant[one] == code for one in by_source[slug])
            ),
            tale=_tale(code, own, stands, moment),
        )
        for code, own in grouped.items()
    }


def _tale(
    code: str,
    records: Iterable[ev.Recorded],
    stands: Stands,
    moment: Moment,
    *,
    source: str | None = None,
) -> Tale[Run]:
    return tale_of(sample_id(code), code, told_of(records, stands, source=source), moment)


def _copies(
    reader: Reader, stated: Sequence[Stated], names: Mapping[str, SourceOf], moment: Moment
) -> list[Copy]:
    """The copies as they were harvested last, each by its repository, source and code."""
    last = latest(stated, ev.SampleHarvested, lambda one: (one.repository, one.source, one.code))
    streams = {repository_stream(fact.repository) for fact, _ in last.values()}
    known = described(reader, streams, moment)
    return [
        Copy(
            fact=fact,
            stated=one,
            source=names[fact.source],
            repository_name=_name(known, fact.repository),
            repository_address=known.get(repository_stream(fact.repository), {}).get("address"),
        )
        for fact, one in last.values()
    ]


def _name(known: Mapping[str, Mapping[str, str]], slug: str) -> str:
    return str(known.get(repository_stream(slug), {}).get("name", slug))


def _code_in(stream: str) -> str:
    """The code whose events stand in a stream."""
    return stream.partition(":")[2][1:]
