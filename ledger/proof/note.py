"""Signed notes and the checkpoints in them (C2SP ``signed-note``, ``tlog-checkpoint``); Ed25519.

A note is text that ends in a newline, an empty line, and a line for each signature. Signatures of
keys that we do not know are passed over; a bad one of a key that we know refuses the note. A
verifier key is ``name+hash+base64``, the key that signs ``PRIVATE+KEY+name+hash+base64``.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from hashlib import sha256

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from ledger.proof.encoded import base64_of, bytes_in
from ledger.proof.errors import Malformed, Unproven
from ledger.proof.merkle import SIZE

ED25519 = b"\x01"
DASH = "\N{EM DASH} "
PRIVATE = "PRIVATE+KEY+"
MOST_SIGNATURES = 100
LONGEST = 1_000_000
_ID = 4
_NAME = re.compile(r"[^\s+\x00-\x20\ud800-\udfff]{1,255}")
_NUMBER = re.compile(r"0|[1-9]\d{0,18}", re.ASCII)


@dataclass(frozen=True, slots=True)
class VerifierKey:
    """The public half of a key, under its name."""

    name: str
    public: bytes

    def __post_init__(self) -> None:
        """Refuse what no note could name."""
        if _NAME.fullmatch(self.name) is None:
            raise Malformed(f"{self.name!r} cannot name a key: no spaces and no plus")
        if len(self.public) != SIZE:
            raise Malformed(f"a public key has {SIZE} bytes, not {len(self.public)}")

    @property
    def id(self) -> bytes:
        """The four bytes that signature lines call it by."""
        return sha256(self.name.encode() + b"\n" + ED25519 + self.public).digest()[:_ID]

    def __str__(self) -> str:
        """As people hand it on: ``name+hash+base64``."""
        return f"{self.name}+{self.id.hex()}+{base64_of(ED25519 + self.public)}"

    def verifies(self, text: str, signature: bytes) -> bool:
        """Whether this is its signature under the text."""
        try:
            Ed25519PublicKey.from_public_bytes(self.public).verify(signature, text.encode())
        except InvalidSignature:
            return False
        return True


@dataclass(frozen=True, slots=True)
class SigningKey:
    """The secret half of a key, under its name; it is never shown by accident."""

    name: str
    secret: bytes = field(repr=False)

    @property
    def verifier(self) -> VerifierKey:
        """The half that may be given away."""
        key = Ed25519PrivateKey.from_private_bytes(self.secret)
        return VerifierKey(self.name, key.public_key().public_bytes_raw())

    def reveal(self) -> str:
        """As it is kept in a file: ``PRIVATE+KEY+name+hash+base64``."""
        return f"{PRIVATE}{self.name}+{self.verifier.id.hex()}+{base64_of(ED25519 + self.secret)}"

    def line(self, text: str) -> str:
        """The line of its signature under a text; the same text always gives the same line."""
        signature = Ed25519PrivateKey.from_private_bytes(self.secret).sign(text.encode())
        return f"{DASH}{self.name} {base64_of(self.verifier.id + signature)}\n"


@dataclass(frozen=True, slots=True)
class Opened:
    """A note whose signatures by known keys hold: its text, and by whom it is signed."""

    text: str
    signed_by: tuple[VerifierKey, ...]


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """How many leaves a log has, and the root over them."""

    origin: str
    size: int
    root: bytes

    @property
    def text(self) -> str:
        """The text that is signed."""
        return f"{self.origin}\n{self.size}\n{base64_of(self.root)}\n"


def verifier_key(text: str) -> VerifierKey:
    """Read ``name+hash+base64``. Raises ``Malformed``."""
    name, shown, key = _parts(text.strip(), 3)
    found = VerifierKey(name, _of_type(key))
    if found.id.hex() != shown:
        raise Malformed(f"the verifier key of {name} was copied wrongly: its hash does not fit")
    return found


def signing_key(text: str) -> SigningKey:
    """Read ``PRIVATE+KEY+name+hash+base64``. Raises ``Malformed``, without showing the secret."""
    if not text.startswith(PRIVATE):
        raise Malformed(f"a key that signs begins with {PRIVATE}")
    name, shown, key = _parts(text.strip().removeprefix(PRIVATE), 3)
    secret = _of_type(key)
    if len(secret) != SIZE:
        raise Malformed(f"the key of {name} has not {SIZE} bytes")
    found = SigningKey(name, secret)
    if found.verifier.id.hex() != shown:
        raise Malformed(f"the key of {name} was copied wrongly: its hash does not fit")
    return found


def signed(text: str, *keys: SigningKey) -> str:
    """A text as a note signed by these keys, in this order."""
    if not text.endswith("\n"):
        raise Malformed("the text of a note ends in a newline")
    return text + "\n" + "".join(key.line(text) for key in keys)


def opened(note: str, known: Iterable[VerifierKey]) -> Opened:
    """The text of a note that at least one known key has signed. Raises ``Unproven`` when none
    has, or when a signature by a known key is bad, and ``Malformed``."""
    text, lines = _split(note)
    keys = {(key.name, key.id): key for key in known}
    signed_by: list[VerifierKey] = []
    for line in lines:
        name, key_id, signature = _signature(line)
        key = keys.get((name, key_id))
        if key is None or key in signed_by:
            continue
        if not key.verifies(text, signature):
            raise Unproven(f"the signature of {name} ({key_id.hex()}) under the note is not valid")
        signed_by.append(key)
    if not signed_by:
        wanted = ", ".join(str(key) for key in keys.values()) or "none"
        raise Unproven(f"no key that is trusted has signed the note; trusted: {wanted}")
    return Opened(text, tuple(signed_by))


def text_of(note: str) -> str:
    """The text of a note, whoever signed it or not. Raises ``Malformed``."""
    return _split(note)[0]


def checkpoint_in(text: str) -> Checkpoint:
    """Read the text of a checkpoint; lines after the third are allowed. Raises ``Malformed``."""
    lines = text.split("\n")
    if len(lines) < 4 or lines[-1]:
        raise Malformed("a checkpoint has three lines: origin, size and root")
    origin, size, root = lines[:3]
    if not origin or _NUMBER.fullmatch(size) is None:
        raise Malformed("a checkpoint has three lines: origin, size and root")
    hashed = bytes_in(root, "the root of a checkpoint")
    if len(hashed) != SIZE:
        raise Malformed(f"the root of a checkpoint has {SIZE} bytes, not {len(hashed)}")
    return Checkpoint(origin, int(size), hashed)


def opened_checkpoint(note: str, known: Sequence[VerifierKey]) -> Checkpoint:
    """The checkpoint in a note that a known key of its origin has signed. Raises ``Unproven``."""
    found = opened(note, known)
    checkpoint = checkpoint_in(found.text)
    if all(key.name != checkpoint.origin for key in found.signed_by):
        raise Unproven(f"the checkpoint of {checkpoint.origin} is not signed by a key of its name")
    return checkpoint


def _split(note: str) -> tuple[str, list[str]]:
    if len(note) > LONGEST:
        raise Malformed("the note is too long")
    if any((ord(letter) < 0x20 and letter != "\n") or letter == "\x7f" for letter in note):
        raise Malformed("a note has no control characters")
    if not _is_utf8(note):
        raise Malformed("a note is UTF-8")
    # The signatures begin behind the last empty line: a text may have empty lines of its own.
    text, found, signatures = note.rpartition("\n\n")
    lines = signatures.split("\n")
    if not found or lines.pop() or not lines or len(lines) > MOST_SIGNATURES:
        raise Malformed("a note is a text, an empty line, and lines of signatures")
    return text + "\n", lines


def _is_utf8(text: str) -> bool:
    """Whether it can be written down; JSON may bring in half a character."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _signature(line: str) -> tuple[str, bytes, bytes]:
    name, space, encoded = line.removeprefix(DASH).partition(" ")
    if not line.startswith(DASH) or not space or _NAME.fullmatch(name) is None:
        raise Malformed(f"{line[:80]!r} is not the line of a signature")
    found = bytes_in(encoded, f"the signature of {name}")
    if len(found) <= _ID:
        raise Malformed(f"the signature of {name} is too short")
    return name, found[:_ID], found[_ID:]


def _parts(text: str, count: int) -> list[str]:
    # The base64 may hold a plus of its own; name and hash do not.
    parts = text.split("+", count - 1)
    if len(parts) != count:
        raise Malformed("a key is written as name+hash+base64")
    return parts


def _of_type(key: str) -> bytes:
    found = bytes_in(key, "the key")
    if found[:1] != ED25519:
        raise Malformed("the key is not of the type Ed25519")
    return found[1:]
