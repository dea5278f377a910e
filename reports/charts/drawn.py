"""What all charts share: how they look, the key above them, and drawing a specification to SVG.

A specification is Vega-Lite as plain data: Altair's classes check themselves for half a second
while they are put together, which a page has no time for, so a test lets Altair check what is made
here.
vl-convert draws in this process, without a browser and without a network; nothing that a chart says
comes from anywhere but its arguments, and the same arguments make the same bytes. Text stays text,
so it can be read, found and copied.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date
from types import MappingProxyType
from typing import Any

import attrs
import vl_convert

Json = Mapping[str, Any]
Spec = dict[str, Any]
Layer = dict[str, Any]
SCHEMA = "https://vega.github.io/schema/vega-lite/v6.json"

FONT = "Noto Sans, sans-serif"
LETTER = 0.56
"""How wide a letter is, as a part of its height; a little more than most are."""
PADDING = 8
LEAST_DAYS = 60
"""A chart of less time than this is given that much, or its axis would repeat one month."""


@attrs.frozen(kw_only=True)
class Style:
    """How a chart looks: its width and the size of its letters in pixels, and its colours.

    ``labs`` tell labs apart, also for those who see fewer colours: each has a contrast of at least
    3 with ``paper``. ``sides`` are the colours of own labs, of others, and of what was collected.
    """

    width: int
    size: int
    paper: str
    ink: str
    faint: str
    line: str
    accent: str
    labs: tuple[str, ...]
    sides: tuple[str, str, str]

    @property
    def inner(self) -> int:
        """The width inside of the margins."""
        return self.width - 2 * PADDING

    def long(self, text: str) -> float:
        """About how many pixels a text takes."""
        return len(text) * self.size * LETTER


LIGHT: Mapping[str, Any] = MappingProxyType(
    {
        "paper": "#fdfdfb",
        "ink": "#1c1e21",
        "faint": "#5a5f66",
        "line": "#d6d4cc",
        "accent": "#1d4f73",
        "labs": (
            "#0b65ad",
            "#c25400",
            "#007a5e",
            "#9b3f8f",
            "#7a6a00",
            "#b3203f",
            "#4a4fb5",
            "#5a5f66",
        ),
        "sides": ("#b36b00", "#2f6f9f", "#6f6c66"),
    }
)
DARK: Mapping[str, Any] = MappingProxyType(
    {
        "paper": "#16181b",
        "ink": "#e8e6e1",
        "faint": "#a9adb3",
        "line": "#3a3e44",
        "accent": "#8ec5f4",
        "labs": (
            "#56b4e9",
            "#f0913a",
            "#2fc29a",
            "#df8fd0",
            "#d8c640",
            "#ff8097",
            "#a3a8ff",
            "#a9adb3",
        ),
        "sides": ("#e0a83c", "#6aaede", "#a5a9ae"),
    }
)
SCHEMES: Mapping[str, Mapping[str, Any]] = MappingProxyType({"light": LIGHT, "dark": DARK})
WIDTHS: Mapping[str, tuple[int, int]] = MappingProxyType({"wide": (760, 12), "narrow": (320, 11)})
"""The width of a picture and the size of its letters, by the window that it is for."""
PRINTED = Style(**{**LIGHT, "width": 370, "size": 8, "paper": "#ffffff"})


def style_of(scheme: str, width: str) -> Style:
    """The look of one of :data:`SCHEMES` in one of :data:`WIDTHS`."""
    pixels, size = WIDTHS[width]
    return Style(width=pixels, size=size, **SCHEMES[scheme])


# --- parts of charts --------------------------------------------------------------------------


@attrs.frozen
class Meaning:
    """One entry of the key: what is said, its colour, and its mark."""

    words: str
    colour: str
    shape: str = "square"


@attrs.frozen
class Picture:
    """A chart before it is drawn: the height of its plot, what its marks mean, and ``layers``,
    which makes them, the lowest first. A page that only wants the size makes none."""

    layers: Callable[[], Iterable[Layer]]
    height: int
    key: Sequence[Meaning] = ()


def over(rows: Iterable[Json], mark: str, encoding: Json, **look: Any) -> Layer:
    """A layer: a mark for each row, where and what its encoding says."""
    return {
        "data": {"values": [dict(row) for row in rows]},
        "mark": {"type": mark, **look},
        "encoding": dict(encoding),
    }


def named(field: str) -> Json:
    """A channel that takes words from a field."""
    return {"field": field, "type": "nominal"}


def exactly(field: str, kind: str = "nominal") -> Json:
    """A channel that takes a field as it stands: a colour, a strength."""
    return {"field": field, "type": kind, "scale": None}


def pixels(value: float) -> Json:
    """A channel that is the same number of pixels everywhere."""
    return {"value": value}


def pointed(*fields: str) -> list[Json]:
    """What a mark says to whoever points at it."""
    return [named(field) for field in fields]


def ground(style: Style) -> Json:
    """The look of a text that hides what is behind another one at its place."""
    look = {"stroke": style.paper, "strokeWidth": 7, "strokeJoin": "round"}
    return {**look, "color": style.paper}


def frame(encoding: Json, first: date) -> Layer:
    """A first layer that shows nothing and bears the scales, where the others have marks with two
    ends: these would wish for scales of their own."""
    return over([{"day": first.isoformat(), "y": 0}], "point", encoding, opacity=0)


def days_between(first: date, last: date, style: Style) -> Json:
    """The axis of time; in UTC, whatever the machine's own time zone is."""
    years = (last - first).days > 365 * 3
    count = 4 if style.width < 400 else 8
    return time_axis((first, last), "%Y" if years else "%b %Y", "year" if years else count)


