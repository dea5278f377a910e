"""A page as records, line by line, and a curator's desk that takes such files in."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import attrs
import pytest

from ledger import events as ev
from ledger.archive import Archive
from ledger.errors import FileRefused
from ledger.importing.receipt import FileReceipt
from ledger.importing.records import RecordsFile, import_records, parse_records
from ledger.ledger import Ledger
from ledger.store import open_store
from projections.keeping.follow import Follower
from projections.keeping.views import Views, open_views
from projections.known import KnownToViews
from tests.ledger.engines import Clock, Salt

ROOT = Path(__file__).parents[2]
NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
READ_AT = datetime(2026, 11, 12, tzinfo=UTC)

HEADER = {
    "record": "file",
    "format": "corrigenda-records/1",
    "read_at": "2026-11-12",
    "why": "as read",
}
LAB = {"record": "lab", "slug": "alder", "name": "Alder Labs"}
BENCHMARK = {"record": "benchmark", "slug": "orchard", "name": "Orchard"}
RULE = {
    "record": "ranking-rule",
    "benchmark": "orchard",
    "metric": "grown",
    "name": "share grown",
    "unit": "%",
}
MODEL = {"record": "model", "slug": "birch", "name": "Birch", "lab": "alder"}
SOURCE = {"record": "source", "slug": "report", "name": "Birch report", "kind": "technical-report"}
READING = {"record": "reading", "source": "report", "benchmark": "orchard"}
CLAIM_LINE = {"record": "claim", "name": "Birch", "metric": "grown", "score": "71.0"}
PAGE = [LAB, BENCHMARK, RULE, MODEL, SOURCE, READING, CLAIM_LINE]

Line = dict[str, Any] | str


def written(*lines: Line, header: Line = HEADER) -> bytes:
    """A records file of these lines, given as objects or as text."""
    texts = (line if isinstance(line, str) else json.dumps(line) for line in (header, *lines))
    return "".join(f"{text}\n" for text in texts).encode()


def parsed(*lines: Line, header: Line = HEADER) -> RecordsFile:
    """What is read from such a file."""
    return parse_records("page.jsonl", written(*lines, header=header), NOW)


def refusal(*lines: Line, header: Line = HEADER) -> FileRefused:
    """Why such a file is refused."""
    with pytest.raises(FileRefused) as caught:
        parsed(*lines, header=header)
    return caught.value


@attrs.frozen
class Desk:
    """A curator's desk: a real ledger, and the read model that follows it."""

    ledger: Ledger
    views: Views
    known: KnownToViews

    @classmethod
    def at(cls, events: str | Path, views: str | Path, archive: Path) -> "Desk":
        """Open one; ``events`` and ``views`` are files or the address of a PostgreSQL."""
        store = open_store(events, clock=Clock(NOW), salt=Salt())
        opened = open_views(views)
        known = KnownToViews(store, opened, Follower(store, opened))
        return cls(Ledger(store, Archive(archive), lambda: NOW), opened, known)

    def bring_in(self, *lines: Line, header: Line = HEADER, **options: Any) -> list[FileReceipt]:
        """Import a file of these lines."""
        return self.take(parsed(*lines, header=header), **options)

    def take(self, records: RecordsFile, **options: Any) -> list[FileReceipt]:
        """Import a file that was read."""
        return import_records(self.ledger, self.known, records, "mira", **options)

    @property
    def head(self) -> int:
        """How much is recorded."""
        return self.ledger.store.head()

    def facts(self, stream: str) -> list[ev.Event]:
        """What a stream holds."""
        return self.ledger.facts(stream)

    def claims(self) -> list[ev.ClaimRecorded]:
        """Every claim as it was first recorded."""
        events = (record.event for record in self.ledger.store.after(0, 100_000))
        return [event for event in events if isinstance(event, ev.ClaimRecorded)]

    def close(self) -> None:
        """Let go of both databases."""
        self.views.close()
        self.ledger.store.close()


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    """A desk with an empty ledger on SQLite."""
    opened = Desk.at(tmp_path / "ledger.sqlite", tmp_path / "views.sqlite", tmp_path / "archive")
    yield opened
    opened.close()
