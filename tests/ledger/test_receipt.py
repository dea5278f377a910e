"""A receipt proves one entry to whoever has the log's key, without asking the log."""

import base64

import pytest

from ledger.proof.errors import Malformed, Unproven
from ledger.proof.merkle import inclusion_proof
from ledger.proof.note import Checkpoint, SigningKey, signed
from ledger.proof.receipt import HEADER, Receipt, check_receipt, receipt_in
from tests.ledger import rfc6962
from tests.ledger.test_merkle import ENTRIES, hash_at

KEY = SigningKey("log.example/corrections", bytes(range(32)))
KNOWN = (KEY.verifier,)
ROOT = rfc6962.root(ENTRIES[:7])
NOTE = signed(Checkpoint(KEY.name, 7, ROOT).text, KEY)
RECEIPT = Receipt(3, tuple(inclusion_proof(3, 7, hash_at)), NOTE)


def test_a_receipt_proves_its_entry() -> None:
    """Written down and read back, with the log's key and nothing else."""
    read = receipt_in(str(RECEIPT))
    assert read == RECEIPT
    assert check_receipt(read, ENTRIES[3], KNOWN) == Checkpoint(KEY.name, 7, ROOT)


def test_a_receipt_is_written_as_the_specification_says() -> None:
    """Header, index, a hash a line from the leaf's sibling upwards, an empty line, the note."""
    lines = [HEADER, "index 3", *(base64.b64encode(one).decode() for one in RECEIPT.proof)]
    assert str(RECEIPT) == "\n".join(lines) + "\n\n" + NOTE
    assert RECEIPT.proof == tuple(rfc6962.path(3, ENTRIES[:7]))


def test_a_receipt_may_carry_something_extra() -> None:
    """It comes back as it was put in, between the header and the index."""
    extra = Receipt(3, RECEIPT.proof, NOTE, extra=b"\x00anything")
    assert f"{HEADER}\nextra AGFueXRoaW5n\nindex 3\n" in str(extra)
    assert receipt_in(str(extra)) == extra


def test_the_only_leaf_has_an_empty_proof() -> None:
    """A log of one event: its receipt has no hashes at all."""
    note = signed(Checkpoint(KEY.name, 1, rfc6962.root(ENTRIES[:1])).text, KEY)
    receipt = Receipt(0, (), note)
    assert receipt_in(str(receipt)) == receipt
    check_receipt(receipt, ENTRIES[0], KNOWN)


def test_a_receipt_proves_no_other_entry() -> None:
    """Another event, another index, another key, another root."""
    stranger = SigningKey(KEY.name, bytes(32)).verifier
    other = signed(Checkpoint(KEY.name, 7, bytes(32)).text, KEY)
    for receipt, entry, known in (
        (RECEIPT, ENTRIES[4], KNOWN),
        (moved(2), ENTRIES[3], KNOWN),
        (moved(7), ENTRIES[3], KNOWN),
        (RECEIPT, ENTRIES[3], (stranger,)),
        (Receipt(3, RECEIPT.proof, other), ENTRIES[3], KNOWN),
        (Receipt(3, RECEIPT.proof[:-1], NOTE), ENTRIES[3], KNOWN),
    ):
        with pytest.raises(Unproven):
            check_receipt(receipt, entry, known)


def moved(index: int) -> Receipt:
    """The receipt with another index."""
    return Receipt(index, RECEIPT.proof, NOTE)


@pytest.mark.parametrize(
    "text",
    [
        "",
        NOTE,
        str(RECEIPT).replace("@v1", "@v2"),
        str(RECEIPT).replace("index 3", "index 03"),
        str(RECEIPT).replace("index 3", "index -3"),
        str(RECEIPT).replace("index 3\n", ""),
        str(RECEIPT).replace("\n\n", "\n", 1).partition("\n\n")[0],
        str(RECEIPT).replace("=\n", "\n", 1),
        str(Receipt(3, RECEIPT.proof * 22, NOTE)),
        str(Receipt(3, (b"short",), NOTE)),
        str(RECEIPT) + "x" * 100_000,
    ],
    ids=lambda text: repr(text[:40]),
)
def test_what_is_no_receipt_is_refused(text: str) -> None:
    """Before any of it is believed."""
    with pytest.raises(Malformed):
        receipt_in(text)
