"""The Merkle tree of RFC 6962, section 2.1: hashes, roots, and both kinds of proof.

A tree of ``size`` leaves splits at the largest power of two below ``size``. A proof is a list of
hashes, from the bottom up. Who makes one needs only the hashes of whole subtrees, which never
change once they are full (:class:`Subtree`); who checks one needs nothing but the proof.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256

from ledger.proof.errors import Unproven

SIZE = 32
"""Bytes of a hash."""

EMPTY_ROOT = sha256().digest()
"""The root of a tree without leaves."""


@dataclass(frozen=True, slots=True)
class Subtree:
    """The ``2 ** level`` leaves from ``index * 2 ** level`` on, all of them there."""

    level: int
    index: int


HashAt = Callable[[Subtree], bytes]
"""Gives the hash of a full subtree."""


def leaf_hash(entry: bytes) -> bytes:
    """The hash of a leaf: SHA-256 over 0x00 and the entry."""
    return sha256(b"\x00" + entry).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """The hash of an inner node: SHA-256 over 0x01 and the two below it."""
    return sha256(b"\x01" + left + right).digest()


def root_of(leaves: Iterable[bytes]) -> bytes:
    """The root over leaf hashes, in one pass and with as much memory as the tree is high."""
    growing = Growing()
    for leaf in leaves:
        growing.add(leaf)
    return growing.root()


class Growing:
    """A tree that leaves are added to; it keeps one hash a level."""

    def __init__(self) -> None:
        self.size = 0
        # The full subtrees that make up the tree, largest first: one for each bit of `size`.
        self._full: list[bytes] = []

    def add(self, leaf: bytes) -> None:
        """Add a leaf's hash at the right."""
        self.size += 1
        carry, at = leaf, self.size
        while not at & 1:
            carry, at = node_hash(self._full.pop(), carry), at >> 1
        self._full.append(carry)

    def root(self) -> bytes:
        """The root of what was added so far."""
        return _joined(self._full)


def root_at(size: int, hash_at: HashAt) -> bytes:
    """The root of the first ``size`` leaves, from the hashes of full subtrees."""
    return _joined([hash_at(subtree) for subtree in _cover(0, size)])


def inclusion_proof(index: int, size: int, hash_at: HashAt) -> list[bytes]:
    """The audit path of leaf ``index`` in the tree of ``size`` leaves (RFC 6962, 2.1.1).

    Raises ``ValueError`` unless 0 ≤ index < size.
    """
    if not 0 <= index < size:
        raise ValueError(f"there is no leaf {index} among {size}")
    proof = []
    start, end = 0, size
    while end - start > 1:
        middle = start + _split(end - start)
        if index < middle:
            proof.append(_range_hash(middle, end, hash_at))
            end = middle
        else:
            proof.append(_range_hash(start, middle, hash_at))
            start = middle
    return proof[::-1]


def consistency_proof(old: int, new: int, hash_at: HashAt) -> list[bytes]:
    """The proof that the tree of ``old`` leaves begins that of ``new`` ones (RFC 6962, 2.1.2).

    Empty where there is nothing to prove: from no leaves, or between equal sizes. Raises
    ``ValueError`` unless 0 ≤ old ≤ new.
    """
    if not 0 <= old <= new:
        raise ValueError(f"{old} leaves do not come before {new}")
    if old in {0, new}:
        return []
    proof = []
    start, end = 0, new
    while end != old:
        middle = start + _split(end - start)
        if old <= middle:
            proof.append(_range_hash(middle, end, hash_at))
            end = middle
        else:
            proof.append(_range_hash(start, middle, hash_at))
            start = middle
    if start:
        # The old tree ends in a subtree that its root does not tell.
        proof.append(_range_hash(start, end, hash_at))
    return proof[::-1]


