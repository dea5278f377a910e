"""Memento (RFC 7089): time travel for programs that know nothing of our parameters.

Original resources (:mod:`web.originals`) have a *TimeGate*, which takes an ``Accept-Datetime`` and
leads to the page as read then (pattern 2.1: a resource of its own, 302, distinct mementos), and a
*TimeMap*, which lists every instant at which the page changed. A *memento* is the page as read at
an instant, with the corrections decided by then, pinned to a position: a page that never changes
again, and the only kind that bears a ``Memento-Datetime``.
"""

from collections.abc import Iterator, Sequence

from flask import Blueprint, Response, request
from werkzeug.http import http_date, parse_date

from ledger.claim import Plane
from ledger.errors import BadValue
from ledger.values import Instant
from web import access
from web.addresses import absolute
from web.asked import is_pinned
from web.originals import LINK_FORMAT, WHICH, Mementos, mementos_of, original_of, original_shown
from web.site import Look, site

memento = Blueprint("memento", __name__)

MOST_IN_MAP = 1_000
"""Mementos in one TimeMap; it says where the others are."""


@memento.get("/timegate/<path:original>")
@access.public
def timegate(original: str) -> Response:
    """Lead to the page as it was at the time that ``Accept-Datetime`` names; else to the last."""
    wanted = _accept_datetime()

    def make(look: Look) -> Response:
        found = mementos_of(look, original_of(look, original))
        response = Response(status=302)
        response.location = found.address(found.at(wanted))
        response.headers["Link"] = _links(
            (found.original.address(), 'rel="original"'),
            (found.original.timemap(), f'rel="timemap"; type="{LINK_FORMAT}"'),
            *_ends(found),
        )
        return response

    response = site().answer(make, WHICH)
    response.vary.add("Accept-Datetime")
    # A tag stands for an address, and this answer depends on more than that.
    del response.headers["ETag"]
    return response


def _accept_datetime() -> Instant | None:
    text = request.headers.get("Accept-Datetime")
    if text is None:
        return None
    found = parse_date(text)
    if found is None:
        why = "write it as in “Mon, 28 Jul 2025 10:00:00 GMT”"
        raise BadValue(what="Accept-Datetime", shown=repr(text[:80]), why=why)
    return found


@memento.get("/timemap/<path:original>")
@access.public
def timemap(original: str) -> Response:
    """Every memento of a page in link-format, oldest first."""

    def make(look: Look) -> Response:
        found = mementos_of(look, original_of(look, original))
        number = _page(look.asked.get("page", "1"), found.instants)
        links = _listed(found, number)
        return Response(_link_format(links), content_type=LINK_FORMAT)

    return site().answer(make, (*WHICH, "page"))


def _page(text: str, instants: Sequence[Instant]) -> int:
    pages = -(-len(instants) // MOST_IN_MAP)
    if not (text.isascii() and text.isdecimal() and len(text) < 6 and 1 <= int(text) <= pages):
        raise BadValue(what="page", shown=repr(text), why=f"it is a number from 1 to {pages}")
    return int(text)


# --- link-format ------------------------------------------------------------------------------

Link = tuple[str, str]


def _listed(found: Mementos, number: int) -> Iterator[Link]:
    """The links of one TimeMap."""
    original, instants = found.original, found.instants
    yield original.address(), 'rel="original"'
    yield original.timegate(), 'rel="timegate"'
    for page, part in enumerate(_parts(instants), 1):
        rel = "self" if page == number else "timemap"
        span = f'from="{http_date(part[0])}"; until="{http_date(part[-1])}"'
        address = original.timemap(page=page) if page > 1 else original.timemap()
        yield address, f'rel="{rel}"; type="{LINK_FORMAT}"; {span}'
    for instant in _parts(instants)[number - 1]:
        yield found.address(instant), _rel(found, instant)


def _parts(instants: Sequence[Instant]) -> list[Sequence[Instant]]:
    return [instants[start : start + MOST_IN_MAP] for start in range(0, len(instants), MOST_IN_MAP)]


def _ends(found: Mementos) -> Iterator[Link]:
    for instant in dict.fromkeys((found.instants[0], found.instants[-1])):
        yield found.address(instant), _rel(found, instant)


def _rel(found: Mementos, instant: Instant) -> str:
    first = "first " if instant == found.instants[0] else ""
    last = "last " if instant == found.instants[-1] else ""
    return f'rel="{first}{last}memento"; datetime="{http_date(instant)}"'


def _links(*links: Link) -> str:
    return ", ".join(f"<{address}>; {told}" for address, told in links)


def _link_format(links: Iterator[Link]) -> str:
    return ",\n".join(f"<{address}>; {told}" for address, told in links) + "\n"


# --- what pages say of themselves -------------------------------------------------------------


def remembered(response: Response, look: Look, kind: str, name: str) -> Response:
    """An original resource's page with its links; a memento says of when it is."""

    def links() -> str:
        original = original_shown(look, kind, name)
        return _links(
            (original.address(), 'rel="original"'),
            (original.timegate(), 'rel="timegate"'),
            (original.timemap(), f'rel="timemap"; type="{LINK_FORMAT}"'),
        )

    response.headers["Link"] = site().told.at(absolute(request.full_path), links)
    if _is_memento(look):
        response.headers["Memento-Datetime"] = http_date(look.moment.instant)
    return response


def _is_memento(look: Look) -> bool:
    """Whether a page is fixed for good and shows what was read, with the corrections of its day."""
    changed = {"published_by", "sort"} & look.asked.keys()
    return is_pinned(look.asked) and look.moment.plane is Plane.THEN and not changed
