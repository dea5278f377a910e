"""What a ledger is, for whoever carries it elsewhere, and filling an empty store with it.

Events go first, in the order of their positions, then the log: its keys and its checkpoints. The
checkpoints are the very ones; the bundles under them, and the hashes over these, follow from the
events and are grown as a sealer grows them. Whether the events give the roots that were signed is
for the verifier to say, before anything is committed.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

import attrs

from ledger.proof.tiles import WIDTH
from ledger.sealing.errors import Forked
from ledger.sealing.growing import BATCH, add_bundle
from ledger.sealing.leaves import leaves_of
from ledger.store import Filling
from ledger.store.seals import Sealed, SealTable, StoredKey
from ledger.store.whole import Whole, WholeRow

ROWS = 2_048
"""Events in memory at once."""

CHECKPOINTS = 500

LogLine = StoredKey | Sealed
Told = Callable[[str, int], None]
"""Told what is being done and how many of it are done."""


class Carried(Protocol):
    """A ledger on its way: ask for its events first, and then for its log."""

    def events(self) -> Iterator[Sequence[WholeRow]]:
        """All events in the order of their positions, some at a time."""

    def log(self) -> Iterator[LogLine]:
        """All keys, oldest first, and then all checkpoints, smallest first."""


@attrs.frozen
class FromStore:
    """What a store holds at one moment."""

    whole: Whole

    def events(self) -> Iterator[Sequence[WholeRow]]:
        """All events."""
        position = 0
        while rows := self.whole.rows(position, ROWS):
            yield rows
            position = rows[-1][0]

    def log(self) -> Iterator[LogLine]:
        """Keys and checkpoints."""
        yield from self.whole.keys()
        size = -1
        while found := self.whole.checkpoints(size, CHECKPOINTS):
            yield from found
            size = found[-1].size


def fill(filling: Filling, carried: Carried, told: Told) -> None:
    """Put all of a ledger into an empty store. Raises ``Forked`` when events are missing that a
    checkpoint covers, and whatever reading what is carried raises."""
    done = 0
    for rows in carried.events():
        filling.put(rows)
        done += len(rows)
        told("Recording events", done)
    size = 0
    for line in carried.log():
        if isinstance(line, StoredKey):
            filling.seals.add_key(line)
        else:
            filling.seals.add_checkpoint(line)
            size = line.size
    _regrow(filling.seals, size, told)


def _regrow(table: SealTable, size: int, told: Told) -> None:
    """Add the full bundles under the first ``size`` leaves, and the hashes over them."""
    number, position = 0, 0
    while width := min(BATCH, (size // WIDTH - number) * WIDTH):
        found = leaves_of(table.after(position, width))
        if len(found) < width:
            raise Forked(size=size, why="events that it covers are gone")
        for at in range(0, width, WIDTH):
            add_bundle(table, number, found.part(at, WIDTH))
            number += 1
        position = found.positions[-1]
        told("Growing the log", number * WIDTH)
