"""On which days the page of a paper, a sample, a label or a probe window changed.

Each follows from where the facts stand alone, so it is a few look-ups in an index, and never the
folding of what they say. All of it is as known at the moment's position.
"""

from collections.abc import Iterable, Iterator

from sqlalchemy import ColumnElement, Select, and_, false, or_, select

from ledger.claim import Plane
from ledger.label import stream_of as label_stream
from ledger.probe import link_key
from ledger.sample import stem
from ledger.values import Instant, from_micros, micros
from projections.keeping.views import Reader
from projections.moment import Moment
from projections.over_time.moments_of_change import Around


def around_paper(
    reader: Reader, slug: str, links: Iterable[str], subjects: Iterable[str], moment: Moment
) -> Iterator[Instant]:
    """When anything was read or decided that a paper's page shows: its own facts, the code from its
    repositories, the windows that it has to do with, decisions on these labels and samples."""
    fact, probe = reader.tables.code_fact, reader.tables.probe
    linked = select(fact.c.repository).where(fact.c.paper == slug, fact.c.repository.is_not(None))
    stems = select(fact.c.stem).where(fact.c.repository.in_(linked), fact.c.stem.is_not(None))
    yield from _read(reader, or_(fact.c.paper == slug, fact.c.stem.in_(stems)), moment)
    windows = select(probe.c.window).where(
        probe.c.opens, or_(probe.c.about == f"papers/{slug}", probe.c.about.is_(None))
    )
    keys = sorted({link_key(link) for link in links})
    turns = and_(probe.c.window.in_(windows), probe.c.link.is_(None))
    yield from _probed(reader, or_(turns, probe.c.link.in_(keys) if keys else false()), moment)
    yield from _decided(reader, subjects, moment)


def around_sample(
    reader: Reader, code: str, subjects: Iterable[str], moment: Moment
) -> Iterator[Instant]:
    """When anything was read or decided of a sample, or of one that begins with the same digits."""
    yield from _read(reader, reader.tables.code_fact.c.stem == stem(code), moment)
    yield from _decided(reader, subjects, moment)


def around_label(reader: Reader, label: str, moment: Moment) -> Iterator[Instant]:
    """When a label was read or decided."""
    yield from _read(reader, reader.tables.code_fact.c.stream == label_stream(label), moment)
    yield from _decided(reader, [label], moment)


def around_window(reader: Reader, slug: str, moment: Moment) -> Iterator[Instant]:
    """When a window was opened, probed in, or closed."""
    yield from _probed(reader, reader.tables.probe.c.window == slug, moment)


def nearest(turns: Iterable[Instant], moment: Moment, start: Instant) -> Around:
    """The last of these turns before ``start``, the first after the moment's day, and how many came
    after that day."""
    found = set(turns)
    after = {one for one in found if one > moment.instant}
    before = {one for one in found if one < start}
    return Around(max(before, default=None), min(after, default=None), len(after))


# --- look-ups ---------------------------------------------------------------------------------


def _read(reader: Reader, which: ColumnElement[bool], moment: Moment) -> Iterator[Instant]:
    table = reader.tables.code_fact
    query = select(table.c.read_at).distinct().where(which, table.c.position <= moment.position)
    yield from _instants(reader, query)


def _probed(reader: Reader, which: ColumnElement[bool], moment: Moment) -> Iterator[Instant]:
    table = reader.tables.probe
    query = select(table.c.read_at).distinct().where(which, table.c.position <= moment.position)
    yield from _instants(reader, query)


def _decided(reader: Reader, subjects: Iterable[str], moment: Moment) -> Iterator[Instant]:
    """Decisions; where later ones are shown already, those after the day change nothing."""
    table, touches = reader.tables.decision, reader.tables.decision_claim
    wanted = sorted(set(subjects))
    query = (
        select(table.c.decided_at)
        .join(touches, touches.c.decision == table.c.decision)
        .where(touches.c.claim.in_(wanted), table.c.position <= moment.position)
        .distinct()
    )
    if moment.plane is Plane.SINCE:
        query = query.where(table.c.decided_at <= micros(moment.instant))
    if wanted:
        yield from _instants(reader, query)


def _instants(reader: Reader, query: Select[int]) -> Iterator[Instant]:
    yield from (from_micros(at) for at in reader.connection.scalars(query))
