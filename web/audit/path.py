"""A proof step by step, so that a person can follow it, and the commands that check it.

A proof of RFC 6962 is a list of hashes; what it leaves out is on which side each of them stands.
Here each step has both sides and what they give, in hexadecimal. Nothing is believed: the steps are
worked out from the leaf and the proof alone, and whether they end at a root is for the reader to
see.
"""

from collections.abc import Iterable, Iterator, Sequence

import attrs

from ledger.proof.merkle import leaf_hash, node_hash


@attrs.frozen(kw_only=True)
class Step:
    """Two hashes and the one over both; ``ours`` is the side that came from below."""

    left: str
    right: str
    gives: str
    ours: str

    @property
    def beside(self) -> str:
        """The hash that the proof gives."""
        return self.right if self.ours == "left" else self.left


def path_of(entry: bytes, index: int, size: int, proof: Iterable[bytes]) -> tuple[Step, ...]:
    """From a leaf to the root of the tree of ``size`` leaves (RFC 9162, section 2.1.3.2)."""
    steps, node = [], leaf_hash(entry)
    for sibling, is_left in zip(proof, _sides(index, size - 1), strict=False):
        left, right = (sibling, node) if is_left else (node, sibling)
        node = node_hash(left, right)
        ours = "right" if is_left else "left"
        steps.append(Step(left=left.hex(), right=right.hex(), gives=node.hex(), ours=ours))
    return tuple(steps)


def _sides(at: int, last: int) -> Iterator[bool]:
    """For each hash of a proof whether it stands at the left, from the bottom up."""
    while last:
        is_left = bool(at & 1) or at == last
        yield is_left
        while is_left and at and not at & 1:
            at, last = at >> 1, last >> 1
        at, last = at >> 1, last >> 1


@attrs.frozen(kw_only=True)
class Growth:
    """One hash of a proof of growth: it stands at the left of both trees, or at the right of the
    new one alone; ``old`` and ``new`` are what it gives."""

    beside: str
    in_both: bool
    old: str
    new: str


@attrs.frozen(kw_only=True)
class Grown:
    """How the old tree lies in the new one: where both begin, and each step from there."""

    start: str
    steps: tuple[Growth, ...]

    @property
    def old(self) -> str:
        """The root that the old tree has to have."""
        return self.steps[-1].old if self.steps else self.start

    @property
    def new(self) -> str:
        """The root that the new tree has to have."""
        return self.steps[-1].new if self.steps else self.start


def grown_of(old_size: int, old_root: bytes, new_size: int, proof: Sequence[bytes]) -> Grown:
    """From what both trees have in common to both roots (RFC 9162, section 2.1.4.2)."""
    at, last = old_size - 1, new_size - 1
    while at & 1:
        at, last = at >> 1, last >> 1
    # A full old tree is its own first hash, and the proof leaves it out.
    hashes = list(proof) if at else [old_root, *proof]
    if old_size == new_size:
        hashes = [old_root]
    old = new = hashes[0]
    steps = []
    for sibling, is_left in zip(hashes[1:], _sides(at, last), strict=False):
        old = node_hash(sibling, old) if is_left else old
        new = node_hash(sibling, new) if is_left else node_hash(new, sibling)
        step = Growth(beside=sibling.hex(), in_both=is_left, old=old.hex(), new=new.hex())
        steps.append(step)
    return Grown(start=hashes[0].hex(), steps=tuple(steps))


# --- as commands ------------------------------------------------------------------------------

BEGIN = """python3 - <<'END'
from hashlib import sha256

def over(*parts):
    return sha256(bytes.fromhex("".join(parts))).hexdigest()
"""


def inclusion_commands(entry: str, steps: Iterable[Step], root: str) -> str:
    """What anybody can paste into a shell to work out the root from an entry."""
    lines = [BEGIN, f'node = over("00", "{entry}")']
    for step in steps:
        pair = f'node, "{step.right}"' if step.ours == "left" else f'"{step.left}", node'
        lines.append(f'node = over("01", {pair})')
    return "\n".join([*lines, f'print("proved:", node == "{root}")', "END"])


def growth_commands(grown: Grown, old_root: str, new_root: str) -> str:
    """The same for both roots of a proof of growth."""
    lines = [BEGIN, f'old = new = "{grown.start}"']
    for step in grown.steps:
        if step.in_both:
            lines.append(f'old = over("01", "{step.beside}", old)')
            lines.append(f'new = over("01", "{step.beside}", new)')
        else:
            lines.append(f'new = over("01", new, "{step.beside}")')
    check = f'print("proved:", old == "{old_root}" and new == "{new_root}")'
    return "\n".join([*lines, check, "END"])
