"""Addresses of our own pages at one moment, many of them in one page.

A board has hundreds of links that differ in one name alone; what is around the name is worked out
once. Ids and slugs hold nothing that would have to be escaped in an address.
"""

from collections.abc import Mapping
from typing import Any

import attrs
from flask import url_for

CLAIM, SLUG = f"c{'0' * 23}", "slug"


Around = tuple[str, str]
"""What stands before and after a name in an address."""


@attrs.frozen
class Links:
    """Addresses that keep the moment of a page: what is around each name, for lists of hundreds,
    and whole addresses for all others. ``reports`` lead to the form about a claim."""

    claims: Around
    models: Around
    sources: Around
    labs: Around
    boards: Around
    reports: Around

    def claim(self, claim: str) -> str:
        """The page of a claim."""
        return claim.join(self.claims)

    def model(self, slug: str) -> str:
        """The page of a model."""
        return slug.join(self.models)

    def source(self, slug: str) -> str:
        """The page of a source."""
        return slug.join(self.sources)

    def lab(self, slug: str) -> str:
        """The page of a lab."""
        return slug.join(self.labs)

    def board(self, slug: str) -> str:
        """The page of a benchmark, by its default view."""
        return slug.join(self.boards)

    def report(self, claim: str) -> str:
        """Where to say that something is wrong with a claim."""
        return claim.join(self.reports)


def links(time: Mapping[str, Any]) -> Links:
    """The addresses under the time parameters of a page."""
    return Links(
        _around(url_for("public.claim", claim=CLAIM, **time), CLAIM),
        _around(url_for("public.model", slug=SLUG, **time), SLUG),
        _around(url_for("public.source", slug=SLUG, **time), SLUG),
        _around(url_for("public.lab", slug=SLUG, **time), SLUG),
        _around(url_for("public.board", slug=SLUG, **time), SLUG),
        _around(url_for("reporting.report", target=f"claims/{CLAIM}"), CLAIM),
    )


def _around(address: str, name: str) -> Around:
    before, _, after = address.partition(name)
    return before, after
