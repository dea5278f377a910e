"""Who waits for events: is woken by a notice, and looks anyway if none comes."""

import time
from concurrent.futures import ThreadPoolExecutor

from ledger.store import Store
from tests.ledger.engines import Place, PostgresPlace
from tests.ledger.named import new
from tests.ledger.tampering import COLUMNS


def test_waiting_ends_at_once_when_there_is_something(store: Store) -> None:
    """What was recorded before the wait counts."""
    store.append([new("report:1", 0, "ann")], by="mira")
    before = time.monotonic()
    assert store.wait(0, timeout=20)
    assert time.monotonic() - before < 10


def test_waiting_in_vain_ends_after_its_timeout(store: Store) -> None:
    """Nothing comes, and the answer says so."""
    before = time.monotonic()
    assert not store.wait(0, timeout=0.3)
    assert 0.3 <= time.monotonic() - before < 10


def test_who_waits_sees_what_another_process_records(place: Place) -> None:
    """Three threads wait on one store; an append through another one wakes them all."""
    here, there = place.open(), place.open()
    with ThreadPoolExecutor(3) as pool:
        waiting = [pool.submit(here.wait, 0, 20) for _ in range(3)]
        time.sleep(0.2)
        before = time.monotonic()
        there.append([new("report:1", 0, "ann")], by="mira")
        assert all(one.result() for one in waiting)
    assert time.monotonic() - before < 10


def test_a_lost_notice_delays_and_never_loses(postgres_url: str) -> None:
    """A row that came without any notice is seen within the interval of looking (P012)."""
    place = PostgresPlace(postgres_url)
    store = place.open()
    assert not store.wait(0, timeout=0.1)
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(store.wait, 0, 20)
        place.run(f"INSERT INTO ledger.events {COLUMNS} VALUES ('report:1', 1, 'x', '\\x00')")
        before = time.monotonic()
        assert waiting.result()
    assert time.monotonic() - before < 10
    place.close()


def test_a_cut_listener_is_replaced(postgres_url: str) -> None:
    """Whoever waits goes on by looking, and hears again later (P012)."""
    place = PostgresPlace(postgres_url)
    store = place.open()
    store.wait(0, timeout=0.1)
    cut = (
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
        " WHERE datname = current_database() AND query LIKE 'LISTEN%'"
    )
    assert place.run(cut) == [(True,)]
    assert not store.wait(0, timeout=0.2)
    assert not store.wait(0, timeout=0.2)
    listening = place.run(cut.replace("pg_terminate_backend(pid)", "count(*)"))
    assert listening == [(1,)]
    place.close()
