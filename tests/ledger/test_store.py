"""What a store promises, shown on both engines by the same tests."""

import sqlite3
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from datetime import timedelta
from itertools import count
from pathlib import Path
from random import Random
from threading import Barrier, Event

import psycopg
import pytest
from eventsourcing.sqlite import SQLiteConnection

from ledger.errors import BadValue, Busy, Conflict
from ledger.events import Recorded, ReportAssigned
from ledger.store import Appended, NewEvents, Store, Unavailable, Unconfirmed, open_store
from ledger.store.batch import ROWS
from ledger.wire import decode
from tests.ledger.cut import CutLine
from tests.ledger.engines import NOON, Clock, Place, PostgresPlace, Salt, SQLitePlace
from tests.ledger.examples import EXAMPLES
from tests.postgres import Server

BOTH = ("sqlite", pytest.param("postgres", marks=pytest.mark.postgres))
SECOND = timedelta(seconds=1)


@pytest.fixture(params=BOTH)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Place]:
    """An empty place for a ledger, on either engine."""
    found: Place
    if request.param == "sqlite":
        found = SQLitePlace(str(tmp_path / "ledger.sqlite"))
    else:
        found = PostgresPlace(request.getfixturevalue("postgres_url"))
    yield found
    found.close()


@pytest.fixture
def store(place: Place) -> Store:
    """An open store with a clock that moves on by a second an append."""
    return place.open()


def new(stream: str, expected_version: int, *names: str) -> NewEvents:
    """Small events that can be told apart by a name."""
    return NewEvents(stream, expected_version, tuple(ReportAssigned(to=name) for name in names))


def names(records: list[Recorded]) -> list[str]:
    """The names that tell small events apart."""
    return [record.event.to for record in records if isinstance(record.event, ReportAssigned)]


def many(size: int, stream: str = "report") -> Iterator[NewEvents]:
    """A generator of as many streams with one event each."""
    return (new(f"{stream}:{number}", 0, str(number)) for number in range(size))


# --- append and read --------------------------------------------------------------------------


def test_what_is_appended_is_read_back(store: Store) -> None:
    """Stream, version, name, author, cause and event come back as they went in."""
    done = store.append([new("report:1", 0, "ann", "bo")], by="mira", cause="import:7")
    assert done == Appended(first=1, last=2, recorded_at=NOON, count=2)
    records = store.stream("report:1")
    assert names(records) == ["ann", "bo"]
    assert [record.position for record in records] == [1, 2]
    assert [record.envelope.version for record in records] == [1, 2]
    envelope = records[1].envelope
    assert (envelope.stream, envelope.type) == ("report:1", "report-assigned/1")
    assert (envelope.recorded_by, envelope.cause) == ("mira", "import:7")
    assert envelope.recorded_at == NOON


def test_every_event_survives_the_store(store: Store) -> None:
    """Each kind of event, with every field filled in, comes back equal."""
    events = tuple(EXAMPLES.values())
    store.append([NewEvents("claim:all", 0, events)], by="mira")
    assert tuple(record.event for record in store.stream("claim:all")) == events


def test_a_new_ledger_is_empty(store: Store) -> None:
    """There is nothing to read, and asking is no error."""
    assert store.head() == 0
    assert store.stream("report:1") == []
    assert store.after(0, 10) == []
    assert store.recorded_at(5) is None
    assert store.position_at(NOON) == 0


@pytest.mark.parametrize("empty", [[], (), iter(())])
def test_an_empty_batch_records_nothing(store: Store, empty: list[NewEvents]) -> None:
    """No events, no position, no lock."""
    assert store.append(empty, by="mira") is None
    assert store.head() == 0


def test_a_batch_is_read_in_the_order_of_its_events(store: Store) -> None:
    """One instant for the whole batch; the position tells what came first (P024)."""
    store.append([new("claim:a", 0, "72.5", "70.1", "70.3")], by="mira")
    store.append([new("claim:b", 0, "72.5"), new("claim:b", 1, "70.3", "70.1")], by="mira")
    for _ in range(20):
        assert names(store.stream("claim:a")) == ["72.5", "70.1", "70.3"]
        assert names(store.stream("claim:b")) == ["72.5", "70.3", "70.1"]
    first, second = store.stream("claim:a"), store.stream("claim:b")
    assert len({record.envelope.recorded_at for record in first}) == 1
    assert len({record.envelope.recorded_at for record in second}) == 1