def time_axis(ends: tuple[date, date], shown: str, count: str | int) -> Json:
    """A channel from one day to another with so many dates below it."""
    return {
        "field": "day",
        "type": "temporal",
        "scale": {"type": "utc", "nice": False, "domain": [one.isoformat() for one in ends]},
        "axis": {
            "title": None,
            "format": shown,
            "tickCount": count,
            "grid": False,
            "labelSeparation": 10,
            "labelOverlap": True,
        },
    }


def below_each_other(height: int) -> Json:
    """A channel that counts pixels from above, for what the chart itself lays out."""
    return {
        "field": "y",
        "type": "quantitative",
        "scale": {"domain": [height, 0], "nice": False},
        "axis": None,
    }


def key_rows(key: Sequence[Meaning], style: Style) -> list[list[Meaning]]:
    """The entries of a key, as many beside each other as there is room for."""
    rows: list[list[Meaning]] = []
    left = 0.0
    for one in key:
        wide = _wide(one, style)
        if not rows or left < wide:
            rows.append([])
            left = style.inner
        rows[-1].append(one)
        left -= wide
    return rows


def _wide(one: Meaning, style: Style) -> float:
    return style.long(one.words) + 2.6 * style.size


def _key(key: Sequence[Meaning], style: Style) -> Iterator[Layer]:
    rows = key_rows(key, style)
    line = _line(style)
    for row, entries in enumerate(rows):
        y, x = -line * (len(rows) - row) + line / 4, 0.0
        for one in entries:
            yield _symbol(one, (x, y), style)
            yield over(
                [{"words": one.words}],
                "text",
                {"x": pixels(x + 1.5 * style.size), "y": pixels(y), "text": named("words")},
                align="left",
                baseline="middle",
                fontSize=style.size,
                color=style.ink,
                clip=False,
            )
            x += _wide(one, style)


def _symbol(one: Meaning, place: tuple[float, float], style: Style) -> Layer:
    x, y = place
    side = style.size * 0.8
    if one.shape in _STROKES:
        across, up, thick = _STROKES[one.shape]
        ends = {
            "x": pixels(x + (side / 2 if up else 0)),
            "x2": pixels(x + (side / 2 if up else side * across)),
            "y": pixels(y + (side / 2 if up else 0)),
            "y2": pixels(y + (side / 2 - side * up if up else 0)),
        }
        return over([{}], "rule", ends, color=one.colour, strokeWidth=thick, clip=False)
    where = {"x": pixels(x + side / 2), "y": pixels(y), "size": {"value": side * side * 0.9}}
    look: dict[str, Any] = {"shape": one.shape, "filled": True}
    if one.shape == "ring":
        look = {"shape": "circle", "filled": False}
    return over([{}], "point", where, color=one.colour, opacity=1, clip=False, **look)


