"""One source: what it is, when it was read, and what it states."""

from collections.abc import Iterable, Mapping
from typing import Any

import attrs
from sqlalchemy import select

from ledger.errors import NotFound
from projections.asserted import Content, aspects_of, described, with_aspect
from projections.keeping.tables import in_plane
from projections.keeping.views import Reader
from projections.moment import Moment
from projections.story import FrozenReading, readings_of


@attrs.frozen(kw_only=True)
class Source:
    """A source at a moment; ``claims`` are the claims that it states."""

    slug: str
    facts: Content
    readings: tuple[FrozenReading, ...]
    claims: tuple[Mapping[str, Any], ...]


IN_SHORT = (
    "claim",
    "benchmark",
    "key",
    "name",
    "model",
    "metric",
    "split",
    "setting",
    "score",
    "unit",
    "published_on",
    "standing",
)
"""What a list says of each claim, in the columns of ``claim_version``."""


def source_at(reader: Reader, slug: str, moment: Moment) -> Source:
    """The source with this slug; refused when the ledger never heard of it."""
    facts = aspects_of(reader, f"source:{slug}", moment).get("described")
    if facts is None:
        raise NotFound(what="source", name=slug)
    table, claim = reader.tables.claim_version, reader.tables.claim
    query = (
        select(*(table.c[name] for name in IN_SHORT))
        .where(
            table.c.claim.in_(select(claim.c.claim).where(claim.c.source == slug)),
            in_plane(table, moment.plane),
            reader.holds(table, moment.day, moment.position),
        )
        .order_by(table.c.benchmark, table.c.key, table.c.metric, table.c.split)
    )
    return Source(
        slug=slug,
        facts=facts,
        readings=tuple(readings_of(reader, slug, moment)),
        claims=tuple(
            # SQLAlchemy's names are strings of a kind that orjson does not take for keys.
            {str(name): value for name, value in row.items()}
            for row in reader.connection.execute(query).mappings()
        ),
    )


def source_names(reader: Reader, slugs: Iterable[str | None], moment: Moment) -> Mapping[str, str]:
    """What some sources are called; one that is not described is not among them."""
    found = described(reader, {f"source:{slug}" for slug in slugs if slug}, moment)
    return {stream.partition(":")[2]: str(facts["name"]) for stream, facts in found.items()}


def is_frozen_reading(reader: Reader, digest: str) -> bool:
    """Whether bytes with this digest were read from any source, and so may be shown to anyone."""
    table = reader.tables.reading
    query = select(table.c.position).where(table.c.digest == digest).limit(1)
    return reader.connection.scalar(query) is not None


def source_addresses(reader: Reader, moment: Moment) -> list[str]:
    """The addresses of all sources that are known."""
    stated = with_aspect(reader, "described", moment)
    return [
        str(facts["address"])
        for stream, facts in stated
        if stream.startswith("source:") and facts.get("address")
    ]
