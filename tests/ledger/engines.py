"""The two engines as the tests see them: the store on top, and the bare database beneath."""

import shutil
import sqlite3
import subprocess
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Protocol

import attrs
import psycopg
import pytest

from ledger.store import Store, open_store
from ledger.values import Instant

NOON = datetime(2025, 7, 28, 12, tzinfo=UTC)
SECOND = timedelta(seconds=1)
BOTH = ("sqlite", pytest.param("postgres", marks=pytest.mark.postgres))


@attrs.define
class Clock:
    """A clock that shows what it is told to, and moves on by ``step`` at every look."""

    now: Instant = NOON
    step: timedelta = SECOND

    def __call__(self) -> Instant:
        """Tell the time and move on."""
        shown, self.now = self.now, self.now + self.step
        return shown


@attrs.define
class Salt:
    """Salts that nobody could guess, were they not 1, 2, 3 …"""

    drawn: int = 0

    def __call__(self) -> str:
        """Draw the next."""
        self.drawn += 1
        return f"{self.drawn:032x}"


@attrs.define
class Place(Protocol):
    """Where a ledger's events lie, and the database's own way in."""

    where: str
    opened: list[Store]

    def open(
        self,
        *,
        clock: Callable[[], Instant] | None = None,
        salt: Callable[[], str] | None = None,
        patience: float = 10.0,
        where: str | None = None,
    ) -> Store:
        """Open the store; the test's end closes it."""
        store = open_store(
            where or self.where, clock=clock or Clock(), salt=salt or Salt(), patience=patience
        )
        self.opened.append(store)
        return store

    def close(self) -> None:
        """Close all that was opened."""
        for store in self.opened:
            store.close()

    def run(self, statement: str) -> list[tuple[Any, ...]]:
        """Run a statement as somebody with a database console would, and commit."""
        ...

    def rows(self) -> list[tuple[Any, ...]]:
        """Everything that is stored: position, stream, version, name, bytes."""
        ...

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Hold the write lock, as another process would."""
        ...

    def restore(self) -> None:
        """Dump the events, lose them, and bring them back from the dump."""
        ...


@attrs.define
class SQLitePlace(Place):
    """A file."""

    where: str
    opened: list[Store] = attrs.field(factory=list)

    def run(self, statement: str) -> list[tuple[Any, ...]]:
        """Run a statement in sqlite3."""
        with closing(sqlite3.connect(self.where, isolation_level=None)) as connection:
            return connection.execute(statement).fetchall()

    def rows(self) -> list[tuple[Any, ...]]:
        """Position, stream, version, name, bytes."""
        return self.run(
            "SELECT rowid, originator_id, originator_version, topic, state FROM events"
            " ORDER BY rowid"
        )

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Hold SQLite's write lock."""
        with closing(sqlite3.connect(self.where, isolation_level=None)) as connection:
            connection.execute("BEGIN IMMEDIATE")
            yield
            connection.execute("ROLLBACK")

    def restore(self) -> None:
        """Dump to SQL text and read that into a new file of the same name."""
        with closing(sqlite3.connect(self.where)) as connection:
            dump = "\n".join(connection.iterdump())
        for name in (self.where, f"{self.where}-wal", f"{self.where}-shm"):
            Path(name).unlink(missing_ok=True)
        with closing(sqlite3.connect(self.where)) as connection:
            connection.executescript(dump)


@attrs.define
class PostgresPlace(Place):
    """A database of the tests' server."""

    where: str
    opened: list[Store] = attrs.field(factory=list)

    def run(self, statement: str) -> list[tuple[Any, ...]]:
        """Run a statement as the ledger's own user."""
        with psycopg.connect(self.where) as connection:
            cursor = connection.execute(statement.encode())
            return cursor.fetchall() if cursor.description else []

    def rows(self) -> list[tuple[Any, ...]]:
        """Position, stream, version, name, bytes."""
        return self.run(
            "SELECT notification_id, originator_id, originator_version, topic, state"
            " FROM ledger.events ORDER BY notification_id"
        )

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Hold the table lock."""
        with psycopg.connect(self.where) as connection:
            connection.execute("LOCK TABLE ledger.events IN EXCLUSIVE MODE")
            yield
            connection.rollback()

    def restore(self) -> None:
        """Dump with pg_dump, drop the schema, and read the dump in with psql."""
        dump = _program("pg_dump", "--schema=ledger", self.where)
        self.run("DROP SCHEMA ledger CASCADE")
        _program("psql", "--quiet", "--no-psqlrc", "--set=ON_ERROR_STOP=1", self.where, given=dump)


def _program(name: str, *words: str, given: str | None = None) -> str:
    """Run one of PostgreSQL's programs and return what it wrote."""
    path = shutil.which(name)
    assert path, f"{name} is not installed: run `make set-up`"
    done = subprocess.run(
        [path, *words], input=given, capture_output=True, text=True, timeout=60, check=False
    )
    assert not done.returncode, done.stderr
    return done.stdout


@pytest.fixture(params=BOTH)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Place]:
    """An empty place for a ledger, on either engine."""
    found: Place
    if request.param == "sqlite":
        found = SQLitePlace(str(tmp_path / "ledger.sqlite"))
    else:
        found = PostgresPlace(request.getfixturevalue("postgres_url"))
    yield found
    found.close()


@pytest.fixture
def store(place: Place) -> Store:
    """An open store with a clock that moves on by a second an append."""
    return place.open()
