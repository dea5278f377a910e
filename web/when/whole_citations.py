"""How to cite the pages that are about many things: all benchmarks, a lab, the log.

What narrows such a page is in the address that its citation gives.
"""

from collections.abc import Callable, Mapping
from functools import partial

from flask import Blueprint, Response

from projections.labs import Lab, lab_at
from web import access
from web.addresses import address_of
from web.api.told import CSL, told
from web.asked import TIME, words_asked
from web.log.asked import FILTERS, PERIOD, wanted_of
from web.site import Look, site
from web.when.citations import WEBPAGE, asked_of, bibtex_file, citation_of, csl_file
from web.when.citing import Citation
from web.words import visible

whole_citing = Blueprint("whole_citing", __name__)

SEARCH = ("q", "category")
"""The fields of the form that narrows the page of all benchmarks."""
KNOWN_AT = {"/labs/": TIME, "/corrections": (*TIME, *PERIOD, *FILTERS), "/": (*TIME, *SEARCH)}


def citation_of_index(look: Look) -> Citation:
    """How to cite the page of all benchmarks, or what a search found there."""
    searched = _asked(look, SEARCH)
    address = address_of("public.index", {}, {**searched, **asked_of(look).pinned()})
    return citation_of(look, "benchmarks", ("All benchmarks", WEBPAGE), address)


def citation_of_lab(look: Look, lab: Lab) -> Citation:
    """How to cite a lab's page."""
    title = visible(f"{lab.name}: its models, and what it published that was read")
    address = address_of("public.lab", {"slug": lab.slug}, asked_of(look).pinned())
    return citation_of(look, lab.slug, (title, WEBPAGE), address)


def citation_of_log(look: Look) -> Citation:
    """How to cite the public log, or what its filters leave of it."""
    filters = _asked(look, (*PERIOD, *FILTERS))
    address = address_of("corrections.log", {}, {**filters, **asked_of(look).pinned()})
    return citation_of(look, "corrections", ("The log of corrections", WEBPAGE), address)


def _asked(look: Look, names: tuple[str, ...]) -> Mapping[str, str]:
    return {name: value for name, value in look.asked.items() if name in names}


# --- as files ---------------------------------------------------------------------------------


def _index_or_log(look: Look, kind: str) -> Citation:
    if kind == "corrections":
        # Only so that what no page shows is not cited either.
        wanted_of(look.asked)
        return citation_of_log(look)
    words_asked(look.asked)
    return citation_of_index(look)


def _answer(kind: str, slug: str | None, file_of: Callable[[Citation], Response]) -> Response:
    if slug is not None:
        return site().answer(
            lambda look: file_of(citation_of_lab(look, lab_at(look.reader, slug, look.moment)))
        )
    known, fields = {"corrections": ((*TIME, *PERIOD), FILTERS)}.get(kind, (TIME, SEARCH))
    cited = partial(_index_or_log, kind=kind)
    return site().answer(lambda look: file_of(cited(look)), known, fields=fields)


@whole_citing.get("/benchmarks.bib", defaults={"kind": "benchmarks"})
@whole_citing.get("/corrections.bib", defaults={"kind": "corrections"})
@whole_citing.get("/labs/<slug:slug>.bib", defaults={"kind": "labs"})
@access.public
def as_bibtex(kind: str, slug: str | None = None) -> Response:
    """How to cite a page, as BibTeX."""
    return _answer(kind, slug, bibtex_file)


@whole_citing.get("/benchmarks.csl.json", defaults={"kind": "benchmarks"})
@whole_citing.get("/corrections.csl.json", defaults={"kind": "corrections"})
@whole_citing.get("/labs/<slug:slug>.csl.json", defaults={"kind": "labs"})
@access.public
@told("How to cite it.", "Citation", KNOWN_AT, media=CSL)
def as_csl(kind: str, slug: str | None = None) -> Response:
    """How to cite a page, as CSL-JSON."""
    return _answer(kind, slug, csl_file)
