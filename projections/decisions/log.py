"""The public log page by page: what is asked for becomes one bounded query.

The order is (``recorded_at``, position), which the numbers follow: nothing is ever put in between,
so whoever pages by number meets every entry once, whatever is decided meanwhile (case P024). A
search looks for plain words, never for patterns (case P044).
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime, time

import attrs
from sqlalchemy import ColumnElement, and_, exists, func, or_, select, union

from ledger.claim import Plane
from ledger.store import Store
from ledger.values import Instant, from_micros, micros
from projections.asserted import described
from projections.decisions.about_code import (
    abouts,
    is_about,
    is_of_paper,
    named_by,
    papers_decided,
)
from projections.decisions.chain import chains, known_by
from projections.decisions.corrections import Correction, entries
from projections.decisions.subjects import Names, names_of
from projections.keeping.views import Reader
from projections.moment import Moment

CLAIM_LENGTH = 24
"""A target that is a claim is ``claims/``, its id and perhaps a part of it."""


@attrs.frozen(kw_only=True)
class Wanted:
    """Which entries are asked for; what is ``None`` or empty asks for nothing. Every word has to be
    found somewhere in the entry. ``start`` and ``end`` are days (UTC), both included."""

    about: str | None = None
    benchmark: str | None = None
    paper: str | None = None
    outcome: str | None = None
    type: str | None = None
    reason: str | None = None
    decided_by: str | None = None
    year: int | None = None
    start: date | None = None
    end: date | None = None
    words: tuple[str, ...] = ()

    @property
    def is_everything(self) -> bool:
        """Whether nothing narrows the log."""
        return self == Wanted()


@attrs.frozen(kw_only=True)
class LogPage:
    """Some entries, newest first, with the names of what they speak of.

    ``matching`` of ``in_all`` entries are what is asked for. ``older`` and ``newer`` are the
    numbers to go on from, ``None`` at an end.
    """

    entries: tuple[Correction, ...]
    names: Names
    matching: int
    in_all: int
    older: int | None
    newer: int | None


def page_of_log(
    reader: Reader,
    store: Store,
    wanted: Wanted,
    moment: Moment,
    *,
    count: int,
    before: int | None = None,
    after: int | None = None,
) -> LogPage:
    """At most ``count`` entries: the newest, those older than number ``before``, or the oldest of
    those newer than ``after``."""
    known = known_by(reader.tables, moment.position, decided_by(moment))
    number = reader.tables.decision.c.number
    query = select(number).where(known, *_conditions(reader, wanted, moment))
    # All of them at once: a search looks at every entry anyway, and once is enough.
    matching = list(reader.connection.scalars(query.order_by(number.desc())))
    numbers = _part(matching, count, before, after)
    found = entries(reader, store, numbers, upto=moment.position, decided_by=decided_by(moment))
    return LogPage(
        entries=tuple(found),
        names=names_of(reader, found, moment),
        matching=len(matching),
        in_all=_count(reader, known),
        older=numbers[-1] if numbers and matching[-1] < numbers[-1] else None,
        newer=numbers[0] if numbers and matching[0] > numbers[0] else None,
    )


def _part(numbers: Sequence[int], count: int, before: int | None, after: int | None) -> list[int]:
    """The part of descending numbers that is asked for."""
    if after is not None:
        end = bisect_left(numbers, -after, key=lambda number: -number)
        return list(numbers[max(0, end - count) : end])
    start = 0 if before is None else bisect_right(numbers, -before, key=lambda number: -number)
    return list(numbers[start : start + count])


def all_of_log(
    reader: Reader, store: Store, wanted: Wanted, moment: Moment, *, at_once: int = 500
) -> Iterator[LogPage]:
    """Everything that is asked for, newest first, page after page."""
    before: int | None = None
    while True:
        page = page_of_log(reader, store, wanted, moment, count=at_once, before=before)
        yield page
        before = page.older
        if before is None:
            return


def waiting(reader: Reader) -> int:
    """How many reports wait for a decision; what they are about is nobody's business yet."""
    table = reader.tables.report
    query = select(func.count()).select_from(table).where(table.c.state == "open")
    return reader.connection.scalar(query) or 0


def decided_by(moment: Moment) -> Instant | None:
    """Until when a decision had to be made to show at a moment; ``None``: by its position alone."""
    return moment.instant if moment.plane is Plane.THEN else None


