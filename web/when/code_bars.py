"""The bars of the pages of papers, samples, labels and probe windows, and how to cite these."""

from collections.abc import Callable, Iterable
from functools import partial

import attrs
from markupsafe import Markup

from ledger.values import Instant
from projections.code.papers import Paper
from projections.code.probes import ProbeWindow
from projections.code.repositories import LabelOf
from projections.code.samples import Sample
from projections.moment import Moment
from projections.over_time.code_turns import (
    around_label,
    around_paper,
    around_sample,
    around_window,
    nearest,
)
from reports.code.words import window_words
from web.addresses import address_of
from web.showing.paper import Decided, PaperPage, links_of, subjects_of, subjects_of_sample
from web.site import Look
from web.when.bar import PageOf, TimeBar, time_bar
from web.when.bars import drawn, position_asked
from web.when.citations import WEBPAGE, asked_of, citation_of
from web.when.citing import Citation
from web.words import visible

ENDPOINTS = {"papers": "paper", "samples": "sample", "labels": "label", "probes": "window"}
"""The page of each kind, by its part of an address."""


def bar_of_paper(look: Look, shown: PaperPage) -> Markup:
    """The bar of a paper's page: it turns to where anything was read or decided of it."""
    paper = shown.paper
    turns = partial(around_paper, look.reader, paper.slug, links_of(paper), subjects_of(paper))
    where = ("dates", "Each of its dates, and what it means")
    return _drawn(look, citation_of_paper(look, paper), turns, shown.decided, where)


def bar_of_sample(look: Look, sample: Sample, decided: Decided) -> Markup:
    """The bar of a sample's page."""
    turns = partial(around_sample, look.reader, sample.code, subjects_of_sample(sample))
    where = ("steps", "Everything that happened to it")
    return _drawn(look, citation_of_sample(look, sample), turns, decided, where)


def bar_of_label(look: Look, label: LabelOf, decided: Decided) -> Markup:
    """The bar of a label's page."""
    turns = partial(around_label, look.reader, label.tale.subject)
    where = ("steps", "Everything that happened to it")
    return _drawn(look, citation_of_label(look, label), turns, decided, where)


def bar_of_window(look: Look, window: ProbeWindow, decided: Decided) -> Markup:
    """The bar of a probe window's page."""
    turns = partial(around_window, look.reader, window.slug)
    where = ("links", "Every link that was probed")
    return _drawn(look, citation_of_window(look, window), turns, decided, where)


def _drawn(
    look: Look,
    cited: "Cited",
    turns: Callable[[Moment], Iterable[Instant]],
    decided: Decided,
    where: tuple[str, str],
) -> Markup:
    part, words = where

    def make() -> TimeBar:
        asked = asked_of(look)
        values = {"name": cited.name}
        filed = {"kind": cited.kind, **values}
        here = address_of(cited.endpoint, values, position_asked(look))
        page = PageOf(
            address=partial(address_of, cited.endpoint, values),
            bibtex=partial(address_of, "papers.as_bibtex", filed),
            csl=partial(address_of, "papers.as_csl", filed),
            changes=lambda _: f"{here}#{part}",
            changes_words=words,
            corrections=decided.later,
        )
        near = nearest(turns(look.moment), look.moment, asked.start)
        return time_bar(page, asked, near, cited.citation)

    return drawn(look, make)


# --- how to cite them -------------------------------------------------------------------------


@attrs.frozen
class Cited:
    """A page that can be cited: its kind and its name, and the citation."""

    kind: str
    name: str
    citation: Citation

    @property
    def endpoint(self) -> str:
        """Its view."""
        return f"papers.{ENDPOINTS[self.kind]}"


def _cited(look: Look, kind: str, name: str, title: str) -> Cited:
    pinned = asked_of(look).pinned()
    address = address_of(f"papers.{ENDPOINTS[kind]}", {"name": name}, pinned)
    return Cited(kind, name, citation_of(look, name, (visible(title), WEBPAGE), address))


def citation_of_paper(look: Look, paper: Paper) -> Cited:
    """How to cite what is on record about a paper."""
    title = f"{paper.title}: its repositories, and what was run of them"
    return _cited(look, "papers", paper.slug, title)


def citation_of_sample(look: Look, sample: Sample) -> Cited:
    """How to cite a sample's page."""
    return _cited(
        look, "samples", sample.code, f"Code sample {sample.code[:16]}: what became of it"
    )


def citation_of_label(look: Look, label: LabelOf) -> Cited:
    """How to cite a label's page."""
    title = f"{label.repository_name} for paper {label.paper}: its label by {label.source.name}"
    return _cited(look, "labels", label.tale.subject, title)


def citation_of_window(look: Look, found: ProbeWindow) -> Cited:
    """How to cite a window's page."""
    return _cited(look, "probes", found.slug, f"Probe window: {window_words(found.window)}")