def test_pages_of_one_show_every_event_once(store: Store) -> None:
    """Paging by position loses nothing and repeats nothing, also within one instant (P024)."""
    store.append(many(7), by="mira")
    seen: list[Recorded] = []
    while page := store.after(seen[-1].position if seen else 0, 1):
        seen += page
    assert names(seen) == [str(number) for number in range(7)]


def test_reading_on_stops_where_it_is_told_to(store: Store) -> None:
    """`after` is exclusive, `upto` inclusive, and a limit is kept."""
    store.append(many(9), by="mira")
    assert names(store.after(2, 100, upto=5)) == ["2", "3", "4"]
    assert names(store.after(2, 2, upto=5)) == ["2", "3"]
    assert store.after(9, 100) == []
    assert store.after(10**30, 100, upto=10**30) == []
    assert store.after(0, 0) == []


def test_many_streams_are_read_at_once(store: Store) -> None:
    """Each stream comes once, whole and in its own order; unknown ones are left out."""
    store.append([new(f"claim:{n}", 0, f"{n}a", f"{n}b") for n in range(1200)], by="mira")
    wanted = [f"claim:{n}" for n in (*range(0, 1200, 2), 0, 5000)]
    found: dict[str, list[Recorded]] = {}
    for record in store.streams(wanted):
        found.setdefault(record.envelope.stream, []).append(record)
    assert found.keys() == {f"claim:{n}" for n in range(0, 1200, 2)}
    assert all(names(records) == [f"{s[6:]}a", f"{s[6:]}b"] for s, records in found.items())


def test_a_stream_is_read_from_its_end(store: Store) -> None:
    """So many of its events between two positions, whatever else was recorded between them."""
    store.append([new("report:1", 0, "ann", "bo"), new("report:2", 0, "x")], by="mira")
    store.append([new("report:1", 2, "cy"), new("report:1", 3, "dot")], by="mira")

    def read(low: int, high: int, limit: int) -> list[str]:
        found = store.stored_of_stream("report:1", low, high, limit)
        return names([decode(position, stored) for position, stored in found])

    assert read(1, 99, 10) == ["dot", "cy", "bo", "ann"]
    assert read(1, 99, 2) == ["dot", "cy"]
    assert read(2, 4, 10) == ["cy", "bo"]
    assert read(1, 99, 0) == []
    assert store.stored_of_stream("report:9", 1, 99, 10) == []


@pytest.mark.parametrize("stream", ["", "claim:é", "claim:\n", "claim:\u202e"])
def test_a_stream_has_a_printable_name(stream: str) -> None:
    """What a reader cannot see in a stream's name is refused."""
    with pytest.raises(BadValue):
        NewEvents(stream, 0, ())


# --- expected versions ------------------------------------------------------------------------


@pytest.mark.parametrize("expected", [0, 1, 3, 99])
def test_a_stream_that_moved_on_is_a_conflict(store: Store, expected: int) -> None:
    """Only the version that the stream really has will do, and the refusal names it."""
    store.append([new("report:1", 0, "ann", "bo")], by="mira")
    with pytest.raises(Conflict, match=f"report:1 has moved on to version 2 .*{expected}"):
        store.append([new("report:1", expected, "cy")], by="mira")
    assert names(store.stream("report:1")) == ["ann", "bo"]


def test_a_conflict_saves_nothing_of_the_batch(store: Store) -> None:
    """Neither the streams before the one that moved on, nor those after it."""
    store.append([new("claim:b", 0, "old")], by="mira")
    batch = [new("claim:a", 0, "x"), new("claim:b", 0, "x"), new("claim:c", 0, "x")]
    with pytest.raises(Conflict):
        store.append(batch, by="mira")
    assert names(store.after(0, 100)) == ["old"]


def test_a_conflict_in_a_late_chunk_saves_nothing_of_the_first(store: Store) -> None:
    """A long batch is one transaction, though it is written in pieces."""
    store.append([new(f"report:{ROWS + 10}", 0, "old")], by="mira")
    with pytest.raises(Conflict):
        store.append(many(ROWS * 2), by="mira")
    assert names(store.after(0, 100)) == ["old"]


