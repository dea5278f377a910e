"""The public pages: boards, claims, models, sources and frozen bytes; GET only.

Every page is also there as JSON, a board as CSV too. All of it is of the moment that the address
asks for.
"""

from collections.abc import Mapping, Sequence
from mimetypes import guess_type
from pathlib import Path
from typing import Any

import orjson
from flask import Blueprint, Response, render_template, request, url_for
from markupsafe import Markup

from ledger.errors import NotFound
from ledger.values import Digest
from projections.board.boards import Board
from projections.board.history import coverage, leaders, posts, status
from projections.board.shown import shown_on
from projections.called import called
from projections.labs import lab_at, registered
from projections.sources import is_frozen_reading, source_at
from projections.story import story_of
from reports.contract import Json, board_json, claim_json, source_json
from web import access
from web.addresses import absolute
from web.api.told import told
from web.asked import (
    BOARD,
    TIME,
    board_of,
    is_day,
    pinned,
    words_asked,
)
from web.csv_forms import board_csv
from web.dataset import dataset_json, in_markup
from web.frozen.downloads import frozen_bytes
from web.headers import SANDBOX, kept, tag_of, unchanged
from web.links import links
from web.memento import remembered
from web.pictures import WITH_CHARTS, charts_of
from web.showing.board import BoardPage, board_asked
from web.showing.cards import by_category
from web.showing.claim import claim_page
from web.showing.kept import moment_key
from web.showing.model import model_page
from web.showing.named import named
from web.showing.ordering import folded, in_order, order_of
from web.site import Look, site
from web.when.bars import bar_of_board, bar_of_claim, bar_of_model, bar_of_source
from web.when.whole_bars import bar_of_index, bar_of_lab
from web.words import moment_words

# Read once; so no address is ever turned into a path.
ASSETS = {path.name: path.read_bytes() for path in (Path(__file__).parent / "static").iterdir()}

public = Blueprint("public", __name__)


@public.get("/")
@access.public
def index() -> Response:
    """All benchmarks by category, or what a search finds: models, labs and papers too."""

    def make(look: Look) -> Response:
        words, category = words_asked(look.asked), look.asked.get("category")
        cards = site().cards.all(look.reader, look.moment, look.day)
        found = [one for one in cards if category in (None, one.category) and one.has(words)]
        return page(
            look,
            "index.html",
            bar=bar_of_index(look, _searched(look)),
            words=words,
            category=category,
            categories=by_category(found),
            in_all=by_category(cards),
            named=named(look.reader, look.store, look.moment, words) if words else None,
        )

    return site().answer(make, TIME, fields=("q", "category"))


def _searched(look: Look) -> dict[str, str]:
    """The parameters of the search alone."""
    return {name: value for name, value in look.asked.items() if name not in TIME}


# --- boards -----------------------------------------------------------------------------------


def _board(look: Look, slug: str) -> Board:
    return board_asked(look.reader, slug, look.moment, look.asked)


@public.get("/benchmarks/<slug:slug>")
@access.public
def board(slug: str) -> Response:
    """A benchmark: its board, where the numbers come from, its history."""

    def make(look: Look) -> Response:
        shown = _board_page(look, slug)
        given = {name: value for name, value in look.asked.items() if name != "sort"}
        found = page(
            look,
            "board.html",
            board=shown.board,
            shown=shown,
            given=given,
            body=_body(look, shown, given),
            dataset=_told_as_dataset(look, shown, slug, given),
            bar=bar_of_board(look, shown.board, shown.decided_later),
        )
        found.headers["Content-Security-Policy"] = WITH_CHARTS
        return remembered(found, look, "benchmarks", slug)

    return site().answer(make, (*BOARD, "sort"))


def _body(look: Look, shown: BoardPage, given: Mapping[str, str]) -> Markup:
    """What follows the time bar; kept for as long as nothing of its moment and address changes."""
    order = order_of(look.asked.get("sort"))

    def make() -> Markup:
        html = render_template(
            "board_body.html",
            asked=look.asked,
            time=look.time,
            links=links(look.time),
            board=shown.board,
            shown=shown,
            given=given,
            order=order,
            folds=folded(in_order(shown.lines.ranked, order)),
            charts=charts_of(shown, given),
        )
        return Markup(html)  # noqa: S704 -- our own template made it, and escaped what it shows

    slug, address = shown.board.benchmark.slug, tuple(sorted(look.asked.items()))
    return site().fragments.at((slug, address, moment_key(look.moment, look.day)), make)


