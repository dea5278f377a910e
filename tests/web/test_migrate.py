"""A home moved from one database into another, and back: the same leaves, the same people."""

from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import insert, select

from tests.web.corrigenda import Corrigenda
from tests.web.dumps import stored_in
from tests.web.tampered import ABOUT, Tampered, reading
from web.moving.migrating import StillInUse, migrate
from web.private import PrivateStore, metadata, open_private
from web.private.moving import PrivateNotEmpty, copy_private
from web.private.notes import notes
from web.settings import Settings
from web.wiring import open_workspace, random_nonce, utc_now

URL = "CORRIGENDA_DATABASE_URL"


def private_at(where: str | Path) -> PrivateStore:
    """A private store, open."""
    return open_private(where, clock=utc_now, nonce=random_nonce)


def private_in(where: str | Path) -> dict[str, list[Any]]:
    """All that is private."""
    with closing(private_at(where)) as store, store.read() as connection:
        return {
            table.name: sorted(tuple(row) for row in connection.execute(select(table)))
            for table in metadata.sorted_tables
        }


@pytest.fixture
def peopled(tampered: Tampered) -> Tampered:
    """A ledger with an account, and a report whose words are private."""
    ledger = tampered.corrigenda
    ledger.done("user", "add", "mira", "--role", "reviewer", "--one-time")
    claim = ledger.json("board", "wrens")["rows"][1]["claim_id"]
    words = ("--reason", "wrong-value", "--words", "It says something else.")
    ledger.done("report", "file", "--target", f"claims/{claim}", *words)
    return tampered


@pytest.mark.postgres
def test_from_sqlite_to_postgresql_and_back(
    peopled: Tampered, tmp_path: Path, postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Leaves, checkpoints and private rows; what was left behind stays as it was."""
    ledger, back = peopled.corrigenda, Corrigenda(tmp_path / "back")
    checkpoint = ledger.done("checkpoint")
    stored, private = stored_in(ledger.home / "ledger.db"), private_in(ledger.home / "private.db")
    assert private["accounts"]
    assert private["words"]

    said = ledger.run("migrate", "--to", postgres_url)
    assert (said.exit_code, said.stdout) == (0, "")
    assert "set CORRIGENDA_DATABASE_URL" in said.stderr
    assert stored_in(ledger.home / "ledger.db") == stored

    monkeypatch.setenv(URL, postgres_url)
    assert (stored_in(postgres_url), private_in(postgres_url)) == (stored, private)
    assert ledger.done("checkpoint") == checkpoint
    assert ledger.json("verify")["holds"] is True
    assert "mira" in ledger.done("user", "list")
    file = peopled.readings / "2025-03-01T191510Z.csv"
    file.write_text(reading(2), encoding="utf-8")
    ledger.done("import", *ABOUT, str(file))
    stored = stored_in(postgres_url)
    assert [row[0] for row in stored.rows] == [*range(1, len(stored.rows) + 1)]

    ledger.done("migrate", "--to", str(back.home))
    monkeypatch.delenv(URL)
    assert stored_in(back.home / "ledger.db") == stored
    assert private_in(back.home / "private.db") == private
    assert (back.home / "checkpoint.key").stat().st_mode & 0o777 == 0o600
    assert back.json("verify")["holds"] is True
    assert back.json("checkpoint") == back.json("checkpoint")
    assert stored_in(ledger.home / "ledger.db").rows == stored.rows[:309]


@pytest.mark.postgres
def test_private_rows_are_numbered_on(peopled: Tampered, postgres_url: str) -> None:
    """What is added next gets a number behind those that were copied."""
    note = {"report": 1, "written_by": "mira", "written_at": 1, "text": b"Look at the table."}
    with (
        closing(private_at(peopled.home / "private.db")) as old,
        closing(private_at(postgres_url)) as new,
    ):
        with old.write() as connection:
            connection.execute(insert(notes), {"id": 7, **note})
        copy_private(old, new)
        with new.write() as connection:
            connection.execute(insert(notes), note)
            assert connection.scalars(select(notes.c.id).order_by(notes.c.id)).all() == [7, 8]


def test_a_place_with_a_ledger_is_left_alone(peopled: Tampered, tmp_path: Path) -> None:
    """Both of them; and the place where it is already is no other place."""
    other = Corrigenda(tmp_path / "other")
    other.done("init")
    before = stored_in(other.home / "ledger.db")
    ledger = peopled.corrigenda
    assert "begun with a key" in ledger.refused("migrate", "--to", str(other.home))
    assert stored_in(other.home / "ledger.db") == before
    assert "already" in ledger.refused("migrate", "--to", str(peopled.home))
    assert "postgresql://… or a folder" in ledger.refused("migrate", "--to", "mysql://x/y")


@pytest.mark.parametrize("step", ["Copying the private store", "Growing the log"])
def test_a_ledger_that_goes_on_meanwhile_is_not_moved(
    peopled: Tampered, tmp_path: Path, step: str
) -> None:
    """What came in behind our back would be missing there; so nothing is there at all. It is told
    so, and not that frozen bytes are missing, which are just not copied."""
    to = tmp_path / "moved"
    workspace = open_workspace(Settings(home=peopled.home))
    added: list[int] = []

    def record(doing: str, done: int, total: int | None) -> None:
        del done, total
        if doing == step and not added:
            file = peopled.readings / "2025-03-01T191510Z.csv"
            file.write_text(reading(2), encoding="utf-8")
            peopled.corrigenda.done("import", *ABOUT, str(file))
            added.append(1)

    with closing(workspace), pytest.raises(StillInUse):
        migrate(workspace, str(to), record)
    assert added
    assert not to.exists()
    peopled.corrigenda.done("migrate", "--to", str(to))
    assert Corrigenda(to).json("verify")["holds"] is True


def test_a_move_that_was_broken_off_is_begun_again(peopled: Tampered, tmp_path: Path) -> None:
    """It left private rows there, which are this ledger's own; a stranger's are refused."""
    to = Corrigenda(tmp_path / "moved")
    (to.home / "archive").mkdir(parents=True)
    with (
        closing(private_at(peopled.home / "private.db")) as old,
        closing(private_at(to.home / "private.db")) as new,
    ):
        assert copy_private(old, new) == copy_private(old, new)
    peopled.corrigenda.done("migrate", "--to", str(to.home))
    assert private_in(to.home / "private.db") == private_in(peopled.home / "private.db")

    other = Corrigenda(tmp_path / "other")
    other.done("init")
    other.done("user", "add", "noor", "--role", "reviewer", "--one-time")
    with (
        closing(private_at(peopled.home / "private.db")) as old,
        closing(private_at(other.home / "private.db")) as new,
        pytest.raises(PrivateNotEmpty, match="accounts"),
    ):
        copy_private(old, new)
    assert [row[0] for row in private_in(other.home / "private.db")["accounts"]] == ["noor"]


def test_a_ledger_that_does_not_hold_is_not_moved(peopled: Tampered, tmp_path: Path) -> None:
    """Damage is not taken along, where nobody would look for it."""
    peopled.alter("UPDATE events SET topic = 'lab-registered/1' WHERE rowid = 3")
    to = tmp_path / "moved"
    said = peopled.corrigenda.refused("migrate", "--to", str(to))
    assert "nothing was recorded in the new place: the row at position 3" in said
    assert not to.exists()