def _count(reader: Reader, match: ColumnElement[bool]) -> int:
    query = select(func.count()).select_from(reader.tables.decision).where(match)
    return reader.connection.scalar(query) or 0


# --- what is asked for ------------------------------------------------------------------------


def _conditions(reader: Reader, wanted: Wanted, moment: Moment) -> list[ColumnElement[bool]]:
    table = reader.tables.decision
    found = [
        table.c[name] == value
        for name in ("outcome", "type", "reason", "decided_by")
        if (value := getattr(wanted, name)) is not None
    ]
    if wanted.year is not None:
        first = micros(datetime(wanted.year, 1, 1, tzinfo=UTC))
        after = micros(datetime(wanted.year + 1, 1, 1, tzinfo=UTC))
        found += [table.c.decided_at >= first, table.c.decided_at < after]
    if wanted.start is not None:
        found.append(table.c.decided_at >= micros(datetime.combine(wanted.start, time.min, UTC)))
    if wanted.end is not None:
        found.append(table.c.decided_at <= micros(datetime.combine(wanted.end, time.max, UTC)))
    if wanted.about is not None:
        found.append(is_about(reader, wanted.about))
    if wanted.benchmark is not None:
        found.append(_is_about(reader, wanted.benchmark))
    if wanted.paper is not None:
        found.append(is_of_paper(reader, wanted.paper, moment))
    return [*found, *(_says(reader, word, moment) for word in wanted.words)]


def _is_about(reader: Reader, slug: str) -> ColumnElement[bool]:
    """Touches a claim of a benchmark, or decides a report about one, or about the benchmark."""
    claim = reader.tables.claim
    return or_(_touches(reader, claim.c.benchmark == slug), _reported(reader, slug))


def _touches(reader: Reader, which: ColumnElement[bool]) -> ColumnElement[bool]:
    table, touches, claim = (
        reader.tables.decision,
        reader.tables.decision_claim,
        reader.tables.claim,
    )
    return exists().where(
        touches.c.decision == table.c.decision, touches.c.claim == claim.c.claim, which
    )


def _reported(reader: Reader, slug: str) -> ColumnElement[bool]:
    table, report, claim = reader.tables.decision, reader.tables.report, reader.tables.claim
    target = report.c.target
    on_it = select(claim.c.claim).where(claim.c.benchmark == slug)
    return exists().where(
        report.c.number == table.c.report,
        or_(
            target == f"benchmarks/{slug}",
            target.startswith(f"benchmarks/{slug}#", autoescape=True),
            and_(
                target.startswith("claims/"),
                _claim_in(target).in_(on_it),
            ),
        ),
    )


def _claim_in(target: ColumnElement[str]) -> ColumnElement[str]:
    """The id in a target that is a claim or a label, or a part of one: both are as long."""
    return func.substr(target, len("claims/") + 1, CLAIM_LENGTH)


def _says(reader: Reader, word: str, moment: Moment) -> ColumnElement[bool]:
    """Whether a word stands in an entry, in small letters or capitals.

    Looked through are its statement, terms, deciders, snapshot, target and number, and of the
    claims that it touches or that were reported the id, the benchmark, the model and every name
    that the source gave, and of labels and samples what :func:`named_by` looks at, as far as the
    ledger held them at the moment's position.
    """
    table, report, version = (
        reader.tables.decision,
        reader.tables.report,
        reader.tables.claim_version,
    )
    touches = reader.tables.decision_claim
    texts = ("statement", "reason", "outcome", "type", "decided_by", "proposed_by", "snapshot")
    said = [table.c[name].icontains(word, autoescape=True) for name in texts]
    names = (version.c.claim, version.c.benchmark, version.c.model, version.c.name)
    # Found once for each word, and not anew for each entry.
    claims = select(version.c.claim).where(
        version.c.recorded_from <= moment.position,
        or_(*(name.icontains(word, autoescape=True) for name in names)),
    )
    of_code = named_by(reader, word, moment)
    target = report.c.target
    about = select(report.c.number).where(
        or_(
            target.icontains(word, autoescape=True),
            and_(target.startswith("claims/"), _claim_in(target).in_(claims)),
            and_(target.startswith("labels/"), _claim_in(target).in_(of_code)),
        )
    )
    touching = select(touches.c.decision).where(
        or_(touches.c.claim.in_(claims), touches.c.claim.in_(of_code))
    )
    said += [table.c.report.in_(about), table.c.decision.in_(touching)]
    if word.isascii() and word.isdecimal() and len(word) <= 9:
        said.append(table.c.number == int(word))
    return or_(*said)


