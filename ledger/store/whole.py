"""All that is stored, as it is stored and as it stood at one moment: for whoever checks it.

Nothing is decoded on the way, and nothing is believed: a row is given with every column it has.
"""

from collections.abc import Sequence
from typing import Protocol

import attrs

from ledger.store.seals import Bundle, Sealed, SealTable, StoredKey

WholeRow = tuple[int, str, int, str, bytes]
"""Position, stream, version, lasting name, stored bytes: the columns of one event."""


class Rows(Protocol):
    """The events as one transaction sees them, which goes on seeing what it saw first."""

    def head(self) -> int:
        """The last position, 0 when there is none."""

    def rows(self, after: int, limit: int) -> Sequence[WholeRow]:
        """At most ``limit`` whole rows after a position, in position order."""


@attrs.frozen
class Whole:
    """The database at one moment, whatever is added to it meanwhile."""

    _events: Rows
    _seals: SealTable

    def head(self) -> int:
        """The last position, 0 when there is none."""
        return self._events.head()

    def rows(self, after: int, limit: int) -> Sequence[WholeRow]:
        """At most ``limit`` events after a position, in position order."""
        return self._events.rows(after, limit)

    def bundle(self, number: int) -> Bundle | None:
        """A bundle of 256 leaves, if it is there."""
        return self._seals.bundle(number)

    def subtree(self, level: int, number: int) -> bytes | None:
        """A hash of a tile level from 1 on, if it is there."""
        found = self._seals.subtrees(level, number, 1)
        return found[0] if found else None

    def checkpoints(self, after: int, limit: int) -> list[Sealed]:
        """At most ``limit`` checkpoints of more than ``after`` leaves, in the order of sizes."""
        return self._seals.checkpoints(after, limit)

    def keys(self) -> list[StoredKey]:
        """All keys, oldest first."""
        return self._seals.keys()
