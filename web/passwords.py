"""Passwords: hashed with argon2id, checked in the same time whether or not there is an account."""

import secrets
import unicodedata
from threading import BoundedSemaphore

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from argon2.profiles import RFC_9106_LOW_MEMORY

from ledger.errors import BadValue

SHORTEST = 12
LONGEST = 1_024
FEWEST_CHARACTERS = 5
"""How many different characters a password has at least."""

# 64 MiB, three passes, four lanes: RFC 9106, section 4, second choice.
HASHER = PasswordHasher.from_parameters(RFC_9106_LOW_MEMORY)
DECOY = (
    "$argon2id$v=19$m=65536,t=3,p=4$mQ0WFucZAUT9qYGk/E834g"
    "$gMlyp5CsO3C27pmBbuiKq2Vpz3TkptYSUArvU5V1ZZ8"
)
"""What a password is checked against where there is no account: no password is known to fit."""

AT_ONCE = BoundedSemaphore(2)
"""Each check takes 64 MiB and a core; a flood of them waits instead of taking the machine."""

# No l, 1, o or 0: it is read from a screen and typed.
ALPHABET = "abcdefghijkmnpqrstuvwxyz23456789"
GROUPS, GROUP = 5, 5


def hashed(password: str) -> str:
    """The hash of a password, with its parameters and salt."""
    with AT_ONCE:
        return HASHER.hash(_bytes(password))


def matches(kept: str | None, password: str) -> bool:
    """Whether a password fits a hash; without one it takes the same time and never does."""
    with AT_ONCE:
        try:
            HASHER.verify(DECOY if kept is None else kept, _bytes(password))
        except (VerificationError, InvalidHashError):
            return False
    return kept is not None


def is_outdated(kept: str) -> bool:
    """Whether a hash was made under other parameters than today's."""
    return HASHER.check_needs_rehash(kept)


def one_time() -> str:
    """A password to be used once: 125 random bits in five groups."""
    return "-".join("".join(secrets.choice(ALPHABET) for _ in range(GROUP)) for _ in range(GROUPS))


def check_new(password: str, handle: str) -> None:
    """Refused when a password is too easy to guess, or too long to be one."""
    size = len(password)
    if size < SHORTEST:
        _refuse(f"of {size} characters", f"use {SHORTEST} or more; four or five words do well")
    if size > LONGEST:
        _refuse(f"of {size} characters", f"use {LONGEST} at most")
    if handle in password.lower():
        _refuse("with your handle in it", "leave the handle out")
    if len(set(password)) < FEWEST_CHARACTERS:
        _refuse("of a few characters over and over", "use more different ones")


def _refuse(shown: str, why: str) -> None:
    raise BadValue(what="password", shown=shown, why=why)


def _bytes(password: str) -> bytes:
    """The same for however a keyboard composes its letters."""
    return unicodedata.normalize("NFKC", password).encode("utf-8", "surrogatepass")
