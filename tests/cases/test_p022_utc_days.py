"""A day is a UTC day, wherever the server stands (P022)."""

import os
import subprocess
import sys
from pathlib import Path

import orjson
import pytest

from ledger.errors import (
    BadValue,
    InTheFuture,
)
from tests.desk import Desk

ZONES = ("UTC", "America/New_York", "Asia/Tokyo", "Pacific/Kiritimati")

E1, E2, E3 = "2025-07-28T23:59:59.999999Z", "2025-07-29T00:00:00Z", "2025-07-28T23:30:00-07:00"

DAYS_IN_A_ZONE = """
import json, sys
from pathlib import Path
from tests.desk import open_desk
desk = open_desk(Path(sys.argv[1])).at("2025-07-30T12:00:00Z")
for number, at in enumerate(sys.argv[2:]):
    desk.read(f"e{number + 1},E{number + 1},{number + 1}", at, source=f"s{number}")
days = ("2025-07-28", "2025-07-29")
print(json.dumps({
    "boards": [sorted(desk.scores(day)) for day in days],
    "instants": [sorted(desk.scores(at)) for at in sys.argv[2:]],
    "steps": [[one.name for one in desk.changes(day, day)] for day in days],
    "stored": [one.stored.decode() for one in desk.workspace.ledger.store.after(0, 100)],
}))
"""


@pytest.fixture(scope="module")
def days_by_zone(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, object]]:
    """What servers in four time zones say of the same three readings."""
    found = {}
    for zone in ZONES:
        folder = tmp_path_factory.mktemp("home")
        done = subprocess.run(
            [sys.executable, "-c", DAYS_IN_A_ZONE, str(folder), E1, E2, E3],
            env={**os.environ, "TZ": zone},
            cwd=Path(__file__).parents[2],
            capture_output=True,
            check=True,
        )
        found[zone] = orjson.loads(done.stdout)
    return found


@pytest.mark.parametrize("zone", ZONES)
def test_a_date_means_a_utc_day_in_every_time_zone(
    zone: str, days_by_zone: dict[str, dict[str, object]]
) -> None:
    """P022: 28 July ends before midnight UTC; half past eleven in Los Angeles is the 29th."""
    told = days_by_zone[zone]
    assert told["boards"] == [["E1"], ["E1", "E2", "E3"]]
    assert told["instants"] == [["E1"], ["E1", "E2"], ["E1", "E2", "E3"]]


@pytest.mark.parametrize("zone", ZONES)
def test_each_event_is_counted_on_one_day(
    zone: str, days_by_zone: dict[str, dict[str, object]]
) -> None:
    """P022: midnight belongs to the next day, so nothing is counted twice or not at all."""
    assert days_by_zone[zone]["steps"] == [["E1"], ["E2", "E3"]]


def test_the_servers_time_zone_leaves_no_trace_in_the_ledger(
    days_by_zone: dict[str, dict[str, object]],
) -> None:
    """P022: the stored bytes are the same wherever they were written."""
    assert all(told == days_by_zone["UTC"] for told in days_by_zone.values())


@pytest.mark.parametrize("text", ["2025-02-30", "28/07/2025", "", "2025-7-28", "20250728", "today"])
def test_an_impossible_date_is_refused_and_never_means_today(desk: Desk, text: str) -> None:
    """P022: a misspelt or forgotten date must not show today's board."""
    with pytest.raises(BadValue):
        desk.moment(text)


@pytest.mark.parametrize(
    "text", ["2025-08-02", "2025-08-01T12:00:01Z", "2025-08-01T09:00:01-03:00"]
)
def test_a_date_in_the_future_is_refused(desk: Desk, text: str) -> None:
    """P022: today is the last day that can be asked for."""
    desk.at("2025-08-01T12:00:00Z")
    desk.moment("2025-08-01")
    with pytest.raises(InTheFuture):
        desk.moment(text)
