"""The charts as drawings: the same every time, from nothing but what they are given, and true."""

import os
import re
import subprocess
import sys
from datetime import date, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import altair as alt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reports.charts.corrections import corrections_picture, every_month
from reports.charts.drawn import (
    SCHEMES,
    WIDTHS,
    Picture,
    Style,
    drawing,
    explorable,
    key_rows,
    size_of,
    spec_of,
    style_of,
)
from reports.charts.leaders import Holder, Lane, leaders_picture, levels_of
from reports.charts.posts import LEFT_OUT, LISTED, NOT_READ, Tick, posts_picture
from reports.charts.printed import printed_leaders
from reports.charts.scores import Dot, Scale, best_so_far, scores_picture

UNTIL = date(2026, 11, 30)
WIDE = style_of("light", "wide")


def leader(name: str, score: str, since: str) -> dict[str, Any]:
    """A holder of number one as the outside contract tells it."""
    model = {"id": name.lower(), "name": name, "version": None, "lab": None}
    return {"model": model, "score": score, "unit": "%", "since": since, "claim_id": None}


LEADERS = [
    leader("Heron", "56.1", "2024-06"),
    leader("Ibis & <Loon>", "1,059.2", "2026-04-24"),
    leader("An owl whose name is longer than a drawing has room for", "1,060.60", "2026"),
]


def holder(name: str, lab: str, since: date, score: str = "56.1%") -> Holder:
    """Somebody who held number one."""
    return Holder(name=name, score=score, lab=lab, since=since, said=since.isoformat())


LANES = [
    Lane(
        name="Own leaderboard",
        told="1 leader",
        holders=(holder("Heron", "Marsh Lab", date(2024, 6, 1)),),
        fresh_until=date(2025, 4, 5),
    ),
    Lane(
        name="Lab claims",
        told="2 leaders",
        holders=(
            holder("Ibis", "Delta Lab", date(2025, 2, 26), "45.5%"),
            holder("Owl", "Marsh Lab", date(2026, 9, 10), "60.6%"),
        ),
        fresh_until=UNTIL,
    ),
]


def dot(name: str, value: float, day: date, side: int = 1) -> Dot:
    """One score."""
    return Dot(
        name=name,
        value=value,
        score=f"{value}%",
        day=day,
        published=day.isoformat(),
        side=side,
        source="A board",
    )


DOTS = [
    dot("Heron", 51.6, date(2023, 6, 1)),
    dot("Ibis", 40, date(2024, 1, 1), 0),
    dot("Ibis", 33.5, date(2024, 1, 1), 2),
    dot("Owl", 60.6, date(2026, 9, 10), 0),
]
SHARES = Scale(
    unit="%",
    higher_is_better=True,
    ceiling=85,
    sides=("By the lab", "By somebody else", "Collected"),
)
TICKS = [
    Tick(name="Ibis post", lab="Delta Lab", day=date(2025, 2, 26), state=LISTED),
    Tick(name="Crake post", lab="Delta Lab", day=date(2025, 8, 1), state=NOT_READ),
    Tick(name="Heron post", lab="Marsh Lab", day=date(2025, 5, 8), state=LISTED),
    Tick(name="Rail post", lab="Marsh Lab", day=date(2024, 12, 1), state=LEFT_OUT),
    Tick(name="Quail post", lab="Dry Lab", day=date(2024, 2, 1), state=LEFT_OUT),
]
MONTHS = {(2025, 11): {"changed something": 3, "changed nothing": 2}, (2026, 1): {"x": 0}}


def pictures(style: Style) -> dict[str, Picture | None]:
    """Every chart there is."""
    return {
        "leaders": leaders_picture(LANES, UNTIL, style),
        "scores": scores_picture(DOTS, SHARES, UNTIL, style),
        "posts": posts_picture(TICKS, UNTIL, style),
        "corrections": corrections_picture(MONTHS, style),
    }


def drawn(picture: Picture | None, style: Style = WIDE) -> str:
    """A picture that is there, as SVG."""
    assert picture is not None
    return drawing(spec_of(picture, style))


def rows_of(layer: dict[str, Any]) -> list[dict[str, Any]]:
    """The rows that a layer has marks for."""
    found: list[dict[str, Any]] = layer["data"]["values"]
    return found


def words(svg: str) -> list[str]:
    """All texts of a drawing."""
    return re.findall(r"<text[^>]*>([^<]*)</text>", svg)


# --- any chart --------------------------------------------------------------------------------


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


# --- number one over time ---------------------------------------------------------------------


