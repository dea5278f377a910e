"""Scores over time: every score that ranks as a dot, the best so far, and the near-ceiling line.

A model that was measured in several settings has several dots (CH-08). Shape and colour both say
from whom a number is (CH-09). A share is drawn from 0 to 100%, so that no difference looks larger
than it is (CH-10).
"""

from collections.abc import Iterator, Sequence
from datetime import date
from typing import Any

import attrs

from ledger.vocabulary import SOURCE_KINDS
from reports.charts.drawn import (
    Layer,
    Meaning,
    Picture,
    Style,
    cut,
    days_between,
    ground,
    named,
    over,
    pointed,
    span_of,
)

SHAPES = ("diamond", "circle", "square")
AREAS = (80, 42, 36)
"""The areas that make these look alike in size, in square pixels."""
BEST = "Best so far"
OWN_BOARD = "official-leaderboard"
"""The kind of source that is the benchmark's own leaderboard."""
HEIGHTS = {"wide": 300, "narrow": 240}
LONGEST_NAME = 24
MOST_DOTS = 4_000
WHOLE = {"%": 100, "fraction": 1}
"""Units that are a share, and what the whole is."""


@attrs.frozen(kw_only=True)
class Dot:
    """One score: of whom, how much (for its place, and in words), from when (in words too, as
    exact as it was said), from which side."""

    name: str
    value: float
    score: str
    day: date
    published: str
    side: int
    source: str


@attrs.frozen(kw_only=True)
class Scale:
    """What the scores mean: their unit, which way is better, and from where on they are near the
    ceiling; ``sides`` says in words from whom a number may be."""

    unit: str | None
    higher_is_better: bool
    ceiling: float | None
    sides: tuple[str, str, str]


def sides_of(*, own_board: bool) -> tuple[str, str, str]:
    """From whom a number may be, in words: its model's own lab, somebody else (or, with
    ``own_board``, the benchmark itself), or whoever collected it (CH-09)."""
    return (
        "Reported by the model’s own lab",
        "On the benchmark’s own leaderboard" if own_board else "Measured by somebody else",
        "Collected from reports and papers",
    )


def side_of(kind: str) -> int:
    """Which of these a kind of source is."""
    if SOURCE_KINDS[kind][0] == "independent":
        return 1
    return 2 if kind == "collected-claim" else 0


def scores_picture(dots: Sequence[Dot], scale: Scale, until: date, style: Style) -> Picture | None:
    """All dots until a day; ``None`` where no score bears a date."""
    if not dots:
        return None
    shown = sorted(dots, key=lambda one: (one.day, one.name, one.score))[-MOST_DOTS:]
    span = span_of((one.day for one in shown), until, room=True)
    plot = _Plot(shown, scale, span, style)
    return Picture(lambda: map(plot.placed, plot.layers()), plot.height, list(plot.key()))


def best_so_far(dots: Sequence[Dot], *, higher_is_better: bool) -> list[Dot]:
    """The dots that were better than all before them, oldest first; ``dots`` are by day.

    Of several on one day only the best counts, and of equal ones the first.
    """
    found: list[Dot] = []
    for one in dots:
        if found and not _beats(one, found[-1], higher_is_better=higher_is_better):
            continue
        if found and found[-1].day == one.day:
            found.pop()
        found.append(one)
    return found


def _beats(one: Dot, other: Dot, *, higher_is_better: bool) -> bool:
    return one.value > other.value if higher_is_better else one.value < other.value


@attrs.frozen
class _Room:
    """Where a name stands: from, to, and how high."""

    start: float
    end: float
    height: float

    def meets(self, other: "_Room", line: float) -> bool:
        """Whether two names would run into one another."""
        apart = self.end <= other.start or self.start >= other.end
        return not apart and abs(self.height - other.height) < line


