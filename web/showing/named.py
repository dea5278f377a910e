"""What a search finds beside benchmarks: whatever else has a name that holds every word of it."""

from collections.abc import Sequence

import attrs

from ledger.store import Store
from projections.asserted import Content, with_aspect
from projections.keeping.views import Reader
from projections.moment import Moment
from web.showing.code_hits import CodeHits, code_hits

MOST = 30
"""Of each kind; who finds more than that needs another word."""


@attrs.frozen
class Named:
    """Something with a page of its own."""

    slug: str
    name: str
    version: str | None = None


@attrs.frozen
class Hits:
    """The first of them by name, and how many there are in all."""

    found: tuple[Named, ...]
    in_all: int


@attrs.frozen
class NamedHits:
    """What a search finds beside benchmarks."""

    models: Hits
    labs: Hits
    code: CodeHits


def named(reader: Reader, store: Store, moment: Moment, words: Sequence[str]) -> NamedHits:
    """Models, labs, papers and repositories by their names and slugs, as they were called at a
    moment, and samples by their digits."""
    models: list[Named] = []
    labs: list[Named] = []
    wanted = [word.casefold() for word in words]
    said = with_aspect(reader, "described", moment)
    for stream, content in said:
        kind, _, slug = stream.partition(":")
        into = {"model": models, "lab": labs}.get(kind)
        if into is not None and _has(slug, content, wanted):
            into.append(Named(slug, str(content["name"]), content.get("version")))
    code = code_hits(reader, store, moment, said, wanted)
    return NamedHits(_hits(models), _hits(labs), code)


def _has(slug: str, content: Content, wanted: Sequence[str]) -> bool:
    text = f"{slug}\n{content['name']} {content.get('version') or ''}".casefold()
    return all(word in text for word in wanted)


def _hits(found: Sequence[Named]) -> Hits:
    by_name = sorted(found, key=lambda one: (one.name.casefold(), one.version or "", one.slug))
    return Hits(tuple(by_name[:MOST]), len(found))
