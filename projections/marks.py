"""Marks that come from beyond one claim: names that look like one another."""

from collections.abc import Mapping

from sqlalchemy import select

from projections.moment import Moment
from projections.views import Reader


def look_alike_models(reader: Reader, moment: Moment) -> Mapping[str, str]:
    """Models with a name that looks like another model's name which was known earlier.

    Gives the words of the mark by model. Skeletons that more than one model has are few; the read
    model lists them.
    """
    table = reader.tables.alias
    shared = select(reader.tables.look_alike.c.skeleton)
    query = (
        select(table.c.skeleton, table.c.name_key, table.c.model)
        .where(
            table.c.skeleton.in_(shared),
            table.c.read_at <= moment.day,
            table.c.position <= moment.position,
            ~table.c.withdrawn,
        )
        .order_by(table.c.read_at, table.c.name_key, table.c.position)
    )
    first: dict[str, tuple[str, str]] = {}
    alike: dict[str, str] = {}
    for skeleton, name, model in reader.connection.execute(query):
        known, other = first.setdefault(skeleton, (model, name))
        if known != model and other != name:
            alike[model] = f"looks like {other}, which was known before; not joined"
    return alike
