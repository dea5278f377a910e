"""A key in memory, for logs that live as long as a test."""

import attrs

from ledger.proof.note import SigningKey, VerifierKey

NAME = "kites.example/corrections-log"


@attrs.define
class Ring:
    """One key, which is never changed."""

    signing: SigningKey = attrs.field(factory=lambda: SigningKey(NAME, bytes(range(32))))

    def has_key(self) -> bool:
        """It is always there."""
        return True

    def key(self, _: VerifierKey | None) -> SigningKey:
        """The key, whoever asks."""
        return self.signing

    def prepare(self, key: SigningKey) -> None:
        """Go on with another one."""
        self.signing = key
