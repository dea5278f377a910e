"""Number one over time as a drawing: one chart specification, drawn to SVG, the same every time.

vl-convert draws it in this process, without a browser and without a network; nothing that the chart
says comes from anywhere but its arguments. Text stays text, so it can be read, found and copied.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Literal

import altair as alt
import vl_convert

from ledger.values import PartialDate

Json = Mapping[str, Any]

FONT = "Noto Sans"
INK, FAINT, LINE, ACCENT = "#1c1e21", "#5a5f66", "#d6d4cc", "#1d4f73"
WIDTH, HEIGHT = 330, 190
"""Pixels of 1/96 inch, axes left out."""
LONGEST_NAME = 26
MOST_NAMED = 9
SMALL = 8


def leaders_chart(
    leaders: Sequence[Json], until: str, shown: Callable[[str], str] = str
) -> str | None:
    """Who held number one with which score, until a day; ``None`` where a line would say nothing.

    ``leaders`` are those of the outside contract, oldest first; ``until`` is an ISO day; ``shown``
    is how a name is printed.
    """
    steps = [_step(leader, shown) for leader in leaders]
    if len({step["since"] for step in steps}) < 2:
        return None
    return _drawn(alt.layer(_line(steps, until), _points(steps), *_names(steps)))


def _step(leader: Json, shown: Callable[[str], str]) -> dict[str, Any]:
    name = str(leader["model"]["name"])
    short = name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…"
    since = PartialDate(str(leader["since"])).first_day.isoformat()
    score = float(str(leader["score"]).replace(",", ""))
    return {"since": since, "score": score, "name": shown(short)}


def _line(steps: Sequence[Json], until: str) -> alt.Chart:
    last = steps[-1]
    held = [*steps, {**last, "since": max(until, last["since"])}]
    line = _chart(held).mark_line(interpolate="step-after", color=ACCENT, strokeWidth=1.6)
    return _placed(line)


def _points(steps: Sequence[Json]) -> alt.Chart:
    return _placed(_chart(steps).mark_circle(color=ACCENT, size=26, opacity=1))


def _names(steps: Sequence[Json]) -> Iterator[alt.Chart]:
    """The names of the latest holders; before the middle they stand right of their point."""
    shown = steps[-MOST_NAMED:]
    early = [one for one in shown if _is_early(one["since"], steps)]
    late = [one for one in shown if one not in early]
    for named, align, dx in _sides(early, late):
        text = _chart(named).mark_text(align=align, dx=dx, dy=-6, fontSize=SMALL, color=INK)
        yield _placed(text).encode(text="name:N")


def _sides(
    early: Sequence[Json], late: Sequence[Json]
) -> Iterator[tuple[Sequence[Json], Literal["left", "right"], int]]:
    if early:
        yield early, "left", 5
    if late:
        yield late, "right", -5


def _is_early(since: str, steps: Sequence[Json]) -> bool:
    start, end, day = (
        PartialDate(one).first_day for one in (steps[0]["since"], steps[-1]["since"], since)
    )
    return (day - start) * 2 < (end - start)


def _chart(rows: Sequence[Json]) -> alt.Chart:
    return alt.Chart(alt.InlineData(values=[dict(row) for row in rows]))


def _placed(chart: alt.Chart) -> alt.Chart:
    """By day and score; in UTC, whatever the machine's own time zone is."""
    days = alt.Axis(title=None, format="%b %Y", tickCount=4, grid=False, labelSeparation=12)
    scores = alt.Axis(title=None, tickCount=5)
    placed: alt.Chart = chart.encode(
        x=alt.X("since:T", scale=alt.Scale(type="utc", nice=False), axis=days),
        y=alt.Y("score:Q", scale=alt.Scale(zero=False, padding=14), axis=scores),
    )
    return placed


def _drawn(chart: Any) -> str:
    styled = chart.properties(width=WIDTH, height=HEIGHT)
    styled = styled.configure(font=FONT, background="transparent").configure_view(stroke=None)
    styled = styled.configure_axis(
        labelColor=FAINT,
        labelFontSize=SMALL,
        gridColor=LINE,
        domainColor=LINE,
        tickColor=LINE,
    )
    svg: str = vl_convert.vegalite_to_svg(styled.to_dict(), allowed_base_urls=[])
    return svg
