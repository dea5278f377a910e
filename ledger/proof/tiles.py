"""Tiles: the tree cut into files that never change (C2SP ``tlog-tiles``).

A tile of level L holds up to 256 hashes of the subtrees of height 8 · L; an entry bundle holds the
entries of one tile of level 0. Only the last tile of a level may be partial.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ledger.proof.errors import Malformed
from ledger.proof.merkle import SIZE, Subtree, node_hash

HEIGHT = 8
WIDTH = 1 << HEIGHT
"""Hashes in a full tile."""

ENTRIES = "entries"
HIGHEST = 7
"""Levels 0 to 7 hold more leaves than a position can count."""

_LENGTH = 2
_PATH = re.compile(r"tile/(entries|[0-7])/((?:x\d{3}/)*\d{3})(?:\.p/([1-9]\d{0,2}))?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Tile:
    """A tile by its level (``None`` for a bundle of entries), number, and how wide it is."""

    level: int | None
    index: int
    width: int = WIDTH

    @property
    def path(self) -> str:
        """Its address below the log's: ``tile/0/x001/x234/067.p/112``."""
        level = ENTRIES if self.level is None else str(self.level)
        partial = "" if self.width == WIDTH else f".p/{self.width}"
        return f"tile/{level}/{_grouped(self.index)}{partial}"


def tile_at(path: str) -> Tile:
    """The tile of an address. Raises ``Malformed`` for what is not the one way to write one."""
    found = _PATH.fullmatch(path)
    if found is None:
        raise Malformed(f"{path!r} is not the address of a tile")
    level, groups, width = found.groups()
    tile = Tile(
        None if level == ENTRIES else int(level),
        int(groups.replace("x", "").replace("/", "")),
        WIDTH if width is None else int(width),
    )
    if tile.path != path:
        raise Malformed(f"{path!r} is not how the address of a tile is written")
    return tile


def tiles_of(size: int, since: int = 0) -> Iterator[Tile]:
    """The tiles of hashes that a tree of ``size`` leaves has and one of ``since`` had not, from
    the lowest level up; a partial one counts as another tile than the full one."""
    for level in range(HIGHEST + 1):
        now, before = size >> HEIGHT * level, since >> HEIGHT * level
        if not now:
            return
        for index in range(before // WIDTH, now // WIDTH):
            yield Tile(level, index)
        if now % WIDTH and now != before:
            yield Tile(level, now // WIDTH, now % WIDTH)


def is_within(tile: Tile, size: int) -> bool:
    """Whether a tree of ``size`` leaves has all the hashes, or entries, of a tile."""
    return tile.width <= width_at(size, tile.level or 0, tile.index)


def width_at(size: int, level: int, index: int) -> int:
    """How many hashes a tile has in a tree of ``size`` leaves; 0 where it has no such tile."""
    return min(WIDTH, max(0, (size >> HEIGHT * level) - index * WIDTH))


def subtree_tile(subtree: Subtree) -> tuple[int, int, int, int]:
    """Where the hash of a full subtree comes from: level and number of a tile, and the first and
    the last but one of the hashes in it that it is made of."""
    level, height = divmod(subtree.level, HEIGHT)
    first = subtree.index << height
    start = first % WIDTH
    return level, first // WIDTH, start, start + (1 << height)


def folded(hashes: Sequence[bytes]) -> bytes:
    """The hash over a full subtree's hashes; their number is a power of two."""
    row = list(hashes)
    while len(row) > 1:
        row = [node_hash(row[at], row[at + 1]) for at in range(0, len(row), 2)]
    return row[0]


def split_hashes(tile: bytes) -> list[bytes]:
    """The hashes in a tile's bytes. Raises ``Malformed``."""
    if not tile or len(tile) % SIZE or len(tile) > SIZE * WIDTH:
        raise Malformed(f"a tile has 1 to {WIDTH} hashes of {SIZE} bytes, not {len(tile)} bytes")
    return [tile[at : at + SIZE] for at in range(0, len(tile), SIZE)]


def bundled(entries: Sequence[bytes]) -> bytes:
    """An entry bundle: each entry behind its length, as two bytes."""
    return b"".join(len(entry).to_bytes(_LENGTH, "big") + entry for entry in entries)


def split_entries(bundle: bytes) -> list[bytes]:
    """The entries in a bundle's bytes. Raises ``Malformed``."""
    entries: list[bytes] = []
    at = 0
    while at < len(bundle):
        start = at + _LENGTH
        at = start + int.from_bytes(bundle[start - _LENGTH : start], "big")
        if start > len(bundle) or at > len(bundle) or len(entries) == WIDTH:
            raise Malformed("a bundle of entries is cut off, or has too many")
        entries.append(bundle[start:at])
    return entries


def _grouped(number: int) -> str:
    text = f"{number:03d}"
    text = text.zfill(-(-len(text) // 3) * 3)
    groups = [text[at : at + 3] for at in range(0, len(text), 3)]
    return "/".join([f"x{group}" for group in groups[:-1]] + groups[-1:])
