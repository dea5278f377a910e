"""On which days a page changed: the change before the day shown, the next one, how many came since.

What a page is about changes with the steps of its claims; a benchmark also with its rules, caveats
and facts and with the names of its models; a source with each of its readings. All of it is as
known at the moment's position, so the answer for a pinned moment never changes.
"""

from collections.abc import Iterator
from functools import lru_cache
from itertools import chain
from typing import Any

import attrs
from sqlalchemy import BigInteger, Select, bindparam, func, select

from ledger.benchmark import stream_of
from ledger.store import Store
from ledger.values import Instant, from_micros
from projections.keeping.tables import Tables
from projections.keeping.views import Reader
from projections.moment import Moment
from projections.over_time.page_steps import About, every_step, last_recorded, nearest_steps
from projections.over_time.renames import Rename, renames_of_model, renames_on
from projections.over_time.restated import restatements_of


@attrs.frozen
class Around:
    """The changes nearest to the span that is shown, and how many came after it."""

    previous: Instant | None = None
    following: Instant | None = None
    later: int = 0


def around(reader: Reader, store: Store, about: About, moment: Moment, start: Instant) -> Around:
    """The last change before ``start``, the first one after the moment's day, and how many came
    after that day; where later decisions are shown already, they are not counted."""
    steps = nearest_steps(reader, about, moment, start)
    others = list(_others(reader, store, about, moment))
    before = [one for one in (steps.previous, *others) if one is not None and one < start]
    after = [one for one in (steps.following, *others) if one is not None and one > moment.instant]
    later = sum(one > moment.instant for one in others)
    if about.kind == "source":  # another reading is no change by itself
        later = 0
    return Around(max(before, default=None), min(after, default=None), steps.later + later)


def changed_at(reader: Reader, store: Store, about: About, moment: Moment) -> list[Instant]:
    """Every instant by the moment's day at which the page changed, oldest first."""
    found = chain(every_step(reader, about, moment), _others(reader, store, about, moment))
    return sorted({one for one in found if one <= moment.instant})


def settled(reader: Reader, store: Store, about: About, moment: Moment) -> int:
    """The last position, by the moment's, at which anything about it was recorded: whoever knows
    the ledger so far knows all that there is to say of it, of any day; 0 for nothing."""
    found = [last_recorded(reader, about, moment)]
    found += [one.position for one in _renames(reader, store, about, moment)]
    if about.kind == "benchmark":
        asked = {"stream": stream_of(about.id), "position": moment.position}
        found += [at or 0 for (at,) in reader.tuples(_asserted_last(reader.tables), asked)]
    return max(found)


# --- what is no step of a claim ---------------------------------------------------------------


def _others(reader: Reader, store: Store, about: About, moment: Moment) -> Iterator[Instant]:
    yield from (one.read_at for one in _renames(reader, store, about, moment))
    if about.kind == "benchmark":
        yield from (one.at for one in restatements_of(reader, about.id, moment))
    if about.kind == "source":
        asked = {"id": about.id, "position": moment.position}
        readings = reader.tuples(_readings(reader.tables), asked)
        yield from (from_micros(at) for (at,) in readings)


def _renames(reader: Reader, store: Store, about: About, moment: Moment) -> list[Rename]:
    match about.kind:
        case "benchmark":
            return renames_on(reader, store, about.id, moment)
        case "model":
            return renames_of_model(store, about.id, moment)
        case _:
            return []


@lru_cache(maxsize=8)
def _readings(tables: Tables) -> Select[Any]:
    table, position = tables.reading, bindparam("position", type_=BigInteger)
    query = select(table.c.read_at).distinct()
    return query.where(table.c.source == bindparam("id"), table.c.position <= position)


@lru_cache(maxsize=8)
def _asserted_last(tables: Tables) -> Select[Any]:
    table, position = tables.assertion, bindparam("position", type_=BigInteger)
    query = select(func.max(table.c.position))
    return query.where(table.c.stream == bindparam("stream"), table.c.position <= position)
