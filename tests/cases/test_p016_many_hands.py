"""Many hands at one ledger (P016)."""

import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path

import pytest

from ledger import commands as orders
from ledger.archive import Archive
from ledger.errors import (
    BadValue,
    Busy,
)
from ledger.ledger import Ledger
from ledger.store import Store, open_store
from tests.ledger.engines import Clock, Place, Salt


def filing(number: int) -> orders.FileReport:
    """A report that says nothing much."""
    return orders.FileReport(
        number=number,
        target="benchmarks/kitebench",
        reason="other",
        received_at=datetime(2025, 7, 28, tzinfo=UTC),
    )


def ledger_on(store: Store, folder: Path) -> Ledger:
    """A ledger on a store, as another process would open it."""
    return Ledger(store, Archive(folder), lambda: datetime(2025, 7, 28, 12, tzinfo=UTC))


def test_a_report_waits_for_an_import_that_holds_the_lock(place: Place, tmp_path: Path) -> None:
    """P016: it is stored once the import is done, and nothing is lost."""
    ledger = ledger_on(place.open(patience=20), tmp_path)
    with ThreadPoolExecutor(1) as pool:
        with place.locked():
            filed = pool.submit(ledger.do, filing(1), "reporter")
            threading.Event().wait(0.5)
            assert not filed.done()
        assert filed.result(20) is not None
    assert ledger.store.head() == 1


def test_a_report_that_cannot_wait_is_told_so_and_leaves_nothing_behind(
    place: Place, tmp_path: Path
) -> None:
    """P016: busy, try again; no half event, and the same report can be filed afterwards."""
    ledger = ledger_on(place.open(patience=0.2), tmp_path)
    with place.locked(), pytest.raises(Busy):
        ledger.do(filing(1), "reporter")
    assert ledger.store.head() == 0
    assert ledger.do(filing(1), "reporter") is not None


def test_eight_writers_and_four_readers_lose_nothing(place: Place, tmp_path: Path) -> None:
    """P016: 240 of 240, without a gap or a double, and no reader sees half of anything."""
    done = threading.Event()

    def write(writer: int) -> None:
        ledger = ledger_on(place.open(patience=60), tmp_path)
        for number in range(30):
            ledger.do(filing(1 + writer * 30 + number), "reporter")

    def look() -> int:
        store = place.open()
        last = 0
        while not done.is_set():
            found = store.after(0, 1_000)
            assert [one.position for one in found] == sorted({one.position for one in found})
            assert len(found) >= last
            assert all(one.envelope.type == "report-filed/1" for one in found)
            last = len(found)
        return last

    with ThreadPoolExecutor(12) as pool:
        readers = [pool.submit(look) for _ in range(4)]
        try:
            for one in [pool.submit(write, writer) for writer in range(8)]:
                one.result(120)
        finally:
            done.set()
        assert all(reader.result(60) <= 240 for reader in readers)
    found = place.open().after(0, 1_000)
    assert len(found) == 240
    assert len({one.envelope.stream for one in found}) == 240
    times = [one.envelope.recorded_at for one in found]
    assert times == sorted(times)


def test_there_is_no_ledger_in_memory() -> None:
    """P016: its readers would see what is rolled back later."""
    with pytest.raises(BadValue, match="a ledger is a file"):
        open_store(":memory:", clock=Clock(), salt=Salt())
