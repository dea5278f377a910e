"""Many who write and read at once: none is lost, one writes at a time, nobody waits for ever."""

import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from itertools import count
from random import Random
from threading import Barrier, Event

import pytest

from ledger.errors import Busy, Conflict
from ledger.events import Recorded
from ledger.store import Appended, NewEvents, Store
from ledger.store.batch import ROWS
from tests.ledger.engines import NOON, SECOND, Place, SQLitePlace
from tests.ledger.named import many, names, new

# --- several threads --------------------------------------------------------------------------


def follow(store: Store, done: Event) -> list[Recorded]:
    """Read on from the last position seen, until the writers are done and all is read."""
    seen: list[Recorded] = []
    while True:
        finished = done.is_set()
        page = store.after(seen[-1].position if seen else 0, 7)
        seen += page
        if finished and not page:
            return seen


def write(store: Store, writer: int) -> None:
    """Sixty events in batches of one to three, each beside one that is rolled back half-way."""
    numbers = count()
    for size in (1, 2, 3) * 10:
        batch = [new(f"claim:{writer}-{next(numbers)}", 0, f"kept by {writer}")]
        batch += [new(f"claim:{writer}-{next(numbers)}", 0, "kept") for _ in range(size - 1)]
        store.append(batch, by=f"writer-{writer}")
        with suppress(Conflict):
            store.append([*many(3, f"never-{writer}"), new("claim:0-0", 99, "x")], by="nobody")


def test_four_writers_and_two_followers_lose_nothing(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    """240 events under a jittering clock: each is followed once, in order, none that was undone."""
    # Small chunks, so that rows of a refused batch really are in the table before it fails.
    monkeypatch.setattr("ledger.store.batch.ROWS", 2)
    jitter = Random(7)
    store = place.open(clock=lambda: NOON + jitter.uniform(-60, 60) * SECOND)
    done = Event()
    with ThreadPoolExecutor(6) as pool:
        followers = [pool.submit(follow, store, done) for _ in range(2)]
        writers = [pool.submit(write, store, number) for number in range(4)]
        for writer in writers:
            writer.result()
        done.set()
        seen = [follower.result() for follower in followers]
    records = store.after(0, 1000)
    assert len(records) == 240
    assert seen == [records, records]
    assert not [record for record in records if record.envelope.stream.startswith("never")]
    positions = [record.position for record in records]
    assert positions == sorted(set(positions))
    if isinstance(place, SQLitePlace):
        assert positions == list(range(1, 241))
    times = [record.envelope.recorded_at for record in records]
    assert times == sorted(times)


def test_eight_writers_on_two_stores_lose_nothing(place: Place) -> None:
    """As if in two processes: 240 single appends, none lost to a lock (P016)."""
    stores = [place.open(patience=60), place.open(patience=60)]

    def thirty(writer: int) -> None:
        for number in range(30):
            stores[writer % 2].append([new(f"claim:{writer}-{number}", 0, "x")], by="mira")

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(thirty, range(8)))
    assert len(stores[0].after(0, 1000)) == 240
    assert len({record.envelope.stream for record in stores[1].after(0, 1000)}) == 240


# --- one writer at a time ---------------------------------------------------------------------


def test_a_writer_waits_for_another_and_then_succeeds(place: Place) -> None:
    """The lock is held elsewhere for a moment; the report is stored after waiting (P016)."""
    store = place.open()
    with ThreadPoolExecutor(1) as pool:
        with place.locked():
            waiting = pool.submit(store.append, [new("report:1", 0, "ann")], by="mira")
            time.sleep(0.4)
            assert not waiting.done()
            assert store.head() == 0
        assert waiting.result() == Appended(1, 1, NOON, 1)


def test_a_writer_who_waits_too_long_is_told_so(place: Place) -> None:
    """The refusal speaks to a person, nothing is half-written, and trying again works (P016)."""
    store = place.open(patience=0.3)
    with place.locked(), pytest.raises(Busy, match="try again in a moment") as refusal:
        store.append([new("report:1", 0, "ann")], by="mira")
    assert "locked" not in str(refusal.value)
    assert store.head() == 0
    assert store.append([new("report:1", 0, "ann")], by="mira")


def test_readers_do_not_wait_for_writers(place: Place) -> None:
    """While a long import holds the lock and a second writer queues, every read answers at once."""
    store = place.open(patience=20)
    store.append([new("report:1", 0, "ann")], by="mira")
    go, begun = Event(), Event()

    def slow() -> Iterator[NewEvents]:
        yield from many(ROWS, "slow")
        begun.set()
        go.wait(20)
        yield from many(ROWS, "slower")

    with ThreadPoolExecutor(2) as pool:
        long: Future[Appended | None] = pool.submit(store.append, slow(), by="mira")
        begun.wait(20)
        queued = pool.submit(store.append, [new("report:2", 0, "bo")], by="mira")
        time.sleep(0.1)
        before = time.monotonic()
        for _ in range(20):
            assert store.head() == 1
            assert names(store.stream("report:1")) == ["ann"]
        assert time.monotonic() - before < 10
        assert not queued.done()
        go.set()
        written, after = long.result(), queued.result()
    assert written
    assert after
    assert after.last == written.last + 1


def test_opening_does_not_wait_for_a_writer(place: Place) -> None:
    """A finished ledger opens while somebody else holds the lock."""
    place.open().append([new("report:1", 0, "ann")], by="mira")
    with place.locked():
        assert place.open(patience=0.1).head() == 1


def test_two_may_make_a_ledger_at_once(place: Place) -> None:
    """Whoever comes second finds it made."""
    start = Barrier(4)

    def attempt(_: int) -> Store:
        start.wait()
        return place.open()

    with ThreadPoolExecutor(4) as pool:
        stores = list(pool.map(attempt, range(4)))
    stores[0].append([new("report:1", 0, "ann")], by="mira")
    assert [store.head() for store in stores] == [1] * 4


def test_a_writer_who_is_killed_half_way_leaves_nothing(place: Place) -> None:
    """The half batch is rolled back, the lock is free, and the next writer goes on."""
    store = place.open()
    program = (
        "import sys, time\n"
        "from ledger.store.batch import ROWS\n"
        "from tests.ledger.named import many, open_at\n"
        "def endless():\n"
        "    yield from many(ROWS * 2)\n"
        "    print('half', flush=True)\n"
        "    time.sleep(60)\n"
        "open_at(sys.argv[1]).append(endless(), by='mira')\n"
    )
    command = [sys.executable, "-c", program, place.where]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout
        assert writer.stdout.readline() == "half\n"
        assert store.head() == 0
        writer.kill()
    assert store.append([new("report:1", 0, "ann")], by="mira")
    assert names(store.after(0, 100)) == ["ann"]
