"""One entry of the log as a notice: all that belongs to it, and the boards that it moved.

The boards are those just before and just after the position at which the decision was recorded, as
read in that instant; both are pinned, so what a notice says of them never changes.
"""

from collections.abc import Iterator, Mapping, Sequence

import attrs
from sqlalchemy import select

from ledger import events as ev
from ledger.claim import Plane
from ledger.errors import NotFound
from ledger.report import stream_of as report_stream
from ledger.store import Store
from ledger.subject import stream_of
from ledger.values import Instant, from_micros
from ledger.vocabulary import VIEWS
from projections.asserted import described
from projections.board.benchmarks import benchmark_at
from projections.board.boards import board_at
from projections.decisions.chain import Chains, Link, chains, known_by
from projections.decisions.corrections import Correction, entries
from projections.decisions.log import decided_by
from projections.decisions.subjects import Names, names_of
from projections.keeping.tables import in_plane
from projections.keeping.views import Reader
from projections.moment import Moment
from projections.review.effect import BoardEffect, difference


@attrs.frozen(kw_only=True)
class Checked:
    """The snapshot that was checked: of which source, and when it was read first."""

    digest: str
    source: str
    source_name: str
    read_at: Instant


@attrs.frozen(kw_only=True)
class Notice:
    """All that is public of one decision.

    ``originals`` are the entries about the report that this one repeats, ``parts`` those about the
    same report, ``later`` the later ones about the same claims. ``before`` and ``after`` are the
    moments of the boards.
    """

    entry: Correction
    names: Names
    checks: tuple[str, ...]
    remainder: bool
    originals: tuple[int, ...]
    parts: tuple[int, ...]
    later: tuple[int, ...]
    checked: tuple[Checked, ...]
    chain: tuple[Link, ...]
    boards: tuple[BoardEffect, ...]
    before: Moment
    after: Moment


def notice_at(reader: Reader, store: Store, number: int, moment: Moment) -> Notice:
    """The notice with this number as known at a moment; refused before it was decided."""
    entry = entry_at(reader, store, number, moment)
    told = _told(store, entry)
    before, after = _around(store, entry)
    return Notice(
        entry=entry,
        names=names_of(reader, [entry], moment),
        checks=told.checks,
        remainder=told.remainder,
        originals=_about_report(reader, told.duplicate_of, moment),
        parts=tuple(one for one in _about_report(reader, entry.report, moment) if one != number),
        later=_later(reader, entry, moment),
        checked=tuple(_checked(reader, entry, moment)),
        chain=tuple(_chains(reader, moment).whole(entry.decision)),
        boards=tuple(_moved(reader, entry, before, after)),
        before=before,
        after=after,
    )


def entry_at(reader: Reader, store: Store, number: int, moment: Moment) -> Correction:
    """The entry with this number as known at a moment; refused before it was decided."""
    table, until = reader.tables.decision, decided_by(moment)
    known = known_by(reader.tables, moment.position, until)
    if (
        reader.connection.scalar(select(table.c.number).where(table.c.number == number, known))
        is None
    ):
        raise NotFound(what="correction", name=number)
    return entries(reader, store, [number], upto=moment.position, decided_by=until)[0]


def _chains(reader: Reader, moment: Moment) -> Chains:
    return chains(reader, upto=moment.position, decided_by=decided_by(moment))


# --- what its report's events say -------------------------------------------------------------


@attrs.frozen
class Told:
    """What only the events of the report say."""

    checks: tuple[str, ...] = ()
    remainder: bool = False
    duplicate_of: int | None = None


def _told(store: Store, entry: Correction) -> Told:
    for record in store.stream(report_stream(entry.report)):
        event = record.event
        if isinstance(event, ev.DecisionMade) and event.decision == entry.decision:
            return Told(event.terms.checks, event.terms.remainder, event.terms.duplicate_of)
    return Told()


