"""Opening a ledger: which addresses will do, and why another does not."""

import time
from pathlib import Path

import psycopg
import pytest

from ledger.errors import BadValue
from ledger.store import Unavailable
from tests.ledger.engines import PostgresPlace
from tests.ledger.named import new, open_at
from tests.postgres import Server


@pytest.mark.parametrize("where", [":memory:", "file::memory:?cache=shared", "x?mode=memory"])
def test_a_ledger_in_memory_is_not_offered(
    where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its readers would see what is rolled back later (P016)."""
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BadValue, match="a ledger is a file"):
        open_at(where)


@pytest.mark.parametrize("where", ["mysql://u:geheim@h/d", "postgresql://u:geheim@[::1/d"])
def test_an_address_of_another_kind_is_refused(where: str) -> None:
    """The refusal says what will do, and keeps the password to itself."""
    with pytest.raises(BadValue) as refusal:
        open_at(where)
    assert "geheim" not in str(refusal.value)


def test_a_folder_that_is_not_there_is_named_as_the_reason(tmp_path: Path) -> None:
    """An SQLite file is made, its folder is not."""
    with pytest.raises(Unavailable, match="unable to open database file"):
        open_at(tmp_path / "none" / "ledger.sqlite")


def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    """Somebody's text file is neither read nor overwritten."""
    path = tmp_path / "ledger.sqlite"
    path.write_text("not a database, but long enough to be taken for one\n" * 20)
    with pytest.raises(Unavailable, match="not a database"):
        open_at(path)
    assert path.read_text().startswith("not a database")


@pytest.mark.parametrize("name", ["a ledger?.sqlite", "50%.sqlite", "file:ledger", "#1"])
def test_any_file_name_will_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """A name is a name, though SQLite could read it as an address."""
    monkeypatch.chdir(tmp_path)
    store = open_at(name)
    store.append([new("report:1", 0, "ann")], by="mira")
    store.close()
    assert (tmp_path / name).is_file()


@pytest.mark.postgres
def test_a_server_that_refuses_is_reported_at_once(postgres_url: str) -> None:
    """The reason is given, the password is not."""
    right = postgres_url.split(":")[2].partition("@")[0]
    wrong = postgres_url.replace(right, "geheim")
    before = time.monotonic()
    with pytest.raises(Unavailable, match="authentication failed") as refusal:
        open_at(wrong)
    assert time.monotonic() - before < 10
    assert "geheim" not in str(refusal.value)


@pytest.mark.postgres
def test_a_server_that_restarts_is_found_again(postgres_url: str, postgres_server: Server) -> None:
    """Connections that broke meanwhile are replaced without anybody noticing."""
    place = PostgresPlace(postgres_url)
    store = place.open()
    store.append([new("report:1", 0, "ann")], by="mira")
    with postgres_server.as_owner() as owner:
        owner.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s",
            (postgres_url.rpartition("/")[2],),
        )
    assert store.head() == 1
    assert store.append([new("report:1", 1, "bo")], by="mira")
    place.close()


@pytest.mark.postgres
def test_a_finished_ledger_needs_no_right_to_make_anything(
    postgres_url: str, postgres_server: Server
) -> None:
    """An operator may give the server a user who can only read and append."""
    PostgresPlace(postgres_url).open().close()
    database = postgres_url.rpartition("/")[2]
    with psycopg.connect(postgres_server.url(database, user="postgres")) as owner:
        owner.execute(f"CREATE ROLE plain_{database} LOGIN PASSWORD 'x'".encode())
        owner.execute(f"GRANT USAGE ON SCHEMA ledger TO plain_{database}".encode())
        grant = f"GRANT SELECT, INSERT, UPDATE ON ledger.events TO plain_{database}"
        owner.execute(grant.encode())
    url = postgres_server.url(database, user=f"plain_{database}")
    plain = PostgresPlace(url.replace(postgres_server.password, "x"))
    assert plain.open().append([new("report:1", 0, "ann")], by="mira")
    with pytest.raises(psycopg.errors.RaiseException):
        plain.run("UPDATE ledger.events SET topic = 'x'")
    plain.close()
    with psycopg.connect(postgres_server.url(database, user="postgres")) as owner:
        owner.execute(f"DROP OWNED BY plain_{database}".encode())
        owner.execute(f"DROP ROLE plain_{database}".encode())
