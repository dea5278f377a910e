"""What is for search engines: which addresses they need not visit, and a list of those they may.

They are led to pages of now. The same boards of every day, order and view are there for people.
"""

from collections.abc import Iterator
from itertools import islice
from typing import Any

from flask import Blueprint, Response, render_template, url_for

from projections.asserted import with_aspect
from projections.keeping.views import Reader
from projections.moment import Moment
from web import access
from web.addresses import absolute
from web.headers import kept, tag_of, unchanged
from web.site import Look, site

crawlers = Blueprint("crawlers", __name__)

MOST_ADDRESSES = 50_000
"""As many as one sitemap may hold; benchmarks come first."""

ROBOTS = """User-agent: *
Disallow: /*?
Disallow: /login
Disallow: /password
Disallow: /report
Disallow: /reports/
Disallow: /review
Disallow: /snapshots/

Sitemap: {sitemap}
"""

# What has a page of its own, by the kind of its stream, in the order of the sitemap.
PAGES = {
    "benchmark": ("public.board", "slug"),
    "paper": ("papers.paper", "name"),
    "lab": ("public.lab", "slug"),
    "model": ("public.model", "slug"),
    "source": ("public.source", "slug"),
}

LISTS = ("public.index", "corrections.log", "papers.index", "papers.windows", "audit.overview")


@crawlers.get("/robots.txt")
@access.public
def robots() -> Response:
    """Plain addresses may be visited; those with a query, and what is not for readers, need not."""
    sitemap_address = absolute(url_for("crawlers.sitemap"))
    tag = tag_of(site().release, sitemap_address)
    text = ROBOTS.format(sitemap=sitemap_address)
    response = unchanged(tag) or Response(text, mimetype="text/plain")
    return kept(response, tag, for_ever=False)


@crawlers.get("/sitemap.xml")
@access.public
def sitemap() -> Response:
    """The pages of benchmarks, papers, labs, models and sources, the log, and lists."""

    def make(look: Look) -> Response:
        first = [url_for(name) for name in LISTS]
        found = islice(_pages(look.reader, look.moment), MOST_ADDRESSES - len(first))
        addresses = [absolute(path) for path in (*first, *found)]
        xml = render_template("sitemap.xml", addresses=addresses)
        return Response(xml, mimetype="application/xml")

    return site().answer(make, ())


def _pages(reader: Reader, moment: Moment) -> Iterator[str]:
    known: dict[str, list[str]] = {kind: [] for kind in PAGES}
    for stream, _ in with_aspect(reader, "described", moment):
        kind, _, slug = stream.partition(":")
        if kind in known:
            known[kind].append(slug)
    for kind, (view, name) in PAGES.items():
        values: dict[str, Any] = {name: "slug"}
        before, _, after = url_for(view, **values).rpartition("slug")
        yield from (f"{before}{slug}{after}" for slug in known[kind])
