"""Launch posts: a row for each lab that ever listed the benchmark, a tick for each of its posts.

Tall coloured ticks list it, short grey ones were read and leave it out (CH-11, CH-12); a ring is a
post that nobody read for it yet, so nothing is concluded from it.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from itertools import islice
from math import ceil
from types import MappingProxyType
from typing import Any

import attrs

from reports.charts.drawn import (
    Layer,
    Meaning,
    Picture,
    Style,
    below_each_other,
    colours_of,
    days_between,
    frame,
    named,
    over,
    pixels,
    pointed,
    span_of,
)

LISTED, LEFT_OUT, NOT_READ = "listed", "left out", "not read"
MEANINGS: Mapping[str, str] = MappingProxyType(
    {
        LISTED: "Lists it",
        LEFT_OUT: "Read, and leaves it out",
        NOT_READ: "Not read for it yet",
    }
)
MOST_LABS = 40
"""Rows of one picture."""
MOST_IN_ALL = 120
"""Labs that are drawn at all, in however many pictures."""


@attrs.frozen(kw_only=True)
class Tick:
    """One launch post: its name, its lab, its day, and whether it lists the benchmark."""

    name: str
    lab: str
    day: date
    state: str


Lanes = Mapping[str, Sequence[Tick]]
"""The rows of a picture: the posts of each lab."""


def posts_picture(ticks: Iterable[Tick], until: date, style: Style) -> Picture | None:
    """The posts of every lab that has listed it, until a day; ``None`` where no lab has."""
    pictures = posts_pictures(lanes_of(ticks, MOST_LABS), until, style, MOST_LABS)
    return next(pictures, None)


def posts_pictures(lanes: Lanes, until: date, style: Style, most: int) -> Iterator[Picture]:
    """The same in as many pictures as it takes with at most so many rows each, about alike in
    height; all have one span of days, and a lab's colour is that of one picture of all."""
    if not lanes:
        return
    colours = colours_of(lanes, style)
    every = [one for lane in lanes.values() for one in lane]
    span = span_of((one.day for one in every), until, room=True)
    key = list(_key(every, style))
    for some in parts_of(lanes, most):
        yield _picture(some, span, key, (colours, style))


def parts_of(lanes: Lanes, most: int) -> Iterator[Lanes]:
    """Rows in the fewest parts of at most so many, as even as may be."""
    rows = ceil(len(lanes) / ceil(len(lanes) / most)) if lanes else 1
    left = iter(lanes.items())
    while some := dict(islice(left, rows)):
        yield some


def _picture(
    lanes: Lanes,
    span: tuple[date, date],
    key: Sequence[Meaning],
    looks: tuple[Mapping[str, str], Style],
) -> Picture:
    (first, last), (colours, style) = span, looks
    high = style.size * 3.4
    height = round(high * len(lanes))

    where = {"x": days_between(first, last, style), "y": below_each_other(height)}

    def layers() -> Iterator[Layer]:
        yield frame(where, first)
        for place, (lab, own) in enumerate(lanes.items()):
            for layer in _lane(lab, own, _Place(place * high, first, colours[lab], style)):
                yield {**layer, "encoding": {**where, **layer["encoding"]}}

    return Picture(layers, height, key)


def posts_words(ticks: Iterable[Tick]) -> str:
    """How many posts of each lab list it, leave it out, or were not read; and how many labs the
    picture has no row for."""
    lanes = lanes_of(ticks)
    left = len(lanes) - MOST_LABS
    more = f" {left} more {'labs are' if left > 1 else 'lab is'} not drawn." if left > 0 else ""
    return lanes_words(dict(islice(lanes.items(), MOST_LABS))) + more


def lanes_words(lanes: Lanes) -> str:
    """The same of some rows."""
    told = (_told(lab, own) for lab, own in lanes.items())
    return f"Launch posts of each lab. {'; '.join(told)}."


def lanes_of(ticks: Iterable[Tick], most: int | None = None) -> dict[str, list[Tick]]:
    """The posts of each lab, oldest first; labs stand in the order in which they first listed
    it, at most so many of them."""
    by_day = sorted(ticks, key=lambda one: (one.day, one.lab, one.name))
    labs = dict.fromkeys(one.lab for one in by_day if one.state == LISTED)
    lanes: dict[str, list[Tick]] = {lab: [] for lab in islice(labs, most)}
    for one in by_day:
        if one.lab in lanes:
            lanes[one.lab].append(one)
    return lanes


def _key(ticks: Sequence[Tick], style: Style) -> Iterator[Meaning]:
    looks = {
        LISTED: (style.labs[0], "tall"),
        LEFT_OUT: (style.faint, "short"),
        NOT_READ: (style.faint, "ring"),
    }
    for state, words in MEANINGS.items():
        if any(one.state == state for one in ticks):
            colour, shape = looks[state]
            yield Meaning(words, colour, shape)


@attrs.frozen
class _Place:
    """Where a lab's row begins, from above and from the left, and its colour."""

    top: float
    first: date
    colour: str
    style: Style


def _lane(lab: str, ticks: Sequence[Tick], place: _Place) -> Iterator[Layer]:
    style, base = place.style, place.top + place.style.size * 3
    told = {"tooltip": pointed("name", "published", "state")}
    start = {"day": place.first.isoformat(), "y": base, "words": _told(lab, ticks)}
    line = {"x": pixels(0), "x2": {"value": "width"}}
    yield over([start], "rule", line, color=style.line)
    for state, tall, wide in ((LISTED, 1.6, 3.0), (LEFT_OUT, 0.8, 1.5)):
        rows = [_row(one, base) for one in ticks if one.state == state]
        if rows:
            ends = {"y2": {"datum": base - tall * style.size}, **told}
            colour = place.colour if state == LISTED else style.faint
            yield over(rows, "rule", ends, color=colour, strokeWidth=wide)
    rings = [_row(one, base - style.size * 0.4) for one in ticks if one.state == NOT_READ]
    if rings:
        look = {"color": style.faint, "size": style.size * 3, "filled": False}
        yield over(rings, "point", told, **look)
    look = {"align": "left", "baseline": "middle", "fontSize": style.size, "color": style.ink}
    text = {"text": named("words"), "x": pixels(0)}
    yield over([{**start, "y": place.top + style.size * 0.7}], "text", text, **look)


def _row(one: Tick, y: float) -> dict[str, Any]:
    day = one.day.isoformat()
    return {"day": day, "y": y, "name": one.name, "published": day, "state": one.state}


def _told(lab: str, ticks: Sequence[Tick]) -> str:
    counts = {state: sum(one.state == state for one in ticks) for state in MEANINGS}
    told = [f"{count} {state}" for state, count in counts.items() if count]
    return f"{lab}: {', '.join(told)}"
