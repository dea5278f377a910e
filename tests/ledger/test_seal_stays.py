"""What was sealed stays: against consoles, dumps, other sealers, and whoever alters the events."""

import sqlite3
from contextlib import closing
from pathlib import Path
from threading import Event, Thread

import psycopg
import pytest

from ledger.errors import Busy
from ledger.proof.merkle import check_consistency
from ledger.proof.tiles import tiles_of
from ledger.seal import Forked, Seals
from ledger.store import NewEvents
from tests.ledger.engines import Place, PostgresPlace, SQLitePlace
from tests.ledger.examples import EXAMPLES
from tests.ledger.sealed import Log, new_log, small

# --- against consoles and dumps ---------------------------------------------------------------

TABLES = ("log_bundles", "log_subtrees", "log_checkpoints", "log_keys")
GUARDED = (
    sqlite3.IntegrityError,
    psycopg.errors.RaiseException,
    psycopg.errors.UniqueViolation,
)


def attempts(place: Place, table: str) -> list[str]:
    """What somebody with a console might try."""
    column = "verifier" if table == "log_keys" else "note" if "check" in table else "number"
    if isinstance(place, PostgresPlace):
        table = f"ledger.{table}"
        return [
            f"UPDATE {table} SET {column} = {column}",
            f"UPDATE {table} SET {column} = {column} WHERE false",
            f"DELETE FROM {table}",
            f"TRUNCATE {table}",
            f"INSERT INTO {table} SELECT * FROM {table}",
            f"MERGE INTO {table} USING (SELECT 1) AS one ON true WHEN MATCHED THEN DELETE",
        ]
    return [
        f"UPDATE {table} SET {column} = {column}",
        f"UPDATE OR REPLACE {table} SET {column} = {column}",
        f"DELETE FROM {table}",
        f"INSERT INTO {table} SELECT * FROM {table}",
        f"INSERT OR REPLACE INTO {table} SELECT * FROM {table}",
    ]


@pytest.mark.parametrize("table", TABLES)
def test_no_statement_changes_what_was_sealed(log: Log, table: str) -> None:
    """UPDATE, DELETE, REPLACE and TRUNCATE fail, and every row stays as it was."""
    log.record(300)
    log.seals.seal()
    log.seals.rotate(bytes(32))
    shown = log.table(table)
    before = log.place.run(f"SELECT * FROM {shown}")
    assert before
    for statement in attempts(log.place, table):
        with pytest.raises(GUARDED):
            log.place.run(statement)
        assert log.place.run(f"SELECT * FROM {shown}") == before, statement


def test_the_log_survives_dump_and_restore(log: Log) -> None:
    """And goes on from where it was, with the same checkpoints, proofs and tiles."""
    log.record(300)
    sealed = log.seals.seal()
    log.store.close()
    before = log.checkpoints()
    log.place.restore()
    again = log.place.open()
    seals = Seals(again, log.keys)
    assert (seals.latest(), log.checkpoints()) == (sealed, before)
    again.append(small(300, 300), by="mira")
    assert seals.seal().size == 600
    log.seals = seals
    log.check()


@pytest.mark.postgres
def test_the_same_bytes_give_the_same_log_on_either_engine_and_back(
    tmp_path: Path, postgres_url: str
) -> None:
    """Copied from SQLite to PostgreSQL and back, row by row: the same leaves, and the very same
    signature under them (P020)."""
    first = new_log(SQLitePlace(str(tmp_path / "first.sqlite")), tmp_path)
    first.store.append([NewEvents("claim:all", 0, tuple(EXAMPLES.values()))], by="mira")
    first.record(600)
    sealed = first.seals.seal()
    middle = new_log(PostgresPlace(postgres_url), tmp_path)
    last = new_log(SQLitePlace(str(tmp_path / "last.sqlite")), tmp_path)
    for source, target in ((first, middle), (middle, last)):
        copy(source.place, target.place)
        assert target.seals.seal() == sealed
        assert target.entries() == first.entries()
        assert target.seals.receipt(1) == first.seals.receipt(1)
        assert [target.seals.tile(one) for one in tiles_of(sealed.size)] == [
            first.seals.tile(one) for one in tiles_of(sealed.size)
        ]
    for one in (first, middle, last):
        one.place.close()


def copy(source: Place, target: Place) -> None:
    """The rows as they are, by the database's own means."""
    rows = [row[1:] for row in source.rows()]
    columns = "(originator_id, originator_version, topic, state)"
    if isinstance(target, PostgresPlace):
        with psycopg.connect(target.where) as server, server.cursor() as cursor:
            cursor.executemany(f"INSERT INTO ledger.events {columns} VALUES (%s, %s, %s, %s)", rows)
        return
    with closing(sqlite3.connect(target.where)) as file, file:
        file.executemany(f"INSERT INTO events {columns} VALUES (?, ?, ?, ?)", rows)


