"""What the addresses of these pages ask for: which events, which part of a list, which proof.

All of it is bounded before anything is looked up. A filter that is left empty asks for nothing, as
forms send every field.
"""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime, time, timedelta
from functools import partial

import attrs
from flask import Response, request

from ledger.errors import BadValue
from ledger.published import PUBLISHED_TYPES
from ledger.values import end_of_day, parse_day, parse_text
from projections.audit_log import Wanted
from projections.keeping.inventory import PUBLISHED, WITHHELD
from projections.moment import Positions
from web.api.paging import TURN, in_place, time_in
from web.asked import Choice, Select
from web.headers import FOR_EVER
from web.site import Look, site
from web.words import term_words

FILTERS = ("type", "stream", "who", "day", "shown")
PLACE = ("before", "after", "count")
THROUGH = "recorded_through"
LISTED = (THROUGH, *PLACE, *TURN)
"""What a list knows for programs, which may go through it by a cursor."""

USUAL, MOST = 50, 500
LONGEST_NUMBER = 15
SHOWN = {PUBLISHED: "published", WITHHELD: "withheld"}


# --- which events -----------------------------------------------------------------------------


def wanted_of(asked: Mapping[str, str]) -> Wanted:
    """The filters of an address, checked."""
    return Wanted(
        type=_one_of(asked, "type", PUBLISHED_TYPES),
        stream=_text(asked, "stream"),
        who=_text(asked, "who"),
        shown=_one_of(asked, "shown", tuple(SHOWN)),
    )


def within_of(asked: Mapping[str, str], positions: Positions, upto: int) -> tuple[int, int]:
    """The first and the last position of the day that is asked for, else of the whole log."""
    if "day" not in asked:
        return 1, upto
    day = parse_day(asked["day"], "day")
    begin = datetime.combine(day, time(), UTC)
    before = positions.position_at(begin - timedelta(microseconds=1))
    return before + 1, min(positions.position_at(end_of_day(day)), upto)


def _text(asked: Mapping[str, str], name: str) -> str | None:
    return parse_text(asked[name], name) if name in asked else None


def _one_of(asked: Mapping[str, str], name: str, known: tuple[str, ...]) -> str | None:
    value = asked.get(name)
    if value is not None and value not in known:
        raise BadValue(what=name, shown=repr(value), why=f"known are {', '.join(known)}")
    return value


# --- which part of a list ---------------------------------------------------------------------


@attrs.frozen(kw_only=True)
class Part:
    """At most ``count`` of a list, before a place or behind one."""

    count: int
    before: int | None
    after: int | None


def part_of(given: Mapping[str, str]) -> Part:
    """Which part of a list an address asks for."""
    asked = in_place(given)
    before, after = number_of(asked, "before"), number_of(asked, "after")
    if before is not None and after is not None:
        raise BadValue(what="before", shown="beside after", why="give one of them")
    count = number_of(asked, "count")
    if count is not None and not 1 <= count <= MOST:
        raise BadValue(what="count", shown=str(count), why=f"give a number from 1 to {MOST}")
    return Part(count=count or USUAL, before=before, after=after)


def number_of(asked: Mapping[str, str], name: str) -> int | None:
    """A whole number of an address; ``None`` where it gives none."""
    value = asked.get(name)
    if value is None:
        return None
    if not (value.isascii() and value.isdecimal()) or len(value) > LONGEST_NUMBER:
        raise BadValue(what=name, shown=repr(value), why="it is a whole number")
    return int(value)


# --- how long it may be kept ------------------------------------------------------------------


def answered(
    make: Callable[[Look], Response], known: tuple[str, ...] = (), fields: tuple[str, ...] = ()
) -> Response:
    """A list of what is recorded. Through a bare position it never changes: no day is asked for, so
    none can matter, and it may be kept for ever."""
    response = site().answer(make, (THROUGH, *known), fields=fields, time_in=time_in)
    through = request.args.get(THROUGH, "")
    if through.isascii() and through.isdecimal():
        response.headers["Cache-Control"] = FOR_EVER
    return response


# --- the form ---------------------------------------------------------------------------------


@attrs.frozen(kw_only=True)
class Controls:
    """The form over the log as it stands; ``kept`` goes along unseen."""

    selects: tuple[Select, ...]
    stream: str
    who: str
    day: str
    kept: Mapping[str, str]


def controls_of(asked: Mapping[str, str]) -> Controls:
    """The form for what is asked for."""
    select = partial(_select, asked)
    types = {name: type_words(name) for name in PUBLISHED_TYPES}
    return Controls(
        selects=(select("type", "What", types), select("shown", "Published", SHOWN)),
        stream=asked.get("stream", ""),
        who=asked.get("who", ""),
        day=asked.get("day", ""),
        kept={name: asked[name] for name in (THROUGH, "count") if name in asked},
    )


def _select(asked: Mapping[str, str], name: str, label: str, values: Mapping[str, str]) -> Select:
    chosen = asked.get(name, "")
    listed = {"": "any", **values}
    choices = (Choice(value, words, value == chosen) for value, words in listed.items())
    return Select(name=name, label=label, choices=tuple(choices))


def type_words(name: str) -> str:
    """The lasting name of an event for people: ``claim-recorded/1`` → claim recorded."""
    kind, _, version = name.partition("/")
    return term_words(kind) if version == "1" else f"{term_words(kind)} (form {version})"
