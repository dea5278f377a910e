"""Which written name is asserted to mean which model: one row an assertion, never changed."""

from collections.abc import Iterable, Sequence
from typing import Any

import attrs
from sqlalchemy import Connection, func, insert, select

from ledger import events as ev
from ledger.model import NameAssertion, name_assertion, resolve
from ledger.values import Instant, Slug, from_micros, micros, skeleton
from projections.keeping.rectangles import CHUNK, chunks
from projections.keeping.tables import Tables
from projections.keeping.views import Reader


@attrs.define
class AliasProjector:
    """The assertions about the names that a batch touches, in the order (``read_at``, position)."""

    tables: Tables
    _known: dict[str, list[NameAssertion]] = attrs.field(factory=dict)
    _new: list[dict[str, Any]] = attrs.field(factory=list)

    def load(self, connection: Connection, keys: Iterable[str]) -> None:
        """Have the assertions about these names at hand."""
        wanted = [key for key in set(keys) if key not in self._known]
        self._known.update((key, []) for key in wanted)
        for one in read_aliases(connection, self.tables, wanted):
            self._known[one.key].append(one)

    def about(self, key: str) -> Sequence[NameAssertion]:
        """What is asserted about a name that was loaded."""
        return self._known.get(key, ())

    def apply(self, record: ev.Recorded, event: ev.ModelEvent) -> str | None:
        """Enter an event of a model; the name whose meaning it changes."""
        model = record.envelope.stream.partition(":")[2]
        one = name_assertion(model, record.position, event)
        if one is None:
            return None
        known = self._known.setdefault(one.key, [])
        known.append(one)
        known.sort(key=lambda other: (other.read_at, other.position))
        self._new.append(
            {
                "position": record.position,
                "name_key": one.key,
                "skeleton": skeleton(one.key),
                "model": one.model,
                "means_from": None if one.means_from is None else micros(one.means_from),
                "read_at": micros(one.read_at),
                "withdrawn": one.withdrawn,
            }
        )
        return one.key

    def flush(self, connection: Connection) -> None:
        """Write the batch."""
        if self._new:
            connection.execute(insert(self.tables.alias), self._new)
            self._note_look_alikes(connection, {str(row["skeleton"]) for row in self._new})
        self._new.clear()
        self._known.clear()

    def _note_look_alikes(self, connection: Connection, skeletons: set[str]) -> None:
        """List the skeletons that more than one model has by now."""
        alias, listed = self.tables.alias, self.tables.look_alike
        for chunk in chunks(sorted(skeletons), CHUNK):
            shared = (
                select(alias.c.skeleton)
                .where(alias.c.skeleton.in_(chunk))
                .group_by(alias.c.skeleton)
                .having(func.count(alias.c.model.distinct()) > 1)
            )
            known = select(listed.c.skeleton).where(listed.c.skeleton.in_(chunk))
            new = set(connection.scalars(shared)) - set(connection.scalars(known))
            if new:
                rows = [{"skeleton": one} for one in sorted(new)]
                connection.execute(insert(listed), rows)


@attrs.define
class NamesRemembered(AliasProjector):
    """The same for one of several who fill a generation together: somebody else writes them, so
    all that was ever asserted is remembered, from the first event on."""

    def load(self, connection: Connection, keys: Iterable[str]) -> None:
        """It is at hand."""

    def flush(self, connection: Connection) -> None:
        """Somebody else writes it."""
        del connection
        self._new.clear()


def read_aliases(
    connection: Connection, tables: Tables, keys: Sequence[str]
) -> Iterable[NameAssertion]:
    """The stored assertions about these names, in the order (``read_at``, position)."""
    table = tables.alias
    for chunk in chunks(keys, CHUNK):
        query = (
            select(
                table.c.name_key,
                table.c.model,
                table.c.means_from,
                table.c.read_at,
                table.c.position,
                table.c.withdrawn,
            )
            .where(table.c.name_key.in_(chunk))
            .order_by(table.c.read_at, table.c.position)
        )
        for key, model, means_from, read_at, position, withdrawn in connection.execute(query):
            yield NameAssertion(
                key,
                Slug(model),
                None if means_from is None else from_micros(means_from),
                from_micros(read_at),
                position,
                withdrawn,
            )


def named_model(reader: Reader, claim: str, day: Instant) -> str | None:
    """The model that a claim's name means, as known by ``day``, whatever was decided about it."""
    row, known = reader.tables.row, reader.tables.claim
    query = (
        select(row.c.name_key, row.c.named_at)
        .join(known, known.c.row == row.c.row)
        .where(known.c.claim == claim)
    )
    found = reader.connection.execute(query).first()
    if found is None:
        return None
    about = read_aliases(reader.connection, reader.tables, [found.name_key])
    return resolve(about, from_micros(found.named_at), day)