# --- several at once --------------------------------------------------------------------------


def test_nobody_who_reads_waits_for_the_one_who_seals(log: Log) -> None:
    """Pages go on being answered; on PostgreSQL events go on being recorded, too."""
    log.record(3)
    sealed = log.seals.seal()
    with log.store.sealing():
        assert log.seals.latest() == sealed
        assert log.seals.receipt(2).index == 1
        assert log.store.head() == 3
        if isinstance(log.place, PostgresPlace):
            log.record(1)


def test_a_sealer_that_waited_long_says_so_and_the_next_one_seals(
    place: Place, tmp_path: Path
) -> None:
    """Nothing is lost by it."""
    log = new_log(place, tmp_path, patience=0.05)
    log.record(3)
    with log.store.sealing(), pytest.raises(Busy):
        Seals(place.open(patience=0.05), log.keys).seal()
    assert log.seals.seal().size == 3


def test_many_who_seal_while_others_record_give_one_history(log: Log) -> None:
    """Four sealers with stores of their own, two writers, one root for each size."""
    done, failed = Event(), []

    def sealing(seals: Seals) -> None:
        try:
            while not done.is_set():
                seals.seal()
        except BaseException as why:
            failed.append(why)
            raise

    def recording(writer: int) -> None:
        store = log.place.open()
        for number in range(40):
            store.append(small((writer * 40 + number) * 300, 1 + 7 * number), by="mira")

    # Streams of the two writers are their own; the numbers only have to be apart.
    sealers = [Thread(target=sealing, args=(Seals(log.place.open(), log.keys),)) for _ in range(4)]
    writers = [Thread(target=recording, args=(writer,)) for writer in (100, 200)]
    for thread in (*sealers, *writers):
        thread.start()
    for thread in writers:
        thread.join()
    done.set()
    for thread in sealers:
        thread.join()
    assert not failed
    assert log.seals.seal().size == len(log.entries())
    log.check()


# --- when somebody alters the events ----------------------------------------------------------

LAST = {
    "changed": ("UPDATE {} SET state = other WHERE {} = 290", "give another root"),
    "cut off": ("DELETE FROM {} WHERE {} = 300", "are gone"),
    "cut off by more": ("DELETE FROM {} WHERE {} > 100", "are gone"),
}


def alter(log: Log, statement: str) -> None:
    """Run a statement on the events as the database's owner, who can switch the triggers off."""
    events = log.table("events")
    if isinstance(log.place, PostgresPlace):
        run = statement.replace("other", "'\\x00'").format(events, "notification_id")
        log.place.run(
            f"ALTER TABLE {events} DISABLE TRIGGER ALL; {run};"
            f" ALTER TABLE {events} ENABLE ALWAYS TRIGGER events_stay"
        )
        return
    with closing(sqlite3.connect(log.place.where)) as file, file:
        for never in ("changed", "removed"):
            file.execute(f"DROP TRIGGER events_are_never_{never}")
        file.execute(statement.replace("other", "x'00'").format(events, "rowid"))


@pytest.mark.parametrize("how", LAST)
@pytest.mark.parametrize("more", [0, 1, 300])
def test_nothing_is_signed_over_events_that_were_altered(log: Log, how: str, more: int) -> None:
    """Changed or cut off behind the last bundle: the next sealer refuses, and says so each time;
    what was signed before is still there for who compares."""
    statement, why = LAST[how]
    log.record(300)
    sealed = log.seals.seal()
    alter(log, statement)
    log.record(more)
    if how == "changed" and not more:
        # Nothing new to sign: only a look at every byte finds it.
        assert log.seals.seal() == sealed
        log.record(1)
    for _ in range(2):
        with pytest.raises(Forked, match=why if how == "changed" or not more else "covers"):
            log.seals.seal()
    assert [size for size, _, _ in log.checkpoints()] == [300]


def test_an_event_altered_in_a_bundle_changes_no_checkpoint_to_come(log: Log) -> None:
    """The log goes on from what it sealed; verifying finds that the event no longer fits it."""
    log.record(300)
    old, before = log.seals.seal(), log.entries()
    alter(log, "UPDATE {} SET state = other WHERE {} = 7")
    log.record(10)
    new = log.seals.seal()
    assert log.seals.entry(6) == before[6] != log.entries()[6]
    proof = log.seals.consistency(old.size, new.size)
    check_consistency(
        old_size=old.size, old_root=old.root, new_size=new.size, new_root=new.root, proof=proof
    )
