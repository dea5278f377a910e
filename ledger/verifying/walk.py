"""A walk over all of a log: every entry, every tile, up to the root that is signed.

Rules:

1. the entries lead to the signed root, and at its size to the root that was seen the last time;
2. every tile of hashes, on every level, is what the entries give.

Memory: one tile of each level.
"""

from collections.abc import Callable, Generator, Iterator, Sequence

from ledger.proof.errors import Malformed
from ledger.proof.merkle import leaf_hash
from ledger.proof.note import Checkpoint
from ledger.proof.tiles import HEIGHT, WIDTH, Tile, split_entries, split_hashes, width_at
from ledger.verifying.edge import Edge
from ledger.verifying.finding import Finding, Place, finding

MOST = 100

TileAt = Callable[[Tile], bytes | None]
"""Gives a tile of hashes or of entries, ``None`` where it is not served."""


class Walk:
    """``bundle`` each of the ``bundles`` in turn, then ``end``."""

    def __init__(
        self, checkpoint: Checkpoint, tile: TileAt, seen: Checkpoint | None = None
    ) -> None:
        self.bundles = -(-checkpoint.size // WIDTH)
        self.tiles = 0
        self.entries = 0
        self.forked = False
        self._checkpoint = checkpoint
        self._tile = tile
        self._seen = seen
        # The tree over the entries, and that over the tiles of level 0.
        self._edge = Edge()
        self._other = Edge()
        # The hashes of the unfinished tiles above, by level, as either tree has them.
        self._rows: dict[int, list[tuple[bytes, bytes]]] = {}
        self._differ: list[tuple[int, bytes, bytes]] = []

    def bundle(self, index: int) -> Iterator[Finding]:
        """The next bundle of entries, and the tiles that it completes."""
        width = width_at(self._checkpoint.size, 0, index)
        entries = yield from self._served(Tile(None, index, width))
        served = yield from self._served(Tile(0, index, width))
        self.entries += len(entries or ())
        # Where one of the two is not served, the other stands for it.
        mine = [leaf_hash(entry) for entry in entries] if entries is not None else served or []
        theirs = served if served is not None else mine
        for at, (one, other) in enumerate(zip(mine, theirs, strict=True)):
            if one != other and len(self._differ) < MOST:
                self._differ.append((index * WIDTH + at, one, other))
        yield from self._grow(mine, theirs)
        for level in [level for level, row in self._rows.items() if len(row) == WIDTH]:
            yield from self._upper(level)

    def end(self) -> Iterator[Finding]:
        """After the last bundle."""
        for level in list(self._rows):
            yield from self._upper(level)
        mine, theirs = self._leads(self._edge), self._leads(self._other)
        if not mine and not theirs:
            place: Place = {"size": self._checkpoint.size}
            root = self._checkpoint.root
            yield finding("entries-unfit", place, expected=root, found=self._edge.root())
        for index, one, other in self._differ:
            # Of the two, the one that leads to the signed root is right.
            tile = Tile(0 if mine else None, index // WIDTH)
            place = {"tile": tile.path, "entry": index % WIDTH}
            expected, found = (one, other) if mine else (other, one)
            yield finding("tile-differs", place, expected=expected, found=found)

    def _leads(self, edge: Edge) -> bool:
        checkpoint = self._checkpoint
        return edge.size == checkpoint.size and edge.root() == checkpoint.root

    def _grow(self, mine: Sequence[bytes], theirs: Sequence[bytes]) -> Iterator[Finding]:
        """Add leaves, and look at the size that was seen the last time."""
        seen = self._seen
        until = len(mine)
        if seen is not None and self._edge.size < seen.size <= self._edge.size + until:
            until = seen.size - self._edge.size
        self._take(mine[:until], theirs[:until])
        if seen is not None and self._edge.size == seen.size and self._edge.root() != seen.root:
            self.forked = True
            found = self._edge.root()
            yield finding("log-forked", {"size": seen.size}, expected=seen.root, found=found)
        self._take(mine[until:], theirs[until:])

    def _take(self, mine: Sequence[bytes], theirs: Sequence[bytes]) -> None:
        both = zip(self._edge.add(mine), self._other.add(theirs), strict=True)
        for (subtree, one), (_, other) in both:
            self._rows.setdefault(subtree.level, []).append((one, other))

    def _upper(self, level: int) -> Iterator[Finding]:
        """Compare the last tile of a level above the leaves."""
        row = self._rows.pop(level)
        end = self._edge.size >> HEIGHT * level
        index = (end - 1) // WIDTH
        served = yield from self._served(Tile(level, index, len(row)))
        for at, found in enumerate(served or ()):
            if found not in row[at]:
                place: Place = {"tile": Tile(level, index).path, "entry": at}
                yield finding("tile-differs", place, expected=row[at][0], found=found)

    def _served(self, tile: Tile) -> Generator[Finding, None, list[bytes] | None]:
        """What is in a tile, if it is served as it has to be."""
        self.tiles += 1
        try:
            data = self._tile(tile)
            if data is None:
                raise Malformed("it is not served")  # noqa: TRY301 -- said just below
            found = split_entries(data) if tile.level is None else split_hashes(data)
            if len(found) != tile.width:
                raise Malformed(f"it has {len(found)} entries")  # noqa: TRY301
        except Malformed as why:
            yield finding("tile-unserved", {"tile": tile.path, "why": str(why)})
            return None
        return found
