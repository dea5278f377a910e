"""All that is stored, as it is stored and as it stood at one moment: for whoever checks it.

Nothing is decoded on the way, and nothing is believed: a row is given with every column it has.
"""

from collections.abc import Sequence
from typing import Protocol

from ledger.store.seals import Bundle, Sealed, StoredKey

WholeRow = tuple[int, str, int, str, bytes]
"""Position, stream, version, lasting name, stored bytes: the columns of one event."""


class Whole(Protocol):
    """The database at one moment, whatever is added to it meanwhile."""

    def head(self) -> int:
        """The last position, 0 when there is none."""

    def rows(self, after: int, limit: int) -> Sequence[WholeRow]:
        """At most ``limit`` events after a position, in position order."""

    def bundle(self, number: int) -> Bundle | None:
        """A bundle of 256 leaves, if it is there."""

    def subtree(self, level: int, number: int) -> bytes | None:
        """A hash of a tile level from 1 on, if it is there."""

    def checkpoints(self, after: int, limit: int) -> list[Sealed]:
        """At most ``limit`` checkpoints of more than ``after`` leaves, in the order of sizes."""

    def keys(self) -> list[StoredKey]:
        """All keys, oldest first."""
