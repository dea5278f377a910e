"""Lists page by page: ``limit`` and ``cursor``, and where a list goes on.

A cursor holds the moment at which the list was begun and the entry that was given last. It is good
for the query that it was given for and for no other; so whatever is recorded meanwhile, whoever
follows ``next`` meets every entry of that moment once.
"""

import hashlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as NotBase64
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import attrs
import orjson
from flask import Response, request, url_for

from ledger.errors import BadValue
from web.addresses import absolute
from web.api.parameters import MOST
from web.asked import TIME, pinned, time_of
from web.public import document
from web.site import Look, site

TURN = ("limit", "cursor")
PLACE = ("before", "after", "count")
"""What the pages of numbered lists go on by, which holds no moment."""
USUAL = 100
THROUGH = "recorded_through"


class NotOurs(BadValue):
    """This cursor is none that was given out for this query; begin the list anew without it, or
    follow the address under ``next`` as it is."""


@attrs.frozen(kw_only=True)
class Turn:
    """Which part of a list: at most ``limit`` entries behind ``after``, all from the beginning when
    that is ``None``."""

    limit: int
    after: str | int | None


@attrs.frozen(kw_only=True)
class Cursor:
    """Where a list goes on, and the time that it was begun at."""

    query: str
    time: Mapping[str, str]
    after: str | int

    def __str__(self) -> str:
        told = orjson.dumps([self.query, dict(self.time), self.after])
        return urlsafe_b64encode(told).decode().rstrip("=")


# --- what is asked for ------------------------------------------------------------------------


def turn_of(asked: Mapping[str, str], usual: int = USUAL) -> Turn:
    """Which part of a list an address asks for; refused for a cursor of another query."""
    cursor = cursor_of(asked)
    return Turn(limit=limit_of(asked) or usual, after=None if cursor is None else cursor.after)


def limit_of(asked: Mapping[str, str]) -> int | None:
    """How many entries are asked for at once, within bounds."""
    text = asked.get("limit")
    if text is None:
        return None
    if not (text.isascii() and text.isdecimal() and len(text) <= 9 and 1 <= int(text) <= MOST):
        raise BadValue(what="limit", shown=repr(text[:40]), why=f"give a number from 1 to {MOST}")
    return int(text)


def cursor_of(asked: Mapping[str, str]) -> Cursor | None:
    """The cursor of an address, checked against the rest of it."""
    if "cursor" not in asked:
        return None
    found = _read(asked["cursor"])
    if found is None or found.query != _digest(asked):
        raise NotOurs(what="cursor")
    return found


def time_in(asked: Mapping[str, str]) -> dict[str, str]:
    """The time that an address asks for: that at which its list was begun."""
    cursor = cursor_of(asked)
    return time_of(asked) if cursor is None else dict(cursor.time)


def _read(text: str) -> Cursor | None:
    """A cursor as it was written, if it is one."""
    try:
        told = orjson.loads(urlsafe_b64decode(text + "=" * (-len(text) % 4)))
    except (NotBase64, ValueError):
        return None
    match told:
        case [str(query), dict(time), str() | int() as after] if not isinstance(after, bool):
            known = set(time) <= set(TIME) and THROUGH in time
            if known and all(isinstance(one, str) for one in time.values()):
                return Cursor(query=query, time=time, after=after)
    return None


def _digest(asked: Mapping[str, str]) -> str:
    """The query without what moves through its list, at its very address."""
    rest = sorted((name, text) for name, text in asked.items() if name not in TURN)
    return hashlib.sha256(orjson.dumps([request.path, rest])).hexdigest()[:16]


def in_place(asked: Mapping[str, str]) -> dict[str, str]:
    """The same parameters with ``limit`` and ``cursor`` as the pages' own ``count`` and ``before``,
    for lists of what is numbered."""
    found = {name: text for name, text in asked.items() if name not in TURN}
    cursor, limit = cursor_of(asked), limit_of(asked)
    if set(asked) & set(TURN) and set(asked) & set(PLACE):
        why = f"give {' and '.join(TURN)}, or {', '.join(PLACE)}"
        raise BadValue(what="limit", shown="or cursor, beside those of a page", why=why)
    if limit is not None:
        found["count"] = str(limit)
    if cursor is not None:
        found["before"] = str(cursor.after)
    return found


# --- where it goes on -------------------------------------------------------------------------


def following(look: Look, after: str | int | None, *, through_alone: bool = False) -> str | None:
    """The address of the same list behind an entry; ``None`` where it ends.

    ``through_alone``: the list knows no other time than a position.
    """
    begun = {THROUGH: str(look.moment.position)} if through_alone else _begun(look)
    return address_after(look.asked, begun, after)


def address_after(
    asked: Mapping[str, str], begun: Mapping[str, str], after: str | int | None
) -> str | None:
    """The address of a list behind an entry; ``begun`` is its time where this is its beginning."""
    if after is None:
        return None
    cursor = cursor_of(asked)
    time = begun if cursor is None else cursor.time
    made = Cursor(query=_digest(asked), time=time, after=after)
    values: dict[str, Any] = {**(request.view_args or {}), **asked, "cursor": str(made)}
    return url_for(str(request.endpoint), **values)


def _begun(look: Look) -> dict[str, str]:
    """The time of a list that begins now, for good."""
    found = pinned(look.moment, look.asked, look.today)
    found.pop("every_claim", None)
    return found


def page_of_list(content: Mapping[str, Any]) -> Response:
    """A part of a list as JSON; the address under ``next`` stands in a ``Link`` header too."""
    response = document(content)
    if content["next"] is not None:
        response.headers["Link"] = f'<{absolute(content["next"])}>; rel="next"'
    return response


def listed(
    make: Callable[[Look, Turn], Mapping[str, Any]], known: Sequence[str] = TIME
) -> Response:
    """A list of the moment that the address asks for, page by page."""

    def respond(look: Look) -> Response:
        return page_of_list(make(look, turn_of(look.asked)))

    return site().answer(respond, (*known, *TURN), time_in=time_in)
