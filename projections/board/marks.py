"""Marks that come from beyond one claim: names that look like one another."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from sqlalchemy import BigInteger, Select, bindparam, select

from projections.keeping.tables import Tables
from projections.keeping.views import Reader
from projections.moment import Moment


def look_alike_models(reader: Reader, moment: Moment) -> Mapping[str, str]:
    """Models with a name that looks like another model's name which was known earlier.

    Gives the words of the mark by model; names that a reviewer joined mean one model and are not
    marked any more. Skeletons that more than one model has are few; the read model lists them.
    """
    query, asked = _shared_names(reader.tables), {"position": moment.position}
    shared = reader.recalled(query, moment.position, lambda: reader.tuples(query, asked))
    meaning: dict[str, dict[str, str]] = {}
    for read_at, skeleton, name, model, withdrawn in shared:
        if read_at > moment.day:
            break
        meant = meaning.setdefault(skeleton, {})
        if not withdrawn:
            meant[name] = model
        elif meant.get(name) == model:
            del meant[name]
    alike: dict[str, str] = {}
    for meant in meaning.values():
        known: list[tuple[str, str]] = []
        for name, model in meant.items():
            others = [other for other, its_model in known if its_model != model]
            if others:
                alike[model] = f"looks like {others[0]}, which was known before; not joined"
            known.append((name, model))
    return alike


@lru_cache(maxsize=8)
def _shared_names(tables: Tables) -> Select[Any]:
    table = tables.alias
    return (
        select(
            table.c.read_at, table.c.skeleton, table.c.name_key, table.c.model, table.c.withdrawn
        )
        .where(
            table.c.skeleton.in_(select(tables.look_alike.c.skeleton)),
            table.c.position <= bindparam("position", type_=BigInteger),
        )
        .order_by(table.c.read_at, table.c.name_key, table.c.position)
    )