def test_there_is_a_row_for_each_way_of_counting_with_its_holders_by_lab() -> None:
    """CH-03, CH-04: own leaderboard and lab claims; one colour for one lab in both rows."""
    svg = drawn(leaders_picture(LANES, UNTIL, WIDE))
    said = words(svg)
    assert {"Own leaderboard", "Lab claims", "Heron 56.1%", "Ibis 45.5%", "Owl 60.6%"} <= {*said}
    assert said.count("Marsh Lab") == said.count("Delta Lab") == 1
    bars = spec_of(leaders_picture(LANES, UNTIL, WIDE) or pytest.fail("no picture"), WIDE)
    rows = [row for layer in bars["layer"] for row in rows_of(layer) if "end" in row]
    colours = {row["name"]: row["colour"] for row in rows}
    assert colours["Heron"] == colours["Owl"] != colours["Ibis"]


def test_a_bar_is_pale_from_the_newest_number_on() -> None:
    """After that nothing is known; it says so instead of looking as if all were well."""
    picture = leaders_picture(LANES, UNTIL, WIDE)
    assert picture is not None
    layers = spec_of(picture, WIDE)["layer"]
    rows = [row for layer in layers for row in rows_of(layer) if "strength" in row]
    heron = [(row["day"], row["end"], row["strength"]) for row in rows if row["name"] == "Heron"]
    assert heron == [
        ("2024-06-01", "2025-04-05", 1.0),
        ("2025-04-05", "2026-11-30", 0.35),
    ]


@given(st.lists(st.integers(0, 900), min_size=1, max_size=12, unique=True), st.integers(1, 30))
def test_no_two_names_of_holders_run_into_one_another(days: list[int], letters: int) -> None:
    """However close they follow; the latest always has its name, and none leaves the picture."""
    first = date(2024, 1, 1)
    held = [holder("x" * letters, "Lab", first + timedelta(days=day)) for day in sorted(days)]
    places = levels_of(held, lambda day: (day - first).days * WIDE.inner / 900, WIDE)
    assert len(held) - 1 in places
    rooms: dict[int, list[tuple[float, float]]] = {}
    for place, (level, beside) in places.items():
        start = (held[place].since - first).days * WIDE.inner / 900 + beside
        rooms.setdefault(level, []).append((start, start + WIDE.long(held[place].words)))
    for ends in rooms.values():
        assert all(low >= 0 and high <= WIDE.inner + 1 for low, high in ends)
        ordered = sorted(ends)
        assert all(one[1] <= other[0] for one, other in pairwise(ordered))


def test_nobody_who_held_it_makes_no_chart() -> None:
    """There is nothing to draw, and the page has words for that."""
    assert leaders_picture([], UNTIL, WIDE) is None


# --- scores over time -------------------------------------------------------------------------


def test_every_score_is_a_dot_by_its_side() -> None:
    """CH-08, CH-09: a model measured twice has two dots; the key names the sides that there are."""
    picture = scores_picture(DOTS, SHARES, UNTIL, WIDE)
    assert picture is not None
    layers = spec_of(picture, WIDE)["layer"]
    dots = [
        layer for layer in layers if layer["mark"].get("shape") and "tooltip" in layer["encoding"]
    ]
    assert sum(len(rows_of(layer)) for layer in dots) == len(DOTS)
    assert len({layer["mark"]["shape"] for layer in dots}) == 3
    assert [one.words for one in picture.key] == [*SHARES.sides, "Best so far"]


def test_a_share_is_drawn_from_nought_to_the_whole_with_its_ceiling() -> None:
    """CH-10: 0 to 100% in steps of 20, the line near the ceiling, the leaders' names."""
    said = words(drawn(scores_picture(DOTS, SHARES, UNTIL, WIDE)))
    assert [one for one in said if one.endswith("%")] == [f"{step}%" for step in range(0, 101, 20)]
    assert "Near the ceiling (85%)" in said
    assert {"2024", "2025", "2026"} <= {*said}
    assert {"Heron", "Owl"} <= {*said}
    assert "Ibis" not in said


def test_what_is_no_share_has_an_axis_of_its_own_and_no_ceiling_out_of_sight() -> None:
    """A rating of 3,471 is no percentage."""
    rating = Scale(unit="elo", higher_is_better=True, ceiling=9_000, sides=SHARES.sides)
    dots = [dot("Owl", 3471, date(2026, 9, 10)), dot("Ibis", 1200, date(2024, 1, 1))]
    said = words(drawn(scores_picture(dots, rating, UNTIL, WIDE)))
    assert not any("%" in one or "ceiling" in one for one in said)


