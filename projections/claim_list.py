"""Claims as a list: those of a benchmark, a model or a source, by their ids.

Ids follow from what a claim is about, so their order says nothing, and stays as it is whatever is
recorded later; a list that is begun at a position can be gone through part by part.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import attrs
from sqlalchemy import ColumnElement, select

from projections.keeping.tables import Tables, in_plane
from projections.keeping.views import Reader
from projections.moment import Moment
from projections.sources import IN_SHORT

KINDS = ("benchmark", "model", "source")


@attrs.frozen
class ClaimsPage:
    """Some claims, as columns by name; ``after`` is the id to go on from, ``None`` at the end."""

    claims: Sequence[Mapping[str, Any]]
    after: str | None


def claims_page(
    reader: Reader, moment: Moment, kind: str, slug: str, *, count: int, after: str | None = None
) -> ClaimsPage:
    """At most ``count`` claims of a benchmark, model or source that were stated at the moment."""
    table, claim = reader.tables.claim_version, reader.tables.claim
    query = (
        select(claim.c.source, *(table.c[name] for name in IN_SHORT))
        .join_from(table, claim, table.c.claim == claim.c.claim)
        .where(
            _about(reader.tables, kind) == slug,
            in_plane(table, moment.plane),
            reader.holds(table, moment.day, moment.position),
        )
        .order_by(table.c.claim)
        .limit(count + 1)
    )
    if after is not None:
        query = query.where(table.c.claim > after)
    rows = reader.connection.execute(query).mappings().all()
    found = [{str(name): value for name, value in row.items()} for row in rows[:count]]
    return ClaimsPage(found, found[-1]["claim"] if len(rows) > count else None)


def _about(tables: Tables, kind: str) -> ColumnElement[str]:
    match kind:
        case "source":
            return tables.claim.c.source
        case "benchmark" | "model":
            return tables.claim_version.c[kind]
        case _:
            raise ValueError(kind)
