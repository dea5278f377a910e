"""The steps of claims that a page is about: the nearest to a day, all by a day, the last recorded.

Each is one query with parameters, built once for each kind of page and asked often.
"""

from functools import lru_cache
from typing import Any

import attrs
from sqlalchemy import (
    BigInteger,
    BindParameter,
    ColumnElement,
    Select,
    and_,
    bindparam,
    func,
    or_,
    select,
)

from ledger.claim import Plane
from ledger.values import Instant, from_micros, micros
from ledger.vocabulary import kinds_in
from projections.asserted import described
from projections.keeping.tables import Tables
from projections.keeping.views import Reader, recorded
from projections.moment import Moment


@attrs.frozen(kw_only=True)
class About:
    """What a page is about: a ``benchmark``, ``claim``, ``model`` or ``source`` by its slug or id.

    Of a benchmark, ``view`` and ``metric`` leave only the changes that such a board may show.
    """

    kind: str
    id: str
    view: str | None = None
    metric: str | None = None


@attrs.frozen
class Nearest:
    """The last step before a span, the first one after it, and how many came after it."""

    previous: Instant | None
    following: Instant | None
    later: int


def nearest_steps(reader: Reader, about: About, moment: Moment, start: Instant) -> Nearest:
    """The steps nearest to the span from ``start`` to the moment's day, as known at its position.

    Where the moment shows later decisions already, those that sources made alone count as later.
    """
    which = _which(about, at_head=reader.at_head(moment.position))
    query = _nearest(reader.tables, which, by_sources=moment.plane is Plane.SINCE)
    asked = _asked(reader, about, moment) | {"start": micros(start)}
    ((previous, following, later),) = reader.tuples(query, asked)
    return Nearest(
        None if previous is None else from_micros(previous),
        None if following is None else from_micros(following),
        later,
    )


def every_step(reader: Reader, about: About, moment: Moment) -> list[Instant]:
    """The instants by the moment's day at which there was a step."""
    query = _every(reader.tables, _which(about, at_head=reader.at_head(moment.position)))
    return [from_micros(at) for (at,) in reader.tuples(query, _asked(reader, about, moment))]


def last_recorded(reader: Reader, about: About, moment: Moment) -> int:
    """The last position, by the moment's, at which a step was added or taken back; 0 for none."""
    query = _last_recorded(reader.tables, about.kind)
    ((added, undone),) = reader.tuples(query, {"id": about.id, "position": moment.position})
    return max(added or 0, undone or 0)


# --- the queries ------------------------------------------------------------------------------


@attrs.frozen
class Which:
    """Which steps a query is for."""

    kind: str
    at_head: bool
    by_metric: bool = False
    by_view: bool = False


def _which(about: About, *, at_head: bool) -> Which:
    by_metric, by_view = about.metric is not None, about.view not in (None, "all")
    return Which(about.kind, at_head, by_metric, by_view)


def _asked(reader: Reader, about: About, moment: Moment) -> dict[str, object]:
    asked: dict[str, object] = {"id": about.id, "position": moment.position, "end": moment.day}
    if about.metric is not None:
        asked["metric"] = about.metric
    if about.view not in (None, "all"):
        asked["sources"] = _sources(reader, about, moment)
    return asked


def _sources(reader: Reader, about: About, moment: Moment) -> list[str]:
    """The sources of a view that ever stated anything on a benchmark."""
    slugs = (slug for (slug,) in reader.tuples(_stating(reader.tables), {"id": about.id}))
    found = described(reader, (f"source:{slug}" for slug in slugs), moment)
    kinds = kinds_in(str(about.view))
    return sorted(name.partition(":")[2] for name, one in found.items() if one["kind"] in kinds)


@lru_cache(maxsize=8)
def _stating(tables: Tables) -> Select[Any]:
    table = tables.claim
    return select(table.c.source).distinct().where(table.c.benchmark == bindparam("id"))


@lru_cache(maxsize=64)
def _nearest(tables: Tables, which: Which, *, by_sources: bool) -> Select[Any]:
    """Three look-ups in an index, in one query."""
    at, match = tables.change.c.read_from, _matching(tables, which)
    start, end = bindparam("start", type_=BigInteger), bindparam("end", type_=BigInteger)
    later = and_(match, at > end)
    if by_sources:
        later = and_(later, tables.change.c.decision.is_(None))
    return select(
        select(func.max(at)).where(match, at < start).scalar_subquery(),
        select(func.min(at)).where(match, at > end).scalar_subquery(),
        select(func.count()).select_from(tables.change).where(later).scalar_subquery(),
    )


@lru_cache(maxsize=64)
def _every(tables: Tables, which: Which) -> Select[Any]:
    at = tables.change.c.read_from
    end = bindparam("end", type_=BigInteger)
    return select(at).distinct().where(_matching(tables, which), at <= end)


@lru_cache(maxsize=16)
def _last_recorded(tables: Tables, kind: str) -> Select[Any]:
    table, position = tables.change, bindparam("position", type_=BigInteger)
    about = _subject(tables, Which(kind, at_head=False))
    added, undone = table.c.recorded_from, table.c.recorded_to
    return select(
        select(func.max(added)).where(about, added <= position).scalar_subquery(),
        select(func.max(undone)).where(about, undone <= position).scalar_subquery(),
    )


def _matching(tables: Tables, which: Which) -> ColumnElement[bool]:
    """The steps of what a page is about, as known at a position."""
    table = tables.change
    found = [recorded(table, at_head=which.at_head), _subject(tables, which)]
    if which.by_metric:
        metric: BindParameter[str] = bindparam("metric")
        found.append(or_(table.c.metric == metric, table.c.metric_before == metric))
    if which.by_view:
        found.append(table.c.source.in_(bindparam("sources", expanding=True)))
    return and_(*found)


def _subject(tables: Tables, which: Which) -> ColumnElement[bool]:
    table = tables.change
    asked: BindParameter[str] = bindparam("id")
    match which.kind:
        case "benchmark":
            return table.c.benchmark == asked
        case "claim":
            return table.c.claim == asked
        case "source":
            claims = select(tables.claim.c.claim).where(tables.claim.c.source == asked)
        case _:
            version = tables.claim_version
            claims = select(version.c.claim).where(
                version.c.model == asked, recorded(version, at_head=which.at_head)
            )
    return table.c.claim.in_(claims)