def _about_report(reader: Reader, report: int | None, moment: Moment) -> tuple[int, ...]:
    """The entries about a report; of one that is not decided nothing is said."""
    if report is None:
        return ()
    table = reader.tables.decision
    known = known_by(reader.tables, moment.position, decided_by(moment))
    query = select(table.c.number).where(table.c.report == report, known).order_by(table.c.number)
    return tuple(reader.connection.scalars(query))


def _later(reader: Reader, entry: Correction, moment: Moment) -> tuple[int, ...]:
    table, touches = reader.tables.decision, reader.tables.decision_claim
    claims = select(touches.c.claim).where(touches.c.decision == entry.decision)
    query = (
        select(table.c.number)
        .distinct()
        .join(touches, touches.c.decision == table.c.decision)
        .where(
            touches.c.claim.in_(claims),
            table.c.number > entry.number,
            known_by(reader.tables, moment.position, decided_by(moment)),
        )
        .order_by(table.c.number)
    )
    return tuple(reader.connection.scalars(query))


def _checked(reader: Reader, entry: Correction, moment: Moment) -> Iterator[Checked]:
    """The sources whose reading the snapshot is: one, unless two of them had the same bytes."""
    if entry.snapshot is None:
        return
    table = reader.tables.reading
    query = (
        select(table.c.source, table.c.read_at)
        .where(table.c.digest == entry.snapshot, table.c.position <= entry.position)
        .order_by(table.c.read_at.desc())
    )
    first = {row.source: row.read_at for row in reader.connection.execute(query)}
    names = described(reader, (f"source:{source}" for source in first), moment)
    for source, read_at in sorted(first.items()):
        name = str(names.get(f"source:{source}", {}).get("name", source))
        yield Checked(
            digest=entry.snapshot, source=source, source_name=name, read_at=from_micros(read_at)
        )


# --- the boards -------------------------------------------------------------------------------


def _around(store: Store, entry: Correction) -> tuple[Moment, Moment]:
    """The moments just before the decision and just after it, at the instant of the decision."""
    last = entry.position
    touched = [one.claim_id for one in entry.claims] + [one.subject for one in entry.subjects]
    for record in store.streams(map(stream_of, touched)):
        event = record.event
        if isinstance(event, ev.DecisionFact) and event.decision == entry.decision:
            last = max(last, record.position)
    return _pinned(entry, entry.position - 1), _pinned(entry, last)


def _pinned(entry: Correction, position: int) -> Moment:
    return Moment(
        as_read_on=entry.decided_at.isoformat(),
        instant=entry.decided_at,
        plane=Plane.THEN,
        position=position,
        recorded_at=entry.decided_at,
        pinned=True,
    )


def _moved(
    reader: Reader, entry: Correction, before: Moment, after: Moment
) -> Iterator[BoardEffect]:
    for slug, metrics in _metrics(reader, entry, before, after).items():
        rules = benchmark_at(reader, slug, after).rules
        for metric in (metric for metric in metrics if metric in rules):
            for view in VIEWS:
                found = difference(
                    board_at(reader, slug, before, view=view, metric=metric),
                    board_at(reader, slug, after, view=view, metric=metric),
                )
                if found is not None:
                    yield found


def _metrics(
    reader: Reader, entry: Correction, before: Moment, after: Moment
) -> Mapping[str, Sequence[str]]:
    """The metrics under which the claims stood before or after, by benchmark."""
    table, touches = reader.tables.claim_version, reader.tables.decision_claim
    claims = select(touches.c.claim).where(touches.c.decision == entry.decision)
    found: dict[str, dict[str, None]] = {}
    for moment in (before, after):
        query = (
            select(table.c.benchmark, table.c.metric)
            .distinct()
            .where(
                table.c.claim.in_(claims),
                in_plane(table, Plane.THEN),
                reader.holds(table, moment.day, moment.position),
            )
            .order_by(table.c.benchmark, table.c.metric)
        )
        for row in reader.connection.execute(query):
            found.setdefault(row.benchmark, {})[row.metric] = None
    return {slug: list(metrics) for slug, metrics in found.items()}