def check_inclusion(
    leaf: bytes, *, index: int, size: int, proof: Sequence[bytes], root: bytes
) -> None:
    """Raise ``Unproven`` unless the proof shows that a leaf's hash is at ``index`` in the
    tree of ``size`` leaves with this root (RFC 9162, section 2.1.3.2)."""
    _check_hashes(leaf, *proof)
    if not 0 <= index < size:
        raise Unproven(f"there is no leaf {index} in a tree of {size}")
    at, last, found = index, size - 1, leaf
    for sibling in proof:
        if not last:
            raise Unproven(f"the proof of leaf {index} in {size} is too long")
        if at & 1 or at == last:
            found = node_hash(sibling, found)
            while not at & 1 and at:
                at, last = at >> 1, last >> 1
        else:
            found = node_hash(found, sibling)
        at, last = at >> 1, last >> 1
    if last:
        raise Unproven(f"the proof of leaf {index} in {size} is too short")
    if found != root:
        raise Unproven(f"leaf {index} does not lead to the root of the tree of {size}")


def check_consistency(
    *, old_size: int, old_root: bytes, new_size: int, new_root: bytes, proof: Sequence[bytes]
) -> None:
    """Raise ``Unproven`` unless the proof shows that the new tree begins with the old one (RFC
    9162, section 2.1.4.2). A tree without leaves begins every other, so there is no proof of it."""
    _check_hashes(*proof)
    if not 0 < old_size <= new_size:
        raise Unproven(f"no proof leads from a tree of {old_size} leaves to one of {new_size}")
    if old_size == new_size:
        if proof:
            raise Unproven(f"between two trees of {new_size} leaves there is nothing to prove")
        if old_root != new_root:
            raise Unproven(f"two roots for {new_size} leaves: the log shows two histories")
        return
    _follow(old_size, old_root, new_size, new_root, proof)


def _follow(
    old_size: int, old_root: bytes, new_size: int, new_root: bytes, proof: Sequence[bytes]
) -> None:
    between = f"from {old_size} to {new_size} leaves"
    at, last = old_size - 1, new_size - 1
    while at & 1:
        at, last = at >> 1, last >> 1
    # A full old tree is its own first hash, and the proof leaves it out.
    hashes = list(proof) if at else [old_root, *proof]
    if not hashes:
        raise Unproven(f"the proof {between} is too short")
    old = new = hashes[0]
    for sibling in hashes[1:]:
        if not last:
            raise Unproven(f"the proof {between} is too long")
        if at & 1 or at == last:
            old, new = node_hash(sibling, old), node_hash(sibling, new)
            while not at & 1 and at:
                at, last = at >> 1, last >> 1
        else:
            new = node_hash(new, sibling)
        at, last = at >> 1, last >> 1
    if last:
        raise Unproven(f"the proof {between} is too short")
    if old != old_root:
        raise Unproven(f"the log no longer begins with the {old_size} leaves it had before")
    if new != new_root:
        raise Unproven(f"the proof {between} does not lead to the new root")


def _check_hashes(*hashes: bytes) -> None:
    for one in hashes:
        if len(one) != SIZE:
            raise Unproven(f"a hash has {SIZE} bytes, not {len(one)}")


def _split(size: int) -> int:
    """The largest power of two below ``size``."""
    return 1 << (size - 1).bit_length() - 1


def _cover(start: int, end: int) -> list[Subtree]:
    """The full subtrees that make up the leaves from ``start`` to ``end``, from left to right.

    ``start`` is where a tree of this width may begin: a multiple of its largest subtree.
    """
    found = []
    while start < end:
        level = (end - start).bit_length() - 1
        found.append(Subtree(level, start >> level))
        start += 1 << level
    return found


def _range_hash(start: int, end: int, hash_at: HashAt) -> bytes:
    return _joined([hash_at(subtree) for subtree in _cover(start, end)])


def _joined(subtrees: Sequence[bytes]) -> bytes:
    """The hash over subtrees that stand side by side, largest first."""
    if not subtrees:
        return EMPTY_ROOT
    found = subtrees[-1]
    for left in reversed(subtrees[:-1]):
        found = node_hash(left, found)
    return found
