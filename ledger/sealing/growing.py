"""Growing the sealed log, transaction by transaction, under its lock.

What must stay true:

- a bundle and the subtrees over it are added together, and only once all its events are there;
- a checkpoint is signed only when the leaves under the one before still give its root;
- of one size there is one root: its row, once there, is never written again.

All of it lies in the ledger's own database. A process that dies leaves what its last commit left:
whole bundles, perhaps without a checkpoint over them, which the next sealer signs.
"""

from collections.abc import Callable

from ledger import faults
from ledger.proof.hashes import TileHashes
from ledger.proof.merkle import EMPTY_ROOT, root_at
from ledger.proof.note import Checkpoint, SigningKey, signed
from ledger.proof.tiles import WIDTH, Tile, folded
from ledger.sealing.errors import Forked
from ledger.sealing.leaves import Leaves, leaves_of, read_tile, to_bundle
from ledger.store.seals import Sealed, SealTable

BUNDLES = 16
"""Bundles in one transaction: 4,096 events, some tens of milliseconds under the lock."""

BATCH = BUNDLES * WIDTH


def grow(table: SealTable, key: Callable[[], SigningKey]) -> Sealed | None:
    """Seal what was recorded since, as far as one transaction goes.

    Returns the checkpoint at the ledger's head, or ``None`` when there is more to seal; then the
    bundles of this step are added without a checkpoint. Raises ``Forked``, and adds nothing.
    """
    latest = table.checkpoint()
    last = table.last_bundle()
    number, position = (0, 0) if last is None else (last.number + 1, last.last_position)
    found = leaves_of(table.after(position, BATCH))
    whole = len(found) // WIDTH
    for at in range(whole):
        add_bundle(table, number + at, found.part(at * WIDTH, WIDTH))
    rest = found.part(whole * WIDTH, WIDTH)
    size = (number + whole) * WIDTH + len(rest)
    position = found.positions[-1] if found.positions else position
    if latest is not None:
        _check(table, latest, size, position)
    if len(found) == BATCH:
        # Die behind this commit: the next sealer goes on from the bundles that are there.
        faults.here("seal:bundles")
        return None
    if latest is not None and latest.size == size:
        return latest
    covered = 0 if latest is None else max(0, latest.size - (size - len(rest)))
    fresh = b"".join(rest.entries[covered:])
    sealed = _sealed(table, key(), size, position, fresh)
    table.add_checkpoint(sealed)
    # Die before the commit: nothing was sealed, and whoever seals next signs the same, as it is
    # the same events in the same order. Die behind it: it is kept for ever.
    faults.here("seal:signed")
    return sealed


def add_bundle(table: SealTable, number: int, leaves: Leaves) -> None:
    """Add a bundle, and a hash to each tile level that it completes one of."""
    table.add_bundle(to_bundle(number, leaves))
    level, hashes = 1, leaves.hashes
    while True:
        table.add_subtrees(level, number, [folded(hashes)])
        number, place = divmod(number, WIDTH)
        if place < WIDTH - 1:
            return
        hashes = table.subtrees(level, number * WIDTH, WIDTH)
        level += 1


def _check(table: SealTable, latest: Sealed, size: int, position: int) -> None:
    """Refuse to go on from leaves that are not those of the last checkpoint."""
    if latest.size > size or latest.position > position:
        raise Forked(size=latest.size, why="events that it covers are gone")
    if root_of(table, latest.size) != latest.root:
        raise Forked(size=latest.size, why="events that it covers give another root")


def _sealed(table: SealTable, key: SigningKey, size: int, position: int, entries: bytes) -> Sealed:
    root = root_of(table, size)
    note = signed(Checkpoint(key.name, size, root).text, key)
    return Sealed(size, root, position, note, entries)


def root_of(table: SealTable, size: int) -> bytes:
    """The root over the first ``size`` leaves, from the tiles that are kept."""
    if not size:
        return EMPTY_ROOT

    def read(tile: Tile) -> bytes:
        return read_tile(table, tile)

    return root_at(size, TileHashes(size, read))
