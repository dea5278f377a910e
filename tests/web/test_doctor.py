"""What the doctor finds, and what it leaves as it is."""

import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import orjson
import psycopg
import pytest

from ledger import events as ev
from ledger.store import NewEvents
from ledger.values import Slug
from tests.web.corrigenda import Corrigenda, Toy
from tests.web.desk import START, Ticking, fill
from web.settings import Settings
from web.wiring import make_key, open_workspace


def examined(corrigenda: Corrigenda, *words: str) -> dict[str, tuple[str, str]]:
    """What the doctor says, by the names of the checks; its status fits."""
    result = corrigenda.run("doctor", "--json", *words)
    document: Any = orjson.loads(result.stdout)
    found = {one["name"]: (one["state"], one["said"]) for one in document["checks"]}
    is_well = "error" not in {state for state, _ in found.values()}
    assert (document["well"], result.exit_code) == (is_well, 0 if is_well else 1)
    return found


def ills(found: dict[str, tuple[str, str]]) -> dict[str, str]:
    """What is not ok, by name."""
    return {name: state for name, (state, _) in found.items() if state != "ok"}


def test_a_home_that_is_well_is_said_to_be(toy: Toy) -> None:
    """Each check in a line, and the database by its version."""
    found = examined(toy.corrigenda, "--deep")
    assert ills(found) == {}
    assert sqlite3.sqlite_version in found["database"][1]
    assert "give their SHA-256" in found["archive"][1]


def test_what_comes_right_by_itself_is_a_warning(toy: Toy) -> None:
    """Something was recorded just now, and nothing has followed it yet."""
    bog = ev.BenchmarkRegistered(slug=Slug("bog"), name="Bog", read_at=START)
    with closing(open_workspace(Settings(home=toy.corrigenda.home))) as workspace:
        workspace.ledger.store.append([NewEvents("benchmark:bog", 0, (bog,))], by="curator")
    found = examined(toy.corrigenda)
    assert ills(found) == {"log": "warning", "read model": "warning"}
    toy.corrigenda.done("checkpoint")
    toy.corrigenda.done("board", "toy")
    assert ills(examined(toy.corrigenda)) == {}


def test_a_guard_that_somebody_took_away_is_missed_and_put_back(toy: Toy) -> None:
    """Said once, with what to do; one of the same name that guards nothing is no guard."""
    empty = "CREATE TRIGGER {} BEFORE UPDATE ON {} BEGIN SELECT 1; END"
    with closing(sqlite3.connect(toy.corrigenda.home / "ledger.db")) as connection:
        connection.execute("DROP TRIGGER events_are_never_removed")
        connection.execute("DROP TRIGGER log_keys_are_never_changed")
        connection.execute(empty.format("log_keys_are_never_changed", "log_keys"))
    found = examined(toy.corrigenda)
    assert ills(found) == {"triggers": "error"}
    for word in ("events_are_never_removed", "log_keys_are_never_changed", "corrigenda verify"):
        assert word in found["triggers"][1]
    again = examined(toy.corrigenda)["triggers"]
    assert again[0] == "error"
    assert "events_are_never_removed" not in again[1]


def test_a_ledger_that_is_gone_is_not_made_anew(toy: Toy) -> None:
    """An empty one would look well."""
    path = toy.corrigenda.home / "ledger.db"
    path.unlink()
    found = examined(toy.corrigenda)
    assert found["database"] == ("error", str(_missing(path)))
    assert found["ledger"] == ("error", "It was not looked at, as the database is not well.")
    assert not path.exists()


def _missing(path: Path) -> str:
    return f"There is no database {path}; bring it back from a backup."


def test_altered_bytes_are_found_by_whoever_looks_deep(toy: Toy) -> None:
    """A missing file is seen by its name, another content by reading it."""
    digest = toy.snapshot()
    path = toy.corrigenda.home / "archive" / digest[:2] / digest[2:4] / digest
    path.chmod(0o600)
    path.write_bytes(b"something else")
    assert ills(examined(toy.corrigenda)) == {}
    assert ills(examined(toy.corrigenda, "--deep")) == {"archive": "error"}
    path.unlink()
    found = examined(toy.corrigenda)
    assert ills(found) == {"archive": "error"}
    assert digest in found["archive"][1]


def test_a_clock_that_went_back_is_an_error(tmp_path: Path) -> None:
    """It says what will come of it; a private store that others may read is a warning."""
    home = tmp_path / "home"
    settings = Settings(home=home)
    ahead = Ticking(datetime(2999, 1, 1, tzinfo=UTC))
    fill(settings, ahead)
    with closing(open_workspace(settings, clock=ahead)) as workspace:
        make_key(workspace)
        workspace.catch_up()
    (home / "private.db").chmod(0o640)
    found = examined(Corrigenda(home))
    assert ills(found) == {"clock": "error", "private store": "warning"}
    assert "2999-01-01" in found["clock"][1]
    assert "chmod 600" in found["private store"][1]


def test_postgresql_is_looked_at_in_the_same_way(
    postgres_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its version, its guards, and what we may do there."""
    monkeypatch.setenv("CORRIGENDA_DATABASE_URL", postgres_url)
    corrigenda = Corrigenda(tmp_path / "home")
    corrigenda.done("init")
    found = examined(corrigenda)
    assert ills(found) == {}
    assert found["database"][1].startswith("PostgreSQL ")
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        connection.execute("ALTER TABLE ledger.events DISABLE TRIGGER events_stay")
        found = examined(corrigenda)
        assert ills(found) == {"triggers": "error"}
        assert "ledger.events" in found["triggers"][1]
        connection.execute("REVOKE INSERT ON ledger.events FROM corrigenda")
    found = examined(corrigenda)
    assert "lets us read and not write" in found["database"][1]
