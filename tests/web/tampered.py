"""A sealed home of some 300 events, and a database console to alter it with."""

import shutil
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import attrs
import orjson
import psycopg
import pytest

from ledger.store.sqlite_seals import TRIGGERS as SEAL_TRIGGERS
from ledger.store.sqlite_table import TRIGGERS
from tests.web.corrigenda import Corrigenda

BUNDLED = 256
"""Events with a bundle over them; the others are under checkpoints alone."""

MODELS = 100
ABOUT = ("--source", "wren-board", "--benchmark", "wrens", "--benchmark-name", "Wrens")


def reading(plus: int) -> str:
    """A board of 100 models."""
    rows = [f"Wren {number:03d},{number + plus}.5" for number in range(MODELS)]
    return "\n".join(["model,score", *rows]) + "\n"


def fill(corrigenda: Corrigenda, folder: Path) -> None:
    """Two readings and a decision, each under a checkpoint of its own."""
    folder.mkdir()
    for day, plus in (("07", 0), ("15", 1)):
        file = folder / f"2025-02-{day}T191510Z.csv"
        file.write_text(reading(plus), encoding="utf-8")
        corrigenda.done("import", *ABOUT, str(file))
    board = corrigenda.json("board", "wrens")
    claim = board["rows"][0]["claim_id"]
    corrigenda.done("report", "file", "--target", f"claims/{claim}", "--reason", "wrong-value")


@attrs.frozen
class Tampered:
    """A home of the test's own, whose every guard can be taken away."""

    corrigenda: Corrigenda
    readings: Path

    @property
    def home(self) -> Path:
        """Where it is."""
        return self.corrigenda.home

    def alter(self, *statements: str, database: str = "ledger.db") -> None:
        """Take the triggers away and run statements, as who can write to the file may."""
        with closing(sqlite3.connect(self.home / database, isolation_level=None)) as connection:
            for name in (*TRIGGERS, *SEAL_TRIGGERS):
                connection.execute(f"DROP TRIGGER IF EXISTS {name}")
            connection.execute("PRAGMA ignore_check_constraints = ON")
            for statement in statements:
                connection.execute(statement)

    def ask(self, statement: str, database: str = "ledger.db") -> list[tuple[Any, ...]]:
        """What a statement finds."""
        with closing(sqlite3.connect(self.home / database)) as connection:
            return connection.execute(statement).fetchall()

    def verify(self, *words: str) -> Any:
        """The document of ``verify --json``, and that its exit status goes with it."""
        result = self.corrigenda.run("verify", *words, "--json")
        found = orjson.loads(result.stdout)
        assert result.exit_code == (0 if found["holds"] else 1)
        return found

    def wrong(self, *words: str) -> list[tuple[str, dict[str, Any]]]:
        """What is wrong: kinds and places."""
        return [(one["kind"], one["place"]) for one in self.verify(*words)["findings"]]


@attrs.frozen
class OnPostgres(Tampered):
    """The same with its stores in PostgreSQL."""

    url: str = ""

    def alter(self, *statements: str, database: str = "ledger.db") -> None:
        """As the owner of the tables, who may switch triggers off."""
        del database
        with psycopg.connect(self.url) as connection:
            for table in ("events", "log_bundles", "log_subtrees", "log_checkpoints", "log_keys"):
                connection.execute(f"ALTER TABLE ledger.{table} DISABLE TRIGGER ALL".encode())
            for statement in statements:
                connection.execute(statement.encode())

    def ask(self, statement: str, database: str = "ledger.db") -> list[tuple[Any, ...]]:
        """What a statement finds."""
        del database
        with psycopg.connect(self.url) as connection:
            return connection.execute(statement.encode()).fetchall()


@pytest.fixture(scope="session")
def tampered_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The home and its readings, made once and never altered."""
    folder = tmp_path_factory.mktemp("wrens")
    corrigenda = Corrigenda(folder / "home")
    corrigenda.done("init")
    fill(corrigenda, folder / "readings")
    return folder


@pytest.fixture
def tampered(tampered_once: Path, tmp_path: Path) -> Tampered:
    """A copy of the test's own."""
    folder = tmp_path / "wrens"
    shutil.copytree(tampered_once, folder)
    return Tampered(Corrigenda(folder / "home"), folder / "readings")


@pytest.fixture
def on_postgres(postgres_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> OnPostgres:
    """A home with its stores in a database of the test's own."""
    monkeypatch.setenv("CORRIGENDA_DATABASE_URL", postgres_url)
    corrigenda = Corrigenda(tmp_path / "home")
    corrigenda.done("init")
    fill(corrigenda, tmp_path / "readings")
    return OnPostgres(corrigenda, tmp_path / "readings", postgres_url)


def swapping(one: int, other: int) -> Sequence[str]:
    """Statements that put two events, columns and all, in each other's place (SQLite)."""
    return (
        f"UPDATE events SET rowid = -1 WHERE rowid = {one}",
        f"UPDATE events SET rowid = {one} WHERE rowid = {other}",
        f"UPDATE events SET rowid = {other} WHERE rowid = -1",
    )


Alter = Callable[[Tampered], None]
