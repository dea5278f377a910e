"""Frozen views, kept for whoever asks for the same again.

A view of a moment never changes: its key holds the ledger's position and the day, so another event
or another day makes another key. One thread makes a view while others that want it wait for that
one; what nobody asked for longest goes first.
"""

from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

import attrs

from projections.moment import Moment

T = TypeVar("T")


@attrs.define
class Given:
    """How many kept views this process gave out; threads that count at once may lose one."""

    count: int = 0


GIVEN = Given()


def moment_key(moment: Moment, day: str) -> Hashable:
    """What tells one moment from another; ``day`` is the one that was asked for, else today."""
    return (day, moment.plane, moment.position, moment.pinned, moment.published_by)


@attrs.define
class _Place(Generic[T]):
    """Where one view is made and kept."""

    made: list[T] = attrs.field(factory=list)
    turn: Lock = attrs.field(factory=Lock)


@attrs.define
class Kept(Generic[T]):
    """The latest ``most`` views asked for; threads share it."""

    most: int
    _places: dict[Hashable, _Place[T]] = attrs.field(factory=dict, init=False)
    _door: Lock = attrs.field(factory=Lock, init=False)

    def at(self, key: Hashable, make: Callable[[], T]) -> T:
        """The view under a key, made now if it is not there.

        When ``make`` refuses nothing is kept, and the next one who asks tries again.
        """
        place = self._place(key)
        with place.turn:
            if not place.made:
                place.made.append(make())
            return place.made[0]

    def _place(self, key: Hashable) -> _Place[T]:
        with self._door:
            # What is asked for again goes to the end of the line.
            place = self._places.pop(key, None)
            if place is None:
                place = _Place()
            else:
                GIVEN.count += 1
            self._places[key] = place
            while len(self._places) > self.most:
                del self._places[next(iter(self._places))]
            return place
