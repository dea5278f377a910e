"""Memento (RFC 7089): time travel for programs that know nothing of our parameters.

Boards and claims, asked for without any time, are *original resources*. Each has a TimeGate, which
takes an ``Accept-Datetime`` and leads to the page as read then (pattern 2.1: a separate resource,
302, distinct mementos), and a TimeMap, which lists every instant at which the page changed. A
*memento* is the page as read at an instant, with the corrections decided by then, pinned to a
position: a page that never changes again, and the only kind that bears a ``Memento-Datetime``.

The position is the last one at which anything about the page was recorded, so the addresses in a
TimeMap stay the same until something new is known about it.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

import attrs
from flask import Blueprint, Response, request
from werkzeug.http import http_date, parse_date

from ledger.claim import Plane
from ledger.errors import BadValue, NotFound
from ledger.values import Instant, short_instant
from projections.boards import board_at
from projections.moments_of_change import changed_at, settled
from projections.page_steps import About
from web import access
from web.addresses import absolute, address_of
from web.asked import BOARD, is_pinned
from web.site import Look, site

memento = Blueprint("memento", __name__)

LINK_FORMAT = "application/link-format"
MOST_IN_MAP = 1_000
"""Mementos in one TimeMap; it says where the next one is."""

ORIGINAL = re.compile(r"(?P<kind>benchmarks|claims)/(?P<id>[a-z0-9][a-z0-9._-]{0,127})")
PAGES = {"benchmarks": ("public.board", "slug"), "claims": ("public.claim", "claim")}
WHICH = ("view", "metric", "every_claim")
KNOWN = {"benchmarks": WHICH, "claims": ()}


@attrs.frozen(kw_only=True)
class Original:
    """An original resource: ``kind`` and ``id`` are its address, ``which`` its parameters."""

    kind: str
    id: str
    which: Mapping[str, str] = attrs.field(factory=dict)

    @property
    def path(self) -> str:
        """Its address without parameters, as TimeGate and TimeMap take it."""
        return f"{self.kind}/{self.id}"

    def address(self, **time: str) -> str:
        """Its whole address, at a moment if one is given."""
        endpoint, name = PAGES[self.kind]
        found = {**self.which, **time}
        ordered = {key: found[key] for key in BOARD if key in found}
        return absolute(address_of(endpoint, {name: self.id}, ordered))

    def timegate(self) -> str:
        """The whole address of its TimeGate."""
        return absolute(address_of("memento.timegate", {"original": self.path}, self.which))

    def timemap(self, **page: int) -> str:
        """The whole address of its TimeMap, or of one of several."""
        parameters = {**self.which, **page}
        return absolute(address_of("memento.timemap", {"original": self.path}, parameters))


@attrs.frozen
class Mementos:
    """The instants at which an original resource changed, oldest first, to the second; and the
    position that its mementos are pinned to."""

    original: Original
    instants: tuple[Instant, ...]
    position: int

    def address(self, instant: Instant) -> str:
        """The memento of an instant."""
        return self.original.address(
            as_read_on=short_instant(instant),
            corrected=Plane.THEN.value,
            recorded_through=str(self.position),
        )

    def at(self, asked: Instant | None) -> Instant:
        """The one that was there at a time that is asked for, which has whole seconds: the last by
        the end of that second; the first of all where it is earlier, the last where none is."""
        if asked is None:
            return self.instants[-1]
        by_then = [one for one in self.instants if one.replace(microsecond=0) <= asked]
        return by_then[-1] if by_then else self.instants[0]


def mementos_of(look: Look, original: Original) -> Mementos:
    """All mementos of an original resource; refused when there is none."""
    if original.kind == "claims":
        about = About(kind="claim", id=original.id)
    else:
        board = board_at(
            look.reader,
            original.id,
            look.moment,
            view=original.which.get("view"),
            metric=original.which.get("metric"),
        )
        metric = board.rule.metric if board.rule else None
        about = About(kind="benchmark", id=original.id, view=board.view, metric=metric)
    instants = changed_at(look.reader, look.store, about, look.moment)
    if not instants:
        raise NotFound(what="memento of", name=original.path)
    position = settled(look.reader, look.store, about, look.moment)
    # Of one second the last is what was there at its end, and the header knows no finer time.
    last = {one.replace(microsecond=0): one for one in instants}
    return Mementos(original, tuple(last.values()), position)


# --- addresses --------------------------------------------------------------------------------


def _original(look: Look, path: str) -> Original:
    """The original resource that a TimeGate or TimeMap is asked about: by its path, or by its whole
    address, if that is one of ours."""
    name = path.removeprefix(f"{absolute('')}/")
    found = ORIGINAL.fullmatch(name)
    if found is None:
        raise NotFound(what="original resource", name=path[:200])
    kind = found["kind"]
    for key, value in look.asked.items():
        if key not in (*KNOWN[kind], "page"):
            raise BadValue(what=key, shown=repr(value), why=f"{kind} have no such parameter")
    return Original(kind=kind, id=found["id"], which=_which(look, kind))


def _which(look: Look, kind: str) -> dict[str, str]:
    """The parameters that tell one original resource from another, in one order."""
    return {name: look.asked[name] for name in KNOWN[kind] if name in look.asked}


@memento.get("/timegate/<path:original>")
@access.public
def timegate(original: str) -> Response:
    """Lead to the page as it was at the time that ``Accept-Datetime`` names; else to the last."""
    wanted = _accept_datetime()

    def make(look: Look) -> Response:
        found = mementos_of(look, _original(look, original))
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
        found = mementos_of(look, _original(look, original))
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
    """A board's or a claim's page with its links; a memento says of when it is."""

    def links() -> str:
        original = Original(kind=kind, id=name, which=_which(look, kind))
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