@attrs.frozen
class _Plot:
    dots: Sequence[Dot]
    scale: Scale
    span: tuple[date, date]
    style: Style

    @property
    def height(self) -> int:
        """The height of the plot in pixels."""
        if self.style.width < 350:
            return HEIGHTS["narrow"]
        return HEIGHTS["wide"] if self.style.width > 500 else 190

    @property
    def best(self) -> list[Dot]:
        """The records."""
        return best_so_far(self.dots, higher_is_better=self.scale.higher_is_better)

    def key(self) -> Iterator[Meaning]:
        """From whom the dots are, and what the lines are."""
        for side, words in enumerate(self.scale.sides):
            if any(one.side == side for one in self.dots):
                yield Meaning(words, self.style.sides[side], SHAPES[side])
        yield Meaning(BEST, self.style.ink, "line")

    def layers(self) -> Iterator[Layer]:
        """The marks, the lowest first; the dots are what a reader can point at."""
        for side, colour in enumerate(self.style.sides):
            rows = [_row(one) for one in self.dots if one.side == side]
            if rows:
                size = AREAS[side] * (1 if self.style.size > 9 else 0.4)
                told = {"tooltip": pointed("name", "score", "published", "source")}
                look = {"shape": SHAPES[side], "filled": True, "size": size, "opacity": 0.8}
                yield over(rows, "point", told, color=colour, **look)
        yield self._line()
        if self.scale.ceiling is not None and self._in_sight(self.scale.ceiling):
            yield from self._ceiling(self.scale.ceiling)
        for row in self._named():
            yield from self._name(row)

    def _line(self) -> Layer:
        best = self.best
        rows = [_row(one) for one in best]
        rows.append({**rows[-1], "day": self.span[1].isoformat()})
        look = {"interpolate": "step-after", "color": self.style.ink, "strokeWidth": 1.5}
        return over(rows, "line", {}, **look)

    def _in_sight(self, value: float) -> bool:
        low, high = self._ends()
        return low <= value <= high

    def _ends(self) -> tuple[float, float]:
        if self._whole is not None:
            return 0, self._whole
        values = [one.value for one in self.dots]
        low, high = min(values), max(values)
        room = (high - low or abs(high) or 1) * 0.12
        return low - room, high + room

    @property
    def _whole(self) -> float | None:
        """What the axis ends with, where scores are a share and all lie within it."""
        whole = WHOLE.get(self.scale.unit or "")
        fits = whole is not None and all(0 <= one.value <= whole for one in self.dots)
        return whole if fits else None

    def _ceiling(self, value: float) -> Iterator[Layer]:
        style = self.style
        shown = f"{value:g}%" if self.scale.unit == "%" else f"{value:g}"
        row = {
            "day": self.span[0].isoformat(),
            "end": self.span[1].isoformat(),
            "value": value,
            "words": f"Near the ceiling ({shown})",
        }
        dashes = {"color": style.faint, "strokeDash": [4, 3], "strokeWidth": 1.2}
        yield over([row], "rule", {"x2": {"field": "end"}}, **dashes)
        place = {"align": "left", "baseline": "bottom", "dx": 2, "dy": -3}
        text = {"text": named("words")}
        yield over([row], "text", text, **place, fontSize=style.size, color=style.faint)

    def _named(self) -> Iterator[dict[str, Any]]:
        """The record holders whose names find room, the latest first. A name stands left of its
        dot, or right of it where the line stays level below all of it."""
        taken: list[_Room] = []
        ends = self.style.inner
        for one in reversed(self.best):
            words = cut(one.name, LONGEST_NAME)
            long = self.style.long(words) + 8
            x, y = self._place(one)
            left = x > long
            room = _Room(x - long if left else x, x if left else x + long, y)
            if (left or room.end < ends) and not any(
                room.meets(other, 1.5 * self.style.size) for other in taken
            ):
                taken.append(room)
                yield {**_row(one), "words": words, "left": left}
            ends = int(x)

    def _place(self, one: Dot) -> tuple[float, float]:
        """About where a dot is, in pixels from the left and from below."""
        (first, last), (low, high) = self.span, self._ends()
        wide = self.style.inner - 3 * self.style.size
        across = (one.day - first) / (last - first) * wide
        return across, (one.value - low) / (high - low) * self.height

    def _name(self, row: dict[str, Any]) -> Iterator[Layer]:
        """On a ground of its own, so that dots behind it do not run through its letters."""
        style = self.style
        mark: dict[str, Any] = {
            "align": "right" if row["left"] else "left",
            "baseline": "bottom",
            "dx": -5 if row["left"] else 5,
            "dy": -4 if self.scale.higher_is_better else style.size + 6,
            "fontSize": style.size,
            "fontWeight": 500,
        }
        text = {"text": named("words")}
        yield over([row], "text", text, **mark, **ground(style))
        yield over([row], "text", text, **mark, color=style.ink)

    def placed(self, layer: Layer) -> Layer:
        """By day and score."""
        shown = self._whole
        axis: dict[str, Any] = {"title": None, "grid": True, "domain": False, "ticks": False}
        if shown is not None:
            axis["values"] = [shown * step / 5 for step in range(6)]
        if self.scale.unit == "%":
            axis["labelExpr"] = "datum.label + '%'"
        where = {
            "x": days_between(*self.span, self.style),
            "y": {
                "field": "value",
                "type": "quantitative",
                "scale": {"domain": list(self._ends()), "nice": False, "zero": False},
                "axis": axis,
            },
        }
        return {**layer, "encoding": {**where, **layer["encoding"]}}


def _row(one: Dot) -> dict[str, Any]:
    return {
        "day": one.day.isoformat(),
        "value": one.value,
        "name": one.name,
        "score": one.score,
        "published": one.published,
        "source": one.source,
    }
