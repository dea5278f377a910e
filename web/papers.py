"""The pages of papers and of what was found, reached and run of them: samples, labels, windows.

Like every public page they are of the moment that the address asks for, and are JSON too.
"""

from typing import Any

from flask import Blueprint, Response, url_for

from ledger.errors import BadValue
from ledger.events import ProbeWindowOpened
from ledger.values import parse_slug
from ledger.vocabulary import PERMISSIVE, PROBE_RESULTS
from projections.code.found import papers_page
from projections.code.papers import paper_at
from projections.code.probes import all_windows, window_at
from projections.code.repositories import label_at
from projections.code.samples import sample_at
from reports.code.papers import paper_json
from reports.code.probes import probe_json
from reports.code.repositories import label_json
from reports.code.samples import sample_json
from reports.contract import moment_json
from web import access
from web.api.told import CSL, told
from web.asked import TIME, shown_day
from web.memento import remembered
from web.public import document, page
from web.showing.paper import (
    decided_about,
    decided_on_label,
    decided_on_sample,
    paper_page,
)
from web.site import Look, site
from web.when.citations import bibtex_file, csl_file
from web.when.citing import Citation
from web.when.code_bars import (
    bar_of_label,
    bar_of_paper,
    bar_of_sample,
    bar_of_window,
    citation_of_label,
    citation_of_paper,
    citation_of_sample,
    citation_of_window,
)

papers = Blueprint("papers", __name__)

MOST_PAPERS = 200
"""Papers on one page of the list."""
TURNS = ("after", "before")
"""The ids between which a page of the list begins or ends."""


# --- papers -----------------------------------------------------------------------------------


@papers.get("/papers")
@access.public
def index() -> Response:
    """Every paper of which anything had been read, in the order of their ids, so many a page."""

    def make(look: Look) -> Response:
        turn = {name: parse_slug(look.asked[name], name) for name in TURNS if name in look.asked}
        if len(turn) > 1:
            raise BadValue(what="after", shown="given with before", why="give one of them")
        found = papers_page(look.reader, look.moment, MOST_PAPERS, **turn)
        windows = all_windows(look.reader, look.store, look.moment)
        return page(look, "papers.html", found=found, windows=windows)

    return site().answer(make, (*TIME, *TURNS))


@papers.get("/papers/<slug:name>")
@access.public
def paper(name: str) -> Response:
    """What somebody could find, reach and run of a paper, and when."""

    def make(look: Look) -> Response:
        found = paper_at(look.reader, look.store, name, look.moment)
        shown = paper_page(look.reader, look.store, found)
        made = page(
            look,
            "paper.html",
            paper=found,
            shown=shown,
            told=paper_json(found),
            permissive=sorted(PERMISSIVE),
            day=shown_day(look.moment, look.asked, look.today),
            bar=bar_of_paper(look, shown),
        )
        return remembered(made, look, "papers", name)

    return site().answer(make)


@papers.get("/papers/<slug:name>.json")
@access.public
@told("What could be found, reached and run of a paper.", "Paper", TIME)
def paper_as_json(name: str) -> Response:
    """The same as JSON."""

    def make(look: Look) -> Response:
        return document(paper_json(paper_at(look.reader, look.store, name, look.moment)))

    return site().answer(make)


# --- samples, labels --------------------------------------------------------------------------


@papers.get("/samples/<code:name>")
@access.public
def sample(name: str) -> Response:
    """One piece of code: where it is from, and what became of it; by 16 of its digits or more.

    Digits that begin several samples name none of them, so they are not found (404), and the
    refusal lists those that there are. With 300 some clients would go on to a page that nobody
    chose.
    """

    def make(look: Look) -> Response:
        found = sample_at(look.reader, look.store, name, look.moment)
        decided = decided_on_sample(look.reader, look.store, found, look.moment)
        told = sample_json(found, look.moment)
        bar = bar_of_sample(look, found, decided)
        shown = {"sample": found, "decided": decided, "permissive": sorted(PERMISSIVE)}
        made = page(look, "sample.html", told=told, bar=bar, **shown)
        return remembered(made, look, "samples", name)

    return site().answer(make)


@papers.get("/samples/<code:name>.json")
@access.public
@told("One piece of code, and what became of it.", "Sample", TIME)
def sample_as_json(name: str) -> Response:
    """The same as JSON."""

    def make(look: Look) -> Response:
        found = sample_at(look.reader, look.store, name, look.moment)
        return document(sample_json(found, look.moment))

    return site().answer(make)


