"""What lies where in the log: for each stretch of positions, which types and authors occur in it,
and how often.

So whoever looks for one type of event among a million reads the stretches that hold any, and no
others; and the log's own numbers are sums over a few thousand rows. Of an event that is not
published only that there is one is counted, so nothing here tells what it is.
"""

from collections import Counter
from collections.abc import Sequence

import attrs
from sqlalchemy import Connection, bindparam, insert, select, update

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

    def apply(self, record: ev.Recorded) -> None:
        """Count one event."""
        stretch = stretch_of(record.position)
        if not is_published(record.event):
            self._counted[stretch, SHOWN, WITHHELD] += 1
            return
        self._counted[stretch, SHOWN, PUBLISHED] += 1
        self._counted[stretch, TYPE, record.envelope.type] += 1
        self._counted[stretch, WHO, record.envelope.recorded_by] += 1

    def flush(self, connection: Connection) -> None:
        """Write the batch; a stretch that a batch before began is counted on."""
        if not self._counted:
            return
        there = self._there(connection)
        new = [_row(key, count) for key, count in self._counted.items() if key not in there]
        more = [
            {f"is_{name}": value for name, value in _row(key, there[key] + count).items()}
            for key, count in self._counted.items()
            if key in there
        ]
        table = self.tables.inventory
        if new:
            connection.execute(insert(table), new)
        if more:
            connection.execute(
                update(table)
                .where(*(table.c[name] == bindparam(f"is_{name}") for name in NAMES))
                .values(count=bindparam("is_count")),
                more,
            )
        self._counted.clear()

    def _there(self, connection: Connection) -> dict[Key, int]:
        """What the stretches of this batch hold so far."""
        table = self.tables.inventory
        stretches: Sequence[int] = sorted({stretch for stretch, _, _ in self._counted})
        query = select(table.c.stretch, table.c.field, table.c.value, table.c.count).where(
            table.c.stretch >= stretches[0], table.c.stretch <= stretches[-1]
        )
        return {(row[0], row[1], row[2]): row[3] for row in connection.execute(query)}


NAMES = ("stretch", "field", "value")


def _row(key: Key, count: int) -> dict[str, object]:
    return {**dict(zip(NAMES, key, strict=True)), "count": count}
