"""When is asked about: days and instants, positions, and what is refused instead of guessed."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from ledger.claim import Plane
from ledger.errors import BadValue, BeyondHead, InTheFuture
from ledger.values import instant_text, parse_instant
from tests.desk import Desk, open_desk


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    """Read on 1 June and on 5 June; it is noon of 10 June."""
    made = open_desk(tmp_path)
    made.at("2025-06-01T12:00:00Z").read("a,Heron,60", "2025-06-01")
    made.at("2025-06-05T12:00:00Z").read("a,Heron,61", "2025-06-05")
    yield made.at("2025-06-10T12:00:00Z")
    made.workspace.close()


def head(desk: Desk) -> int:
    """The last position."""
    return desk.workspace.ledger.store.head()


def test_nothing_asked_means_now_and_all_that_the_ledger_holds(desk: Desk) -> None:
    """In the plane of the day."""
    moment = desk.moment()
    assert (moment.instant, moment.position) == (desk.clock.now, head(desk))
    assert (moment.plane, moment.pinned, moment.published_by) == (Plane.THEN, False, None)


def test_a_day_means_to_its_end_and_an_instant_includes_itself(desk: Desk) -> None:
    """Also today, of which the end is still to come."""
    assert instant_text(desk.moment("2025-06-05").instant) == "2025-06-05T23:59:59.999999Z"
    assert instant_text(desk.moment("2025-06-10").instant) == "2025-06-10T23:59:59.999999Z"
    at = "2025-06-05T14:00:00+02:00"
    assert instant_text(desk.moment(at).instant) == "2025-06-05T12:00:00.000000Z"
    assert desk.scores("2025-06-05T00:00:00Z") == {"Heron": "61"}
    assert desk.scores("2025-06-04T23:59:59.999999Z") == {"Heron": "60"}


def test_a_position_alone_means_the_day_on_which_it_was_recorded(desk: Desk) -> None:
    """So that the answer never changes again."""
    moment = desk.moment(recorded_through=str(head(desk)))
    assert moment.pinned
    assert instant_text(moment.instant) == "2025-06-05T12:00:00.000000Z"
    assert moment.recorded_at == moment.instant


def test_an_instant_stands_for_the_last_position_recorded_by_then(desk: Desk) -> None:
    """A day for the last one of it; before everything there is none."""
    first = [
        one.position
        for one in desk.workspace.ledger.store.after(0, 1_000)
        if one.envelope.recorded_at == parse_instant("2025-06-01T12:00:00Z")
    ][-1]
    for asked in ("2025-06-01T12:00:00Z", "2025-06-01", "2025-06-04", "2025-06-05T11:59:59Z"):
        assert desk.moment(recorded_through=asked).position == first
    assert desk.moment(recorded_through="2025-06-10").position == head(desk)
    assert desk.moment(recorded_through="2025-05-31").position == 0


def test_both_clocks_may_be_asked_for_at_once(desk: Desk) -> None:
    """What had been read by one day of what was held on another."""
    both = {"day": "2025-06-05", "recorded_through": "2025-06-04"}
    assert desk.scores(**both) == {"Heron": "60"}


def test_what_lies_ahead_is_refused(desk: Desk) -> None:
    """On each clock."""
    with pytest.raises(BeyondHead, match=str(head(desk))):
        desk.moment(recorded_through=str(head(desk) + 1))
    for asked in ("2025-06-11", "2025-06-10T12:00:00.000001Z"):
        with pytest.raises(InTheFuture):
            desk.moment(asked)
        with pytest.raises(InTheFuture):
            desk.moment(recorded_through=asked)
    with pytest.raises(InTheFuture):
        desk.moment(published_by="2025-06-11")


@pytest.mark.parametrize("asked", ["-1", "", "1.5", "1e3", "\u0661", "head", "9" * 19])
def test_what_is_no_position_is_refused(desk: Desk, asked: str) -> None:
    """It is never taken for the head."""
    with pytest.raises((BadValue, BeyondHead)):
        desk.moment(recorded_through=asked)


@pytest.mark.parametrize("asked", ["", "now", "Then", "both"])
def test_there_are_two_planes(desk: Desk, asked: str) -> None:
    """Then, and since."""
    with pytest.raises(BadValue, match="then or since"):
        desk.moment(corrected=asked)
    assert desk.moment(corrected="since").plane is Plane.SINCE


@pytest.mark.parametrize("asked", ["", "2025-02-30", "2025-06", "10/06/2025"])
def test_published_by_is_a_day(desk: Desk, asked: str) -> None:
    """A whole and possible one."""
    with pytest.raises(BadValue):
        desk.moment(published_by=asked)
