"""Each chart tells what it is of, and nothing where there is nothing to tell."""

import re
from datetime import date, timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reports.charts.corrections import corrections_picture, every_month
from reports.charts.drawn import spec_of
from reports.charts.leaders import leaders_picture, levels_of
from reports.charts.posts import LEFT_OUT, LISTED, posts_picture
from reports.charts.printed import printed_leaders
from reports.charts.scores import Scale, best_so_far, scores_picture
from tests.reports.drawings import (
    DOTS,
    LANES,
    LEADERS,
    SHARES,
    TICKS,
    UNTIL,
    WIDE,
    dot,
    drawn,
    holder,
    leader,
    rows_of,
    words,
)

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