def test_a_generator_that_fails_saves_nothing(store: Store) -> None:
    """What was written before the failure is rolled back, and the failure is passed on."""

    def broken() -> Iterator[NewEvents]:
        yield from many(ROWS + 1)
        raise OSError("the file ends here")

    with pytest.raises(OSError, match="ends here"):
        store.append(broken(), by="mira")
    assert store.head() == 0
    assert store.append([new("report:1", 0, "ann")], by="mira")


def test_a_stream_may_occur_again_in_a_batch(store: Store) -> None:
    """With rising versions; anything else is a conflict."""
    store.append([new("claim:a", 0, "1"), new("claim:b", 0, "2"), new("claim:a", 1, "3")], by="m")
    assert names(store.stream("claim:a")) == ["1", "3"]
    with pytest.raises(Conflict):
        store.append([new("claim:a", 2, "4"), new("claim:a", 2, "5")], by="mira")
    assert names(store.stream("claim:a")) == ["1", "3"]


def test_a_stream_may_occur_again_many_chunks_later(store: Store) -> None:
    """The version it reached in an earlier chunk of the batch counts."""
    batch = [new("claim:a", 0, "1"), *many(ROWS * 2), new("claim:a", 1, "2")]
    store.append(batch, by="mira")
    assert names(store.stream("claim:a")) == ["1", "2"]


def test_a_version_can_be_insisted_on_without_events(store: Store) -> None:
    """A decision may rest on a stream that it does not change."""
    store.append([new("claim:a", 0, "1")], by="mira")
    assert store.append([new("claim:a", 1), new("claim:b", 0, "x")], by="mira")
    with pytest.raises(Conflict):
        store.append([new("claim:a", 2), new("claim:c", 0, "x")], by="mira")
    assert store.stream("claim:c") == []


def test_of_two_who_saw_the_same_version_one_is_told(place: Place) -> None:
    """Eight writers want to be the first event of a stream; one is, seven get a conflict."""
    store = place.open()
    start = Barrier(8)

    def attempt(number: int) -> bool:
        start.wait()
        try:
            store.append([new("report:1", 0, str(number))], by="mira")
        except Conflict:
            return False
        return True

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(attempt, range(8))) == 1
    assert len(store.stream("report:1")) == 1


# --- large batches ----------------------------------------------------------------------------


@pytest.mark.timeout(60)
@pytest.mark.parametrize("shape", ["many streams", "one stream"])
def test_ten_thousand_events_in_one_batch_do_not_hang(store: Store, shape: str) -> None:
    """The library's own way hung for ever at 5,000 events on PostgreSQL (trap 11)."""
    one = [new("report:0", 0, *map(str, range(10_000)))]
    done = store.append(many(10_000) if shape == "many streams" else one, by="mira")
    assert done == Appended(first=1, last=10_000, recorded_at=NOON, count=10_000)
    assert store.head() == 10_000
    assert names(store.after(0, 20_000)) == [str(number) for number in range(10_000)]


@pytest.mark.timeout(60)
def test_large_events_do_not_hang(store: Store) -> None:
    """Nor do 40 MB in one batch."""
    done = store.append((new(f"report:{n}", 0, "x" * 20_000) for n in range(2000)), by="mira")
    assert done
    assert done.count == store.head() == 2000


def test_a_long_batch_is_never_held_in_memory(store: Store) -> None:
    """Four times the events from a generator take about the same memory."""
    peaks = []
    for size in (ROWS * 3, ROWS * 12):
        tracemalloc.start()
        store.append(many(size, f"report-{size}"), by="mira")
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < peaks[0] * 1.3


# --- the clock --------------------------------------------------------------------------------


def test_recorded_at_never_falls(place: Place) -> None:
    """A clock that steps back by 30 s changes nothing but the time that is written (P028)."""
    clock = Clock(step=timedelta())
    store = place.open(clock=clock)
    store.append([new("report:1", 0, "ann")], by="mira")
    clock.now = NOON - 30 * SECOND
    assert store.append([new("report:2", 0, "bo")], by="mira") == Appended(2, 2, NOON, 1)
    clock.now = NOON + SECOND
    assert store.append([new("report:3", 0, "cy")], by="mira") == Appended(3, 3, NOON + SECOND, 1)