@papers.get("/labels/<label:name>")
@access.public
def label(name: str) -> Response:
    """What one source asserts that a repository is to a paper."""

    def make(look: Look) -> Response:
        found = label_at(look.reader, look.store, name, look.moment)
        of = paper_at(look.reader, look.store, found.paper, look.moment)
        decided = decided_on_label(look.reader, look.store, found, look.moment)
        bar = bar_of_label(look, found, decided)
        told = label_json(found)
        return page(look, "label.html", label=found, of=of, told=told, decided=decided, bar=bar)

    return site().answer(make)


@papers.get("/labels/<label:name>.json")
@access.public
@told("What a source asserts that a repository is to a paper.", "Label", TIME)
def label_as_json(name: str) -> Response:
    """The same as JSON."""

    def make(look: Look) -> Response:
        found = label_at(look.reader, look.store, name, look.moment)
        return document({**label_json(found), **moment_json(look.moment)})

    return site().answer(make)


# --- probe windows ----------------------------------------------------------------------------


@papers.get("/probes")
@access.public
def windows() -> Response:
    """Every probe window, the newest first."""

    def make(look: Look) -> Response:
        found = all_windows(look.reader, look.store, look.moment)
        return page(look, "probes.html", windows=found)

    return site().answer(make)


@papers.get("/probes/<slug:name>")
@access.public
def window(name: str) -> Response:
    """One window: which links were probed in it, what was found, and how much of it is done."""

    def make(look: Look) -> Response:
        found = window_at(look.reader, look.store, name, look.moment)
        decided = decided_about(look.reader, look.store, [], [f"probes/{name}"], look.moment)
        bar = bar_of_window(look, found, decided)
        return page(
            look,
            "probe.html",
            window=found,
            told=probe_json(found),
            links_probed=sorted(found.window.found),
            results=PROBE_RESULTS,
            about=_about(found.window.opened, look),
            decided=decided,
            bar=bar,
        )

    return site().answer(make)


def _about(opened: ProbeWindowOpened, look: Look) -> str | None:
    """The address of the page that a window is about, where that is one of ours."""
    kind, _, name = (opened.about or "").partition("/")
    ours = {"papers": ("papers.paper", "name"), "benchmarks": ("public.board", "slug")}
    if kind not in ours:
        return None
    endpoint, value = ours[kind]
    values: dict[str, Any] = {value: name, **look.time}
    return url_for(endpoint, **values)


@papers.get("/probes/<slug:name>.json")
@access.public
@told("One probe window, and what it found.", "ProbeWindow", TIME)
def window_as_json(name: str) -> Response:
    """The same as JSON."""

    def make(look: Look) -> Response:
        return document(probe_json(window_at(look.reader, look.store, name, look.moment)))

    return site().answer(make)


# --- how to cite them -------------------------------------------------------------------------


def _citation(look: Look, kind: str, name: str) -> Citation:
    reader, store, moment = look.reader, look.store, look.moment
    match kind:
        case "papers":
            return citation_of_paper(look, paper_at(reader, store, name, moment)).citation
        case "samples":
            return citation_of_sample(look, sample_at(reader, store, name, moment)).citation
        case "labels":
            return citation_of_label(look, label_at(reader, store, name, moment)).citation
        case _:
            return citation_of_window(look, window_at(reader, store, name, moment)).citation


@papers.get("/papers/<slug:name>.bib", defaults={"kind": "papers"})
@papers.get("/samples/<code:name>.bib", defaults={"kind": "samples"})
@papers.get("/labels/<label:name>.bib", defaults={"kind": "labels"})
@papers.get("/probes/<slug:name>.bib", defaults={"kind": "probes"})
@access.public
def as_bibtex(kind: str, name: str) -> Response:
    """How to cite a page, as BibTeX."""

    def make(look: Look) -> Response:
        return bibtex_file(_citation(look, kind, name))

    return site().answer(make)


@papers.get("/papers/<slug:name>.csl.json", defaults={"kind": "papers"})
@papers.get("/samples/<code:name>.csl.json", defaults={"kind": "samples"})
@papers.get("/labels/<label:name>.csl.json", defaults={"kind": "labels"})
@papers.get("/probes/<slug:name>.csl.json", defaults={"kind": "probes"})
@access.public
@told("How to cite it.", "Citation", TIME, media=CSL)
def as_csl(kind: str, name: str) -> Response:
    """How to cite a page, as CSL-JSON."""

    def make(look: Look) -> Response:
        return csl_file(_citation(look, kind, name))

    return site().answer(make)
