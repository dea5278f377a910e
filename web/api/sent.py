"""What a program sends: one JSON document, read in one way, and the key that makes it safe to
repeat."""

from collections.abc import Callable
from typing import Any

import orjson
from flask import Response, request

from ledger.errors import BadValue
from web.access import account, client_key
from web.api.told import JSON
from web.private import answered
from web.site import site

KEY = "Idempotency-Key"
FEWEST, MOST = 16, 64
SIGNS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-")

Done = tuple[Any, int]
"""A document, and the status that it is answered with."""


def document_sent() -> Any:
    """What was sent, as JSON; refused when it is anything else."""
    if request.mimetype != JSON:
        raise BadValue(what="document", shown=ascii(request.mimetype), why="send application/json")
    try:
        return orjson.loads(request.get_data())
    except orjson.JSONDecodeError as why:
        raise BadValue(what="document", shown="unreadable", why=str(why)) from None


def key_sent() -> str | None:
    """The key of this very request, if it has one; refused unless it can be nobody else's."""
    given = request.headers.get(KEY)
    if given is not None and not (FEWEST <= len(given) <= MOST and set(given) <= SIGNS):
        why = f"give {FEWEST} to {MOST} letters, digits, - or _, such as a UUID"
        raise BadValue(what=KEY, shown=ascii(given[:80]), why=why)
    return given


def sender() -> str:
    """Who sent this, for telling their keys from other people's: a handle, or a network for a
    day."""
    who = account()
    return f"network {client_key()}" if who is None else f"account {who.handle}"


def once(do: Callable[[], Done], *, keep: bool) -> Response:
    """Do what was sent, or give the answer that the very same got before under its key.

    What is done has to come to the same when it is done twice, as a crash in between leaves no
    answer. ``keep``: the answer is kept; else it is worked out again, as it holds a secret.
    """
    key = key_sent()
    if key is None:
        return answer(*do())
    private, who = site().workspace.private, account()
    whole = f"{sender()}\x1f{request.method}\x1f{request.path}\x1f{key}"
    before = answered.begin(private, whole, request.get_data(), who.handle if who else None)
    if before is not None:
        return _as_json(before.content, before.status)
    try:
        made = answer(*do())
    except Exception:
        answered.forget(private, whole)
        raise
    # Crash here: it is done, and done again it comes to the same.
    if keep and made.status_code < 400:
        answered.keep(private, whole, made.status_code, made.get_data())
    return made


def answer(content: Any, status: int = 200) -> Response:
    """A document as the answer to a program."""
    return _as_json(orjson.dumps(content) + b"\n", status)


def _as_json(content: bytes, status: int) -> Response:
    return Response(content, status, mimetype=JSON)