def test_two_servers_with_different_clocks_agree(place: Place) -> None:
    """Three minutes apart, they write one log whose time never falls (P028)."""
    here, there = place.open(), place.open(clock=Clock(NOON + timedelta(minutes=3)))
    for number in range(5):
        here.append([new(f"report:{number}", 0, "here")], by="mira")
        there.append([new(f"report:{number}", 1, "there")], by="mira")
    times = [record.envelope.recorded_at for record in here.after(0, 100)]
    assert times == sorted(times)
    assert len(times) == 10


def test_a_position_is_found_by_its_time(place: Place) -> None:
    """`position_at` gives the last position recorded by then, at every instant and between."""
    clock = Clock(step=10 * SECOND)
    store = place.open(clock=clock)
    ends = [store.append(many(size, f"report-{size}"), by="mira") for size in (1, 5)]
    with suppress(Conflict):
        # On PostgreSQL this leaves a wide gap.
        store.append([*many(ROWS, "gap"), new("report-1:0", 9, "x")], by="mira")
    clock.now -= 10 * SECOND
    ends.append(store.append(many(3, "report-3"), by="mira"))
    assert store.position_at(NOON - timedelta(microseconds=1)) == 0
    for number, end in enumerate(ends):
        assert end
        for seconds in (0, 5, 9.999999):
            asked = NOON + timedelta(seconds=number * 10 + seconds)
            assert store.position_at(asked) == end.last
    assert store.position_at(NOON + timedelta(days=999)) == store.head()
    for position in range(1, store.head() + 1, 97):
        recorded_at = store.recorded_at(position)
        assert recorded_at
        assert store.recorded_at(store.position_at(recorded_at)) == recorded_at


def test_a_time_is_found_by_its_position(place: Place) -> None:
    """`recorded_at` tells when the last event at or before a position was recorded."""
    store = place.open()
    store.append(many(3), by="mira")
    store.append([new("claim:a", 0, "x")], by="mira")
    assert [store.recorded_at(position) for position in range(6)] == [
        None,
        *[NOON] * 3,
        *[NOON + SECOND] * 2,
    ]
    assert store.recorded_at(10**30) == NOON + SECOND


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
        "from tests.ledger.test_store import ROWS, many, open_at\n"
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


# --- a lost acknowledgement -------------------------------------------------------------------


@pytest.fixture(params=["before", "after"])
def moment(request: pytest.FixtureRequest) -> str:
    """When the line is cut: before the commit, or after it."""
    return str(request.param)


@pytest.fixture
def cut_store(
    place: Place, moment: str, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[Store, Callable[[], None]]]:
    """A store, and what makes its next commit fail around ``moment``."""
    if isinstance(place, PostgresPlace):
        with CutLine(place.where) as line:
            store = open_store(line.url, clock=Clock(), salt=Salt())
            yield store, lambda: setattr(line, "armed", moment)
            store.close()
    else:
        commit = SQLiteConnection.commit

        def broken(connection: SQLiteConnection) -> None:
            monkeypatch.setattr(SQLiteConnection, "commit", commit)
            if moment == "after":
                commit(connection)
            raise sqlite3.OperationalError("disk I/O error")

        yield place.open(), lambda: monkeypatch.setattr(SQLiteConnection, "commit", broken)


def test_a_retry_recognises_its_own_events(
    place: Place, cut_store: tuple[Store, Callable[[], None]]
) -> None:
    """The connection breaks around the commit: recorded once, success, and no conflict."""
    store, cut = cut_store
    store.append([new("report:1", 0, "ann")], by="mira")
    cut()
    done = store.append([new("report:1", 1, "bo"), new("report:2", 0, "cy")], by="mira")
    assert done
    assert done.count == 2
    assert names(store.after(0, 100)) == ["ann", "bo", "cy"]
    assert done.last == store.head() == place.rows()[-1][0]
    assert done.recorded_at == store.recorded_at(done.last)


def test_a_retry_never_takes_another_for_its_own(
    cut_store: tuple[Store, Callable[[], None]], moment: str
) -> None:
    """A later conflict is still one, though an earlier append was tried twice."""
    store, cut = cut_store
    cut()
    store.append([new("report:1", 0, "ann")], by="mira")
    with pytest.raises(Conflict):
        store.append([new("report:1", 0, "ann")], by="mira")
    assert len(store.stream("report:1")) == 1, moment


