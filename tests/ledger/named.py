"""Small events that can be told apart by a name, for the tests of the store."""

from collections.abc import Iterator
from pathlib import Path

from ledger.events import Recorded, ReportAssigned
from ledger.store import NewEvents, Store, open_store
from tests.ledger.engines import Clock, Salt


def new(stream: str, expected_version: int, *names: str) -> NewEvents:
    """Small events that can be told apart by a name."""
    return NewEvents(stream, expected_version, tuple(ReportAssigned(to=name) for name in names))


def names(records: list[Recorded]) -> list[str]:
    """The names that tell small events apart."""
    return [record.event.to for record in records if isinstance(record.event, ReportAssigned)]


def many(size: int, stream: str = "report") -> Iterator[NewEvents]:
    """A generator of as many streams with one event each."""
    return (new(f"{stream}:{number}", 0, str(number)) for number in range(size))


def open_at(where: str | Path) -> Store:
    """Open a place that is given as a person would."""
    return open_store(where, clock=Clock(), salt=Salt())
