"""When something was recorded: a time that never falls, found by position and the other way."""

from contextlib import suppress
from datetime import timedelta

from ledger.errors import Conflict
from ledger.store import Appended
from ledger.store.batch import ROWS
from tests.ledger.engines import NOON, SECOND, Clock, Place
from tests.ledger.named import many, new


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
