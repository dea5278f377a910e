"""Where pages put their charts: the forms of a picture with their sizes, none of it drawn yet."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import attrs
from flask import url_for

from reports.charts.corrections import Months, corrections_picture
from reports.charts.drawn import WIDTHS, size_of, style_of
from reports.charts.months import months_words
from web.headers import POLICY
from web.showing.board import BoardPage
from web.showing.chart_words import (
    leaders_words,
    posts_words,
    scores_words,
    sources_words,
)
from web.showing.charts import Draw

WITH_CHARTS = f"{POLICY}; script-src 'self'; connect-src 'self'"
"""The policy of a page with charts: our own files may run, and may ask us for specifications."""

PALE = (
    "One row for what others measured, one for what labs claim. A bar is pale from the date of "
    "its newest number on: nothing newer was stated."
)


@attrs.frozen(kw_only=True)
class Form:
    """One form of a picture: for which windows, its address and its size in pixels."""

    media: str
    address: str
    width: int
    height: int


@attrs.frozen(kw_only=True)
class Shown:
    """A picture on a page: its forms (the last is for whoever fits no other), its words for those
    who do not see it, what stands below it, and the address of its specification."""

    forms: tuple[Form, ...]
    words: str
    caption: str
    explored: str

    @property
    def last(self) -> Form:
        """The form for everybody else."""
        return self.forms[-1]


MEDIA: Sequence[tuple[str, str, str]] = (
    ("narrow", "dark", "(max-width: 45rem) and (prefers-color-scheme: dark)"),
    ("narrow", "light", "(max-width: 45rem)"),
    ("wide", "dark", "(prefers-color-scheme: dark)"),
    ("wide", "light", ""),
)


def shown_as(
    draw: Draw, endpoint: str, values: Mapping[str, str], words: str, caption: str = ""
) -> Shown | None:
    """A picture as a page shows it, without drawing it; ``None`` where there is nothing to show.

    ``values`` are the parameters of its address.
    """
    sizes: dict[str, tuple[int, int]] = {}
    for width in WIDTHS:
        style = style_of("light", width)
        picture = draw(style)
        if picture is None:
            return None
        sizes[width] = size_of(picture, style)
    where: dict[str, Any] = {**values}
    forms = tuple(
        Form(
            media=media,
            address=url_for(endpoint, ending="svg", scheme=scheme, width=width, **where),
            width=sizes[width][0],
            height=sizes[width][1],
        )
        for width, scheme, media in MEDIA
    )
    return Shown(
        forms=forms,
        words=words,
        caption=caption,
        explored=url_for(endpoint, ending="json", **where),
    )


def charts_of(shown: BoardPage, given: Mapping[str, str]) -> dict[str, Shown | None]:
    """The charts of a benchmark's page by their names; ``given`` are its parameters."""
    charted = shown.charted
    sources = sources_words(shown.sources)
    words = {
        "leaders": (leaders_words, f"{PALE} {sources}".strip()),
        "scores": (scores_words, sources),
        "posts": (posts_words, ""),
    }
    where = {name: value for name, value in given.items() if name != "every_claim"}
    where["slug"] = shown.board.benchmark.slug
    found: dict[str, Shown | None] = {}
    for name, (told, caption) in words.items():
        values = {**where, "name": name}
        found[name] = shown_as(
            charted.drawn[name], "charts.of_board", values, told(charted), caption
        )
    return found


def chart_of_months(months: Months, time: Mapping[str, str]) -> Shown | None:
    """Corrections per month, as the log of a moment has them."""
    draw = partial(corrections_picture, months)
    return shown_as(draw, "charts.of_corrections", time, months_words(months))