_STROKES: Mapping[str, tuple[float, float, float]] = MappingProxyType(
    {"line": (1.4, 0, 2), "tall": (0, 1.3, 3), "short": (0, 0.7, 1.5)}
)
"""Marks of the key that are lines: how far across, how far up, how thick."""


def _line(style: Style) -> float:
    return style.size * 1.7


# --- specifications and drawings --------------------------------------------------------------


def spec_of(picture: Picture, style: Style) -> Spec:
    """The whole specification of a picture: exactly as wide and as high as :func:`size_of` says."""
    layers = [*picture.layers(), *_key(picture.key, style)]
    for layer in layers[1:]:
        _follow(layer["encoding"])
    axis = {
        "labelColor": style.faint,
        "labelFontSize": style.size,
        "gridColor": style.line,
        "domainColor": style.line,
        "tickColor": style.line,
    }
    return {
        "$schema": SCHEMA,
        "width": style.width,
        "height": size_of(picture, style)[1],
        "autosize": {"type": "fit", "contains": "padding"},
        "padding": {"left": PADDING, "right": PADDING, "bottom": PADDING // 2, "top": PADDING},
        "layer": layers,
        "config": {
            "font": FONT,
            "background": style.paper,
            "aria": False,
            "view": {"stroke": None},
            "axis": axis,
        },
    }


def _follow(encoding: Spec) -> None:
    """Let the first layer alone say where the scales end, or each would be taken as a wish."""
    for channel in ("x", "y"):
        scale = encoding.get(channel, {}).get("scale")
        if scale:
            ends = {name: value for name, value in scale.items() if name != "domain"}
            encoding[channel] = {**encoding[channel], "scale": ends}


def size_of(picture: Picture, style: Style) -> tuple[int, int]:
    """The width and the height of the drawing in pixels, key and axis included."""
    above = PADDING + round(_line(style) * len(key_rows(picture.key, style)))
    return style.width, above + picture.height + 2 * style.size + PADDING


def drawing(spec: Spec) -> str:
    """A specification as SVG."""
    svg: str = vl_convert.vegalite_to_svg(spec, allowed_base_urls=[])
    return svg


def explorable(spec: Spec) -> Spec:
    """The same with a span of time that a reader can move and stretch, where scripts are on."""
    first, *others = spec["layer"]
    moved = {"name": "span", "select": {"type": "interval", "encodings": ["x"]}, "bind": "scales"}
    return {**spec, "layer": [{**first, "params": [moved]}, *others]}


# --- dates and names --------------------------------------------------------------------------


def span_of(days: Iterable[date], until: date, *, room: bool = False) -> tuple[date, date]:
    """From the first day to the last, or to ``until``, and never too short to draw; with ``room``
    beside the first, where a mark would be cut in half by the edge."""
    known = sorted(days)
    first, last = known[0], max(known[-1], until)
    if room:
        earlier = first.toordinal() - (last - first).days // 50 - 1
        first = date.fromordinal(max(earlier, 1))
    if (last - first).days < LEAST_DAYS:
        last = date.fromordinal(min(first.toordinal() + LEAST_DAYS, date.max.toordinal()))
    return first, last


def cut(text: str, most: int) -> str:
    """A name that is no longer than there is room for."""
    return text if len(text) <= most else f"{text[: most - 1]}…"


def colours_of(labs: Iterable[str], style: Style) -> dict[str, str]:
    """A colour for each lab in the order given; when they run out the last one stands for many."""
    known = list(dict.fromkeys(labs))
    last = len(style.labs) - 1
    return {lab: style.labs[min(place, last)] for place, lab in enumerate(known)}
