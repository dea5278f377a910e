"""Which keys may sign for a log, given one that is trusted: how a key hands on to the next.

A *tie* is a checkpoint that the old key and the new key signed, and whose text names the new one in
a fourth line: ``next key name+hash+base64``. The name has to stand in the text, as signatures say
nothing of one another: anybody can put one of their own under a checkpoint of somebody else's.
"""

from collections.abc import Iterable, Sequence

from ledger.proof.errors import Malformed, Unproven
from ledger.proof.note import VerifierKey, checkpoint_in, opened, text_of, verifier_key

NEXT = "next key "


def tie_text(checkpoint: str, new: VerifierKey) -> str:
    """The text that hands a log on to a new key, at the checkpoint with this text."""
    return f"{checkpoint}{NEXT}{new}\n"


def successor(tie: str) -> VerifierKey:
    """The key that a tie names, whoever signed it or not. Raises ``Malformed``."""
    text = text_of(tie)
    lines = text.split("\n")
    if len(lines) != 5 or not lines[3].startswith(NEXT):
        raise Malformed("a tie is a checkpoint with a fourth line that names the next key")
    new = verifier_key(lines[3].removeprefix(NEXT))
    if new.name != checkpoint_in(text).origin:
        raise Malformed(f"a tie of {checkpoint_in(text).origin} names a key of {new.name}")
    return new


def handed_on(tie: str, trusted: Sequence[VerifierKey]) -> VerifierKey:
    """The key that a trusted one hands on to, and that agreed. Raises ``Unproven``."""
    new = successor(tie)
    if all(key.name != new.name for key in opened(tie, trusted).signed_by):
        raise Unproven(f"the tie to {new} is not signed by a key of its log")
    opened(tie, (new,))
    return new


def trusted_by(trusted: Sequence[VerifierKey], ties: Iterable[str]) -> tuple[VerifierKey, ...]:
    """The trusted keys, and those that they lead to over these ties; the others are passed over."""
    found = list(dict.fromkeys(trusted))
    waiting = list(ties)
    while True:
        led = [(tie, new) for tie in waiting if (new := _led_to(tie, found)) is not None]
        if not led:
            return tuple(found)
        used = {tie for tie, _ in led}
        waiting = [tie for tie in waiting if tie not in used]
        found += [new for _, new in led if new not in found]


def _led_to(tie: str, trusted: Sequence[VerifierKey]) -> VerifierKey | None:
    try:
        return handed_on(tie, trusted)
    except Unproven:
        return None
