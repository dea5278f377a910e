"""When models got other names: what a curator says of a model, not what a source writes."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import attrs
from sqlalchemy import BigInteger, Select, bindparam, exists, select

from ledger import events as ev
from ledger.model import full_name
from ledger.store import Store
from ledger.values import Instant
from projections.keeping.tables import FOREVER, Tables
from projections.keeping.views import Reader, recorded
from projections.moment import Moment

PREFIX = "model:"


@attrs.frozen(kw_only=True)
class Rename:
    """A model's full name before and after, from when, and who says so, why."""

    model: str
    before: str
    after: str
    read_at: Instant
    position: int
    by: str
    why: str


def renames_on(
    reader: Reader, store: Store, slug: str, moment: Moment, *, by: int = FOREVER
) -> list[Rename]:
    """The renames, at any time, of the models that sources stated on a benchmark ``by`` an instant
    (microseconds), as the ledger knew it at the moment's position.

    Few models ever get another name, so those are looked at and no others.
    """
    at_head = reader.at_head(moment.position)
    asked = {"benchmark": slug, "position": moment.position, "by": by}
    found = reader.tuples(_renamed(reader.tables, at_head=at_head), asked)
    models = sorted(model for (model,) in found)
    return [one for model in models for one in renames_of_model(store, model, moment)]


def renames_of_model(store: Store, model: str, moment: Moment) -> list[Rename]:
    """The renames of one model that the ledger held at the moment's position, oldest first."""
    return list(_renames(store, model, moment.position))


def _renames(store: Store, model: str, position: int) -> Iterator[Rename]:
    # A registration is where every name begins, whenever it was read.
    named = sorted(
        (
            (isinstance(one.event, ev.ModelRenamed), one.event.read_at, one.position, one)
            for one in store.stream(PREFIX + model)
            if one.position <= position
            and isinstance(one.event, ev.ModelRegistered | ev.ModelRenamed)
        ),
        key=lambda one: one[:3],
    )
    before: str | None = None
    for _, _, _, record in named:
        event = record.event
        assert isinstance(event, ev.ModelRegistered | ev.ModelRenamed)  # noqa: S101 -- as filtered
        after = full_name(event.name, event.version)
        if before not in (None, after):
            yield Rename(
                model=model,
                before=str(before),
                after=after,
                read_at=event.read_at,
                position=record.position,
                by=record.envelope.recorded_by,
                why=event.why or "",
            )
        before = after


@lru_cache(maxsize=16)
def _renamed(tables: Tables, *, at_head: bool) -> Select[Any]:
    """The models on a benchmark that ever got another name."""
    renames, version = tables.rename, tables.claim_version
    on_it = exists().where(
        version.c.model == renames.c.model,
        version.c.benchmark == bindparam("benchmark"),
        version.c.read_from <= bindparam("by", type_=BigInteger),
        recorded(version, at_head=at_head),
    )
    known = renames.c.position <= bindparam("position", type_=BigInteger)
    return select(renames.c.model).distinct().where(known, on_it)
