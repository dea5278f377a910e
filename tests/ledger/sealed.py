"""A ledger with a log over it, as the tests of sealing have it."""

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import attrs
import pytest

from ledger.events import ReportAssigned
from ledger.proof.note import opened_checkpoint
from ledger.seal import Seals
from ledger.sealing.keys import named_key
from ledger.store import NewEvents, Store
from tests.ledger import rfc6962
from tests.ledger.engines import Place, SQLitePlace
from web.sealing_key import KeyFile

NAME = "log.example/corrections"
FIRST, SECOND, THIRD = (bytes([number]) * 32 for number in (1, 2, 3))


@attrs.define
class Log:
    """A store, its log, and the file with the key."""

    place: Place
    store: Store
    seals: Seals
    keys: KeyFile
    recorded: int = 0

    def record(self, count: int) -> None:
        """Record so many small events."""
        start, self.recorded = self.recorded, self.recorded + count
        self.store.append(small(start, count), by="mira")

    def entries(self) -> list[bytes]:
        """The entry of every event, from the rows as they lie in the database."""
        return [sha256(row[4]).digest() for row in self.place.rows()]

    def positions(self) -> list[int]:
        """The position of every event."""
        return [row[0] for row in self.place.rows()]

    def check(self) -> None:
        """Every checkpoint ever stored has the root that the RFC gives, and a good signature."""
        entries, keys = self.entries(), self.seals.keys()
        for size, root, note in self.checkpoints():
            assert root == rfc6962.root(entries[:size])
            checkpoint = opened_checkpoint(note, keys)
            assert (checkpoint.origin, checkpoint.size, checkpoint.root) == (NAME, size, root)

    def checkpoints(self) -> list[tuple[int, bytes, str]]:
        """Every stored checkpoint: size, root and note."""
        table = self.table("log_checkpoints")
        found = self.place.run(f"SELECT size, root, note FROM {table} ORDER BY size")
        return [(size, bytes(root), note) for size, root, note in found]

    def table(self, name: str) -> str:
        """A table as this engine calls it."""
        return name if isinstance(self.place, SQLitePlace) else f"ledger.{name}"


def small(start: int, count: int) -> Iterator[NewEvents]:
    """So many streams with one small event each."""
    return (
        NewEvents(f"report:{number}", 0, (ReportAssigned(to=f"n{number}"),))
        for number in range(start, start + count)
    )


def new_log(place: Place, folder: Path, *, patience: float = 10.0) -> Log:
    """An empty ledger with a key in a folder of its own."""
    keys = KeyFile(folder / "checkpoint.key")
    keys.make(named_key(FIRST, log_name=NAME, address=None))
    store = place.open(patience=patience)
    return Log(place, store, Seals(store, keys), keys)


@pytest.fixture
def log(place: Place, tmp_path: Path) -> Log:
    """An empty ledger with a key, on either engine."""
    return new_log(place, tmp_path)
