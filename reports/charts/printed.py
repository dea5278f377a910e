"""Charts as paper bears them: drawn from what the outside contract says, in letters that its fonts
have."""

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from decimal import Decimal
from itertools import islice
from typing import Any

import attrs

from ledger.values import PartialDate, with_unit
from ledger.values import score as score_of
from projections.board.boards import SCALES, counted_in
from reports.charts.corrections import Months, corrections_picture
from reports.charts.drawn import PRINTED, drawing, spec_of
from reports.charts.leaders import Holder, Lane, holders_of, leaders_picture
from reports.charts.posts import (
    LEFT_OUT,
    LISTED,
    MOST_IN_ALL,
    NOT_READ,
    Tick,
    lanes_of,
    lanes_words,
    parts_of,
    posts_pictures,
)
from reports.charts.scores import OWN_BOARD, Dot, Scale, scores_picture, side_of, sides_of

Json = Mapping[str, Any]
MOST_PRINTED = 600
"""Dots that a printed chart has room for."""
MOST_PRINTED_LABS = 24
"""Rows of launch posts that a page has room for; more stand in several pictures."""
STATES: Mapping[bool | None, str] = {True: LISTED, False: LEFT_OUT, None: NOT_READ}


def printed_leaders(
    leaders: Sequence[Json], until: str, shown: Callable[[str], str] = str, name: str = ""
) -> str | None:
    """Who held number one with which score, until a day; ``None`` where a bar would say nothing.

    ``leaders`` are those of the outside contract, oldest first; ``until`` is an ISO day; ``shown``
    is how a name is printed; ``name`` is what this way of counting is called.
    """
    held = holders_of(leaders)
    if len({one.since for one in held}) < 2:
        return None
    end = date.fromisoformat(until)
    lane = Lane(
        name=shown(name),
        told="",
        holders=tuple(_printed(one, shown) for one in held),
        fresh_until=end,
    )
    picture = leaders_picture([lane], end, PRINTED)
    return drawing(spec_of(picture, PRINTED)) if picture else None


def printed_scores(
    rows: Sequence[Json],
    metric: Json,
    until: str,
    shown: Callable[[str], str] = str,
    ceiling: str | None = None,
) -> str | None:
    """Every row of a board that bears a date as a dot, and the best so far; ``None`` where that
    would say nothing, or where there are more than a page has room for.

    ``rows`` and ``metric`` are those of the outside contract, ``ceiling`` is where the near-ceiling
    line is, if there is one.
    """
    dated = [row for row in rows if row["score"] is not None and row["published_on"]]
    if len({row["published_on"] for row in dated}) < 2 or len(dated) > MOST_PRINTED:
        return None
    others = [one for row in dated if side_of(one := row["source"]["kind"]) == 1]
    own_board = all(one == OWN_BOARD for one in others)
    scale = Scale(
        unit=metric["unit"],
        higher_is_better=metric["higher_is_better"],
        ceiling=float(score_of(ceiling).value) if ceiling is not None else None,
        sides=sides_of(own_board=own_board),
    )
    unit = metric["unit"] or counted_in({row["unit"] for row in rows})
    dots = [_dot(row, unit, shown) for row in dated]
    picture = scores_picture(dots, scale, date.fromisoformat(until), PRINTED)
    return drawing(spec_of(picture, PRINTED)) if picture else None


@attrs.frozen
class PostsDrawn:
    """Pictures of launch posts, each with the same in words; none where no lab lists the
    benchmark. ``left_out`` counts labs that stand in the table alone."""

    pictures: tuple[tuple[str, str], ...]
    left_out: int


def printed_posts(
    posts: Sequence[Json], until: str, shown: Callable[[str], str] = str
) -> PostsDrawn:
    """The launch posts of every lab that listed the benchmark, in as many pictures as there are
    pages needed. ``posts`` are those of a bundle."""
    ticks = [_tick(one, shown) for one in posts if one["lab"] and one["published_on"]]
    every = lanes_of(ticks)
    lanes = dict(islice(every.items(), MOST_IN_ALL))
    pictures = posts_pictures(lanes, date.fromisoformat(until), PRINTED, MOST_PRINTED_LABS)
    drawn = (drawing(spec_of(one, PRINTED)) for one in pictures)
    told = map(lanes_words, parts_of(lanes, MOST_PRINTED_LABS))
    return PostsDrawn(tuple(zip(drawn, told, strict=True)), len(every) - len(lanes))


def _tick(post: Json, shown: Callable[[str], str]) -> Tick:
    return Tick(
        name=shown(post["name"]),
        lab=shown(post["lab_name"] or post["lab"]),
        day=PartialDate(post["published_on"]).first_day,
        state=STATES[post["listed"]],
    )


def printed_months(months: Months) -> str | None:
    """Corrections per month; ``None`` where nothing was decided."""
    picture = corrections_picture(months, PRINTED)
    return drawing(spec_of(picture, PRINTED)) if picture else None


def _dot(row: Json, unit: str | None, shown: Callable[[str], str]) -> Dot:
    score, model = score_of(str(row["score"])), row["model"]
    version = f" {model['version']}" if model["version"] else ""
    factor = SCALES.get((row["unit"], unit), Decimal(1))
    return Dot(
        name=shown(f"{model['name']}{version}"),
        value=float(score.value * factor),
        score=with_unit(str(score), row["unit"]),
        day=PartialDate(row["published_on"]).first_day,
        published=str(row["published_on"]),
        side=side_of(row["source"]["kind"]),
        source=row["source"]["slug"],
    )


def _printed(one: Holder, shown: Callable[[str], str]) -> Holder:
    return attrs.evolve(one, name=shown(one.name), score=shown(one.score), lab=shown(one.lab))
