"""Which models have names that look like one another's: what a mark on a row is worked out from."""

from collections.abc import Iterable

from sqlalchemy import select

from projections.keeping.rectangles import CHUNK, chunks
from projections.keeping.views import Reader


def with_look_alikes(reader: Reader, models: Iterable[str], position: int) -> set[str]:
    """These models, and every other one of which a name looks like one of theirs, as was known at
    a position."""
    table = reader.tables.alias
    found = set(models)
    shapes: set[str] = set()
    for chunk in chunks(sorted(found), CHUNK):
        query = select(table.c.skeleton).where(
            table.c.model.in_(chunk), table.c.position <= position
        )
        shapes.update(reader.connection.scalars(query))
    for chunk in chunks(sorted(shapes), CHUNK):
        query = select(table.c.model).where(
            table.c.skeleton.in_(chunk), table.c.position <= position
        )
        found.update(reader.connection.scalars(query))
    return found