# --- what may be asked for --------------------------------------------------------------------


@attrs.frozen(kw_only=True)
class Choices:
    """What the log of a moment can be narrowed to; benchmarks and papers with their names."""

    abouts: tuple[str, ...]
    benchmarks: tuple[tuple[str, str], ...]
    papers: tuple[tuple[str, str], ...]
    outcomes: tuple[str, ...]
    types: tuple[str, ...]
    reasons: tuple[str, ...]
    deciders: tuple[str, ...]
    years: tuple[int, ...]


def choices(reader: Reader, moment: Moment) -> Choices:
    """Only what occurs is offered; of years all from the first to the last."""
    known = known_by(reader.tables, moment.position, decided_by(moment))
    table = reader.tables.decision

    def values(name: str) -> tuple[str, ...]:
        query = select(table.c[name]).distinct().where(known, table.c[name].is_not(None))
        return tuple(sorted(reader.connection.scalars(query)))

    first, last = reader.connection.execute(
        select(func.min(table.c.decided_at), func.max(table.c.decided_at)).where(known)
    ).one()
    years = () if first is None else range(from_micros(last).year, from_micros(first).year - 1, -1)
    return Choices(
        abouts=abouts(reader, known),
        benchmarks=_benchmarks(reader, known, moment),
        papers=papers_decided(reader, known, moment),
        outcomes=values("outcome"),
        types=values("type"),
        reasons=values("reason"),
        deciders=values("decided_by"),
        years=tuple(years),
    )


def _benchmarks(
    reader: Reader, known: ColumnElement[bool], moment: Moment
) -> tuple[tuple[str, str], ...]:
    """Slug and name of every benchmark that an entry is about, by name."""
    table, report, claim = reader.tables.decision, reader.tables.report, reader.tables.claim
    touches, target = reader.tables.decision_claim, report.c.target
    touched = (
        select(claim.c.benchmark)
        .join(touches, touches.c.claim == claim.c.claim)
        .join(table, table.c.decision == touches.c.decision)
        .where(known)
    )
    reported = (
        select(claim.c.benchmark)
        .join(report, claim.c.claim == _claim_in(target))
        .join(table, report.c.number == table.c.report)
        .where(known, target.startswith("claims/"))
    )
    named = (
        select(func.substr(target, len("benchmarks/") + 1))
        .join(table, report.c.number == table.c.report)
        .where(known, target.startswith("benchmarks/"))
    )
    found = reader.connection.scalars(union(touched, reported, named))
    slugs = {slug.partition("#")[0] for slug in found}
    known_names = described(reader, (f"benchmark:{slug}" for slug in slugs), moment)
    names = {stream.partition(":")[2]: str(one["name"]) for stream, one in known_names.items()}
    return tuple(sorted(names.items(), key=lambda one: (one[1], one[0])))


# --- what changed last ------------------------------------------------------------------------


def changed_last(
    reader: Reader, store: Store, wanted: Wanted, moment: Moment, count: int
) -> list[Correction]:
    """The entries of which anything changed last, latest first: new ones, and those that something
    came in the place of, however old they are."""
    until = decided_by(moment)
    match = and_(
        known_by(reader.tables, moment.position, until), *_conditions(reader, wanted, moment)
    )
    table = reader.tables.decision
    newest = select(table.c.number, table.c.decided_at).where(match)
    newest = newest.order_by(table.c.number.desc()).limit(count)
    changed = {row.number: from_micros(row.decided_at) for row in reader.connection.execute(newest)}
    linked = chains(reader, upto=moment.position, decided_by=until)
    for link in linked.links.values():
        changed[link.number] = linked.changed_at(link.decision, link.decided_at)
    latest = sorted(changed, key=lambda number: (changed[number], number), reverse=True)
    if not wanted.is_everything:
        asked_for = set(reader.connection.scalars(select(table.c.number).where(match)))
        latest = [number for number in latest if number in asked_for]
    return entries(reader, store, latest[:count], upto=moment.position, decided_by=until)
