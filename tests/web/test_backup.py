"""Backups that are taken while events come in, and restored: what they hold verifies, and the log
goes on from it."""

import os
import stat
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from itertools import count
from pathlib import Path
from threading import Event, Thread

import psycopg
import pytest

from ledger import events as ev
from ledger.proof.merkle import check_consistency
from ledger.store import NewEvents
from ledger.values import Digest, Slug
from tests.postgres import Server, _newest_binaries, empty_database
from tests.web.corrigenda import Corrigenda, Toy
from tests.web.following import base_backup, own_server, recovered
from web.settings import Settings
from web.wiring import Workspace, open_workspace, utc_now

DATABASE = "CORRIGENDA_DATABASE_URL"


@contextmanager
def busy(workspace: Workspace, at_least: int = 10) -> Iterator[None]:
    """Somebody who writes all the time: a private text, and then the event that names it."""
    enough, over = Event(), Event()

    def write() -> None:
        for number in count():
            if over.is_set():
                return
            digest = workspace.private.keep_words(f"Text {number}.")
            name = Slug(f"kept-{digest}")
            event = ev.BenchmarkRegistered(slug=name, name=f"No {number}", read_at=utc_now())
            workspace.ledger.store.append([NewEvents(f"benchmark:{name}", 0, (event,))], by="ada")
            workspace.catch_up()
            if number >= at_least:
                enough.set()

    writer = Thread(target=write)
    writer.start()
    try:
        assert enough.wait(60)
        yield
    finally:
        over.set()
        writer.join()


def holds(settings: Settings, log: Workspace) -> int:
    """That a restored ledger verifies, lacks no private text, and is a beginning of the log; gives
    how far it goes."""
    with closing(open_workspace(settings)) as restored:
        store = restored.ledger.store
        for record in store.after(0, 100_000):
            if record.envelope.stream.startswith("benchmark:kept-"):
                digest = Digest(record.envelope.stream.rpartition("-")[2])
                assert restored.private.verify(digest), record.position
        assert restored.follower.position() <= store.head()
        then = restored.seals.latest()
        position = store.head()
    verified = Corrigenda(settings.home).json("verify")
    assert verified["holds"], verified["findings"]
    now = log.seals.seal()
    assert then is not None
    assert 0 < then.size < now.size
    proof = log.seals.consistency(then.size, now.size)
    check_consistency(
        old_size=then.size,
        old_root=then.root,
        new_size=now.size,
        new_root=now.root,
        proof=proof,
    )
    return position


def test_a_home_is_copied_while_it_is_written_to(toy: Toy, tmp_path: Path) -> None:
    """Three copies, each of one moment; each is a home that verifies, and the log goes on."""
    home = toy.corrigenda.home
    with closing(open_workspace(Settings(home=home))) as workspace:
        copies = [tmp_path / f"copy-{number}" for number in range(3)]
        with busy(workspace):
            for copy in copies:
                assert toy.corrigenda.run("backup", str(copy)).exit_code == 0
        # One more, so that the log is longer than each of them.
        event = ev.BenchmarkRegistered(slug=Slug("last"), name="Last", read_at=utc_now())
        workspace.ledger.store.append([NewEvents("benchmark:last", 0, (event,))], by="ada")
        reached = [holds(Settings(home=copy), workspace) for copy in copies]
    assert reached == sorted(reached)
    rows = [Corrigenda(one).json("board", "toy")["rows"] for one in (copies[0], home)]
    assert rows[0] == rows[1]


def test_a_copy_is_for_its_owner_and_has_no_key(toy: Toy, tmp_path: Path) -> None:
    """What people told us is in it, so nobody else may look; and it cannot sign."""
    out = tmp_path / "copy"
    said = toy.corrigenda.run("backup", str(out)).stderr
    assert "checkpoint.key apart" in said
    assert stat.S_IMODE(out.stat().st_mode) == 0o700
    found = {path.name: stat.S_IMODE(path.stat().st_mode) for path in out.iterdir()}
    assert found.pop("archive")
    assert found == dict.fromkeys(("ledger.db", "views.db", "private.db"), 0o600)
    with closing(open_workspace(Settings(home=out))) as workspace:
        assert not workspace.seals.can_seal


