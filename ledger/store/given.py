"""Events that somebody handed over, as a store: it reads like any other, and nothing can be added.

This is how the read model is made from some events alone, such as those of a bundle. They are held
in memory; whoever reads them from a stranger bounds them first.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from itertools import pairwise
from typing import Any, NoReturn

import attrs
import orjson
from eventsourcing.persistence import Notification, StoredEvent

from ledger.errors import BadValue, Refused
from ledger.store.engine import LAST, Row, Stored, Table
from ledger.store.store import Store


class HandedOver(Refused):
    """These events were handed over to be read; nothing can be added to them."""


@attrs.frozen
class GivenTable:
    """The events in the order of their positions, and by stream."""

    rows: Sequence[Stored]
    by_stream: Mapping[str, Sequence[Stored]]

    def head(self) -> int:
        """The last position, 0 when there is none."""
        return self.rows[-1][0] if self.rows else 0

    def last(self, upto: int = LAST) -> Stored | None:
        """The last event at or before a position."""
        place = bisect_right(self.rows, upto, key=_position)
        return self.rows[place - 1] if place else None

    def first_after(self, position: int) -> int:
        """The position that follows, 0 when there is none."""
        found = self.after(position, 1)
        return found[0][0] if found else 0

    def after(self, position: int, limit: int) -> list[Stored]:
        """At most ``limit`` events after a position, in position order."""
        start = bisect_right(self.rows, position, key=_position)
        return list(self.rows[start : start + limit])

    def of_stream(self, stream: str, low: int, high: int, limit: int) -> list[Stored]:
        """At most ``limit`` events of a stream from position ``low`` to ``high``, last first."""
        within = [row for row in self.by_stream.get(stream, ()) if low <= row[0] <= high]
        return within[::-1][:limit]

    def versions(self, streams: Collection[str]) -> dict[str, int]:
        """How many events of each stream are here."""
        return {stream: len(self.by_stream.get(stream, ())) for stream in streams}

    def events(self, streams: Collection[str]) -> list[Stored]:
        """All events of these streams in position order."""
        found = [row for stream in streams for row in self.by_stream.get(stream, ())]
        return sorted(found, key=_position)

    def insert(self, rows: Sequence[Row]) -> NoReturn:  # noqa: ARG002 -- as the protocol has it
        """Raises ``HandedOver``."""
        raise HandedOver


@attrs.frozen
class GivenEngine:
    """The engine of a store that only reads; see :class:`ledger.store.engine.Engine`."""

    table: GivenTable

    def insert_events(self, *_: Sequence[StoredEvent], **__: Any) -> NoReturn:
        """Raises ``HandedOver``."""
        raise HandedOver

    def select_notifications(
        self,
        start: int | None,
        limit: int,
        stop: int | None = None,
        topics: Sequence[str] = (),  # noqa: ARG002 -- as the library has it
        *,
        inclusive_of_start: bool = True,
    ) -> Sequence[Notification]:
        """The library's own way to read on from a position."""
        position = (start or 0) - (1 if inclusive_of_start else 0)
        until = LAST if stop is None else stop
        end = bisect_right(self.table.rows, until, key=_position)
        first = bisect_left(self.table.rows, position + 1, key=_position)
        return [
            Notification("", 0, "", stored, place)
            for place, stored in self.table.rows[first : min(end, first + limit)]
        ]

    @contextmanager
    def reading(self) -> Iterator[Table]:
        """The table for readers."""
        yield self.table

    def seals(self) -> NoReturn:
        """Raises ``HandedOver``: what was handed over is no log of its own."""
        raise HandedOver

    def sealing(self) -> NoReturn:
        """Raises ``HandedOver``."""
        raise HandedOver

    def whole(self) -> NoReturn:
        """Raises ``HandedOver``."""
        raise HandedOver

    def filling(self) -> NoReturn:
        """Raises ``HandedOver``."""
        raise HandedOver

    @contextmanager
    def refusals(self) -> Iterator[None]:
        """There is no database whose errors could be said."""
        yield

    def await_news(self, seconds: float) -> None:
        """There will be none."""

    def close(self) -> None:
        """Nothing is open."""


def open_given(events: Iterable[Stored]) -> Store:
    """A store of these events: position and stored bytes, positions growing.

    Raises ``BadValue`` where positions do not grow.
    """
    rows = list(events)
    by_stream: dict[str, list[Stored]] = {}
    for before, after in pairwise(rows):
        if before[0] >= after[0]:
            why = f"position {after[0]} does not come after {before[0]}"
            raise BadValue(what="events", shown="handed over", why=why)
    for row in rows:
        by_stream.setdefault(str(orjson.loads(row[1])["stream"]), []).append(row)
    engine = GivenEngine(GivenTable(rows, by_stream))
    return Store(engine, clock=_never, salt=str)


def _never() -> datetime:
    return datetime.min.replace(tzinfo=UTC)


def _position(row: Stored) -> int:
    return row[0]
