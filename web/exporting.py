"""What is shown, for taking away: provenance bundles, and the same as W3C PROV; GET only.

An export is of a pinned moment, also where its address says none. What was decided since goes
along, so it says other things when the ledger has gone on, and is never kept for ever.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from threading import Lock
from types import MappingProxyType

from flask import Blueprint, Response, request
from flask.sansio.scaffold import T_route

from ledger.errors import Busy
from reports.bundle import Bundle
from reports.bundle.making import made
from reports.bundle.schema import NAME, schema_bytes
from reports.prov import prov_bytes
from web import access
from web.api.told import TAKEN, told
from web.asked import BOARD, TIME, asked
from web.exports import file_name, of_a_day, records_of
from web.headers import kept, tag_of, unchanged
from web.log.asked import PERIOD
from web.site import Look, site
from web.subjects import (
    Subject,
    board_subject,
    claim_subject,
    correction_subject,
    log_subject,
    paper_subject,
)

exporting = Blueprint("exporting", __name__)

BUNDLE = "bundle.json"
PROV: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "prov.json": ("json", "application/json"),
        "provn": ("provn", "text/provenance-notation; charset=utf-8"),
        "ttl": ("turtle", "text/turtle; charset=utf-8"),
    }
)
"""How an address ends → the form of PROV, and its media type."""

PATIENCE = 20.0
"""Seconds that an export waits for its turn."""

TURN = Lock()
"""One export at a time in a process: one of twenty thousand rows takes hundreds of megabytes."""


class ManyExports(Busy):
    """Other exports are being made here, one after the other; try again in a moment."""


@contextmanager
def in_turn() -> Iterator[None]:
    """Be the only one who makes an export in this process. Raises ``ManyExports``."""
    if not TURN.acquire(timeout=PATIENCE):
        raise ManyExports
    try:
        yield
    finally:
        TURN.release()


def exported(page: str) -> Callable[[T_route], T_route]:
    """A view of all the exports of a page, which tells it how the address ends."""

    def route(view: T_route) -> T_route:
        for ending in (BUNDLE, *PROV):
            defaults = {"ending": ending}
            exporting.add_url_rule(f"{page}.{ending}", view_func=view, defaults=defaults)
        return view

    return route


@exported("/benchmarks/<slug:slug>")
@access.public
@told("A board, the events behind it, and their proof.", TAKEN, BOARD)
def board(slug: str, ending: str) -> Response:
    """A board, the events behind it, and the proof that they are in the log."""
    return _answer(board_subject(slug), ending, BOARD)


@exported("/claims/<claim:claim>")
@access.public
@told("A claim's story, the events behind it, and their proof.", TAKEN, TIME)
def claim(claim: str, ending: str) -> Response:
    """One claim's story in the same way."""
    return _answer(claim_subject(claim), ending)


@exported("/papers/<slug:name>")
@access.public
@told("A paper's page, the events behind it, and their proof.", TAKEN, TIME)
def paper(name: str, ending: str) -> Response:
    """A paper's page in the same way: its repositories, and what was run of them."""
    return _answer(paper_subject(name), ending)


@exported("/corrections/<number:number>")
@access.public
@told("A decision, the events behind it, and their proof.", TAKEN, TIME)
def correction(number: int, ending: str) -> Response:
    """One decision in the same way, with the boards that it moved."""
    return _answer(correction_subject(number), ending)


@exported("/corrections")
@access.public
@told("What was decided, the events behind it, and their proof.", TAKEN, (*TIME, *PERIOD))
def log(ending: str) -> Response:
    """What was decided from one day to another, in the same way."""
    return _answer(log_subject(), ending, (*TIME, *PERIOD))


@exporting.get(f"/schema/{NAME}")
@access.public
@told("The JSON Schema of a bundle.", "JsonSchema", media="application/schema+json")
def schema() -> Response:
    """The JSON Schema of the bundle."""
    asked(request.args, ())
    tag = tag_of(site().release, NAME)
    response = unchanged(tag) or Response(schema_bytes(), content_type="application/schema+json")
    return kept(response, tag, for_ever=False)


def _answer(subject: Subject, ending: str, known: tuple[str, ...] = TIME) -> Response:
    here = site()
    workspace = here.workspace

    def respond(look: Look) -> Response:
        moment = of_a_day(look.moment, look.asked, look.today)
        with in_turn():
            return _file(made(records_of(workspace), subject(look, moment)), ending)

    return here.answer(respond, known, erasable=since_when())


def since_when() -> str:
    """What makes one export another than that of an hour ago: how far the ledger has gone on, and
    whether its log changed keys."""
    here = site()
    return f"{here.freshness.reached().position} {len(here.workspace.seals.keys())}"


def _file(bundle: Bundle, ending: str) -> Response:
    if ending == BUNDLE:
        response = Response(bundle.data, content_type="application/json")
    else:
        form, media_type = PROV[ending]
        response = Response(prov_bytes(bundle.document, form), content_type=media_type)
    name = f"{file_name(bundle.document)}.{ending}"
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