def test_nothing_is_left_of_a_copy_that_failed(toy: Toy, tmp_path: Path) -> None:
    """What is there already stays; a damaged archive is named, and leaves nothing behind."""
    (tmp_path / "taken").mkdir()
    before = set(tmp_path.iterdir())
    assert "is there already" in toy.corrigenda.refused("backup", str(tmp_path / "taken"))
    assert "cannot be made" in toy.corrigenda.refused("backup", str(tmp_path / "no" / "where"))
    digest = toy.snapshot()
    file = toy.corrigenda.home / "archive" / digest[:2] / digest[2:4] / digest
    file.chmod(0o600)
    file.write_bytes(b"something else")
    assert digest in toy.corrigenda.refused("backup", str(tmp_path / "copy"))
    assert set(tmp_path.iterdir()) == before


@pytest.fixture
def on_server(
    postgres_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Workspace]:
    """A new ledger in PostgreSQL, open."""
    monkeypatch.setenv(DATABASE, postgres_url)
    home = tmp_path / "home"
    Corrigenda(home).done("init")
    with closing(open_workspace(Settings(home=home, database_url=postgres_url))) as workspace:
        yield workspace


@pytest.mark.postgres
def test_a_database_is_dumped_while_it_is_written_to(
    on_server: Workspace, postgres_server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """``pg_dump`` sees one moment of all three schemas; what ``pg_restore`` makes of it holds."""
    url, dump = str(on_server.settings.database_url), tmp_path / "corrigenda.dump"
    refusal = Corrigenda(on_server.settings.home).refused("backup", str(tmp_path / "copy"))
    assert "pg_dump" in refusal
    with busy(on_server):
        program("pg_dump", "--format=custom", f"--file={dump}", url)
    with empty_database(postgres_server) as restored:
        program("pg_restore", "--exit-on-error", "--no-owner", f"--dbname={restored}", str(dump))
        monkeypatch.setenv(DATABASE, restored)
        settings = Settings(home=on_server.settings.home, database_url=restored)
        assert holds(settings, on_server) >= 10
        with (
            psycopg.connect(restored) as connection,
            pytest.raises(psycopg.errors.RaiseException, match="never changed"),
        ):
            connection.execute("DELETE FROM ledger.events")


@pytest.mark.postgres
def test_a_lost_server_is_brought_back_from_a_base_backup_and_its_wal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All that was recorded after the base backup comes back too, up to the last WAL kept."""
    home = tmp_path / "home"
    with own_server(wal_kept=True) as own, empty_database(own.server) as url:
        monkeypatch.setenv(DATABASE, url)
        Corrigenda(home).done("init")
        with closing(open_workspace(Settings(home=home, database_url=url))) as log:
            with busy(log):
                base = base_backup(own, "base")
            then = log.ledger.store.head()
            with busy(log):
                pass
            assert log.ledger.store.head() > then
            last = log.seals.seal().position
            file = own.run("SELECT pg_walfile_name(pg_switch_wal())")
            while (own.run("SELECT last_archived_wal FROM pg_stat_archiver") or "") < file:
                pass
            with busy(log, at_least=0):
                pass  # This is lost, if the server is.
            with recovered(own, base) as back:
                while back.run("SELECT pg_is_in_recovery()"):
                    pass
                there = back.server.url(url.rpartition("/")[2])
                monkeypatch.setenv(DATABASE, there)
                assert holds(Settings(home=home, database_url=there), log) >= last > then


def program(name: str, *words: str) -> None:
    """One of PostgreSQL's programs, which has to work."""
    environment = {"PATH": os.defpath, "LC_ALL": "C.UTF-8"}
    done = subprocess.run(
        [str(_newest_binaries() / name), *words],
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
