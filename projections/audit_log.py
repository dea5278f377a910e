"""The log itself, page by page: every event by its position, and the withheld ones as an entry.

What is looked for is found by the inventory of the log (:mod:`projections.keeping.inventory`), and
the events of one stream by the ledger's own index; so no page reads more than some stretches of a
log of any length. A page that ends before it is full says where to go on.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from hashlib import sha256
from itertools import islice

import attrs
import orjson
from sqlalchemy import select

from ledger import events as ev
from ledger.published import is_published
from ledger.store import Store
from ledger.wire import decode
from projections.keeping.inventory import (
    PUBLISHED,
    SHOWN,
    STRETCH,
    TYPE,
    WHO,
    WITHHELD,
    bounds_of,
    stretch_of,
)
from projections.keeping.views import Reader

MOST_STRETCHES = 48
"""Stretches that one page looks through; of a rare kind each holds at least one."""

REPORTS = "report:"
"""Streams in which anything is withheld."""


@attrs.frozen(kw_only=True)
class Wanted:
    """Which events: of a type, a stream, an author; the published ones or the withheld ones."""

    type: str | None = None
    stream: str | None = None
    who: str | None = None
    shown: str | None = None

    @property
    def is_impossible(self) -> bool:
        """Whether nothing can be told to fit: of a withheld event nobody is told what it is."""
        return self.shown == WITHHELD and any((self.type, self.stream, self.who))

    def may_be(self, stored: bytes) -> bool:
        """Whether an event could fit, by its bytes alone; quick, and never wrongly no."""
        if self.shown == WITHHELD and b'"stream":"' + REPORTS.encode() not in stored:
            return False
        asked = (("type", self.type), ("recorded_by", self.who))
        return all(
            value is None or orjson.dumps({name: value})[1:-1] in stored for name, value in asked
        )

    def fits(self, one: "Logged") -> bool:
        """Whether an event is one of these."""
        if one.record is None:
            return self.shown != PUBLISHED and not any((self.type, self.stream, self.who))
        if self.shown == WITHHELD:
            return False
        told = one.record.envelope
        pairs = ((self.type, told.type), (self.stream, told.stream), (self.who, told.recorded_by))
        return all(wanted in (None, found) for wanted, found in pairs)


@attrs.frozen
class Logged:
    """One event of the log: its place and its entry, and the event where anybody may read it."""

    position: int
    entry: str
    record: ev.Recorded | None


@attrs.frozen(kw_only=True)
class LogPage:
    """Some events, the last first. ``older`` and ``newer`` are the positions before and behind
    which the list goes on; ``None`` where it ends."""

    entries: tuple[Logged, ...]
    older: int | None
    newer: int | None


def log_page(
    reader: Reader,
    store: Store,
    wanted: Wanted,
    within: tuple[int, int],
    *,
    count: int,
    before: int | None = None,
    after: int | None = None,
) -> LogPage:
    """At most ``count`` events from the first to the last position of ``within``: the last ones,
    those before a position, or the first ones after one."""
    low, high = within
    if after is None:
        high = high if before is None else min(high, before - 1)
    else:
        low = max(low, after + 1)
    found, stopped = _found(reader, store, wanted, (low, high), count + 1, forth=after is not None)
    kept, more = found[:count], len(found) > count
    if after is not None:
        newer = kept[-1].position if more else stopped
        return LogPage(entries=tuple(kept[::-1]), older=after + 1, newer=newer)
    older = kept[-1].position if more else stopped
    return LogPage(entries=tuple(kept), older=older, newer=None if before is None else before - 1)


def _found(
    reader: Reader,
    store: Store,
    wanted: Wanted,
    within: tuple[int, int],
    count: int,
    *,
    forth: bool,
) -> tuple[list[Logged], int | None]:
    """Up to ``count`` events in the order of looking, and where the looking stopped before it had
    them or came to the end."""
    if wanted.is_impossible or within[0] > within[1]:
        return [], None
    if wanted.stream is not None:
        return _in_stream(store, wanted, within, count, forth=forth)
    stretches = _stretches(reader, wanted, within, forth=forth)
    found: list[Logged] = []
    for stretch in stretches[:MOST_STRETCHES]:
        fitting = _in_stretch(store, wanted, stretch, within, forth=forth)
        found += islice(fitting, count - len(found))
        if len(found) == count:
            return found, None
    if len(stretches) <= MOST_STRETCHES:
        return found, None
    first, last = bounds_of(stretches[MOST_STRETCHES - 1])
    return found, last if forth else first


def _stretches(
    reader: Reader, wanted: Wanted, within: tuple[int, int], *, forth: bool
) -> list[int]:
    """The stretches that hold any of these, in the order of looking, one more than is looked at."""
    table = reader.tables.inventory
    kinds = [(TYPE, wanted.type), (WHO, wanted.who), (SHOWN, wanted.shown)]
    asked = [(field, [value]) for field, value in kinds if value is not None]
    first, *others = asked or [(SHOWN, [PUBLISHED, WITHHELD])]
    query = (
        select(table.c.stretch)
        .distinct()
        .where(
            table.c.field == first[0],
            table.c.value.in_(first[1]),
            table.c.stretch >= stretch_of(within[0]),
            table.c.stretch <= stretch_of(within[1]),
        )
        .order_by(table.c.stretch if forth else table.c.stretch.desc())
        .limit(MOST_STRETCHES + 1)
    )
    for field, values in others:
        also = table.alias()
        same = select(also.c.stretch).where(
            also.c.stretch == table.c.stretch, also.c.field == field, also.c.value.in_(values)
        )
        query = query.where(same.exists())
    return list(reader.connection.scalars(query))


def _in_stretch(
    store: Store, wanted: Wanted, stretch: int, within: tuple[int, int], *, forth: bool
) -> Iterator[Logged]:
    first, last = bounds_of(stretch)
    low, high = max(first, within[0]), min(last, within[1])
    rows = [row for row in store.stored_after(low - 1, STRETCH) if row[0] <= high]
    return _fitting(wanted, rows if forth else rows[::-1])


def _in_stream(
    store: Store, wanted: Wanted, within: tuple[int, int], count: int, *, forth: bool
) -> tuple[list[Logged], int | None]:
    """Of one stream, which is read from its end; so forwards all of it is read that lies behind,
    and no more of it looked into than is shown."""
    low, high = within
    rows: list[tuple[int, bytes]] = []
    found: list[Logged] = []
    for _ in range(MOST_STRETCHES):
        some = store.stored_of_stream(str(wanted.stream), low, high, STRETCH)
        if forth:
            rows += some
        else:
            found += islice(_fitting(wanted, some), count - len(found))
        if len(some) < STRETCH or len(found) == count:
            break
        high = some[-1][0] - 1
    else:
        if not forth:
            return found, high + 1
    return (list(islice(_fitting(wanted, rows[::-1]), count)) if forth else found), None


def _fitting(wanted: Wanted, rows: Iterable[tuple[int, bytes]]) -> Iterator[Logged]:
    possible = (logged(*row) for row in rows if wanted.may_be(row[1]))
    return filter(wanted.fits, possible)


def logged(position: int, stored: bytes) -> Logged:
    """An event as anybody may be told of it."""
    record = decode(position, stored)
    entry = sha256(stored).hexdigest()
    return Logged(position, entry, record if is_published(record.event) else None)


def logged_at(store: Store, position: int) -> Logged | None:
    """The event at a position; ``None`` where there is none."""
    found = store.stored_after(position - 1, 1)
    return logged(*found[0]) if found and found[0][0] == position else None


# --- numbers ----------------------------------------------------------------------------------


@attrs.frozen(kw_only=True)
class Totals:
    """How many events the log holds, of which types and by whom."""

    events: int
    withheld: int
    types: tuple[tuple[str, int], ...]
    authors: tuple[tuple[str, int], ...]


def totals(reader: Reader) -> Totals:
    """The numbers of the whole log, as far as the read model has come; the largest first."""
    counted: dict[str, Counter[str]] = {TYPE: Counter(), WHO: Counter(), SHOWN: Counter()}
    table = reader.tables.inventory
    for field, value, count in reader.connection.execute(
        select(table.c.field, table.c.value, table.c.count)
    ):
        counted[field][value] += count
    return Totals(
        events=counted[SHOWN].total(),
        withheld=counted[SHOWN][WITHHELD],
        types=_largest_first(counted[TYPE]),
        authors=_largest_first(counted[WHO]),
    )


def _largest_first(counted: Counter[str]) -> tuple[tuple[str, int], ...]:
    return tuple(sorted(counted.items(), key=lambda one: (-one[1], one[0])))
