"""Corrections per month: a bar for each month, what changed something apart from what did not."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from itertools import pairwise
from typing import Any

from reports.charts.drawn import (
    Layer,
    Meaning,
    Picture,
    Style,
    exactly,
    frame,
    over,
    pointed,
    time_axis,
)

KINDS = ("changed something", "changed nothing", "reversed another")
MOST_MONTHS = 120
# Fewer would make a wall of a single bar.
FEWEST_MONTHS = 6

Months = Mapping[tuple[int, int], Mapping[str, int]]
"""(year, month) → how many decisions of each of :data:`KINDS`."""


def corrections_picture(months: Months, style: Style) -> Picture | None:
    """From the first month with a decision to the last; ``None`` where nothing was decided."""
    shown = every_month(months)
    if not shown:
        return None
    rows = [row for month in shown for row in _rows(month, months.get(month, {}), style)]
    most = max(sum(months.get(month, {}).values()) for month in shown)
    ends = (_begin(shown), _after(shown[-1]))
    most_dates = 4 if style.width < 400 else 8
    where = {
        "x": time_axis(ends, "%b %Y", min(max(len(shown), FEWEST_MONTHS), most_dates)),
        "y": _counts(most),
    }
    bars = {
        "x2": {"field": "end"},
        "y2": {"field": "high"},
        "color": exactly("colour"),
        "tooltip": pointed("month", "kind", "count"),
    }

    def layers() -> Iterator[Layer]:
        yield frame(where, ends[0])
        yield over(rows, "rect", {**where, **bars}, stroke=style.paper, strokeWidth=1)

    key = [
        Meaning(kind.capitalize(), colour)
        for kind, colour in _colours(style).items()
        if any(month.get(kind) for month in months.values())
    ]
    return Picture(layers, 150, key)


def _counts(most: int) -> dict[str, Any]:
    """The axis of how many there were, in whole numbers."""
    return {
        "field": "y",
        "type": "quantitative",
        "scale": {"domain": [0, most], "nice": True},
        "axis": {
            "title": None,
            "format": "d",
            "tickCount": min(most, 5),
            "tickMinStep": 1,
            "domain": False,
            "ticks": False,
        },
    }


def every_month(months: Months) -> list[tuple[int, int]]:
    """All months from the first to the last, those without a decision too; the latest of them
    where there are very many."""
    if not months:
        return []
    first, last = min(months), max(months)
    count = (last[0] - first[0]) * 12 + last[1] - first[1] + 1
    start = first[0] * 12 + first[1] - 1
    every = [((start + step) // 12, (start + step) % 12 + 1) for step in range(count)]
    return every[-MOST_MONTHS:]


def _begin(shown: Sequence[tuple[int, int]]) -> date:
    """Where the axis begins: at the first month shown, or earlier where there are few."""
    year, number = shown[-1]
    months = year * 12 + number - max(len(shown), FEWEST_MONTHS)
    return date(months // 12, months % 12 + 1, 1)


def _after(month: tuple[int, int]) -> date:
    year, number = month
    return date(year + number // 12, number % 12 + 1, 1)


def _colours(style: Style) -> dict[str, str]:
    return dict(zip(KINDS, (style.labs[0], style.faint, style.labs[1]), strict=True))


def _rows(month: tuple[int, int], counts: Mapping[str, int], style: Style) -> Sequence[Any]:
    heights = [0]
    for kind in KINDS:
        heights.append(heights[-1] + counts.get(kind, 0))
    start, end = date(*month, 1), _after(month)
    return [
        {
            "day": start.isoformat(),
            "end": end.isoformat(),
            "y": low,
            "high": high,
            "colour": colour,
            "month": f"{start:%Y-%m}",
            "kind": kind,
            "count": high - low,
        }
        for (kind, colour), (low, high) in zip(
            _colours(style).items(), pairwise(heights), strict=True
        )
        if high > low
    ]
