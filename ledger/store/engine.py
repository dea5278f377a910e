"""What an engine owes the store.

An engine keeps one table of rows that are never changed. It lets one writer at a time at them,
hands positions out in the order of commit (so that who reads on from a position skips nothing),
and gives the stored bytes back as they went in.
"""

from collections.abc import Collection, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from typing import Any, Protocol

import orjson
from eventsourcing.persistence import (
    DataError,
    IntegrityError,
    Notification,
    NotSupportedError,
    ProgrammingError,
    StoredEvent,
)

from ledger.errors import Refused
from ledger.store.filling import Filling
from ledger.store.seals import SealTable
from ledger.store.whole import Whole
from ledger.values import Instant

Row = tuple[str, int, str, bytes]
"""Stream, version, lasting name, stored bytes."""

Stored = tuple[int, bytes]
"""Position, stored bytes."""

MISTAKES = (DataError, IntegrityError, NotSupportedError, ProgrammingError)
"""The library's errors that speak of our own code; they are not dressed up as bad luck."""

LAST = 2**63 - 1
"""Beyond every position that a database can count."""

PATIENCE = 10.0
"""Seconds that a writer waits for another one before it is told that the ledger is busy."""


class Unavailable(Refused):
    """The ledger's database cannot be used ({why}); see that it runs, then try again."""


class Cut(Unavailable):
    """The connection to the ledger's database was cut; nothing was recorded by this request, try
    again in a moment."""


class DiskFull(Unavailable):
    """The disk under the ledger takes nothing ({why}); nothing was recorded. Make room on it, or
    let it be written to, then repeat the command."""


class Unconfirmed(Unavailable):
    """The connection broke while the ledger was saving, and it could not be asked whether it did
    ({why}); look whether it was recorded before you repeat the command."""


class Table(Protocol):
    """The events, as one transaction sees them."""

    def head(self) -> int:
        """The last position, 0 when there is none."""

    def last(self, upto: int = LAST) -> Stored | None:
        """The last event at or before a position."""

    def first_after(self, position: int) -> int:
        """The position that follows, 0 when there is none."""

    def versions(self, streams: Collection[str]) -> dict[str, int]:
        """The version that each stream has reached, 0 for one that does not exist."""

    def events(self, streams: Collection[str]) -> list[Stored]:
        """All events of these streams in position order."""

    def after(self, position: int, limit: int) -> list[Stored]:
        """At most ``limit`` events after a position, in position order."""

    def of_stream(self, stream: str, low: int, high: int, limit: int) -> list[Stored]:
        """At most ``limit`` events of a stream from position ``low`` to ``high``, last first."""

    def insert(self, rows: Sequence[Row]) -> None:
        """Add rows in this order; only the writer that holds the lock may."""


class Work(Protocol):
    """What a writer does while it holds the lock."""

    def write(self, table: Table) -> None:
        """Read and add; whatever is raised here rolls everything back."""


class Engine(Protocol):
    """A recorder of the library, taught our rules."""

    def insert_events(self, stored_events: Sequence[StoredEvent], **kwargs: Any) -> Any:
        """Run ``work=`` (a :class:`Work`) in one transaction, under the write lock."""

    def select_notifications(
        self,
        start: int | None,
        limit: int,
        stop: int | None = None,
        topics: Sequence[str] = (),
        *,
        inclusive_of_start: bool = True,
    ) -> Sequence[Notification]:
        """The library's own way to read on from a position."""

    def reading(self) -> AbstractContextManager[Table]:
        """The table for readers; it waits for no writer."""

    def seals(self) -> AbstractContextManager[SealTable]:
        """The sealed log for readers; it waits for no writer."""

    def sealing(self) -> AbstractContextManager[SealTable]:
        """The sealed log for the one who adds to it, in one transaction; one such at a time."""

    def whole(self) -> AbstractContextManager[Whole]:
        """All that is stored, as it stands at one moment; it waits for no writer."""

    def filling(self) -> AbstractContextManager[Filling]:
        """An empty store, to be filled in one transaction. Raises ``NotEmpty``."""

    def refusals(self) -> AbstractContextManager[None]:
        """Say the database's errors as ours: ``Busy`` or :class:`Unavailable`."""

    def await_news(self, seconds: float) -> None:
        """Return when something may have been added, after ``seconds`` at the latest."""

    def close(self) -> None:
        """Let go of every connection."""


def recorded_at(stored: bytes) -> Instant:
    """When these stored bytes say they were recorded (UTC)."""
    return datetime.fromisoformat(orjson.loads(stored)["recorded_at"])
