"""Two columns side by side: the entries that the events give, and the entries that were sealed.

What differs is told apart: changed, swapped, moved, slipped in, taken out. Who takes one event out
shifts all that follow; so both columns are held for a stretch, and the place is sought where they
agree again. Memory stays bounded: a stretch of ``WINDOW`` entries a column, and ``MOST``
differences, beyond which they are only counted.
"""

from collections import deque
from collections.abc import Iterator, Sequence
from itertools import islice

import attrs

from ledger.proof.tiles import WIDTH, Tile
from ledger.verifying.finding import Finding, Place, finding

WINDOW = 512
"""How many entries in a row may be slipped in or taken out and still be recognised as such."""

MOST = 200
"""How many differences are told apart."""


@attrs.frozen
class Leaf:
    """One event as the ledger holds it, and its entry."""

    entry: bytes
    position: int
    stream: str
    version: int


@attrs.frozen
class _Changed:
    """The event here gives one entry, another one was sealed."""

    leaf: Leaf
    index: int
    sealed: bytes


@attrs.frozen
class _Gone:
    """A sealed entry that no event gives any longer, before a position."""

    index: int
    sealed: bytes
    position: int


@attrs.frozen
class _New:
    """An event that was never sealed, before the sealed entry of this index."""

    leaf: Leaf
    index: int


_Difference = _Changed | _Gone | _New


@attrs.define
class Matching:
    """Feed both columns in order; ``differences`` tells them apart at the end."""

    index: int = 0
    """The index of the next sealed entry to be matched."""
    untold: int = 0
    """Differences beyond those that are told apart."""
    _events: deque[Leaf] = attrs.field(factory=deque, init=False)
    _sealed: deque[bytes] = attrs.field(factory=deque, init=False)
    _found: list[_Difference] = attrs.field(factory=list, init=False)

    @property
    def even(self) -> bool:
        """Whether both columns have been matched to the same point."""
        return not self._events and not self._sealed

    def add(self, events: Sequence[Leaf], sealed: Sequence[bytes]) -> None:
        """The next of both columns."""
        self._events.extend(events)
        self._sealed.extend(sealed)
        while self._events and self._sealed and (self._in_place() or self._far()):
            self._step()

    def left(self) -> list[Leaf]:
        """Match what is there, as if the sealed column ended here: the events beyond it."""
        while self._events and self._sealed:
            self._step()
        return list(self._events)

    def beyond(self) -> int:
        """How many sealed entries have no event any more, as both columns have ended."""
        return len(self._sealed)

    def altered_tiles(self, since: int, until: int) -> Iterator[Finding]:
        """The events from one index to before another turned out to be right: what differs there is
        the bundles' fault. Both columns are even afterwards."""
        self.left()
        self._events.clear()
        self._sealed.clear()
        wrong = [one for one in self._found if since <= one.index < until]
        self._found = [one for one in self._found if not since <= one.index < until]
        for one in wrong:
            tile = Tile(None, one.index // WIDTH).path
            right = None if isinstance(one, _Gone) else one.leaf.entry
            said = None if isinstance(one, _New) else one.sealed
            place: Place = {"tile": tile, "entry": one.index % WIDTH}
            yield finding("tile-changed", place, expected=right, found=said)

    def differences(self) -> Iterator[Finding]:
        """What differs, told apart, in the order of the sealed entries."""
        yield from self._swapped()
        yield from self._moved()
        for one in self._found:
            match one:
                case _Changed(leaf, index, sealed):
                    place = _place(leaf, index)
                    yield finding("event-changed", place, expected=sealed, found=leaf.entry)
                case _New(leaf, index):
                    yield finding("event-inserted", _place(leaf, index), found=leaf.entry)
                case _Gone(index, sealed, position):
                    place = {"index": index, "position": position}
                    yield finding("event-removed", place, expected=sealed)

    def _in_place(self) -> bool:
        """Whether what comes next agrees, or is followed by what does: nothing is shifted there."""
        if self._events[0].entry == self._sealed[0]:
            return True
        both = min(len(self._events), len(self._sealed))
        return both > 1 and self._events[1].entry == self._sealed[1]

    def _far(self) -> bool:
        """Whether enough lies ahead to tell what differs."""
        return len(self._events) > WINDOW and len(self._sealed) > WINDOW

    def _step(self) -> None:
        """Take what comes next off the columns."""
        leaf, sealed = self._events[0], self._sealed[0]
        if leaf.entry == sealed:
            self._take(events=1, sealed=1)
            return
        later = earlier = None
        if not self._in_place():
            later = _ahead(sealed, (one.entry for one in islice(self._events, 1, WINDOW)))
            earlier = _ahead(leaf.entry, islice(self._sealed, 1, WINDOW))
        if later == earlier:
            # On the other side neither of them is to be found, or each stands where the other was.
            self._note(_Changed(leaf, self.index, sealed))
            self._take(events=1, sealed=1)
        elif earlier is None or (later is not None and later < earlier):
            self._note(_New(leaf, self.index))
            self._take(events=1)
        else:
            self._note(_Gone(self.index, sealed, leaf.position))
            self._take(sealed=1)

    def _take(self, *, events: int = 0, sealed: int = 0) -> None:
        for _ in range(events):
            self._events.popleft()
        for _ in range(sealed):
            self._sealed.popleft()
            self.index += 1

    def _note(self, one: _Difference) -> None:
        if len(self._found) < MOST:
            self._found.append(one)
        else:
            self.untold += 1

    def _swapped(self) -> Iterator[Finding]:
        """Pairs of events each of which was sealed where the other one stands."""
        changed = [one for one in self._found if isinstance(one, _Changed)]
        sealed_at = {one.sealed: one for one in changed}
        for one in changed:
            other = sealed_at.get(one.leaf.entry)
            if other is None or other.index <= one.index or other.leaf.entry != one.sealed:
                continue
            self._found.remove(one)
            self._found.remove(other)
            place = {"position": one.leaf.position, "index": one.index}
            other_place = {"other_position": other.leaf.position, "other_index": other.index}
            yield finding("events-swapped", place | other_place)

    def _moved(self) -> Iterator[Finding]:
        """Events that are gone in one place and new in another."""
        gone_of = {one.sealed: one for one in self._found if isinstance(one, _Gone)}
        for new in [one for one in self._found if isinstance(one, _New)]:
            gone = gone_of.get(new.leaf.entry)
            if gone is not None:
                self._found.remove(new)
                self._found.remove(gone)
                yield finding("event-moved", _place(new.leaf, gone.index))


def _place(leaf: Leaf, index: int) -> Place:
    place: Place = {"position": leaf.position, "stream": leaf.stream, "version": leaf.version}
    return {**place, "index": index}


def _ahead(wanted: bytes, among: Iterator[bytes]) -> int | None:
    """How far ahead an entry is found."""
    return next((at for at, one in enumerate(among, 1) if one == wanted), None)
