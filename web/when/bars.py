"""The bar of each kind of page, drawn; here the bar meets Flask.

A bar follows from the address and the moment of its page alone, so it is kept for whoever asks for
the same again.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from flask import get_template_attribute, request
from markupsafe import Markup

from projections.board.boards import Board
from projections.models import Model
from projections.over_time.moments_of_change import around
from projections.over_time.page_steps import About
from projections.sources import Source
from projections.story import Story
from web.addresses import absolute, address_of
from web.asked import board_of
from web.showing.kept import moment_key
from web.site import Look, site
from web.when.bar import PageOf, TimeBar, time_bar
from web.when.citations import (
    asked_of,
    citation_of_board,
    citation_of_claim,
    citation_of_model,
    citation_of_source,
)
from web.when.citing import Citation


def bar_of_board(look: Look, board: Board, decided_later: Sequence[int]) -> Markup:
    """The bar of a benchmark's page: it turns to where this very board changed. ``decided_later``
    are the numbers of the decisions about its claims that it does not show."""

    def make() -> TimeBar:
        slug, which = board.benchmark.slug, board_of(board)
        about = About(kind="benchmark", id=slug, view=board.view, metric=which.get("metric"))
        page = PageOf(
            **_addresses("benchmarks", slug, "public.board", slug=slug),
            changes=partial(_changes_of_board, slug, {**which, **position_asked(look)}),
            which=which,
            corrections=tuple(decided_later),
            dated=True,
        )
        return bar_of(look, about, page, citation_of_board(look, board))

    return drawn(look, make)


def bar_of_claim(look: Look, story: Story, unit: str | None) -> Markup:
    """The bar of a claim's page."""

    def make() -> TimeBar:
        values = {"claim": story.claim_id}
        page = PageOf(
            **_addresses("claims", story.claim_id, "public.claim", **values),
            changes=lambda _: f"{address_of('public.claim', values, position_asked(look))}#steps",
            changes_words="Everything that happened to it",
            corrections=tuple(look.later_of(story.history.benchmark, story.claim_id)),
        )
        about = About(kind="claim", id=story.claim_id)
        return bar_of(look, about, page, citation_of_claim(look, story, unit))

    return drawn(look, make)


def bar_of_model(look: Look, model: Model) -> Markup:
    """The bar of a model's page."""

    def make() -> TimeBar:
        values = {"slug": model.slug}
        claims = {one.slug: [row.claim_id for row in one.rows] for one in model.benchmarks}
        page = PageOf(
            **_addresses("models", model.slug, "public.model", **values),
            changes=lambda _: address_of("changes.of_model", values, position_asked(look)),
            changes_words="Its history on all benchmarks",
            corrections=_later(look, claims),
        )
        about = About(kind="model", id=model.slug)
        return bar_of(look, about, page, citation_of_model(look, model))

    return drawn(look, make)


def bar_of_source(look: Look, source: Source) -> Markup:
    """The bar of a source's page."""

    def make() -> TimeBar:
        values = {"slug": source.slug}
        claims: dict[str, list[str | None]] = {}
        for one in source.claims:
            claims.setdefault(one["benchmark"], []).append(one["claim"])
        here = address_of("public.source", values, position_asked(look))
        page = PageOf(
            **_addresses("sources", source.slug, "public.source", **values),
            changes=lambda _: f"{here}#readings",
            changes_words="Every reading of it",
            corrections=_later(look, claims),
        )
        about = About(kind="source", id=source.slug)
        return bar_of(look, about, page, citation_of_source(look, source))

    return drawn(look, make)


def _later(look: Look, claims: Mapping[str, Sequence[str | None]]) -> tuple[int, ...]:
    """The decisions made after the day about some claims by their benchmarks."""
    found = {number for slug, own in claims.items() if own for number in look.later_of(slug, *own)}
    return tuple(sorted(found))


# --- any bar ----------------------------------------------------------------------------------


def bar_of(look: Look, about: About, page: PageOf, citation: Citation) -> TimeBar:
    """The bar of any page that is about something."""
    asked = asked_of(look)
    near = around(look.reader, look.store, about, look.moment, asked.start)
    return time_bar(page, asked, near, citation)


def drawn(look: Look, make: Callable[[], TimeBar]) -> Markup:
    """The bar of this address at this moment as part of its page."""

    def draw() -> str:
        return str(get_template_attribute("time_bar.html", "drawn")(make()))

    moment = (moment_key(look.moment, look.day), look.today, look.reached.lag)
    html = site().told.at(("bar", absolute(request.full_path), moment), draw)
    return Markup(html)  # noqa: S704 -- our own template made it, and escaped what it shows


def position_asked(look: Look) -> Mapping[str, str]:
    """The position that was asked for, which a page of it never looks beyond."""
    name = "recorded_through"
    return {name: look.asked[name]} if name in look.asked else {}


def _changes_of_board(slug: str, which: Mapping[str, str], span: Mapping[str, str]) -> str:
    return address_of("changes.of_board", {"slug": slug}, {**span, **which})


def _addresses(kind: str, name: str, endpoint: str, **values: str) -> dict[str, Any]:
    cited = {"kind": kind, "name": name}
    return {
        "address": partial(address_of, endpoint, values),
        "bibtex": partial(address_of, "citing.as_bibtex", cited),
        "csl": partial(address_of, "citing.as_csl", cited),
    }
