"""Number one over time: a row for each way of counting, a bar for each holder, coloured by lab.

One row each for what others measured and for what labs state of their own models (CH-03), with the
labs' colours in a key (CH-04). Nothing is drawn from before the benchmark's release, since nothing
counts from before it (CH-05).
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import Any

import attrs

from ledger.values import PartialDate, with_unit
from reports.charts.drawn import (
    Layer,
    Meaning,
    Picture,
    Style,
    below_each_other,
    colours_of,
    cut,
    days_between,
    exactly,
    frame,
    ground,
    named,
    over,
    pointed,
    span_of,
)
from reports.words import date_words

Json = Mapping[str, Any]

NO_LAB = "Lab not stated"
LONGEST_NAME = 30
MOST_LEVELS = 4
"""Lines of names below a row; who finds no room on them stands in the table only."""


@attrs.frozen(kw_only=True)
class Holder:
    """Who held number one with what, from a day on; ``said`` is that day as exact as it is
    known."""

    name: str
    score: str
    lab: str
    since: date
    said: str

    @property
    def words(self) -> str:
        """Name and score."""
        return f"{cut(self.name, LONGEST_NAME)} {self.score}"


@attrs.frozen(kw_only=True)
class Lane:
    """One way of counting: what it is called, what else is said of it, its holders oldest first,
    and the day after which nothing new is known of it."""

    name: str
    told: str
    holders: tuple[Holder, ...]
    fresh_until: date


def holders_of(leaders: Iterable[Json]) -> tuple[Holder, ...]:
    """Holders as the outside contract tells them."""
    return tuple(_holder(one) for one in leaders)


def _holder(leader: Json) -> Holder:
    model = leader["model"]
    version = f" {model['version']}" if model["version"] else ""
    return Holder(
        name=f"{model['name']}{version}",
        score=with_unit(str(leader["score"]), leader["unit"]),
        lab=model["lab"] or NO_LAB,
        since=PartialDate(str(leader["since"])).first_day,
        said=date_words(str(leader["since"])),
    )


def leaders_picture(lanes: Sequence[Lane], until: date, style: Style) -> Picture | None:
    """The rows below each other, until a day; ``None`` where nobody ever held number one."""
    held = [one for lane in lanes for one in lane.holders]
    if not held:
        return None
    first, last = span_of((one.since for one in held), until)
    colours = colours_of((one.lab for one in sorted(held, key=lambda one: one.since)), style)
    plot, rows, top = _Plot(first, last, colours, style), list[_Row](), 0.0
    for lane in lanes:
        rows.append(_Row(lane, plot, top))
        top = rows[-1].bottom
    height = round(top)
    key = [Meaning(lab, colour) for lab, colour in colours.items()]

    where = {"x": days_between(first, last, style), "y": below_each_other(height)}

    def layers() -> Iterator[Layer]:
        yield frame(where, first)
        for row in rows:
            for layer in row.layers():
                yield {**layer, "encoding": {**where, **layer["encoding"]}}

    return Picture(layers, height, key)


@attrs.frozen
class _Plot:
    """The time that all rows share."""

    first: date
    last: date
    colours: Mapping[str, str]
    style: Style

    def across(self, day: date) -> float:
        """Where a day is, in pixels from the left."""
        return (day - self.first) / (self.last - self.first) * self.style.inner


@attrs.frozen
class _Row:
    """One lane, drawn from ``top`` on: its title, its bars, the names below them."""

    lane: Lane
    plot: _Plot
    top: float

    @property
    def _line(self) -> float:
        return self.plot.style.size * 1.5

    @property
    def _bars(self) -> tuple[float, float]:
        start = self.top + self._line * (1.1 if self.lane.name else 0.2)
        return start, start + self._line * 0.9

    @property
    def _levels(self) -> dict[int, tuple[int, float]]:
        return levels_of(self.lane.holders, self.plot.across, self.plot.style)

    @property
    def bottom(self) -> float:
        """Where the next row begins."""
        deepest = max((level + 1 for level, _ in self._levels.values()), default=0)
        return self._bars[1] + self._line * (deepest + 0.9)

    def layers(self) -> Iterator[Layer]:
        """The marks, the lowest first."""
        if self.lane.holders:
            yield from self._held()
        if self.lane.name:
            yield from self._title()

    def _title(self) -> Iterator[Layer]:
        style = self.plot.style
        row = {"day": self.plot.first.isoformat(), "y": self.top + self._line * 0.5}
        look = {"align": "left", "baseline": "middle", "fontSize": style.size}
        text = {"text": named("words")}
        name, told = {**row, "words": self.lane.name}, {**row, "words": self.lane.told}
        yield over([name], "text", text, fontWeight=600, color=style.ink, **look)
        beside = style.long(self.lane.name) * 1.06 + style.size
        yield over([told], "text", text, color=style.faint, dx=beside, **look)

    def _held(self) -> Iterator[Layer]:
        _, lower = self._bars
        held, last = self.lane.holders, self.plot.last
        ends = [*(one.since for one in held[1:]), last]
        rows = []
        for one, end in zip(held, ends, strict=True):
            fresh = max(one.since, min(end, self.lane.fresh_until))
            rows += [self._bar(one, one.since, fresh, 1.0), self._bar(one, fresh, end, 0.35)]
        encoding = {
            "x2": {"field": "end"},
            "y2": {"datum": lower},
            "color": exactly("colour"),
            "opacity": exactly("strength", "quantitative"),
            "tooltip": pointed("name", "score", "lab", "since"),
        }
        shown = [row for row in rows if row["day"] < row["end"]]
        yield over(shown, "rect", encoding, stroke=self.plot.style.paper, strokeWidth=1)
        yield from self._names(lower)

    def _bar(self, one: Holder, start: date, end: date, strength: float) -> dict[str, Any]:
        return {
            "day": start.isoformat(),
            "end": end.isoformat(),
            "y": self._bars[0],
            "colour": self.plot.colours[one.lab],
            "strength": strength,
            "name": one.name,
            "score": one.score,
            "lab": one.lab,
            "since": one.said,
        }

    def _names(self, below: float) -> Iterator[Layer]:
        style = self.plot.style
        rows = [
            {
                "day": self.lane.holders[place].since.isoformat(),
                "y": below + self._line * (level + 0.6),
                "words": self.lane.holders[place].words,
                "colour": self.plot.colours[self.lane.holders[place].lab],
                "dx": dx,
            }
            for place, (level, dx) in self._levels.items()
        ]
        stems = ({**row, "to": row["y"], "y": below} for row in rows)
        encoding = {"y2": {"field": "to"}, "color": exactly("colour")}
        yield over(stems, "rule", encoding, strokeWidth=1.5)
        for row in rows:
            yield from _text(row, style)


def _text(row: Json, style: Style) -> Iterator[Layer]:
    """A name on a ground of its own, so that no line runs through its letters."""
    look = {"align": "left", "baseline": "middle", "dx": row["dx"], "fontSize": style.size}
    text = {"text": named("words")}
    yield over([row], "text", text, **look, **ground(style))
    yield over([row], "text", text, **look, color=style.ink)


def levels_of(
    holders: Sequence[Holder], across: Callable[[date], float], style: Style
) -> dict[int, tuple[int, float]]:
    """For each holder whose name finds room: on which line below the bars, how far right of its
    day in pixels. The latest come first."""
    taken: list[list[tuple[float, float]]] = [[] for _ in range(MOST_LEVELS)]
    found: dict[int, tuple[int, float]] = {}
    for place in reversed(range(len(holders))):
        x, long = across(holders[place].since), style.long(holders[place].words)
        start = x + 4 if x + 4 + long <= style.inner else style.inner - long
        room = (start - 6, start + long + 6)
        for level, ends in enumerate(taken):
            if all(room[1] <= low or room[0] >= high for low, high in ends):
                ends.append(room)
                found[place] = (level, start - x)
                break
    return found
