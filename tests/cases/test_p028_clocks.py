"""The server's clock, and the day on which something was read (P028)."""

from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from ledger import commands as orders
from ledger import events as ev
from ledger.errors import (
    InTheFuture,
)
from ledger.events import Recorded
from ledger.store import NewEvents, open_store
from ledger.values import (
    instant_text,
    parse_instant,
    short_instant,
)
from ledger.wire import decode
from projections.review.queue import reports
from tests.cases.given import marks
from tests.desk import Desk, open_desk
from tests.ledger.engines import Clock, Place, Salt


def test_an_import_without_a_reading_date_leaves_earlier_days_alone(desk: Desk) -> None:
    """P028 (1): what was measured in January is read today, so the June before knew nothing of
    it."""
    desk.at("2025-07-28T10:00:00Z")
    desk.read("h,Heron-7B,70,2024-01-01", header="key,model,score,date")
    assert desk.board("2024-06-01").rows == ()
    (row,) = desk.board("2025-07-28").rows
    assert str(row.published_on) == "2024-01-01"
    assert "added-later" not in {mark["kind"] for mark in row.marks}


def test_a_declared_reading_date_shows_on_that_day_and_says_that_it_came_later(desk: Desk) -> None:
    """P028 (1): and the same board cut at what the ledger held by then stays as it was."""
    desk.at("2024-05-01T10:00:00Z").read("i,Ibis-13B,60", "2024-05-01", source="older")
    held = desk.workspace.ledger.store.head()
    desk.at("2025-07-28T10:00:00Z").read("h,Heron-7B,70", "2024-01-01")
    assert desk.scores("2024-06-01") == {"Heron-7B": "70", "Ibis-13B": "60"}
    assert marks(desk, "Heron-7B", "added-later", "2024-06-01") == ["added to the ledger later"]
    assert marks(desk, "Ibis-13B", "added-later", "2024-06-01") == []
    for through in (str(held), "2024-06-01"):
        assert desk.scores("2024-06-01", recorded_through=through) == {"Ibis-13B": "60"}
    recorded = [one.envelope.recorded_at for one in desk.workspace.ledger.store.after(held, 100)]
    assert {short_instant(one) for one in recorded} == {"2025-07-28T10:00:00Z"}


def test_a_reader_whose_clock_is_fast_may_still_report(desk: Desk) -> None:
    """P028 (2): the server's clock counts; theirs is kept beside it and refuses nothing."""
    desk.at("2025-07-28T10:00:00Z")
    received = parse_instant("2025-07-28T10:02:00Z")
    order = orders.FileReport(
        number=1, target="benchmarks/kitebench", reason="other", received_at=received
    )
    done = desk.do(order, "reporter")
    assert done is not None
    assert short_instant(done.recorded_at) == "2025-07-28T10:00:00Z"
    desk.workspace.follower.catch_up()
    with desk.workspace.views.read() as reader:
        assert [one.received_at for one in reports(reader)] == [received]


def test_a_reading_in_the_future_is_refused_and_leaves_nothing(desk: Desk) -> None:
    """P028 (3): give the day on which it was really read."""
    desk.at("2025-07-28T10:00:00Z")
    with pytest.raises(InTheFuture):
        desk.read("h,Heron-7B,70", "2026-01-01")
    receipt = desk.read("h,Heron-7B,70,2026-01-01", header="key,model,score,date")
    assert [(one.field, one.why) for one in receipt.refused] == [
        ("date", "2026-01-01 lies in the future")
    ]
    assert desk.board().rows == ()


def test_a_clock_that_steps_back_does_not_turn_the_ledger_back(place: Place) -> None:
    """P028 (4): the second append gets a time that is not before the first."""
    clock = Clock(now=parse_instant("2025-07-28T10:00:00Z"), step=timedelta(seconds=-30))
    store = place.open(clock=clock)
    first = store.append([NewEvents("report:1", 0, (ev.ReviewStarted(),))], by="a")
    second = store.append([NewEvents("report:2", 0, (ev.ReviewStarted(),))], by="a")
    assert first is not None
    assert second is not None
    assert second.recorded_at >= first.recorded_at
    assert second.first > first.last


def test_two_servers_minutes_apart_lose_nothing(tmp_path: Path) -> None:
    """P028 (5): projections go by position, not by time, so neither hides what the other did."""
    desk = open_desk(tmp_path)
    desk.at("2025-07-28T10:03:00Z").read("h,Heron-7B,70", "2025-07-01")
    slow = open_store(
        desk.workspace.settings.ledger,
        clock=lambda: parse_instant("2025-07-28T10:00:00Z"),
        salt=Salt(),
    )
    with closing(slow):
        position = desk.workspace.follower.catch_up()
        slow.append([NewEvents("report:9", 0, (ev.ReviewStarted(),))], by="other")
        assert desk.workspace.follower.catch_up() == position + 1
        last: Recorded = slow.after(position, 1)[0]
        assert instant_text(last.envelope.recorded_at) == "2025-07-28T10:03:00.000000Z"
        assert decode(last.position, last.stored) == last
    desk.workspace.close()


def test_two_files_in_either_order_give_the_same_board(tmp_path: Path) -> None:
    """P028: what was read later counts later, whenever it came in."""
    files = [("h,Heron-7B,70;i,Ibis-13B,65", "2025-06-01"), ("h,Heron-7B,71", "2025-06-02")]
    boards = []
    for number, order in enumerate((files, files[::-1])):
        desk = open_desk(tmp_path / str(number)).at("2025-07-28T10:00:00Z")
        for rows, at in order:
            desk.read(rows, at)
        days = ("2025-05-31", "2025-06-01", "2025-06-02", "2025-07-28")
        boards.append([[row._replace() for row in desk.board(day).rows] for day in days])
        desk.workspace.close()
    assert boards[0] == boards[1]
