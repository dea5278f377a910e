"""The citation of each kind of page, and the same as a file."""

from collections.abc import Mapping
from datetime import date
from typing import Any

import orjson
from flask import Blueprint, Response

from projections.board.boards import Board, board_at
from projections.models import Model, model_at
from projections.sources import Source, source_at
from projections.story import Story
from web import access
from web.addresses import absolute, address_of
from web.api.told import CSL, told
from web.asked import BOARD, TIME, board_of, every_claim
from web.showing.claim import claim_page
from web.site import Look, site
from web.when import titles
from web.when.bar import Asked
from web.when.citing import Citation, bibtex, csl_json, key_of

citing = Blueprint("citing", __name__)

DATASET, WEBPAGE = "dataset", "webpage"
KNOWN = {"benchmarks": BOARD}
KNOWN_AT = {"/benchmarks/": BOARD, "/": TIME}
"""The parameters of a kind of page, where it has others than those of time."""


def asked_of(look: Look) -> Asked:
    """The moment of a request, as bars and citations take it."""
    return Asked(
        moment=look.moment,
        given=look.asked,
        today=look.today,
        behind=look.reached.lag,
        begun=look.store.position_at(look.moment.instant) > 0,
    )


def citation_of_board(look: Look, board: Board) -> Citation:
    """How to cite a board."""
    slug, pinned = board.benchmark.slug, asked_of(look).pinned(board_of(board))
    address = address_of("public.board", {"slug": slug}, pinned)
    return citation_of(look, slug, (titles.board_title(board), DATASET), address)


def citation_of_claim(look: Look, story: Story, unit: str | None) -> Citation:
    """How to cite a claim."""
    claim = story.claim_id
    address = _pinned(look, "public.claim", {"claim": claim})
    return citation_of(look, claim, (titles.claim_title(story, unit), WEBPAGE), address)


def citation_of_model(look: Look, model: Model) -> Citation:
    """How to cite a model's page."""
    address = _pinned(look, "public.model", {"slug": model.slug})
    return citation_of(look, model.slug, (titles.model_title(model), WEBPAGE), address)


def citation_of_source(look: Look, source: Source) -> Citation:
    """How to cite a source's page."""
    address = _pinned(look, "public.source", {"slug": source.slug})
    return citation_of(look, source.slug, (titles.source_title(source), WEBPAGE), address)


def _pinned(look: Look, endpoint: str, values: Mapping[str, Any]) -> str:
    return address_of(endpoint, values, asked_of(look).pinned())


def citation_of(
    look: Look,
    name: str,
    told: tuple[str, str],
    address: str,
    when: tuple[str, date] | None = None,
) -> Citation:
    """How to cite a page: ``told`` are its title and its kind (for CSL), ``address`` its pinned
    address; ``when`` says in words and by a day of when it is, where that is no single day."""
    title, kind = told
    asked = asked_of(look)
    read, day = when or (titles.read_words(asked), asked.start.date())
    return Citation(
        key=key_of("corrigenda", name, day.isoformat(), f"p{look.moment.position}"),
        kind=kind,
        title=title,
        read=read,
        day=day,
        position=look.moment.position,
        recorded_at=look.moment.recorded_at,
        address=absolute(address),
    )


# --- as files ---------------------------------------------------------------------------------


def _cited(look: Look, kind: str, name: str) -> Citation:
    match kind:
        case "benchmarks":
            return citation_of_board(look, _board(look, name))
        case "claims":
            shown = claim_page(look.reader, look.store, name, look.moment)
            return citation_of_claim(look, shown.story, shown.unit)
        case "models":
            return citation_of_model(look, model_at(look.reader, name, look.moment))
        case _:
            return citation_of_source(look, source_at(look.reader, name, look.moment))


def _board(look: Look, slug: str) -> Board:
    view, metric = look.asked.get("view"), look.asked.get("metric")
    every = every_claim(look.asked)
    return board_at(look.reader, slug, look.moment, view=view, metric=metric, every_claim=every)


@citing.get("/benchmarks/<slug:name>.bib", defaults={"kind": "benchmarks"})
@citing.get("/claims/<claim:name>.bib", defaults={"kind": "claims"})
@citing.get("/models/<slug:name>.bib", defaults={"kind": "models"})
@citing.get("/sources/<slug:name>.bib", defaults={"kind": "sources"})
@access.public
def as_bibtex(kind: str, name: str) -> Response:
    """How to cite a page, as BibTeX."""

    def make(look: Look) -> Response:
        return bibtex_file(_cited(look, kind, name))

    return site().answer(make, KNOWN.get(kind, TIME))


@citing.get("/benchmarks/<slug:name>.csl.json", defaults={"kind": "benchmarks"})
@citing.get("/claims/<claim:name>.csl.json", defaults={"kind": "claims"})
@citing.get("/models/<slug:name>.csl.json", defaults={"kind": "models"})
@citing.get("/sources/<slug:name>.csl.json", defaults={"kind": "sources"})
@access.public
@told("How to cite it.", "Citation", KNOWN_AT, media=CSL)
def as_csl(kind: str, name: str) -> Response:
    """How to cite a page, as CSL-JSON."""

    def make(look: Look) -> Response:
        return csl_file(_cited(look, kind, name))

    return site().answer(make, KNOWN.get(kind, TIME))


def bibtex_file(one: Citation) -> Response:
    """A citation as BibTeX, to be kept under its key."""
    response = Response(bibtex(one), content_type="application/x-bibtex; charset=utf-8")
    response.headers["Content-Disposition"] = f'attachment; filename="{one.key}.bib"'
    return response


def csl_file(one: Citation) -> Response:
    """A citation as CSL-JSON, to be kept under its key."""
    found = orjson.dumps(csl_json(one), option=orjson.OPT_INDENT_2) + b"\n"
    response = Response(found, mimetype="application/vnd.citationstyles.csl+json")
    response.headers["Content-Disposition"] = f'attachment; filename="{one.key}.csl.json"'
    return response