def _told_as_dataset(look: Look, shown: BoardPage, slug: str, given: Mapping[str, str]) -> Markup:
    """The board in the words of schema.org, inside of its page: data that no browser runs."""

    def make() -> str:
        return in_markup(_dataset(shown, slug, given))

    moment = moment_key(look.moment, look.day)
    told = site().told.at(("dataset", absolute(request.full_path), moment), make)
    return Markup(told)  # noqa: S704 -- no character of it ends the element that it stands in


def _dataset(shown: BoardPage, slug: str, given: Mapping[str, str]) -> Json:
    which: dict[str, Any] = {"slug": slug, **given}
    forms = {
        "text/csv": absolute(url_for("public.board_as_csv", **which)),
        "application/json": absolute(url_for("public.board_as_json", **which)),
    }
    return dataset_json(shown, absolute(url_for("public.board", **which)), forms)


def _board_page(look: Look, slug: str) -> BoardPage:
    return site().boards.at(look.reader, slug, look.moment, look.asked, look.day)


@public.get("/benchmarks/<slug:slug>.jsonld")
@access.public
def board_as_dataset(slug: str) -> Response:
    """The same in the words of schema.org."""

    def make(look: Look) -> Response:
        response = document(_dataset(_board_page(look, slug), slug, look.asked))
        response.mimetype = "application/ld+json"
        return response

    return site().answer(make, BOARD)


@public.get("/benchmarks/<slug:slug>.json")
@access.public
@told("A benchmark's board at a moment, ranked.", "Board", BOARD)
def board_as_json(slug: str) -> Response:
    """The same under the names of the outside contract."""

    def make(look: Look) -> Response:
        found = _board(look, slug)
        how = status(found, posts(look.reader, slug, look.moment))
        covered, later = coverage(look.reader, found), look.later(slug)
        return document(board_json(found, leaders(found), how, covered, later))

    return site().answer(make, BOARD)


@public.get("/benchmarks/<slug:slug>.csv")
@access.public
def board_as_csv(slug: str) -> Response:
    """The ranked rows; the file's name says of which moment."""

    def make(look: Look) -> Response:
        found = _board(look, slug)
        stated = shown_on(look.reader, look.store, found)
        response = Response(board_csv(found, stated), content_type="text/csv; charset=utf-8")
        name = board_file_name(found, "csv")
        response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
        return response

    return site().answer(make, BOARD)


def board_file_name(found: Board, ending: str) -> str:
    """Of which moment a downloaded board is; it has neither spaces nor colons."""
    moment = found.moment
    day = moment.as_read_on.replace(":", "")
    parts = [found.benchmark.slug, *board_of(found).values()]
    parts += [f"as-read-by-{'end-of-' if is_day(day) else ''}{day}-UTC", moment.plane.value]
    if moment.published_by is not None:
        parts.append(f"published-by-{moment.published_by}")
    return "_".join((*parts, f"position-{moment.position}.{ending}"))


# --- claims, models, sources ------------------------------------------------------------------


@public.get("/claims/<claim:claim>")
@access.public
def claim(claim: str) -> Response:
    """One number: who states it, where, since when, and what was decided about it."""

    def make(look: Look) -> Response:
        shown = claim_page(look.reader, look.store, claim, look.moment)
        bar = bar_of_claim(look, shown.story, shown.unit)
        found = page(look, "claim.html", shown=shown, story=shown.story, bar=bar)
        return remembered(found, look, "claims", claim)

    return site().answer(make)


@public.get("/claims/<claim:claim>.json")
@access.public
@told("One number: who states it, and what was decided about it.", "Claim", TIME)
def claim_as_json(claim: str) -> Response:
    """The same as JSON."""

    def make(look: Look) -> Response:
        story = story_of(look.reader, look.store, claim, look.moment)
        return document(claim_json(story, look.later(story.history.benchmark)))

    return site().answer(make)


