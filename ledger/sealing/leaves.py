"""The leaves of the log and the tiles over them, as they lie in the ledger's database.

Leaf n is the event that was recorded as the n-th, counted from 0; positions may leave gaps, the
indexes of leaves do not. The entry of a leaf is the SHA-256 of the event's stored bytes.
"""

from bisect import bisect_left
from collections.abc import Iterable
from hashlib import sha256
from struct import Struct

import attrs

from ledger.proof.merkle import SIZE, leaf_hash
from ledger.proof.tiles import WIDTH, Tile, bundled
from ledger.sealing.errors import Forked
from ledger.store.seals import Bundle, Sealed, SealTable

POSITIONS = Struct(f">{WIDTH}Q")


@attrs.frozen
class Leaves:
    """Leaves that follow one another: their positions and their entries."""

    positions: tuple[int, ...]
    entries: tuple[bytes, ...] = attrs.field(repr=False)

    def __len__(self) -> int:
        """How many they are."""
        return len(self.positions)

    def part(self, start: int, width: int) -> "Leaves":
        """So many of them, from one on."""
        end = start + width
        return Leaves(self.positions[start:end], self.entries[start:end])

    def place_of(self, position: int) -> int | None:
        """Which of them is the event at a position."""
        at = bisect_left(self.positions, position)
        return at if at < len(self) and self.positions[at] == position else None

    @property
    def hashes(self) -> list[bytes]:
        """Their hashes in the tree."""
        return [leaf_hash(entry) for entry in self.entries]


def leaves_of(events: Iterable[tuple[int, bytes]]) -> Leaves:
    """The leaves of events, given by position and stored bytes."""
    found = [(position, sha256(stored).digest()) for position, stored in events]
    return Leaves(tuple(one[0] for one in found), tuple(one[1] for one in found))


def to_bundle(number: int, leaves: Leaves) -> Bundle:
    """256 leaves as they are kept."""
    return Bundle(
        number,
        leaves.positions[-1],
        POSITIONS.pack(*leaves.positions),
        b"".join(leaves.entries),
    )


def from_bundle(bundle: Bundle) -> Leaves:
    """256 leaves as they were kept."""
    entries = bundle.entries
    return Leaves(
        POSITIONS.unpack(bundle.positions),
        tuple(entries[at : at + SIZE] for at in range(0, len(entries), SIZE)),
    )


def read_leaves(table: SealTable, number: int, width: int) -> Leaves:
    """The first ``width`` leaves of a tile of level 0.

    Raises ``Forked`` when they are not there, which happens only if somebody took them away: ask
    for leaves under a checkpoint alone.
    """
    bundle = table.bundle(number)
    if bundle is not None:
        return from_bundle(bundle).part(0, width)
    before = table.bundle(number - 1) if number else None
    start = 0 if before is None else before.last_position
    # Not yet a bundle: what follows the last one are the events themselves.
    found = leaves_of(table.after(start, width))
    if len(found) < width or (number and before is None):
        raise Forked(size=number * WIDTH + width, why="events that it covers are gone")
    return found


def leaves_at(table: SealTable, position: int, latest: Sealed) -> tuple[int, Leaves]:
    """The leaves of the tile of level 0 that a position would be in, with the tile's number, for a
    position that the latest checkpoint reaches."""
    bundle = table.bundle_reaching(position)
    if bundle is not None:
        return bundle.number, from_bundle(bundle)
    number, width = divmod(latest.size, WIDTH)
    return number, read_leaves(table, number, width)


def read_tile(table: SealTable, tile: Tile) -> bytes:
    """The bytes of a tile, of hashes or of entries, under a checkpoint. Raises ``Forked``."""
    if not tile.level:
        leaves = read_leaves(table, tile.index, tile.width)
        return bundled(leaves.entries) if tile.level is None else b"".join(leaves.hashes)
    found = table.subtrees(tile.level, tile.index * WIDTH, tile.width)
    if len(found) < tile.width:
        size = (tile.index * WIDTH + tile.width) << 8 * tile.level
        raise Forked(size=size, why="hashes that it stands on are gone")
    return b"".join(found)
