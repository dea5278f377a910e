"""What an engine keeps of the sealed log, beside the events and in the same database.

Rows are added and never changed, as with events. Being in one database with them, nothing sealed
is ever on disk without the events that it is about. A *bundle* is 256 leaves, complete from its
first moment on; what follows the last one is read from the events, and each checkpoint keeps the
entries that it adds there. So a log that grows by one event writes one checkpoint and changes
nothing.
"""

from collections.abc import Sequence
from typing import Protocol

import attrs


@attrs.frozen
class Bundle:
    """256 leaves: their positions (8 bytes each, big-endian) and their entries (32 bytes each)."""

    number: int
    last_position: int
    positions: bytes = attrs.field(repr=False)
    entries: bytes = attrs.field(repr=False)


@attrs.frozen
class Sealed:
    """One stored checkpoint: so many leaves, the root over them, the position of the last one, and
    the signed note that says so.

    ``entries`` are those of the leaves that it is the first to cover and that are in no bundle yet
    (at most 255): by them whoever verifies can tell which of these events is another one now.
    """

    size: int
    root: bytes
    position: int
    note: str
    entries: bytes = attrs.field(default=b"", repr=False)


@attrs.frozen
class StoredKey:
    """A key that the log was signed with from ``size`` leaves on.

    Both notes are signed by the key before and this one, and the first key has neither: ``note`` is
    the checkpoint of that size, ``tie`` the same with a line that names this key.
    """

    number: int
    verifier: str
    size: int
    tie: str | None = None
    note: str | None = None


class SealTable(Protocol):
    """The sealed log and the events under it, as one transaction sees them."""

    def head(self) -> int:
        """The position of the last event, 0 when there is none."""

    def after(self, position: int, limit: int) -> list[tuple[int, bytes]]:
        """At most ``limit`` events after a position: position and stored bytes, in order."""

    def bundle(self, number: int) -> Bundle | None:
        """A bundle, if it is there."""

    def last_bundle(self) -> Bundle | None:
        """The last bundle."""

    def bundle_reaching(self, position: int) -> Bundle | None:
        """The first bundle whose last position is this one or lies behind it."""

    def subtrees(self, level: int, start: int, count: int) -> list[bytes]:
        """Up to ``count`` hashes of a tile level (from 1 on), from the one numbered ``start``."""

    def checkpoint(self, upto: int | None = None) -> Sealed | None:
        """The last checkpoint, or the last of at most so many leaves."""

    def checkpoints(self, after: int, limit: int) -> list[Sealed]:
        """At most ``limit`` checkpoints of more than ``after`` leaves, in the order of sizes."""

    def checkpoint_reaching(self, position: int) -> Sealed | None:
        """The first checkpoint whose position is this one or lies behind it."""

    def keys(self) -> list[StoredKey]:
        """All keys, oldest first."""

    def add_bundle(self, bundle: Bundle) -> None:
        """Add the next bundle."""

    def add_subtrees(self, level: int, start: int, hashes: Sequence[bytes]) -> None:
        """Add the next hashes of a tile level."""

    def add_checkpoint(self, sealed: Sealed) -> None:
        """Add a checkpoint."""

    def add_key(self, key: StoredKey) -> None:
        """Add the next key."""
