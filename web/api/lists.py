"""Lists for programs that no page has as JSON: benchmarks, models, papers, and claims of each.

All of them are of the moment that the address asks for, and go on by a cursor of it.
"""

from collections.abc import Mapping
from typing import Any

from flask import Blueprint, Response, url_for

from ledger.errors import NotFound
from ledger.values import parse_slug
from projections.asserted import aspects_of
from projections.board.benchmarks import all_benchmarks, benchmark_at
from projections.claim_list import ClaimsPage, claims_page
from projections.code.found import papers_page
from projections.models import model_at
from reports.contract import Json, moment_json
from web import access
from web.addresses import address_of
from web.api.paging import TURN, Turn, following, listed
from web.api.told import told
from web.asked import TIME
from web.public import document
from web.site import Look, site

lists = Blueprint("lists", __name__)

CLAIMS = "Claims that were stated at a moment, by their ids."


# --- benchmarks, papers -----------------------------------------------------------------------


@lists.get("/benchmarks.json")
@access.public
@told("Every benchmark, by its slug.", "Benchmarks", (*TIME, *TURN))
def benchmarks() -> Response:
    """Every benchmark that is known, with the address of its board."""

    def make(look: Look, turn: Turn) -> Json:
        after = "" if turn.after is None else str(turn.after)
        slugs = sorted(one for one in all_benchmarks(look.reader, look.moment) if one > after)
        found = slugs[: turn.limit]
        return {
            **moment_json(look.moment),
            "benchmarks": [_benchmark(look, slug) for slug in found],
            "next": following(look, found[-1] if len(slugs) > len(found) else None),
        }

    return listed(make)


def _benchmark(look: Look, slug: str) -> Json:
    name = benchmark_at(look.reader, slug, look.moment).name
    return {"slug": slug, "name": name, "board": url_for("public.board_as_json", slug=slug)}


@lists.get("/papers.json")
@access.public
@told("Every paper of which anything was read, by its id.", "Papers", (*TIME, *TURN))
def papers() -> Response:
    """Every paper of which anything had been read."""

    def make(look: Look, turn: Turn) -> Json:
        after = None if turn.after is None else parse_slug(str(turn.after))
        found = papers_page(look.reader, look.moment, turn.limit, after=after)
        last = found.papers[-1].slug if found.papers and found.has_after else None
        return {
            **moment_json(look.moment),
            "papers": [
                {
                    "id": one.slug,
                    "title": one.title,
                    "address": url_for("papers.paper_as_json", name=one.slug),
                }
                for one in found.papers
            ],
            "in_all": found.in_all,
            "next": following(look, last),
        }

    return listed(make)


# --- claims -----------------------------------------------------------------------------------


@lists.get("/benchmarks/<slug:slug>/claims.json")
@access.public
@told(CLAIMS, "Claims", (*TIME, *TURN))
def claims_on_benchmark(slug: str) -> Response:
    """The claims on a benchmark, whoever states them."""

    def make(look: Look, turn: Turn) -> Json:
        benchmark_at(look.reader, slug, look.moment)
        return _claims(look, turn, "benchmark", slug)

    return listed(make)


@lists.get("/models/<slug:slug>/claims.json")
@access.public
@told(CLAIMS, "Claims", (*TIME, *TURN))
def claims_of_model(slug: str) -> Response:
    """The claims about a model, on all benchmarks."""

    def make(look: Look, turn: Turn) -> Json:
        _must_be_known(look, "model", slug)
        return _claims(look, turn, "model", slug)

    return listed(make)


@lists.get("/sources/<slug:slug>/claims.json")
@access.public
@told(CLAIMS, "Claims", (*TIME, *TURN))
def claims_of_source(slug: str) -> Response:
    """The claims that a source states."""

    def make(look: Look, turn: Turn) -> Json:
        _must_be_known(look, "source", slug)
        return _claims(look, turn, "source", slug)

    return listed(make)


def _claims(look: Look, turn: Turn, kind: str, slug: str) -> Json:
    after = None if turn.after is None else str(turn.after)
    found = claims_page(look.reader, look.moment, kind, slug, count=turn.limit, after=after)
    return _claims_json(look, found)


def _must_be_known(look: Look, kind: str, slug: str) -> None:
    """Refused for what the ledger never heard of."""
    if "described" not in aspects_of(look.reader, f"{kind}:{slug}", look.moment):
        raise NotFound(what=kind, name=slug)


def _claims_json(look: Look, found: ClaimsPage) -> Json:
    return {
        **moment_json(look.moment),
        "claims": [_claim(one) for one in found.claims],
        "next": following(look, found.after),
    }


def _claim(one: Mapping[str, Any]) -> Json:
    claim = one["claim"]
    rest = {name: value for name, value in one.items() if name not in ("claim", "name")}
    address = url_for("public.claim_as_json", claim=claim)
    return {"claim_id": claim, "address": address, "as_written": one["name"], **rest}


# --- one model --------------------------------------------------------------------------------


@lists.get("/models/<slug:slug>.json")
@access.public
@told("One model, and on which benchmarks anything is stated of it.", "Model", TIME)
def model(slug: str) -> Response:
    """One model: what is known of it, and how much is stated of it where."""

    def make(look: Look) -> Response:
        found = model_at(look.reader, slug, look.moment)
        return document(
            {
                "slug": slug,
                "name": found.full_name,
                "lab": found.lab,
                "facts": dict(found.facts),
                **moment_json(look.moment),
                "benchmarks": [
                    {"slug": one.slug, "name": one.name, "claims": len(one.rows)}
                    for one in found.benchmarks
                ],
                "claims": address_of("lists.claims_of_model", {"slug": slug}, look.time),
            }
        )

    return site().answer(make)
