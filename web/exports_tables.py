"""Boards, claims and corrections in lines and tables, for other programs; GET only.

Every one is of the moment that its address asks for, and its file's name says of which.
"""

from collections.abc import Iterable

from flask import Blueprint, Response, request

from projections.board.boards import Board
from projections.board.shown import shown_on
from projections.decisions.log import all_of_log
from projections.story import story_of
from reports.exports.every_eval_ever import every_eval_ever
from reports.exports.lines import board_lines, claim_lines, corrections_lines
from web import access
from web.asked import BOARD, TIME
from web.claim_csv import claim_csv
from web.log.asked import FILTERS, PERIOD, wanted_of
from web.public import board_file_name
from web.retractions_csv import retractions_csv
from web.showing.board import board_asked
from web.site import Look, site

tables = Blueprint("tables", __name__)

LINES, CSV = "application/jsonl", "text/csv; charset=utf-8"


# --- boards -----------------------------------------------------------------------------------


@tables.get("/benchmarks/<slug:slug>.jsonl")
@access.public
def board_as_lines(slug: str) -> Response:
    """A row a line; those that do not rank stand behind the others."""

    def make(look: Look) -> Response:
        found = _board(look, slug)
        return file(board_lines(found), LINES, board_file_name(found, "jsonl"))

    return site().answer(make, BOARD)


@tables.get("/benchmarks/<slug:slug>.eee.jsonl")
@access.public
def board_as_evaluations(slug: str) -> Response:
    """The same as Every Eval Ever records."""

    def make(look: Look) -> Response:
        found = _board(look, slug)
        records = every_eval_ever(found, shown_on(look.reader, look.store, found))
        return file(records, LINES, board_file_name(found, "eee.jsonl"))

    return site().answer(make, BOARD)


def _board(look: Look, slug: str) -> Board:
    return board_asked(look.reader, slug, look.moment, look.asked)


# --- claims -----------------------------------------------------------------------------------


@tables.get("/claims/<claim:claim>.csv")
@access.public
def claim_as_csv(claim: str) -> Response:
    """What its source said and what was decided about it, a step a row."""

    def make(look: Look) -> Response:
        story = story_of(look.reader, look.store, claim, look.moment)
        name = f"{claim}_position-{look.moment.position}.csv"
        return file([claim_csv(story).encode()], CSV, name)

    return site().answer(make)


@tables.get("/claims/<claim:claim>.jsonl")
@access.public
def claim_as_lines(claim: str) -> Response:
    """The same, a step a line."""

    def make(look: Look) -> Response:
        story = story_of(look.reader, look.store, claim, look.moment)
        return file(claim_lines(story), LINES, f"{claim}_position-{look.moment.position}.jsonl")

    return site().answer(make)


# --- corrections ------------------------------------------------------------------------------


@tables.get("/corrections.jsonl")
@access.public
def log_as_lines() -> Response:
    """All that the filters leave of the log, newest first, an entry a line."""

    def make(look: Look) -> Response:
        pages = all_of_log(look.reader, look.store, wanted_of(look.asked), look.moment)
        entries = (entry for page in pages for entry in page.entries)
        name = f"corrections_position-{look.moment.position}.jsonl"
        return file(corrections_lines(entries), LINES, name)

    return site().answer(make, (*TIME, *PERIOD), fields=FILTERS)


@tables.get("/corrections.retractions.csv")
@access.public
def log_as_retractions() -> Response:
    """The same in the columns of the Retraction Watch data."""

    def make(look: Look) -> Response:
        pages = all_of_log(look.reader, look.store, wanted_of(look.asked), look.moment)
        text = retractions_csv(pages, look.store, _address)
        name = f"corrections_retractions_position-{look.moment.position}.csv"
        return file([text.encode()], CSV, name)

    return site().answer(make, (*TIME, *PERIOD), fields=FILTERS)


def _address(path: str) -> str:
    """A whole address, under the name that the operator gave these pages, else the one asked."""
    origin = site().workspace.settings.address or request.host_url.rstrip("/")
    return f"{origin}{path}"


def file(lines: Iterable[bytes], content_type: str, name: str) -> Response:
    """A file to be kept under this name."""
    response = Response(b"".join(lines), content_type=content_type)
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
