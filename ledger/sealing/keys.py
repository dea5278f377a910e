"""The keys that sign checkpoints: how one is named, kept, and followed by the next.

The log is called what its key is called, and that stands from the first checkpoint on. A new key
has the same name; a *tie* (:mod:`ledger.proof.trust`) hands the log on to it, signed by both.
"""

from hashlib import sha256
from typing import Protocol
from urllib.parse import urlsplit

from ledger.errors import BadValue
from ledger.proof.errors import Malformed
from ledger.proof.note import (
    SigningKey,
    VerifierKey,
    signed,
    signing_key,
    text_of,
    verifier_key,
)
from ledger.proof.trust import tie_text
from ledger.sealing.errors import BadKey, NoCheckpoint
from ledger.store.seals import SealTable, StoredKey

NAMELESS = "corrigenda.invalid"
SUFFIX = "/corrections-log"


class Keyring(Protocol):
    """Where the secret half is kept."""

    def has_key(self) -> bool:
        """Whether there is any key here at all; nothing is read."""

    def key(self, current: VerifierKey | None) -> SigningKey:
        """The secret half of the log's current key, or of what is to be its first one.

        Called under the log's lock. Raises ``NoKey``, ``KeyLost``, ``KeyExposed`` or ``BadKey``.
        """

    def prepare(self, key: SigningKey) -> None:
        """Keep a coming key beside the current one; called under the log's lock."""


def named_key(secret: bytes, *, log_name: str | None, address: str | None) -> SigningKey:
    """A key of these 32 secret bytes under the name of its log.

    That is ``log_name``, else one made of the host of the pages' address, else one under a domain
    that nobody can own. Raises ``BadValue`` for a name that no note could bear.
    """
    host = urlsplit(address).netloc if address else ""
    name = log_name or (
        f"{host}{SUFFIX}" if host else f"{NAMELESS}/{sha256(secret).hexdigest()[:8]}"
    )
    key = SigningKey(name, secret)
    try:
        key.verifier  # noqa: B018 -- a name that will not do is refused as the public half is made
    except Malformed as why:
        raise BadValue(what="name of the log", shown=repr(name), why=str(why)) from None
    return key


def read_key(text: str, where: str) -> SigningKey:
    """The key that was kept as text. Raises ``BadKey``, which shows nothing of it."""
    try:
        return signing_key(text.strip())
    except (Malformed, ValueError) as why:
        raise BadKey(where=where, why=why) from None


def current_key(table: SealTable) -> VerifierKey | None:
    """The key that signs now; ``None`` before the first checkpoint."""
    keys = table.keys()
    return verifier_key(keys[-1].verifier) if keys else None


def key_to_sign(table: SealTable, keyring: Keyring) -> SigningKey:
    """The secret half of the current key; before the first checkpoint it becomes the first."""
    current = current_key(table)
    key = keyring.key(current)
    if current is None:
        table.add_key(StoredKey(1, str(key.verifier), 0))
    return key


def follow(table: SealTable, old: SigningKey, new: SigningKey) -> None:
    """Let a new key take over at the last checkpoint."""
    keys, latest = table.keys(), table.checkpoint()
    if latest is None:
        raise NoCheckpoint(name="any number")
    text = text_of(latest.note)
    table.add_key(
        StoredKey(
            number=keys[-1].number + 1,
            verifier=str(new.verifier),
            size=latest.size,
            tie=signed(tie_text(text, new.verifier), old, new),
            note=signed(text, old, new),
        )
    )


def note_of_both(keys: list[StoredKey], size: int) -> str | None:
    """The checkpoint of this size as it was signed when a key last took over at it."""
    return next((key.note for key in reversed(keys) if key.size == size), None)
