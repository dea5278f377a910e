"""What a store promises of appending and reading, shown on both engines by the same tests."""

import tracemalloc
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from ledger.errors import BadValue, Conflict
from ledger.events import Recorded
from ledger.store import Appended, NewEvents, Store
from ledger.store.batch import ROWS
from ledger.wire import decode
from tests.ledger.engines import NOON, Place
from tests.ledger.examples import EXAMPLES
from tests.ledger.named import many, names, new

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
