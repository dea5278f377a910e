"""Probe windows: what may be probed when, and what is known of a link afterwards."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import pytest

from ledger import commands as orders
from ledger import events as ev
from ledger.errors import AlreadyExists, BadValue, NotFound, OutsideWindow, WindowClosed
from ledger.probe import Window, decide, link_key, window_of
from ledger.values import Instant, PartialDate, Slug

LINK = "https://example.org/Wren/grafts"


def september(day: int, hour: int = 0) -> Instant:
    """An instant of September 2026."""
    return datetime(2026, 9, day, hour, tzinfo=UTC)


OPENED = ev.ProbeWindowOpened(
    slug=Slug("september"),
    subject="reachability of repositories",
    first_day=PartialDate("2026-09-16"),
    last_day=PartialDate("2026-09-18"),
    read_at=september(16),
    why="once a quarter",
)
PROBED = ev.LinkProbed(link=LINK, result="reachable", status=200, read_at=september(17, 9))
CLOSED = ev.ProbeWindowClosed(read_at=september(18))


def folded(*facts: ev.Event, day: Instant) -> Window | None:
    """The window that these facts make, in this order, as read on a day."""
    return window_of(recorded(facts), day)


def recorded(facts: Sequence[ev.Event]) -> list[ev.Recorded]:
    """The facts as the store would give them back."""
    return [
        ev.Recorded(
            number,
            ev.Envelope(
                stream="probe:september",
                version=number,
                type="",
                recorded_at=september(25),
                recorded_by="mira",
                cause=None,
                salt="",
            ),
            fact,
            b"",
        )
        for number, fact in enumerate(facts, 1)
    ]


# --- what may be recorded ---------------------------------------------------------------------


def test_a_window_is_opened_once() -> None:
    """The same again records nothing; another one of that name is refused."""
    assert decide([], OPENED) == [OPENED]
    assert decide([OPENED], OPENED) == []
    with pytest.raises(AlreadyExists):
        decide([OPENED], orders.revised(OPENED, why="again"))


@pytest.mark.parametrize("fact", [PROBED, CLOSED])
def test_nothing_happens_in_a_window_that_is_not_open(fact: ev.ProbeEvent) -> None:
    """It has to be opened first, with its days."""
    with pytest.raises(NotFound, match="open it first"):
        decide([], fact)


@pytest.mark.parametrize("when", [(15, 23), (19, 0), (25, 0)])
def test_a_probe_outside_of_the_windows_days_is_refused(when: tuple[int, int]) -> None:
    """Both days are days of UTC and belong to it; nothing before, nothing after."""
    for day, hour in ((16, 0), (18, 23)):
        probe = orders.revised(PROBED, read_at=september(day, hour))
        assert decide([OPENED], probe) == [probe]
    with pytest.raises(OutsideWindow, match="lasts from 2026-09-16 to 2026-09-18"):
        decide([OPENED], orders.revised(PROBED, read_at=september(*when)))


def test_a_closed_window_takes_no_more_probes() -> None:
    """Not even one of its own days; nor is it closed twice. The probe that is there is no news."""
    known: list[ev.Event] = [OPENED, PROBED, CLOSED]
    assert decide(known, PROBED) == []
    with pytest.raises(WindowClosed, match="closed at 2026-09-18T00:00:00Z"):
        decide(known, orders.revised(PROBED, result="unreachable"))
    with pytest.raises(WindowClosed):
        decide(known, orders.revised(CLOSED, why="again"))


@pytest.mark.parametrize(
    "changed",
    [
        {"first_day": PartialDate("2026-09-19")},
        {"first_day": PartialDate("2026-09")},
        {"last_day": PartialDate("2026-09-18/2026-09-19")},
        {"subject": ""},
        {"about": ""},
        {"links": ("ftp://example.org",)},
        {"links": (LINK, f"{LINK}/")},
        {"links": (LINK, "https://example.org"), "links_stated": 1},
    ],
)
def test_a_window_has_days_in_order_and_links_once_each(changed: dict[str, Any]) -> None:
    """A month is no day, and two spellings of one address are one link."""
    with pytest.raises(BadValue):
        decide([], orders.revised(OPENED, **changed))


@pytest.mark.parametrize(
    "changed",
    [
        {"result": "maybe"},
        {"link": "example.org"},
        {"cause": "No Idea"},
        {"status": 42},
        {"found_at": "javascript:alert(1)"},
        {"digest": "abc"},
    ],
)
def test_a_probe_says_what_it_found_in_known_words(changed: dict[str, Any]) -> None:
    """Reachable, unreachable, or could not tell."""
    with pytest.raises(BadValue):
        decide([OPENED], orders.revised(PROBED, **changed))


def test_a_window_that_names_its_links_is_of_no_other() -> None:
    """Whose coverage is stated is not covered by something else."""
    window = orders.revised(OPENED, links=(LINK,))
    with pytest.raises(BadValue, match="none of them"):
        decide([window], orders.revised(PROBED, link="https://example.org/other"))


def test_spellings_of_one_address_are_one_link() -> None:
    """Host in small letters, no slash at the end, no fragment; the path keeps its letters."""
    assert link_key("HTTPS://Example.org/Wren/grafts/#top") == link_key(LINK)
    assert link_key("https://example.org/wren/grafts") != link_key(LINK)
    assert link_key(f"{LINK}?a=1") != link_key(LINK)


# --- the fold ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("day", "state"),
    [(15, None), (16, "open"), (17, "open"), (18, "closed"), (20, "closed")],
)
def test_a_window_is_open_on_its_days(day: int, state: str | None) -> None:
    """It shows from when it was read; it is closed when that is read."""
    found = folded(OPENED, CLOSED, day=september(day, 12))
    assert (found and found.state) == state


def test_a_window_whose_days_are_over_is_closed_though_nobody_said_so() -> None:
    """And one that is announced is to come."""
    for day, state in ((18, "open"), (19, "closed")):
        found = folded(OPENED, day=september(day, 12))
        assert found is not None
        assert found.state == state
    announced = folded(orders.revised(OPENED, read_at=september(1)), day=september(2))
    assert announced is not None
    assert announced.state == "to come"


def test_the_last_probe_of_a_link_counts_whatever_was_recorded_first() -> None:
    """By when it was made, not by when it was brought in; links are counted once."""
    later = orders.revised(PROBED, result="unreachable", read_at=september(18, 1))
    for facts in ((PROBED, later), (later, PROBED)):
        found = folded(OPENED, *facts, day=september(20))
        assert found is not None
        assert found.found[link_key(LINK)].fact.result == "unreachable"
        assert (len(found.found), found.probes) == (1, 2)
        before = folded(OPENED, *facts, day=september(17, 12))
        assert before is not None
        assert before.found[link_key(LINK)].fact.result == "reachable"


def test_what_was_not_probed_is_not_known() -> None:
    """It is named as left, and has no result."""
    other = "https://example.org/Finch/grafts"
    found = folded(orders.revised(OPENED, links=(LINK, other)), PROBED, day=september(20))
    assert found is not None
    assert (found.links, found.not_probed) == (2, [other])
    assert link_key(other) not in found.found
