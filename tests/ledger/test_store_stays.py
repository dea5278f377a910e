"""Nothing that a store holds is ever changed, by whatever way in; nor is a byte of it."""

import sqlite3
from contextlib import suppress
from pathlib import Path

import psycopg
import pytest

from ledger.errors import Conflict
from ledger.store import NewEvents
from ledger.store.batch import ROWS
from tests.ledger.engines import Place, PostgresPlace, Salt, SQLitePlace
from tests.ledger.examples import EXAMPLES
from tests.ledger.named import many, new
from tests.ledger.tampering import GUARDED, attempts
from tests.postgres import Server

# --- nothing is ever changed ------------------------------------------------------------------


def test_no_statement_changes_what_is_recorded(place: Place) -> None:
    """UPDATE, DELETE, REPLACE, upserts and TRUNCATE fail, and every row stays as it was."""
    place.open().append([new("report:1", 0, "ann", "bo", "cy")], by="mira")
    before = place.rows()
    assert len(before) == 3
    for statement in attempts(place):
        with pytest.raises(GUARDED):
            place.run(statement)
        assert place.rows() == before, statement


def test_no_row_is_slipped_in_before_others(tmp_path: Path) -> None:
    """A gap in SQLite's positions, should there ever be one, is not filled later."""
    place = SQLitePlace(str(tmp_path / "ledger.sqlite"))
    place.open().append([new("report:1", 0, "ann")], by="mira")
    place.run("INSERT INTO events VALUES (100, 'report:8', 1, 'x', x'00')")
    with pytest.raises(sqlite3.IntegrityError, match="after all others"):
        place.run("INSERT INTO events VALUES (50, 'report:9', 1, 'x', x'00')")
    place.close()


def test_replication_mode_does_not_open_a_door(postgres_url: str, postgres_server: Server) -> None:
    """Not even for a superuser who switches ordinary triggers off."""
    place = PostgresPlace(postgres_url)
    place.open().append([new("report:1", 0, "ann")], by="mira")
    place.close()
    owner = postgres_server.url(postgres_url.rpartition("/")[2], user="postgres")
    with psycopg.connect(owner) as connection:
        connection.execute("SET session_replication_role = replica")
        with pytest.raises(psycopg.errors.RaiseException, match="never changed"):
            connection.execute("DELETE FROM ledger.events")


def test_a_lost_trigger_is_put_back(place: Place) -> None:
    """Opening a ledger whose guards were taken off puts them on again."""
    place.open().append([new("report:1", 0, "ann")], by="mira")
    if isinstance(place, PostgresPlace):
        place.run("DROP TRIGGER events_stay ON ledger.events")
    else:
        place.run("DROP TRIGGER events_are_never_removed")
    place.open()
    with pytest.raises(GUARDED):
        place.run(attempts(place)[2])


def test_vacuum_keeps_positions(place: Place) -> None:
    """Also across a gap, where SQLite would renumber a bare rowid (trap 2)."""
    store = place.open()
    store.append([new("report:1", 0, "ann")], by="mira")
    if isinstance(place, SQLitePlace):
        state = store.stream("report:1")[0].stored.hex()
        place.run(f"INSERT INTO events VALUES (100, 'report:2', 1, 'x', x'{state}')")
        store.append([new("report:3", 0, "bo")], by="mira")
        before = place.rows()
        place.run("VACUUM")
    else:
        # What is rolled back leaves a gap.
        with suppress(Conflict):
            store.append([*many(ROWS, "claim"), new("report:1", 9, "x")], by="mira")
        store.append([new("report:3", 0, "bo")], by="mira")
        before = place.rows()
        with psycopg.connect(place.where, autocommit=True) as connection:
            connection.execute("VACUUM FULL ledger.events")
    assert before[-1][0] > 100
    assert place.rows() == before
    assert [record.position for record in store.after(0, 10)] == [row[0] for row in before]


# --- stored bytes -----------------------------------------------------------------------------


@pytest.mark.postgres
def test_both_engines_store_the_same_bytes(tmp_path: Path, postgres_url: str) -> None:
    """What is hashed does not depend on the database (P020)."""
    kept = []
    for place in (SQLitePlace(str(tmp_path / "ledger.sqlite")), PostgresPlace(postgres_url)):
        store = place.open()
        store.append([NewEvents("claim:all", 0, tuple(EXAMPLES.values()))], by="mira")
        store.append(many(ROWS + 5), by="mira", cause="import:1")
        kept.append([(record.position, record.stored) for record in store.after(0, 10_000)])
        place.close()
    assert kept[0] == kept[1]


def test_stored_bytes_survive_dump_and_restore(place: Place) -> None:
    """Bytes, positions and guards are the same afterwards, and the next position follows (P020)."""
    store = place.open()
    store.append([NewEvents("claim:all", 0, tuple(EXAMPLES.values()))], by="mira")
    store.append([new("report:1", 0, "é", "\x00", "'; --", "\\")], by="mira")
    before, head, stored = place.rows(), store.head(), [r.stored for r in store.after(0, 1000)]
    store.close()
    place.opened.clear()
    place.restore()
    assert place.rows() == before
    again = place.open()
    assert [record.stored for record in again.after(0, 1000)] == stored
    done = again.append([new("report:2", 0, "next")], by="mira")
    assert done
    assert done.first == head + 1
    for statement in attempts(place)[:3]:
        with pytest.raises(GUARDED):
            place.run(statement)


def test_every_event_has_a_salt_of_its_own(place: Place) -> None:
    """One draw per append, 128 bits per event, and none twice."""
    salt = Salt()
    store = place.open(salt=salt)
    store.append(many(ROWS + 5), by="mira")
    store.append([new("claim:a", 0, "x")], by="mira")
    salts = [record.envelope.salt for record in store.after(0, 10_000)]
    assert salt.drawn == 2
    assert len(set(salts)) == ROWS + 6
    assert all(len(bytes.fromhex(one)) == 16 for one in salts)


def test_a_short_salt_is_refused(place: Place) -> None:
    """Fewer than 128 bits could be guessed."""
    store = place.open(salt=lambda: "abcd")
    with pytest.raises(ValueError, match="16 bytes"):
        store.append([new("report:1", 0, "ann")], by="mira")
