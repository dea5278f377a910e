"""Any chart as a drawing: the same every time, from nothing but what it is given, and readable."""

import os
import re
import subprocess
import sys
from pathlib import Path

import altair as alt
import pytest

from reports.charts.drawn import (
    SCHEMES,
    WIDTHS,
    drawing,
    explorable,
    key_rows,
    size_of,
    spec_of,
    style_of,
)
from tests.reports.drawings import WIDE, drawn, pictures


@pytest.mark.parametrize("name", pictures(WIDE))
def test_altair_finds_nothing_wrong_with_a_specification(name: str) -> None:
    """It is Vega-Lite by the schema, also with what lets a reader move it."""
    picture = pictures(WIDE)[name]
    assert picture is not None
    spec = explorable(spec_of(picture, WIDE))
    alt.LayerChart.from_dict(spec)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", pictures(WIDE))
def test_a_drawing_is_as_large_as_the_page_says_beforehand(name: str, width: str) -> None:
    """So nothing moves when it comes; the page never drew it."""
    style = style_of("dark", width)
    picture = pictures(style)[name]
    assert picture is not None
    found = re.search(r'width="(\d+)" height="(\d+)"', drawing(spec_of(picture, style)))
    assert found is not None
    assert (int(found[1]), int(found[2])) == size_of(picture, style)


@pytest.mark.parametrize("name", pictures(WIDE))
def test_a_drawing_asks_for_nothing_and_needs_no_style_of_its_own(name: str) -> None:
    """No address, no script, no style that a strict policy would block."""
    svg = drawn(pictures(WIDE)[name])
    assert "http" not in svg.replace("http://www.w3.org/", "")
    assert not re.search(r"<(script|style|image|foreignObject)|\bstyle=|\bon\w+=|href=", svg)


def test_a_drawing_is_the_same_every_time() -> None:
    """Byte for byte, also in another process and another time zone."""
    order = (
        "import sys; sys.path.insert(0, sys.argv[1]);"
        "from tests.reports.test_charts import WIDE, drawn, pictures;"
        "sys.stdout.write(''.join(drawn(one) for one in pictures(WIDE).values()))"
    )
    again = subprocess.run(
        [sys.executable, "-c", order, str(Path(__file__).parents[2])],
        env={**os.environ, "TZ": "America/Lima", "PYTHONHASHSEED": "7"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert again.stdout == "".join(drawn(one) for one in pictures(WIDE).values())


@pytest.mark.parametrize("scheme", SCHEMES)
def test_every_colour_stands_out_from_the_page(scheme: str) -> None:
    """At least 3 to 1 for marks and 4.5 to 1 for words (WCAG 1.4.11, 1.4.3)."""
    style = style_of(scheme, "wide")
    for colour in (*style.labs, *style.sides):
        assert contrast(colour, style.paper) >= 3, colour
    for colour in (style.ink, style.faint):
        assert contrast(colour, style.paper) >= 4.5, colour


def contrast(one: str, other: str) -> float:
    """The contrast of two colours as WCAG defines it."""
    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def luminance(colour: str) -> float:
    """Relative luminance of a colour written ``#rrggbb``."""
    parts = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    return sum(part * weight for part, weight in zip(linear, (0.2126, 0.7152, 0.0722), strict=True))


def test_what_is_explored_can_be_moved_in_time_and_is_else_the_same() -> None:
    """One specification for both: the reader's has a span that is bound to the axis of time."""
    picture = pictures(WIDE)["scores"]
    assert picture is not None
    spec = spec_of(picture, WIDE)
    moved = explorable(spec)
    (span,) = moved["layer"][0].pop("params")
    assert span["bind"] == "scales"
    assert moved == spec


def test_the_key_takes_as_many_lines_as_it_needs() -> None:
    """On a narrow screen nothing of it is cut off."""
    narrow = style_of("light", "narrow")
    picture = pictures(narrow)["scores"]
    assert picture is not None
    assert len(key_rows(picture.key, narrow)) > len(key_rows(picture.key, WIDE)) == 1
    assert [one for row in key_rows(picture.key, narrow) for one in row] == list(picture.key)