@given(st.lists(st.tuples(st.integers(0, 99), st.integers(0, 9)), max_size=30), st.booleans())
def test_the_best_so_far_only_ever_gets_better(pairs: list[tuple[int, int]], up: bool) -> None:
    """By strictly later days; no score was better before than the line says."""
    dots = [dot("m", value, date(2024, 1, 1 + day)) for value, day in pairs]
    dots.sort(key=lambda one: one.day)
    best = best_so_far(dots, higher_is_better=up)
    sign = 1 if up else -1
    values = [sign * one.value for one in best]
    assert values == sorted(set(values))
    assert [one.day for one in best] == sorted({one.day for one in best})
    for one in dots:
        assert any(b.day <= one.day and sign * b.value >= sign * one.value for b in best)


def test_no_score_with_a_date_makes_no_chart() -> None:
    """There is nothing to draw."""
    assert scores_picture([], SHARES, UNTIL, WIDE) is None


# --- launch posts -----------------------------------------------------------------------------


def test_labs_stand_in_the_order_in_which_they_first_listed_it() -> None:
    """CH-11, CH-12: every post of such a lab has a tick; a lab that never listed it has no row."""
    picture = posts_picture(TICKS, UNTIL, WIDE)
    assert picture is not None
    said = words(drawn(picture))
    rows = [one for one in said if "Lab:" in one]
    assert rows == ["Delta Lab: 1 listed, 1 not read", "Marsh Lab: 1 listed, 1 left out"]
    assert [one.words for one in picture.key] == [
        "Lists it",
        "Read, and leaves it out",
        "Not read for it yet",
    ]


def test_ticks_that_list_it_are_tall_and_coloured_and_others_short_and_grey() -> None:
    """CH-12: a post that leaves it out can be told from one that lists it without colours."""
    picture = posts_picture(TICKS, UNTIL, WIDE)
    assert picture is not None
    tall: dict[str, float] = {}
    colours: dict[str, str] = {}
    for layer in spec_of(picture, WIDE)["layer"]:
        for row in rows_of(layer):
            if row.get("state") in (LISTED, LEFT_OUT):
                tall[row["name"]] = row["y"] - layer["encoding"]["y2"]["datum"]
                colours[row["name"]] = layer["mark"]["color"]
    assert tall["Ibis post"] == tall["Heron post"] > 1.5 * tall["Rail post"]
    assert colours["Ibis post"] != colours["Heron post"]
    assert colours["Rail post"] == WIDE.faint


# --- corrections per month --------------------------------------------------------------------


def test_months_without_a_decision_are_there_too() -> None:
    """A gap is seen as a gap, also over the turn of a year."""
    months = {(2025, 11): {"changed something": 1}, (2026, 2): {"changed nothing": 1}}
    assert every_month(months) == [(2025, 11), (2025, 12), (2026, 1), (2026, 2)]
    assert corrections_picture({}, WIDE) is None


@pytest.mark.parametrize(
    ("months", "begins"),
    [
        (((2026, 2),), "2025-09-01"),
        (((2025, 1), (2026, 2)), "2025-01-01"),
        (((2025, 12),), "2025-07-01"),
    ],
)
def test_a_single_month_is_a_bar_and_not_a_wall(
    months: tuple[tuple[int, int], ...], begins: str
) -> None:
    """Half a year at least is drawn; more where there is more."""
    picture = corrections_picture({month: {"changed something": 1} for month in months}, WIDE)
    assert picture is not None
    axis = spec_of(picture, WIDE)
    assert begins in str(axis)
    assert min(re.findall(r"\d{4}-\d\d-01", str(axis))) == begins


# --- on paper ---------------------------------------------------------------------------------


def test_names_stay_text_and_are_escaped() -> None:
    """They can be found and copied, and are never markup; long ones end with an ellipsis."""
    svg = printed_leaders(LEADERS, "2026-11-30")
    assert svg is not None
    assert "Ibis &amp; &lt;Loon&gt; 1,059.2" in svg
    assert "An owl whose name is longer t…" in svg


def test_names_are_printed_as_they_are_told_to_be() -> None:
    """What no font has is spelled in a drawing too."""
    svg = printed_leaders(LEADERS, "2026-11-30", str.upper, "All")
    assert svg is not None
    assert "HERON" in svg
    assert "ALL" in words(svg)


@pytest.mark.parametrize("count", [0, 1])
def test_one_holder_makes_no_chart_on_paper(count: int) -> None:
    """A bar would say nothing; the table does."""
    assert printed_leaders(LEADERS[:count], "2026-11-30") is None


def test_two_holders_of_one_day_make_no_chart_on_paper() -> None:
    """Where no time goes by there is nothing to draw."""
    both = [leader("Heron", "56.1", "2024-06-01"), leader("Ibis", "58", "2024-06-01")]
    assert printed_leaders(both, "2026-11-30") is None
