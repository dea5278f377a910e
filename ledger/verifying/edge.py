"""The right edge of a growing tree: the unfinished tile of every level, and nothing else.

All that is to the left of it has become a hash in the tile above; so memory stays the same however
many leaves there are, and the root of every size can be had on the way.
"""

from collections.abc import Sequence
from hashlib import sha256

from ledger.proof.merkle import Subtree, root_at
from ledger.proof.tiles import HEIGHT, WIDTH, folded, subtree_tile


class Edge:
    """A tree that leaves are added to, tile by tile."""

    def __init__(self) -> None:
        self.size = 0
        self._rows: list[list[bytes]] = [[]]

    @property
    def room(self) -> int:
        """How many leaves the unfinished tile of level 0 has room for."""
        return WIDTH - len(self._rows[0])

    def same(self, other: "Edge") -> bool:
        """Whether both have the same leaves."""
        return self.size == other.size and self.root() == other.root()

    def copy(self) -> "Edge":
        """An edge that grows on its own from here."""
        other = Edge()
        other.size, other._rows = self.size, [list(row) for row in self._rows]
        return other

    def add(self, leaves: Sequence[bytes]) -> list[tuple[Subtree, bytes]]:
        """Add leaf hashes, at most as many as there is ``room`` for; what tiles became full by it,
        as the hashes that stand for them in the tiles above: (tile level, number) and hash."""
        self._rows[0] += leaves
        self.size += len(leaves)
        full: list[tuple[Subtree, bytes]] = []
        level = 0
        while len(self._rows[level]) == WIDTH:
            hashed = _folded(self._rows[level])
            self._rows[level] = []
            level += 1
            full.append((Subtree(level, (self.size >> HEIGHT * level) - 1), hashed))
            if level == len(self._rows):
                self._rows.append([])
            self._rows[level].append(hashed)
        return full

    def root(self) -> bytes:
        """The root over all leaves so far."""
        return root_at(self.size, self._hash)

    def _hash(self, subtree: Subtree) -> bytes:
        # The subtrees that a root is joined from all lie in the unfinished tiles of their levels.
        level, _, first, last = subtree_tile(subtree)
        return folded(self._rows[level][first:last])


def _folded(row: list[bytes]) -> bytes:
    """The hash over a full tile; as :func:`ledger.proof.tiles.folded`, in half the time."""
    while len(row) > 1:
        pairs = iter(row)
        row = [
            sha256(b"\x01" + left + right).digest()
            for left, right in zip(pairs, pairs, strict=True)
        ]
    return row[0]
