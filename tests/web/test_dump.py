"""A whole ledger as one file, and that file as a ledger again: dump, restore, verify."""

import shutil
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from ledger.archive import Archive
from ledger.store import open_store
from tests.web.corrigenda import Corrigenda
from tests.web.dumps import QUICK, dumped, new, stored_in
from tests.web.tampered import ABOUT, OnPostgres, Tampered, reading
from web.moving.dumps import dump
from web.settings import Settings
from web.wiring import open_workspace, random_salt, utc_now

__all__ = ["dumped", "new"]


SECRET = "wren-board-secret"


# --- two at once ------------------------------------------------------------------------------


def test_two_who_dump_to_one_file_do_not_write_into_each_others(
    tampered: Tampered, dumped: Path
) -> None:
    """Each file is complete from the moment it has the name, and both are told that it is there."""
    out = dumped.with_name("both.tar.gz")
    began: list[bool] = []

    def watcher(doing: str, done: int, total: int | None) -> None:
        del doing, done, total
        if not began:
            began.append(True)
            tampered.corrigenda.done("dump", str(out))
            assert out.read_bytes() == dumped.read_bytes()

    with closing(open_workspace(Settings(home=tampered.home))) as workspace:
        dump(workspace, out, watcher)
    assert out.read_bytes() == dumped.read_bytes()
    assert not list(out.parent.glob(".both*"))


# --- there and back ---------------------------------------------------------------------------


def test_what_is_restored_is_the_same_ledger(
    tampered: Tampered, dumped: Path, new: Corrigenda
) -> None:
    """Bytes, positions, tiles, keys, checkpoints, archive; it verifies, and its boards are the
    same."""
    new.home.parent.mkdir()
    new.done("restore", str(dumped))
    assert stored_in(new.home / "ledger.db") == stored_in(tampered.home / "ledger.db")
    assert list(Archive(new.home / "archive").digests()) == list(
        Archive(tampered.home / "archive").digests()
    )
    assert new.done("checkpoint") == tampered.corrigenda.done("checkpoint")
    new.done("verify")
    pinned = ("board", "wrens", "--as-read-on", "2025-02-08", "--recorded-through", "207")
    assert new.json(*pinned) == tampered.corrigenda.json(*pinned)


def test_a_restored_ledger_goes_on_with_its_key(
    tampered: Tampered, dumped: Path, new: Corrigenda
) -> None:
    """The key is brought by whoever kept it; the log goes on from the same checkpoint."""
    new.home.mkdir(parents=True)
    shutil.copy2(tampered.home / "checkpoint.key", new.home)
    new.done("restore", str(dumped))
    file = tampered.readings / "2025-03-01T191510Z.csv"
    file.write_text(reading(2), encoding="utf-8")
    new.done("import", *ABOUT, str(file))
    assert [one for one in stored_in(new.home / "ledger.db").rows if one[0] <= 308] == stored_in(
        tampered.home / "ledger.db"
    ).rows
    assert new.json("verify", QUICK)["checked"]["events"] == 410


def test_the_same_ledger_gives_the_same_bytes(
    tampered: Tampered, dumped: Path, new: Corrigenda
) -> None:
    """Also after it was restored: no time, no name and no chance is in them."""
    again = dumped.with_name("again.tar.gz")
    tampered.corrigenda.done("dump", str(again))
    assert again.read_bytes() == dumped.read_bytes()
    new.home.parent.mkdir()
    new.done("restore", str(dumped))
    new.done("dump", str(again))
    assert again.read_bytes() == dumped.read_bytes()


@pytest.mark.postgres
def test_the_same_root_on_both_engines(
    on_postgres: OnPostgres, new: Corrigenda, monkeypatch: pytest.MonkeyPatch
) -> None:
    """PostgreSQL → file → SQLite → file: nothing but the database is another one."""
    first, second = (on_postgres.home.parent / f"{name}.tar.gz" for name in ("first", "second"))
    on_postgres.corrigenda.done("dump", str(first))
    checkpoint = on_postgres.corrigenda.done("checkpoint")
    stored = stored_in(on_postgres.url)
    monkeypatch.delenv("CORRIGENDA_DATABASE_URL")
    new.home.parent.mkdir()
    new.done("restore", str(first))
    assert stored_in(new.home / "ledger.db") == stored
    assert new.done("checkpoint") == checkpoint
    new.done("dump", str(second))
    assert second.read_bytes() == first.read_bytes()


@pytest.mark.postgres
def test_a_dump_of_sqlite_is_restored_into_postgresql(
    tampered: Tampered,
    dumped: Path,
    new: Corrigenda,
    postgres_url: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """And what is recorded there next has the position behind it."""
    stored = stored_in(tampered.home / "ledger.db")
    monkeypatch.setenv("CORRIGENDA_DATABASE_URL", postgres_url)
    new.home.mkdir(parents=True)
    shutil.copy2(tampered.home / "checkpoint.key", new.home)
    new.done("restore", str(dumped))
    assert stored_in(postgres_url) == stored
    assert new.json("verify")["holds"] is True
    file = tampered.readings / "2025-03-01T191510Z.csv"
    file.write_text(reading(2), encoding="utf-8")
    new.done("import", *ABOUT, str(file))
    assert stored_in(postgres_url).rows[308][0] == 309
    assert "its last position is" in new.refused("restore", str(dumped))


def test_a_restore_that_was_broken_off_is_begun_again(
    tampered: Tampered, dumped: Path, new: Corrigenda
) -> None:
    """A process that died before it committed left frozen bytes and a ledger that is empty."""
    archive = Archive(new.home / "archive")
    archive.put(b"model,score\n")
    open_store(new.home / "ledger.db", clock=utc_now, salt=random_salt).close()
    new.done("restore", str(dumped))
    assert stored_in(new.home / "ledger.db") == stored_in(tampered.home / "ledger.db")
    assert new.json("verify", QUICK)["holds"] is True


# --- what is not in it ------------------------------------------------------------------------


def test_nothing_private_and_no_key_is_in_a_dump(toy: Any, tmp_path: Path) -> None:
    """Not the words of a report, not an account, not the secret half of the key."""
    ledger: Corrigenda = toy.corrigenda
    ledger.done("user", "add", "mira-muster", "--role", "reviewer", "--one-time")
    words = ("--reason", "wrong-value", "--words", SECRET)
    ledger.done("report", "file", "--target", f"claims/{toy.claim('Alpha')}", *words)
    file = tmp_path / "toy.tar.gz"
    ledger.done("dump", str(file))
    shutil.unpack_archive(file, tmp_path / "unpacked", "gztar")
    held = b"\n".join(
        path.read_bytes() for path in (tmp_path / "unpacked").rglob("*") if path.is_file()
    )
    key = (ledger.home / "checkpoint.key").read_text(encoding="utf-8").split("+", 4)[-1].strip()
    assert b"report-filed" in held
    for secret in (SECRET, "mira-muster", key):
        assert secret.encode() not in held
    assert file.stat().st_mode & 0o077 == 0
