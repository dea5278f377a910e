"""The public pages: boards, claims, models, sources and frozen bytes; GET only.

Every page is also there as JSON, a board as CSV too. All of it is of the moment that the address
asks for.
"""

from mimetypes import guess_type
from pathlib import Path
from typing import Any

import orjson
from flask import Blueprint, Response, render_template, request, url_for

from ledger.archive import Archive
from ledger.errors import NotFound
from ledger.values import Digest
from projections.boards import Board, board_at
from projections.history import coverage, leaders, posts, status
from projections.models import model_at
from projections.sources import is_frozen_reading, source_at
from projections.story import story_of
from reports.contract import board_json, claim_json, source_json
from web import access
from web.asked import BOARD, TIME, board_of, controls_of, every_claim, is_day, pinned
from web.csv_forms import board_csv
from web.headers import SANDBOX, kept, tag_of, unchanged
from web.shown import board_page, claim_page
from web.site import Look, site
from web.words import moment_words

# Read once; so no address is ever turned into a path.
ASSETS = {path.name: path.read_bytes() for path in (Path(__file__).parent / "static").iterdir()}

public = Blueprint("public", __name__)


@public.get("/")
@access.public
def index() -> Response:
    """All benchmarks by category."""

    def make(look: Look) -> Response:
        day = look.asked.get("as_read_on", look.today.isoformat())
        cards = site().index.at(look.reader, look.moment, day)
        return page(look, "index.html", categories=cards)

    return site().answer(make)


# --- boards -----------------------------------------------------------------------------------


def _board(look: Look, slug: str) -> Board:
    return board_at(
        look.reader,
        slug,
        look.moment,
        view=look.asked.get("view"),
        metric=look.asked.get("metric"),
        every_claim=every_claim(look.asked),
    )


@public.get("/benchmarks/<slug:slug>")
@access.public
def board(slug: str) -> Response:
    """A benchmark: its board, where the numbers come from, its history."""

    def make(look: Look) -> Response:
        found = _board(look, slug)
        return page(
            look,
            "board.html",
            board=found,
            shown=board_page(look.reader, found),
            controls=controls_of(found, look.asked, look.today),
            which=board_of(found),
        )

    return site().answer(make, BOARD)


@public.get("/benchmarks/<slug:slug>.json")
@access.public
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
        response = Response(board_csv(found), content_type="text/csv; charset=utf-8")
        response.headers["Content-Disposition"] = f'attachment; filename="{_file_name(found)}"'
        return response

    return site().answer(make, BOARD)


def _file_name(found: Board) -> str:
    """Of which moment a downloaded board is; it has neither spaces nor colons."""
    moment = found.moment
    day = moment.as_read_on.replace(":", "")
    parts = [found.benchmark.slug, *board_of(found).values()]
    parts += [f"as-read-by-{'end-of-' if is_day(day) else ''}{day}-UTC", moment.plane.value]
    if moment.published_by is not None:
        parts.append(f"published-by-{moment.published_by}")
    return "_".join((*parts, f"position-{moment.position}.csv"))


# --- claims, models, sources ------------------------------------------------------------------


@public.get("/claims/<claim:claim>")
@access.public
def claim(claim: str) -> Response:
    """One number: who states it, where, since when, and what was decided about it."""

    def make(look: Look) -> Response:
        shown = claim_page(look.reader, look.store, claim, look.moment)
        return page(look, "claim.html", shown=shown, story=shown.story)

    return site().answer(make)


@public.get("/claims/<claim:claim>.json")
@access.public
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
        return page(look, "model.html", model=model_at(look.reader, slug, look.moment))

    return site().answer(make)


@public.get("/sources/<slug:slug>")
@access.public
def source(slug: str) -> Response:
    """One source: what it is, when it was read, and what it states."""

    def make(look: Look) -> Response:
        return page(look, "source.html", source=source_at(look.reader, slug, look.moment))

    return site().answer(make)


@public.get("/sources/<slug:slug>.json")
@access.public
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
    response = unchanged(tag) or _frozen(here.workspace.ledger.archive, digest)
    response.headers["Content-Security-Policy"] = SANDBOX
    return kept(response, tag, for_ever=True)


def _frozen(archive: Archive, digest: str) -> Response:
    response = Response(archive.get(Digest(digest)), content_type="text/plain; charset=utf-8")
    response.headers["Content-Disposition"] = f'attachment; filename="{digest}.txt"'
    return response


# --- what pages are made with -----------------------------------------------------------------


def page(look: Look, template: str, **shown: Any) -> Response:
    """A page of this moment."""
    html = render_template(
        template,
        look=look,
        moment=look.moment,
        time=look.time,
        special=moment_words(look.moment, look.asked, look.today),
        now_address=_now(look),
        permalink=pinned(look.moment, look.asked, look.today),
        **shown,
    )
    return Response(html, mimetype="text/html")


def _now(look: Look) -> str:
    """The address of the same page without any time."""
    rest: dict[str, Any] = {**(request.view_args or {})}
    rest |= {name: value for name, value in look.asked.items() if name not in TIME}
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
