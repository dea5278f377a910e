"""Receipts: the proof that one entry is in the log, to be kept (C2SP ``tlog-proof``).

A receipt needs no server to be checked: it holds the entry's index, the inclusion proof, and the
signed checkpoint that the proof leads to.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ledger.proof.encoded import base64_of, bytes_in
from ledger.proof.errors import Malformed
from ledger.proof.merkle import SIZE, check_inclusion, leaf_hash
from ledger.proof.note import Checkpoint, VerifierKey, opened_checkpoint

HEADER = "c2sp.org/tlog-proof@v1"
LONGEST = 100_000
MOST_HASHES = 63
_INDEX = re.compile(r"index (0|[1-9]\d{0,18})", re.ASCII)


@dataclass(frozen=True, slots=True)
class Receipt:
    """An entry's index, its proof from the leaf's sibling upwards, and the signed checkpoint."""

    index: int
    proof: tuple[bytes, ...]
    checkpoint: str
    extra: bytes | None = None

    def __str__(self) -> str:
        """The file ``….tlog-proof``."""
        extra = [] if self.extra is None else [f"extra {base64_of(self.extra)}"]
        hashes = [base64_of(one) for one in self.proof]
        lines = [HEADER, *extra, f"index {self.index}", *hashes]
        return "\n".join(lines) + "\n\n" + self.checkpoint


def receipt_in(text: str) -> Receipt:
    """Read a receipt; nothing is checked yet. Raises ``Malformed``."""
    if len(text) > LONGEST:
        raise Malformed("the receipt is too long")
    head, found, checkpoint = text.partition("\n\n")
    lines = head.split("\n")
    if not found or lines.pop(0) != HEADER:
        raise Malformed(f"a receipt begins with {HEADER} and ends with a checkpoint")
    extra = None
    if lines and lines[0].startswith("extra "):
        extra = bytes_in(lines.pop(0).removeprefix("extra "), "what is added")
    index = _INDEX.fullmatch(lines.pop(0)) if lines else None
    if index is None:
        raise Malformed("a receipt says the index of its entry")
    proof = tuple(bytes_in(line, repr(line[:80])) for line in lines)
    if len(proof) > MOST_HASHES or any(len(one) != SIZE for one in proof):
        raise Malformed(f"a proof has up to {MOST_HASHES} hashes of {SIZE} bytes, one a line")
    return Receipt(int(index[1]), proof, checkpoint, extra)


def check_receipt(receipt: Receipt, entry: bytes, known: Sequence[VerifierKey]) -> Checkpoint:
    """The checkpoint that a receipt proves this entry to be under. Raises ``Unproven``."""
    checkpoint = opened_checkpoint(receipt.checkpoint, known)
    check_inclusion(
        leaf_hash(entry),
        index=receipt.index,
        size=checkpoint.size,
        proof=receipt.proof,
        root=checkpoint.root,
    )
    return checkpoint
