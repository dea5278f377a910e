"""Bytes as text in documents of proof: base64, and only in the one form that it has."""

import base64
import binascii

from ledger.proof.errors import Malformed


def base64_of(data: bytes) -> str:
    """Bytes as base64."""
    return base64.b64encode(data).decode("ascii")


def bytes_in(text: str, what: str) -> bytes:
    """The bytes of a base64 text; ``what`` it is says the refusal. Raises ``Malformed``."""
    try:
        found = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError, TypeError):
        raise Malformed(f"{what} is not base64") from None
    if base64_of(found) != text:
        raise Malformed(f"{what} is not base64 in its one form")
    return found
