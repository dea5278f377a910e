"""What lies where in the log: for each stretch of positions, which types and authors occur in it,
and how often.

So whoever looks for one type of event among a million reads the stretches that hold any, and no
others; and the log's own numbers are sums over a few thousand rows. Of an event that is not
published only that there is one is counted, so nothing here tells what it is.
"""

from collections import Counter
from functools import lru_cache

import attrs
from sqlalchemy import Connection, TextClause, text

from ledger import events as ev
from ledger.published import is_published
from projections.keeping.tables import Tables

STRETCH = 512
"""Positions in one stretch."""

TYPE, WHO, SHOWN = "type", "who", "shown"
PUBLISHED, WITHHELD = "published", "withheld"

Key = tuple[int, str, str]


def stretch_of(position: int) -> int:
    """The number of the stretch that a position lies in; they are counted from 0."""
    return (position - 1) // STRETCH


def bounds_of(stretch: int) -> tuple[int, int]:
    """The first and the last position of a stretch."""
    return stretch * STRETCH + 1, (stretch + 1) * STRETCH


@attrs.define
class InventoryProjector:
    """Counts every event where it lies."""

    tables: Tables
    _counted: Counter[Key] = attrs.field(factory=Counter)
    _published: Counter[Key] = attrs.field(factory=Counter)

    def apply(self, record: ev.Recorded) -> None:
        """Count one event."""
        stretch, envelope = stretch_of(record.position), record.envelope
        if is_published(record.event):
            self._published[stretch, envelope.type, envelope.recorded_by] += 1
        else:
            self._counted[stretch, SHOWN, WITHHELD] += 1

    def flush(self, connection: Connection) -> None:
        """Write the batch; what a stretch holds already is counted on, whoever counted it."""
        for (stretch, kind, who), count in self._published.items():
            for field, value in ((SHOWN, PUBLISHED), (TYPE, kind), (WHO, who)):
                self._counted[stretch, field, value] += count
        if self._counted:
            counts = [_row(key, count) for key, count in sorted(self._counted.items())]
            connection.execute(_counting_on(self.tables.inventory.name), counts)
        self._counted.clear()
        self._published.clear()


NAMES = ("stretch", "field", "value")


def _row(key: Key, count: int) -> dict[str, object]:
    return {**dict(zip(NAMES, key, strict=True)), "count": count}


@lru_cache(maxsize=8)
def _counting_on(table: str) -> TextClause:
    """Always in the same order of keys, so that two who count at once wait for each other."""
    return text(
        f"INSERT INTO {table} (stretch, field, value, count)"  # noqa: S608 -- our own name
        " VALUES (:stretch, :field, :value, :count)"
        f" ON CONFLICT (stretch, field, value) DO UPDATE SET count = {table}.count + excluded.count"
    )
