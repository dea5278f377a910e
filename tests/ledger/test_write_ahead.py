"""Making an SQLite file's journal a write-ahead log while somebody else uses the file."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from threading import Timer

import pytest

from ledger.store.write_ahead import write_ahead


@pytest.fixture
def used(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    """A file as SQLite makes it, and somebody who is about to write to it."""
    path = tmp_path / "used.sqlite"
    with closing(sqlite3.connect(path, check_same_thread=False, isolation_level=None)) as writer:
        writer.execute("CREATE TABLE t (x)")
        writer.execute("BEGIN IMMEDIATE")
        yield writer


def test_it_waits_until_the_other_has_finished(used: sqlite3.Connection, tmp_path: Path) -> None:
    """SQLite itself would say at once that the file is busy."""
    with closing(sqlite3.connect(tmp_path / "used.sqlite", timeout=60)) as mine:
        over = Timer(0.3, used.execute, ["COMMIT"])
        over.start()
        write_ahead(mine, 60)
        over.join()
        assert mine.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_patience_has_an_end(used: sqlite3.Connection, tmp_path: Path) -> None:
    """The file stays as it was, and so does the other's transaction."""
    with closing(sqlite3.connect(tmp_path / "used.sqlite", timeout=0)) as mine:
        with pytest.raises(sqlite3.OperationalError, match="locked"):
            write_ahead(mine, 0.1)
        assert mine.execute("PRAGMA journal_mode").fetchone() == ("delete",)
    assert used.in_transaction


def test_another_refusal_is_not_waited_for(tmp_path: Path) -> None:
    """What is no database does not become one."""
    path = tmp_path / "notes.txt"
    path.write_text("not a database, but long enough to be taken for one\n" * 20)
    with closing(sqlite3.connect(path)) as mine, pytest.raises(sqlite3.DatabaseError):
        write_ahead(mine, 60)
