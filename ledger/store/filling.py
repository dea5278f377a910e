"""An empty store that takes over what another one holds: bytes, positions, seals and all.

Everything goes in within one transaction, under the lock of the writers; so whoever fills it can
look at the whole before it is committed, and a process that dies leaves the store as empty as it
was. The triggers that keep what is recorded stay on.
"""

from collections.abc import Sequence
from typing import Protocol

import attrs

from ledger.errors import Refused
from ledger.store.seals import SealTable
from ledger.store.whole import Rows, Whole, WholeRow


class NotEmpty(Refused):
    """There is a ledger already ({what}); name a place where there is none, since nothing is ever
    recorded over."""


class DoesNotFit(Refused):
    """What was to be taken over cannot be stored ({why}); nothing was recorded."""


class FilledRows(Rows, Protocol):
    """The events of a store that is being filled."""

    def put(self, rows: Sequence[WholeRow]) -> None:
        """Add whole rows at the positions that they bear, which lie behind all that are there."""


@attrs.frozen
class Filling:
    """The tables of a store that was found empty, as its one transaction sees them."""

    _events: FilledRows
    seals: SealTable

    @property
    def whole(self) -> Whole:
        """All that was put in so far."""
        return Whole(self._events, self.seals)

    def put(self, rows: Sequence[WholeRow]) -> None:
        """Add whole events at their own positions, in the order of these."""
        self._events.put(rows)


def begun(events: FilledRows, seals: SealTable) -> Filling:
    """A filling of tables that have nothing in them. Raises ``NotEmpty``."""
    head = events.head()
    if head:
        raise NotEmpty(what=f"its last position is {head}")
    if seals.checkpoint() is not None or seals.keys():
        raise NotEmpty(what="it has no events yet, and its log was begun with a key of its own")
    return Filling(events, seals)