def test_a_long_generator_is_recognised_but_not_repeated(
    cut_store: tuple[Store, Callable[[], None]], moment: str
) -> None:
    """It is either found recorded, or refused with nothing recorded: it cannot be read twice."""
    store, cut = cut_store
    cut()
    if moment == "after":
        done = store.append(many(ROWS + 5), by="mira")
        assert done
        assert done.count == store.head() == ROWS + 5
    else:
        with pytest.raises(Unavailable, match="nothing was recorded"):
            store.append(many(ROWS + 5), by="mira")
        assert store.head() == 0


def test_a_long_list_is_repeated(cut_store: tuple[Store, Callable[[], None]]) -> None:
    """What can be read twice is written again after a broken connection."""
    store, cut = cut_store
    cut()
    done = store.append(list(many(ROWS + 5)), by="mira")
    assert done
    assert done.count == len(store.after(0, 10_000)) == ROWS + 5


def test_an_unknown_outcome_is_called_unknown(postgres_url: str) -> None:
    """When nobody can be asked whether the commit arrived, the refusal does not guess."""
    with CutLine(postgres_url) as line:
        store = open_store(f"{line.url}?connect_timeout=1", clock=Clock(), salt=Salt())
        line.armed = "for good"
        with pytest.raises(Unconfirmed, match="look whether it was recorded"):
            store.append([new("report:1", 0, "ann")], by="mira")
        store.close()


# --- nothing is ever changed ------------------------------------------------------------------

COLUMNS = "(originator_id, originator_version, topic, state)"
KEY = "(originator_id, originator_version)"
UPSERT = "DO UPDATE SET topic = 'y'"
FORGED = "('report:1', 1, 'x', '00')"

ATTEMPTS = {
    "sqlite": [
        "UPDATE events SET state = x'00'",
        "UPDATE OR REPLACE events SET rowid = rowid + 1",
        "DELETE FROM events",
        "DELETE FROM events WHERE rowid = 2",
        f"INSERT INTO events {COLUMNS} VALUES {FORGED}",
        f"INSERT OR REPLACE INTO events {COLUMNS} VALUES {FORGED}",
        f"REPLACE INTO events {COLUMNS} VALUES {FORGED}",
        f"INSERT INTO events {COLUMNS} VALUES {FORGED} ON CONFLICT {KEY} {UPSERT}",
        "INSERT OR REPLACE INTO events VALUES (1, 'report:9', 1, 'x', x'00')",
        "INSERT INTO events VALUES (0, 'report:9', 1, 'x', x'00')",
        "INSERT INTO events VALUES (-1, 'report:9', 1, 'x', x'00')",
        "INSERT OR REPLACE INTO events VALUES (-7, 'report:9', 1, 'x', x'00')",
    ],
    "postgres": [
        "UPDATE ledger.events SET topic = 'x'",
        "UPDATE ledger.events SET topic = 'x' WHERE false",
        "DELETE FROM ledger.events",
        "DELETE FROM ledger.events WHERE notification_id = 2",
        "TRUNCATE ledger.events",
        f"INSERT INTO ledger.events {COLUMNS} VALUES {FORGED}",
        f"INSERT INTO ledger.events {COLUMNS} VALUES {FORGED} ON CONFLICT {KEY} {UPSERT}",
        "INSERT INTO ledger.events VALUES ('report:9', 1, 'x', '00', 1)",
        "INSERT INTO ledger.events OVERRIDING SYSTEM VALUE VALUES ('report:9', 1, 'x', '00', 1)",
        "MERGE INTO ledger.events USING (SELECT 1) AS one ON true WHEN MATCHED THEN DELETE",
    ],
}

# A statement that is merely wrong would prove nothing, so these are all that counts.
GUARDED = (
    sqlite3.IntegrityError,
    psycopg.errors.RaiseException,
    psycopg.errors.UniqueViolation,
    psycopg.errors.GeneratedAlways,
)


def attempts(place: Place) -> list[str]:
    """The statements that somebody with a console might try on this engine."""
    return ATTEMPTS["postgres" if isinstance(place, PostgresPlace) else "sqlite"]


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


# --- waiting ----------------------------------------------------------------------------------


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


# --- opening ----------------------------------------------------------------------------------


def open_at(where: str | Path) -> Store:
    """Open a place that is given as a person would."""
    return open_store(where, clock=Clock(), salt=Salt())


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
