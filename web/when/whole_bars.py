"""The bars of pages that are about many things: all benchmarks, a lab, the log."""

from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType
from typing import Any

from markupsafe import Markup

from ledger.values import Instant
from projections.labs import Lab
from projections.over_time.moments_of_change import Around
from projections.over_time.whole_turns import around_everything, around_lab, around_log
from web.addresses import address_of
from web.site import Look
from web.when.bar import PageOf, Parameters, TimeBar, time_bar
from web.when.bars import drawn, position_asked
from web.when.citations import asked_of
from web.when.citing import Citation
from web.when.whole_citations import citation_of_index, citation_of_lab, citation_of_log

Turns = Callable[[Instant], Around]


def bar_of_index(look: Look, searched: Mapping[str, str]) -> Markup:
    """The bar of the page of all benchmarks; ``searched`` are the parameters of its search."""
    page = PageOf(
        address=_with(searched, "public.index"),
        changes=_with(searched, "public.index"),
        changes_words="",
        **_files(searched, kind="benchmarks"),
    )
    turns = partial(around_everything, look.reader, look.moment)
    return _drawn(look, citation_of_index, page, turns)


def bar_of_lab(look: Look, lab: Lab) -> Markup:
    """The bar of a lab's page."""
    values = {"slug": lab.slug}
    page = PageOf(
        address=partial(address_of, "public.lab", values),
        changes=partial(address_of, "public.lab", values),
        changes_words="",
        **_files({}, kind="labs", **values),
    )
    models = [one.slug for one in lab.models]
    turns = partial(around_lab, look.reader, models, look.moment)
    return _drawn(look, partial(citation_of_lab, lab=lab), page, turns)


def bar_of_log(look: Look, filters: Mapping[str, str]) -> Markup:
    """The bar of the public log; ``filters`` are those that narrow it."""

    def later(span: Parameters) -> str:
        # The log counts in days; what was decided later on a day's instant is on that day too.
        days = {name: text[:10] for name, text in span.items()}
        return address_of("corrections.log", {}, {**position_asked(look), **days})

    page = PageOf(
        address=_with(filters, "corrections.log"),
        changes=later,
        changes_words="",
        **_files(filters, kind="corrections"),
    )
    turns = partial(around_log, look.reader, look.moment)
    return _drawn(look, citation_of_log, page, turns)


def _with(
    kept: Mapping[str, str], endpoint: str, values: Mapping[str, str] = MappingProxyType({})
) -> Callable[[Parameters], str]:
    """Addresses of a page that keep what narrows it."""
    return lambda asked: address_of(endpoint, values, {**kept, **asked})


def _files(kept: Mapping[str, str], **values: str) -> dict[str, Any]:
    """Where the citation of a page is to be had."""
    return {
        "bibtex": _with(kept, "whole_citing.as_bibtex", values),
        "csl": _with(kept, "whole_citing.as_csl", values),
    }


def _drawn(look: Look, cite: Callable[[Look], Citation], page: PageOf, turns: Turns) -> Markup:
    def make() -> TimeBar:
        asked = asked_of(look)
        return time_bar(page, asked, turns(asked.start), cite(look))

    return drawn(look, make)