@public.get("/models/<slug:slug>")
@access.public
def model(slug: str) -> Response:
    """One model: every number that any source states for it."""

    def make(look: Look) -> Response:
        shown = model_page(look.reader, slug, look.moment)
        bar = bar_of_model(look, shown.model)
        return page(look, "model.html", model=shown.model, shown=shown, bar=bar)

    return site().answer(make)


@public.get("/labs/<slug:slug>")
@access.public
def lab(slug: str) -> Response:
    """One lab: its models, and what it published that was read."""

    def make(look: Look) -> Response:
        found = lab_at(look.reader, slug, look.moment)
        return page(look, "lab.html", lab=found, bar=bar_of_lab(look, found))

    return site().answer(make)


@public.get("/sources/<slug:slug>")
@access.public
def source(slug: str) -> Response:
    """One source: what it is, when it was read, and what it states."""

    def make(look: Look) -> Response:
        found = source_at(look.reader, slug, look.moment)
        labs = registered(look.reader, [found.facts.get("lab")], look.moment)
        spoken_of = {one["benchmark"] for one in found.claims}
        spoken_of |= {one.benchmark for one in found.readings}
        return page(
            look,
            "source.html",
            source=found,
            labs=labs,
            called=called(look.reader, spoken_of, look.moment),
            bar=bar_of_source(look, found),
        )

    return site().answer(make)


@public.get("/sources/<slug:slug>.json")
@access.public
@told("One source: its readings, and what it states.", "Source", TIME)
def source_as_json(slug: str) -> Response:
    """The same as JSON."""

    def make(look: Look) -> Response:
        return document(source_json(source_at(look.reader, slug, look.moment)))

    return site().answer(make)


# --- frozen bytes -----------------------------------------------------------------------------


@public.get("/snapshots/<digest:digest>")
@access.public
def snapshot(digest: str) -> Response:
    """The frozen bytes of a reading, as a download that no browser runs or shows as a page.

    Only what was read from a source is served, whatever else the archive may hold.
    """
    here = site()
    here.freshness.reached()
    with here.workspace.views.read() as reader:
        if not is_frozen_reading(reader, digest):
            raise NotFound(what="snapshot", name=digest)
    tag = tag_of(digest)
    response = unchanged(tag) or frozen_bytes(here.workspace.ledger.archive, Digest(digest))
    response.headers["Content-Security-Policy"] = SANDBOX
    return kept(response, tag, for_ever=True)


# --- what pages are made with -----------------------------------------------------------------


def page(look: Look, template: str, **shown: Any) -> Response:
    """A page of this moment."""
    html = render_template(
        template,
        look=look,
        moment=look.moment,
        time=look.time,
        links=links(look.time),
        special=moment_words(look.moment, look.asked, look.today),
        now_address=_now(look),
        canonical=_now(look, but=("sort",)),
        host=site().workspace.settings.address,
        permalink=pinned(look.moment, look.asked, look.today),
        **shown,
    )
    return Response(html, mimetype="text/html")


def _now(look: Look, but: Sequence[str] = ()) -> str:
    """The address of the same page without any time, and without some other parameters."""
    rest: dict[str, Any] = {**(request.view_args or {})}
    rest |= {name: value for name, value in look.asked.items() if name not in (*TIME, *but)}
    return url_for(str(request.endpoint), **rest)


def document(content: Any) -> Response:
    """A JSON document."""
    return Response(orjson.dumps(content) + b"\n", mimetype="application/json")


@public.get("/static/<name>")
@access.public
def asset(name: str) -> Response:
    """Our own style sheet and icon; an address that bears our release may be kept for ever."""
    if name not in ASSETS:
        raise NotFound(what="file", name=name)
    release = site().release
    tag = tag_of(release)
    response = unchanged(tag) or Response(
        ASSETS[name], mimetype=guess_type(name)[0] or "application/octet-stream"
    )
    return kept(response, tag, for_ever=request.args.get("v") == release)
