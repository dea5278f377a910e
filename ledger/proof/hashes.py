"""The hashes of subtrees, read from tiles: whoever has the tiles can make every proof."""

from collections.abc import Callable, Sequence
from functools import lru_cache

from ledger.proof.errors import Malformed
from ledger.proof.merkle import SIZE, Subtree, node_hash
from ledger.proof.tiles import WIDTH, Tile, split_hashes, subtree_tile, width_at

KEPT = 64
"""Tiles that are kept unfolded; a path through a million leaves touches three."""

Rows = Sequence[Sequence[bytes]]


class TileHashes:
    """Gives the hash of every full subtree of a log of ``size`` leaves (``merkle.HashAt``).

    ``read`` gives the bytes of a tile of hashes. What it gives is believed: a proof made here shows
    by the root that it leads to whether that was right. Several threads may use one.
    """

    def __init__(self, size: int, read: Callable[[Tile], bytes]) -> None:
        self.size = size
        self._read = read
        self._rows = lru_cache(maxsize=KEPT)(self._unfolded)

    def __call__(self, subtree: Subtree) -> bytes:
        """The hash of a full subtree. Raises ``ValueError`` for one that goes beyond the log, and
        ``Malformed`` when its tile has not the hashes that it has to have."""
        level, number, start, end = subtree_tile(subtree)
        width = width_at(self.size, level, number)
        if end > width:
            raise ValueError(f"{subtree} is not in a log of {self.size} leaves")
        height = (end - start).bit_length() - 1
        return self._rows(Tile(level, number, width))[height][start >> height]

    def _unfolded(self, tile: Tile) -> Rows:
        read = self._read(tile)
        if len(read) != tile.width * SIZE:
            raise Malformed(f"{tile.path} has {tile.width} hashes, not {len(read)} bytes")
        return unfolded(split_hashes(read))


def unfolded(hashes: Sequence[bytes]) -> Rows:
    """A tile's hashes, and above them every row of the full subtrees that they make up."""
    rows: list[Sequence[bytes]] = [hashes]
    for _ in range(WIDTH.bit_length() - 1):
        row = rows[-1]
        rows.append([node_hash(row[at], row[at + 1]) for at in range(0, len(row) - 1, 2)])
    return rows
