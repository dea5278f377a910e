"""One signed request to the operator's receiver, as Standard Webhooks has it.

The signature is HMAC-SHA256 over id, time and body, so a receiver can tell that it is from us, that
nobody changed it, that it is no old one sent again, and, by its id, whether it came before. No
redirect is followed, and of the answer only the status is read.
"""

import base64
import binascii
import hashlib
import hmac
import ssl
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from urllib.parse import urlsplit

from ledger.errors import BadValue

PATIENCE = 10.0
"""Seconds that the receiver may take to connect, and to answer."""

PREFIX = "whsec_"


class NotTaken(Exception):
    """The receiver did not take it; the reason names neither its address nor the secret."""


def check(url: str) -> None:
    """Refuse an address that nothing can be sent to, without repeating it."""
    parts = urlsplit(url)
    plain = url.isascii() and url.isprintable() and " " not in url and parts.username is None
    if parts.scheme not in ("http", "https") or not parts.hostname or not plain:
        why = "write it as https://name/path, without a password"
        raise BadValue(what="CORRIGENDA_WEBHOOK_URL", shown="as given", why=why)


def post(url: str, secret: str, key: str, timestamp: int, body: bytes) -> None:
    """Send a body of JSON; raises :class:`NotTaken` unless the answer is one of 200 to 299.

    ``timestamp`` is now in whole seconds; ``key`` stays the same for the same message.
    """
    parts = urlsplit(url)
    path = f"{parts.path or '/'}?{parts.query}" if parts.query else parts.path or "/"
    connection = _connection(parts.scheme, parts.hostname or "", parts.port)
    try:
        connection.request("POST", path, body, headers_of(secret, key, timestamp, body))
        status = connection.getresponse().status
    except (OSError, HTTPException) as why:
        raise NotTaken(f"no answer ({type(why).__name__})") from None
    finally:
        connection.close()
    if not 200 <= status < 300:
        raise NotTaken(f"answered {status}")


def _connection(scheme: str, host: str, port: int | None) -> HTTPConnection:
    if scheme == "http":
        return HTTPConnection(host, port, timeout=PATIENCE)
    context = ssl.create_default_context()
    return HTTPSConnection(host, port, timeout=PATIENCE, context=context)


def headers_of(secret: str, key: str, timestamp: int, body: bytes) -> dict[str, str]:
    """The headers of a signed request."""
    return {
        "Content-Type": "application/json",
        "User-Agent": "Corrigenda",
        "webhook-id": key,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": f"v1,{signature(secret, key, timestamp, body)}",
    }


def signature(secret: str, key: str, timestamp: int, body: bytes) -> str:
    """HMAC-SHA256 over ``id.timestamp.body``, in base64."""
    signed = f"{key}.{timestamp}.".encode() + body
    return base64.b64encode(hmac.new(key_of(secret), signed, hashlib.sha256).digest()).decode()


def key_of(secret: str) -> bytes:
    """The bytes of a secret: base64 after ``whsec_``, any other text as it stands."""
    if secret.startswith(PREFIX):
        try:
            return base64.b64decode(secret.removeprefix(PREFIX), validate=True)
        except binascii.Error:
            pass
    return secret.encode()
