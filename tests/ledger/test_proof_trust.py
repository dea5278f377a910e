"""Whom a verifier trusts: a log's key, the keys that it leads to, and nobody else."""

from pathlib import Path
from typing import Any

import pytest

from ledger import commands as orders
from ledger.events import CaveatStated
from ledger.proof.bundle import check_bundle
from ledger.proof.note import Checkpoint, SigningKey, VerifierKey, signed
from ledger.proof.trust import handed_on, successor, tie_text, trusted_by
from ledger.values import Slug
from reports.bundle import claim_bundle
from tests.ledger.handed import Given
from tests.reports.shop import open_shop
from web.cli.demo import CLAIM


def test_a_bundle_signed_by_another_key_is_not_proved(given: Given) -> None:
    """A forger signs with a key of the same name, and puts it into the bundle."""
    forged = SigningKey(given.key.name, b"f" * 32)
    checkpoint = check_bundle(given.data).checkpoint

    def forge(document: Any) -> None:
        document["log"]["keys"] = [str(forged.verifier)]
        document["log"]["checkpoint"] = signed(checkpoint.text, forged)

    data = given.spoiled(forge)
    assert check_bundle(data).signed_by == forged.verifier
    problems = check_bundle(data, [given.key]).problems
    assert [one for one in problems if "no key that is trusted has signed" in one]


def test_a_key_of_another_name_does_not_sign_for_the_log(given: Given) -> None:
    """Also where it is trusted for a log of its own."""
    other = SigningKey("another.example/log", b"o" * 32)
    checkpoint = check_bundle(given.data).checkpoint

    def sign(document: Any) -> None:
        document["log"]["checkpoint"] = signed(checkpoint.text, other)

    problems = check_bundle(given.spoiled(sign), [other.verifier]).problems
    assert problems == (f"checkpoint: no key of the log {given.key.name} signed it",)


NAME = "log.example/corrections"
FIRST, SECOND, THIRD = (SigningKey(NAME, bytes([number]) * 32) for number in (1, 2, 3))
AT = Checkpoint(NAME, 1, bytes(32)).text


def tie(old: SigningKey, new: SigningKey) -> str:
    """A note in which a key hands on to the next."""
    return signed(tie_text(AT, new.verifier), old, new)


def test_trust_goes_on_from_key_to_key() -> None:
    """In whatever order the ties come, and never back to an older key."""
    ties = [tie(SECOND, THIRD), tie(FIRST, SECOND)]
    keys = tuple(one.verifier for one in (FIRST, SECOND, THIRD))
    assert trusted_by(keys[:1], ties) == keys
    assert trusted_by(keys[1:2], ties) == keys[1:]
    assert trusted_by(keys[2:], ties) == keys[2:]
    assert handed_on(ties[1], keys[:1]) == successor(ties[1]) == SECOND.verifier


@pytest.mark.parametrize(
    "forged",
    [
        signed(AT, FIRST, SECOND),
        signed(tie_text(AT, SECOND.verifier), FIRST),
        signed(tie_text(AT, SECOND.verifier), SECOND),
        signed(tie_text(AT, SECOND.verifier), FIRST, THIRD),
        signed(tie_text(AT, VerifierKey("other", SECOND.verifier.public)), FIRST, SECOND),
        signed(AT + "next key nonsense\n", FIRST, SECOND),
        "nonsense",
    ],
)
def test_a_note_that_names_no_key_hands_nothing_on(forged: str) -> None:
    """Anybody can add a signature to what somebody else signed; the text has to name the key."""
    assert trusted_by([FIRST.verifier], [forged]) == (FIRST.verifier,)


def test_an_old_key_leads_to_a_bundle_of_the_next(tmp_path: Path) -> None:
    """After the log has changed its key, who trusts the old one can check a new bundle."""
    with open_shop(tmp_path) as shop:
        workspace = shop.workspace
        old = workspace.seals.keys()[0]
        new = workspace.seals.rotate(b"n" * 32)
        fact = CaveatStated(caveat=Slug("x"), text="X", read_at=workspace.ledger.clock(), why="x")
        order = orders.Assert(stream="benchmark:code-interpreter", fact=fact)
        workspace.ledger.do(order, "curator")
        workspace.catch_up()
        data = claim_bundle(shop.records, workspace.moment(), CLAIM).data
        for key in (old, new):
            checked = check_bundle(data, [key])
            assert (checked.problems, checked.signed_by) == ((), new)
