"""The entries that checkpoints keep of the leaves behind the last whole bundle.

A checkpoint keeps those of the leaves that it is the first to cover and that are in no bundle; so
one checkpoint goes on where the one before it ends, and shows by that whether it is there.
"""

from collections.abc import Iterable

from ledger.proof.merkle import SIZE
from ledger.proof.tiles import WIDTH
from ledger.store.seals import Sealed


def start_of(sealed: Sealed) -> int:
    """The index of the first leaf whose entry a checkpoint keeps."""
    return sealed.size - len(sealed.entries) // SIZE


def due_start(size: int, before: int) -> int:
    """Where the entries of a checkpoint have to begin when the one before it has a size."""
    return max(before, size - size % WIDTH)


def split(entries: bytes) -> list[bytes]:
    """Entries one by one."""
    return [entries[at : at + SIZE] for at in range(0, len(entries), SIZE)]


def kept_behind(checkpoints: Iterable[Sealed], start: int) -> list[bytes]:
    """The entries of the leaves from ``start``, the end of the last bundle, as far as checkpoints,
    in the order of their sizes, keep them without a hole."""
    found: list[bytes] = []
    for sealed in checkpoints:
        reached = start + len(found)
        own = start_of(sealed)
        if own > reached:
            break
        if sealed.size > reached:
            found += split(sealed.entries)[reached - own :]
    return found
