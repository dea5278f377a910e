"""Signed checkpoints whose root nothing leads to, and what that means when all was looked at."""

from hashlib import sha256

import attrs

from ledger.store.seals import Sealed
from ledger.verifying.events import Row
from ledger.verifying.finding import Finding, Place, finding


@attrs.frozen
class Mark:
    """A point in the column of events: so many leaves, the last of which stands at a position."""

    size: int
    position: int


@attrs.frozen
class Unfit:
    """A signed checkpoint, the last point at which all was well, and how far the events had got."""

    sealed: Sealed
    since: Mark
    until: Mark
    last: Row | None
    root: bytes

    def forked(self) -> Finding:
        """It was signed over another history."""
        place = {"size": self.sealed.size, "since": self.since.size}
        return finding("checkpoint-forked", place, expected=self.root, found=self.sealed.root)

    def changed(self) -> Finding:
        """An event that it covers is another one now; which, only a kept entry could tell."""
        first, last = self.since.size, self.sealed.size - 1
        if first == last and self.last is not None:
            position, stream, version = self.last[:3]
            place: Place = {"position": position, "stream": stream, "version": version}
            found = sha256(self.last[4]).digest()
            return finding("event-changed", {**place, "index": last}, found=found)
        place = {"after": self.since.position, "upto": self.until.position}
        leaves = {"index": first, "last_index": last, "size": self.sealed.size}
        return finding(
            "events-unfit", {**place, **leaves}, expected=self.sealed.root, found=self.root
        )
