"""The tree over the events, grown leaf by leaf, beside the tiles and checkpoints that were kept.

Rules:

1. every kept bundle of entries, and every hash in the tiles above, is what the events give;
2. an event still has the position that it was sealed at;
3. the root in every signed checkpoint is that of the first so many events;
4. what a checkpoint covers is there.

Events and bundles are two columns that ought to agree. Where they do not, the next signed
checkpoint tells which of them was altered: the one that does not lead to its root. Both columns
then go on from what is right, so that a second alteration is found as well.

Memory: one tile of each level, and a stretch of both columns once something differs.
"""

from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import chain, islice
from struct import Struct
from typing import Protocol

import attrs

from ledger.proof.tiles import HEIGHT, WIDTH, Tile
from ledger.store.seals import Bundle, Sealed
from ledger.verifying.behind import due_start, kept_behind, split, start_of
from ledger.verifying.edge import Edge
from ledger.verifying.events import Row
from ledger.verifying.finding import Finding, Place, finding
from ledger.verifying.matching import Leaf, Matching
from ledger.verifying.signatures import SignatureCheck
from ledger.verifying.unfit import Mark, Unfit

SOMEWHERE = -1
"""The position of a checkpoint that was seen elsewhere and has no row here."""

POSITIONS = Struct(f">{WIDTH}Q")
MOST_UNFIT = 100
MOST_MISSING = 100
MOST_AHEAD = 1_000
"""Checkpoints that are looked through for the entries behind the last bundle: there are fewer."""


class Kept(Protocol):
    """What was kept of the sealed log."""

    def bundle(self, number: int) -> Bundle | None:
        """A bundle of 256 entries, if it is there."""

    def subtree(self, level: int, number: int) -> bytes | None:
        """A hash of a tile level from 1 on, if it is there."""

    def checkpoints(self) -> Iterator[Sealed]:
        """All checkpoints, in the order of their sizes."""


