"""What stands behind a board, a claim or a decision: the events that it is worked out from.

Whoever has these events alone works out the same. They are gathered as of one position, so the
answer for a position never changes, however far the ledger has gone on since:

- of claims, benchmarks, sources, models, labs and indexes their whole streams up to it;
- of papers also the streams of their repositories, labels, samples and probe windows;
- of reports only what was decided. Whatever else there is of a report belongs to nobody else.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

import attrs
from sqlalchemy import ColumnElement, select

from ledger import benchmark, claim, report
from ledger import events as ev
from ledger.published import Decided, is_published
from ledger.store import Store
from ledger.values import name_key
from projections.board.alike import with_look_alikes
from projections.code.behind_code import OfPapers, behind_papers, code_streams
from projections.decisions.corrections import numbers_known
from projections.decisions.subjects import SINGULAR
from projections.keeping.rectangles import CHUNK, chunks
from projections.keeping.views import Reader
from projections.posts_behind import posts_behind
from projections.standing import decisions_of


@attrs.frozen(kw_only=True)
class Subject:
    """What is to be shown: whole boards by their benchmarks, claims, papers by their slugs,
    decisions by their names. Of papers that are ``moved`` nothing but their code is to be shown.

    ``later`` are decisions made after the position; of them nothing but that they were made.
    """

    boards: frozenset[str] = frozenset()
    claims: frozenset[str] = frozenset()
    papers: frozenset[str] = frozenset()
    moved: frozenset[str] = frozenset()
    decisions: frozenset[str] = frozenset()
    later: frozenset[str] = frozenset()


@attrs.frozen(kw_only=True)
class Behind:
    """The events, in the order of their positions, and the names of the decisions by then."""

    records: tuple[ev.Recorded, ...]
    decisions: tuple[str, ...]

    def of_claims(self) -> dict[str, list[ev.Recorded]]:
        """The events of each claim."""
        found: dict[str, list[ev.Recorded]] = {}
        for record in self.records:
            kind, _, name = record.envelope.stream.partition(":")
            if kind == "claim":
                found.setdefault(name, []).append(record)
        return found


def behind(reader: Reader, store: Store, subject: Subject, position: int) -> Behind:
    """All that stands behind a subject as of a position, which the read model has reached."""
    papers = behind_papers(reader, store, subject.papers, position)
    moved = behind_papers(reader, store, subject.moved, position).streams
    own = {*subject.claims, *_claims_on(reader, subject.boards, position)}
    own |= _claims_from(reader, papers.sources, position)
    decisions = {*subject.decisions, *decisions_on(reader, own, position)}
    decisions |= _decided_about(reader, subject.papers, papers, position)
    decisions = whole_chains(reader, decisions, position)
    reported = _reported(reader, decisions)
    touched = claims_of(reader, decisions)
    own.update(touched, reported.get("claims", ()))
    claims = _whole_rows(reader, own, position)
    records = list(_upto(store, (claim.stream_of(one) for one in sorted(claims)), position))
    around = _around(reader, subject, claims, decisions, position)
    around = sorted({*around, *papers.streams, *moved, *code_streams(store, touched, position)})
    records += _upto(store, [*around, *_streams_named(reported, around)], position)
    records += _models_and_labs(reader, store, records, position)
    records += _decided(reader, store, decisions | subject.later)
    # Whatever was gathered, nothing leaves here that not everybody may read.
    # A lab may be behind its models and behind its posts: each event stands there once.
    published = {one.position: one for one in records if is_published(one.event)}
    in_order = [published[place] for place in sorted(published)]
    return Behind(records=tuple(in_order), decisions=tuple(sorted(decisions)))


def _upto(store: Store, streams: Iterable[str], position: int) -> Iterator[ev.Recorded]:
    return (one for one in store.streams(streams) if one.position <= position)


# --- decisions --------------------------------------------------------------------------------


def decisions_on(reader: Reader, claims: Iterable[str], position: int) -> set[str]:
    """The decisions, made by a position, that touch any of these claims."""
    table, touches = reader.tables.decision, reader.tables.decision_claim
    found: set[str] = set()
    for chunk in chunks(sorted(claims), CHUNK):
        query = (
            select(table.c.decision)
            .join(touches, touches.c.decision == table.c.decision)
            .where(touches.c.claim.in_(chunk), table.c.position <= position)
        )
        found.update(reader.connection.scalars(query))
    return found


def _decided_about(
    reader: Reader, slugs: Iterable[str], papers: OfPapers, position: int
) -> set[str]:
    """The decisions on labels and samples of papers, and on reports about these or the papers."""
    targets = [f"papers/{slug}" for slug in sorted(slugs)]
    numbers = numbers_known(reader, papers.subjects, targets, position)
    return set(decisions_of(reader, numbers))


def whole_chains(reader: Reader, decisions: Iterable[str], position: int) -> set[str]:
    """These decisions with all, made by a position, that came before or after them in a chain."""
    table = reader.tables.decision
    found: set[str] = set()
    new = set(decisions)
    while new:
        found |= new
        met: set[str] = set()
        for chunk in chunks(sorted(new), CHUNK):
            known = table.c.position <= position
            after = select(table.c.decision).where(table.c.replaces.in_(chunk), known)
            replaced = select(table.c.replaces).where(table.c.decision.in_(chunk))
            before = select(table.c.decision).where(table.c.decision.in_(replaced), known)
            met.update(reader.connection.scalars(after))
            met.update(reader.connection.scalars(before))
        new = met - found
    return found


def claims_of(reader: Reader, decisions: Iterable[str]) -> list[str]:
    """The claims that any of these decisions touches."""
    table = reader.tables.decision_claim
    return _values(reader, table.c.claim, table.c.decision, decisions)


def _reported(reader: Reader, decisions: Iterable[str]) -> dict[str, set[str]]:
    """What the reports that were decided are about: the names by their kind in addresses."""
    table, decision = reader.tables.report, reader.tables.decision
    numbers = _numbers(reader, decision.c.report, decision.c.decision, decisions)
    found: dict[str, set[str]] = {}
    for chunk in chunks(numbers, CHUNK):
        query = select(table.c.target).where(table.c.number.in_(chunk))
        for target in reader.connection.scalars(query):
            kind, _, name = target.partition("#")[0].partition("/")
            found.setdefault(kind, set()).add(name)
    return found


def _streams_named(reported: Mapping[str, set[str]], known: Iterable[str]) -> list[str]:
    """The streams of the benchmarks, models and sources that were reported themselves."""
    named = {
        f"{single}:{name}" for kind, single in SINGULAR.items() for name in reported.get(kind, ())
    }
    return sorted(name for name in named - set(known) if name.isascii() and name.isprintable())


def _decided(reader: Reader, store: Store, decisions: Iterable[str]) -> Iterator[ev.Recorded]:
    """The events by which these decisions were made, and nothing else of their reports."""
    wanted, table = set(decisions), reader.tables.decision
    numbers = _numbers(reader, table.c.report, table.c.decision, wanted)
    for record in store.streams(report.stream_of(number) for number in numbers):
        event = record.event
        if isinstance(event, Decided) and event.decision in wanted:
            yield record


# --- claims and what surrounds them -----------------------------------------------------------


def _claims_on(reader: Reader, boards: Iterable[str], position: int) -> list[str]:
    table = reader.tables.claim
    known = table.c.first_position <= position
    return _values(reader, table.c.claim, table.c.benchmark, boards, known)


def _claims_from(reader: Reader, sources: Iterable[str], position: int) -> set[str]:
    """The claims that sources of papers state."""
    table = reader.tables.claim
    known = table.c.first_position <= position
    return set(_values(reader, table.c.claim, table.c.source, sources, known))


def _whole_rows(reader: Reader, claims: Iterable[str], position: int) -> set[str]:
    """These claims with those of the same rows: a row has one name, which any of them may give."""
    table = reader.tables.claim
    rows = _values(reader, table.c.row, table.c.claim, claims)
    return set(
        _values(reader, table.c.claim, table.c.row, rows, table.c.first_position <= position)
    )


def _around(
    reader: Reader,
    subject: Subject,
    claims: Iterable[str],
    decisions: Iterable[str],
    position: int,
) -> list[str]:
    """The streams of the benchmarks and sources of these claims, of the sources that were read for
    the boards or that a decision checked, of the launch posts and labs of their charts, and of the
    indexes that boards are compared with."""
    table, reading, said = reader.tables.claim, reader.tables.reading, reader.tables.assertion
    decision, known = reader.tables.decision, reading.c.position <= position
    on = {*subject.boards, *_values(reader, table.c.benchmark, table.c.claim, claims)}
    from_ = set(_values(reader, table.c.source, table.c.claim, claims))
    from_.update(_values(reader, reading.c.source, reading.c.benchmark, subject.boards, known))
    checked = _values(reader, decision.c.snapshot, decision.c.decision, decisions)
    from_.update(_values(reader, reading.c.source, reading.c.digest, checked, known))
    posts = [f"post/{slug}" for slug in subject.boards]
    aspects = [*posts, "ranking"] if posts else []
    asserted = _values(reader, said.c.stream, said.c.aspect, aspects, said.c.position <= position)
    if posts:
        read = _values(reader, said.c.stream, said.c.aspect, posts, said.c.position <= position)
        asserted += posts_behind(reader, read, position)
    streams = {*map(benchmark.stream_of, on), *(f"source:{slug}" for slug in from_), *asserted}
    return sorted(streams)


# --- models -----------------------------------------------------------------------------------


def _models_and_labs(
    reader: Reader, store: Store, records: Sequence[ev.Recorded], position: int
) -> Iterator[ev.Recorded]:
    """What is said of every model that these events may mean, of those whose names look like
    theirs, and of their labs."""
    names, models = _names_in(records), _models_in(records)
    alias = reader.tables.alias
    known = alias.c.position <= position
    models.update(_values(reader, alias.c.model, alias.c.name_key, names, known))
    alike = with_look_alikes(reader, models, position)
    labs: dict[str, None] = {}
    for record in _upto(store, (f"model:{slug}" for slug in sorted(alike)), position):
        lab = _lab_in(record.event)
        if lab is not None:
            labs[f"lab:{lab}"] = None
        yield record
    yield from _upto(store, sorted(labs), position)


def _names_in(records: Iterable[ev.Recorded]) -> set[str]:
    return {
        name_key(record.event.says.name)
        for record in records
        if isinstance(record.event, ev.ClaimRecorded | ev.ClaimRestated | ev.ClaimRelisted)
    }


def _models_in(records: Iterable[ev.Recorded]) -> set[str]:
    """The models that decisions name."""
    facts = (one.event for one in records if isinstance(one.event, ev.ClaimReidentified))
    return {model for fact in facts for model in (fact.before, fact.model) if model}


def _lab_in(event: ev.Event) -> str | None:
    if isinstance(event, ev.ModelRegistered):
        return event.lab
    facts: Mapping[str, str | None] = event.facts if isinstance(event, ev.ModelDescribed) else {}
    return facts.get("lab")


# --- one column by another --------------------------------------------------------------------


def _values(
    reader: Reader,
    wanted: ColumnElement[str],
    by: ColumnElement[str],
    values: Iterable[str],
    *known: ColumnElement[bool],
) -> list[str]:
    """What one column has where another has one of these values, in order."""
    found: set[str] = set()
    for chunk in chunks(sorted(values), CHUNK):
        query = select(wanted).distinct().where(by.in_(chunk), wanted.is_not(None), *known)
        found.update(reader.connection.scalars(query))
    return sorted(found)


def _numbers(
    reader: Reader, wanted: ColumnElement[int], by: ColumnElement[str], values: Iterable[str]
) -> list[int]:
    found: set[int] = set()
    for chunk in chunks(sorted(values), CHUNK):
        found.update(reader.connection.scalars(select(wanted).distinct().where(by.in_(chunk))))
    return sorted(found)