class TreeCheck:
    """``begin``, then ``add`` rows in the order of their positions, then ``end``; all of these
    yield what is wrong."""

    def __init__(self, kept: Kept, signatures: SignatureCheck) -> None:
        self.events = 0
        self.bundles = 0
        self.checkpoints = 0
        self.sealed = 0
        """Leaves under the last checkpoint that is properly signed."""
        self._kept = kept
        self._signatures = signatures
        self._checkpoints: Iterator[Sealed] = kept.checkpoints()
        self._next: Sealed | None = None
        # The size of the stored checkpoint before the next one.
        self._before = 0
        self._rows: list[Row] = []
        self._size = 0
        self._matching = Matching()
        self._tree = Edge()
        # The tree over the bundles, while it is another one than that over the events.
        self._other: Edge | None = None
        self._last: Row | None = None
        # The leaves up to here lead to the root of a signed checkpoint.
        self._good = Mark(0, 0)
        self._unfit: list[Unfit] = []
        # The entries of the leaves up to here are kept, in bundles or with checkpoints.
        self._witnessed = 0
        self._missing: list[tuple[int, Finding]] = []

    def begin(self) -> Iterator[Finding]:
        """Before the first row: the checkpoint of an empty log, if there is one."""
        yield from self._read_next()
        yield from self._check_reached()

    def add(self, rows: Sequence[Row]) -> Iterator[Finding]:
        """Check the next rows."""
        self.events += len(rows)
        rows = [*self._rows, *rows] if self._rows else rows
        whole = len(rows) // WIDTH * WIDTH
        for at in range(0, whole, WIDTH):
            yield from self._bundle(rows[at : at + WIDTH])
        self._rows = list(rows[whole:])

    def end(self) -> Iterator[Finding]:
        """After the last row."""
        yield from self._rest()
        while self._next is not None:
            yield from self._read_next()
        yield from self._signatures.end()
        yield from self._matching.differences()
        yield from self._gone()
        yield from self._rewritten()

    # --- the two columns ----------------------------------------------------------------------

    def _bundle(self, rows: Sequence[Row]) -> Iterator[Finding]:
        """The events of one bundle."""
        entries = _entries(rows)
        number = self._size // WIDTH
        kept = self._kept.bundle(number)
        if kept is None:
            self._misses(self._size + WIDTH, Tile(None, number))
            yield from self._grow(rows, entries, entries)
            return
        self.bundles += 1
        if b"".join(entries) == kept.entries:
            yield from self._placed(rows, kept)
            yield from self._grow(rows, entries, entries)
        else:
            yield from self._grow(rows, entries, split(kept.entries))

    def _rest(self) -> Iterator[Finding]:
        """The events behind the last whole bundle; or the bundles behind the last event."""
        rows, entries = self._rows, _entries(self._rows)
        while (kept := self._kept.bundle(self._size // WIDTH)) is not None:
            self.bundles += 1
            yield from self._grow(rows, entries, split(kept.entries))
            rows, entries = [], []
        behind = self._kept_behind()
        part = len(behind)
        self._witnessed = self._size + part
        yield from self._grow(rows[:part], entries[:part], behind)
        rows, entries = rows[part:], entries[part:]
        if self._other is None:
            yield from self._grow(rows, entries, entries)
            return
        # Nothing was kept of the others: they are sealed as they stand, or not sealed yet.
        self._matching.add(_leaves(rows, entries), ())
        left = [leaf.entry for leaf in self._matching.left()]
        yield from self._grow_trees(rows, entries, left)
        self._join()

    def _kept_behind(self) -> list[bytes]:
        """The entries that checkpoints keep of what follows the last bundle."""
        ahead = list(islice(self._checkpoints, MOST_AHEAD))
        self._checkpoints = chain(ahead, self._checkpoints)
        coming = [self._next, *ahead] if self._next is not None else ahead
        return kept_behind((one for one in coming if one.position != SOMEWHERE), self._size)

    def _grow(
        self, rows: Sequence[Row], ours: Sequence[bytes], theirs: Sequence[bytes]
    ) -> Iterator[Finding]:
        """Go on in both columns, by one bundle at most."""
        if self._other is not None or ours != theirs:
            self._matching.add(_leaves(rows, ours), theirs)
        yield from self._grow_trees(rows, ours, theirs)
        self._join()

    def _join(self) -> None:
        """Where both columns have become the same again, go on as one."""
        if self._other is None or self._other.same(self._tree):
            self._other = None
            self._matching.index = self._size

    def _grow_trees(
        self, rows: Sequence[Row], ours: Sequence[bytes], theirs: Sequence[bytes]
    ) -> Iterator[Finding]:
        """Let the trees over both columns grow, and look at each checkpoint on the way."""
        if self._other is None and ours != theirs:
            self._other = self._tree.copy()
        at, total = 0, max(len(ours), len(theirs))
        while at < total:
            step = min(total - at, WIDTH - self._size % WIDTH)
            if self._next is not None:
                step = min(step, self._next.size - self._size)
            yield from self._lengthen(ours[at : at + step], theirs[at : at + step])
            at, self._size = at + step, self._size + step
            self._last = rows[min(at, len(rows)) - 1] if rows else self._last
            yield from self._check_reached()

    def _lengthen(self, ours: Sequence[bytes], theirs: Sequence[bytes]) -> Iterator[Finding]:
        """Add leaves to the trees, and look at the hashes that stand for what became full."""
        full = dict(self._tree.add(_hashes(ours)))
        other = {} if self._other is None else dict(self._other.add(_hashes(theirs)))
        for subtree in full | other:
            kept = self._kept.subtree(subtree.level, subtree.index)
            tile = Tile(subtree.level, subtree.index // WIDTH)
            if kept is None:
                end = subtree.index + 1 << HEIGHT * subtree.level
                self._misses(end, tile, subtree.index % WIDTH)
            elif kept not in (full.get(subtree), other.get(subtree)):
                place: Place = {"tile": tile.path, "entry": subtree.index % WIDTH}
                yield finding("tile-changed", place, expected=full.get(subtree), found=kept)

    def _placed(self, rows: Sequence[Row], kept: Bundle) -> Iterator[Finding]:
        """Whether the events of a bundle stand where they stood when they were sealed."""
        positions = [row[0] for row in rows]
        sealed = list(POSITIONS.unpack(kept.positions))
        if positions != sealed:
            for at, row in enumerate(rows):
                if row[0] != sealed[at]:
                    place: Place = {"index": self._size + at, "stream": row[1], "version": row[2]}
                    yield finding("position-changed", place, expected=sealed[at], found=row[0])
        if kept.last_position != sealed[-1]:
            place = {"tile": Tile(None, kept.number).path, "column": "last_position"}
            yield finding("tile-misfiled", place, expected=sealed[-1], found=kept.last_position)

    # --- the checkpoints ----------------------------------------------------------------------

    def _read_next(self) -> Iterator[Finding]:
        """The next checkpoint that is properly signed."""
        self._next = None
        for sealed in self._checkpoints:
            checkpoint, wrong = self._signatures.opened(sealed)
            yield from wrong
            whole = checkpoint is not None and checkpoint.size == sealed.size
            if sealed.position != SOMEWHERE:
                self.checkpoints += 1
                if whole:
                    yield from self._follows(sealed)
                self._before = sealed.size
            if checkpoint is not None and whole:
                self._next = attrs.evolve(sealed, root=checkpoint.root)
                self.sealed = sealed.size
                return

    def _follows(self, sealed: Sealed) -> Iterator[Finding]:
        """Whether a checkpoint goes on where the one before it ends, by the entries it keeps."""
        due, start = due_start(sealed.size, self._before), start_of(sealed)
        if start > due:
            yield finding("checkpoint-missing", {"size": start})
        elif start < due:
            place: Place = {"size": sealed.size, "column": "entries"}
            kept = sealed.size - due
            yield finding("checkpoint-misfiled", place, expected=kept, found=sealed.size - start)

    def _check_reached(self) -> Iterator[Finding]:
        """Check the next checkpoint, or one seen elsewhere as well, if the columns are there."""
        while self._next is not None and self._next.size == self._size:
            yield from self._check(self._next)
            yield from self._read_next()

    def _check(self, sealed: Sealed) -> Iterator[Finding]:
        """Which of the two columns leads to a checkpoint's root?"""
        ours = _leads_to(self._tree, sealed)
        theirs = _leads_to(self._other, sealed)
        mark = Mark(sealed.size, self._last[0] if self._last else 0)
        if not ours and not theirs:
            if len(self._unfit) < MOST_UNFIT:
                self._unfit.append(Unfit(sealed, self._good, mark, self._last, self._fresh_root()))
            return
        if ours and self._other is not None and not theirs:
            yield from self._matching.altered_tiles(self._good.size, sealed.size)
            self._other = self._tree.copy()
        elif theirs and not ours and self._matching.even and self._other is not None:
            self._tree = self._other.copy()
        if ours and sealed.position not in {mark.position, SOMEWHERE}:
            place: Place = {"size": sealed.size, "column": "position"}
            right = mark.position
            yield finding("checkpoint-misfiled", place, expected=right, found=sealed.position)
        # What follows leads to this root as well; so the odd ones were signed over another history.
        for unfit in self._unfit:
            yield unfit.forked()
        self._unfit.clear()
        self._good = mark

    def _fresh_root(self) -> bytes:
        return (self._other or self._tree).root()

    # --- at the end ---------------------------------------------------------------------------

    def _gone(self) -> Iterator[Finding]:
        """What a checkpoint covers and is not there."""
        reached = self._matching.index + len(self._matching.left())
        sealed = max(self.sealed, self._matching.index + self._matching.beyond())
        if reached < sealed:
            yield finding("events-cut-off", {"index": reached}, expected=sealed, found=reached)
        for end, missing in self._missing:
            if end <= self.sealed:
                yield missing

    def _misses(self, end: int, tile: Tile, entry: int | None = None) -> None:
        """Something is not there; it has to be if a checkpoint covers all leaves before ``end``."""
        if len(self._missing) < MOST_MISSING:
            place: Place = {"tile": tile.path}
            if entry is not None:
                place = {**place, "entry": entry}
            self._missing.append((end, finding("tile-missing", place)))

    def _rewritten(self) -> Iterator[Finding]:
        """Checkpoints that nothing leads to, not even what follows."""
        for unfit in self._unfit[:1]:
            if unfit.sealed.size <= self._witnessed:
                yield unfit.forked()
            else:
                yield unfit.changed()


def _entries(rows: Sequence[Row]) -> list[bytes]:
    return [sha256(row[4]).digest() for row in rows]


def _hashes(entries: Sequence[bytes]) -> list[bytes]:
    """The leaf hashes of entries, one by one as :func:`ledger.proof.merkle.leaf_hash` has them."""
    return [sha256(b"\x00" + entry).digest() for entry in entries]


def _leaves(rows: Sequence[Row], entries: Sequence[bytes]) -> list[Leaf]:
    return [
        Leaf(entry, position, stream, version)
        for entry, (position, stream, version, _, _) in zip(entries, rows, strict=True)
    ]


def _leads_to(tree: Edge | None, sealed: Sealed) -> bool:
    return tree is not None and tree.size == sealed.size and tree.root() == sealed.root
