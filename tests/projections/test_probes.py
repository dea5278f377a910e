"""Probe windows as people read them: coverage, and what was found of a paper's repositories."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ledger import commands as orders
from ledger import events as ev
from ledger.errors import NotFound, WindowClosed
from ledger.importing.records import RecordsRefused
from ledger.probe import stream_of
from ledger.values import PartialDate, Slug, parse_instant
from projections.code.probes import all_windows
from reports.code.probes import probe_json
from tests.shelf import ARCHIVE, OTHER, OWN, PAPER, Line, Shelf, label, line, shelves

HERE, THERE = "https://example.org/Wren/grafts", "https://example.org/Finch/g"
DAYS = {"first_day": "2026-09-16", "last_day": "2026-09-18"}


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Shelf]:
    """A ledger with a paper and its two repositories."""
    with shelves(tmp_path / "home") as made:
        made.read(ARCHIVE, "2025-07-28", label("official"), label("archive-listed", OTHER))
        yield made


@pytest.fixture(params=["sqlite", "postgresql"])
def either(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Shelf]:
    """The same on each engine."""
    where = None if request.param == "sqlite" else request.getfixturevalue("postgres_url")
    with shelves(tmp_path / "home", where) as made:
        made.read(ARCHIVE, "2025-07-28", label("official"), label("archive-listed", OTHER))
        yield made


def window(slug: str = "w1", **more: Any) -> Line:
    """A window in September."""
    opened = {"subject": "reachability of repositories", "read_at": "2026-09-16"}
    return line("probe-window", slug=slug, **DAYS, **(opened | more))


def probe(link: str = HERE, result: str = "reachable", at: str = "2026-09-17", **more: Any) -> Line:
    """A probe in it."""
    return line("probe", **{"window": "w1", "link": link, "result": result, "read_at": at} | more)


CLOSED = line("probe-window-closed", window="w1", read_at="2026-09-18")


def reach(shelf: Shelf, day: str | None = None) -> dict[str, str | None]:
    """What is said to be reachable on the paper's page."""
    return {
        one["repository"]: one["reachability"] and one["reachability"]["result"]
        for one in shelf.page(day)["repositories"]
    }


def test_only_what_was_probed_shows_and_only_from_then_on(either: Shelf) -> None:
    """RP-01 and INC-66: of the other repository nothing is said, but that it was not probed."""
    either.bring(window(), probe(at="2026-09-17T09:00:00Z"), CLOSED)
    assert reach(either, "2026-09-16") == {OWN: None, OTHER: None}
    assert reach(either, "2026-09-20") == {OWN: "reachable", OTHER: None}
    (found,) = either.page("2026-09-20")["windows"]
    assert (found["state"], found["repositories_probed"]) == ("closed", 1)
    assert found["repositories_not_probed"] == 1
    assert either.page("2026-09-15")["windows"] == []


def test_the_latest_probe_shows_with_its_own_window(shelf: Shelf) -> None:
    """A window that did not probe a link takes nothing from what an earlier one found."""
    later = {"first_day": "2026-10-01", "last_day": "2026-10-02", "read_at": "2026-10-01"}
    shelf.bring(window(), probe(), probe(THERE, "unreachable", cause="dns"), CLOSED)
    shelf.bring(
        {**window("w2"), **later}, probe(result="could-not-tell", at="2026-10-01", window="w2")
    )
    assert reach(shelf) == {OWN: "could-not-tell", OTHER: "unreachable"}
    assert reach(shelf, "2026-09-30") == {OWN: "reachable", OTHER: "unreachable"}
    found = {one["repository"]: one["reachability"] for one in shelf.page()["repositories"]}
    assert (found[OWN]["window"], found[OTHER]["window"]) == ("w2", "w1")
    assert found[OTHER]["cause"] == "dns"


def test_a_window_about_another_paper_does_not_show_here(shelf: Shelf) -> None:
    """Unless it probed one of the links of this one."""
    shelf.bring(window(about="papers/other"), window("w2", about=f"papers/{PAPER}"))
    assert [one["window"] for one in shelf.page()["windows"]] == ["w2"]
    shelf.bring(probe(f"{HERE}/"))
    assert [one["window"] for one in shelf.page()["windows"]] == ["w2", "w1"]
    assert reach(shelf)[OWN] == "reachable"


def test_coverage_counts_links_and_says_what_is_left(either: Shelf) -> None:
    """Two of three links; each counted by its last probe; the third is named as not probed."""
    third = "https://example.org/third"
    opened = window(links=[HERE, THERE, third], about=f"papers/{PAPER}", source="greenhouse")
    either.bring(opened, probe(), probe(result="unreachable", at="2026-09-18"), probe(THERE))
    found = probe_json(either.window("w1"))
    assert (found["about_name"], found["source"]["name"]) == ("Grafting", "Greenhouse")
    coverage = found["coverage"]
    assert (coverage["links"], coverage["probed"], coverage["left"]) == (3, 2, 1)
    assert coverage["probes"] == 3
    assert coverage["results"] == {"reachable": 1, "unreachable": 1, "could-not-tell": 0}
    assert found["not_probed"] == [third]
    by_repository = {one["repository"]: one["result"] for one in found["links"]}
    assert by_repository == {"Wren/grafts": "unreachable", "Finch/grafts": "reachable"}


def test_how_many_links_there_are_is_not_made_up(shelf: Shelf) -> None:
    """Not stated is not none; stated as a number alone, the rest is counted and not named."""
    shelf.bring(window(), window("w2", links_stated=5), probe(window="w2"))
    unknown, stated = (probe_json(shelf.window(slug))["coverage"] for slug in ("w1", "w2"))
    assert (unknown["links"], unknown["left"], unknown["probed"]) == (None, None, 0)
    assert "is not stated" in unknown["sentence"]
    assert (stated["links"], stated["left"]) == (5, 4)


def test_a_window_is_found_from_its_reading_on(either: Shelf) -> None:
    """Neither listed nor shown before; pinned to a position it stays as it was."""
    either.bring(window(), probe())
    with pytest.raises(NotFound, match="probe window"):
        either.window("w1", "2026-09-15")
    head, moment = str(either.head), either.moment("2026-09-20")
    with either.desk.workspace.views.read() as reader:
        listed = all_windows(reader, either.desk.workspace.ledger.store, moment)
    assert [one.opened.slug for one in listed] == ["w1"]
    before = probe_json(either.window("w1", "2026-09-20", recorded_through=head))
    either.bring(probe(THERE), CLOSED)
    assert probe_json(either.window("w1", "2026-09-20", recorded_through=head)) == before
    assert either.desk.workspace.follower.check() == []


@pytest.mark.parametrize(
    ("bad", "why"),
    [
        (probe(at="2026-09-19"), "lies outside of probe window w1"),
        (probe(result="maybe"), "known are reachable"),
        (probe(window="w9"), "open it first"),
        (window(subject="again"), "registered already"),
    ],
)
def test_a_bad_line_refuses_the_whole_file(shelf: Shelf, bad: Line, why: str) -> None:
    """With its line and reason, and nothing is recorded."""
    shelf.bring(window())
    head = shelf.head
    with pytest.raises(RecordsRefused, match=why):
        shelf.bring(probe(), bad)
    assert shelf.head == head


def test_a_window_is_probed_and_closed_by_orders_too(shelf: Shelf) -> None:
    """As whoever probes does it, one order a link; the last one is refused."""
    at = parse_instant("2026-11-30T11:00:00Z")
    today = PartialDate("2026-11-30")
    opened = ev.ProbeWindowOpened(
        slug=Slug("today"),
        subject="links",
        first_day=today,
        last_day=today,
        links=(HERE,),
        read_at=at,
        why="to know",
    )
    probed = ev.LinkProbed(link=HERE, result="reachable", read_at=at)
    for fact in (opened, probed, ev.ProbeWindowClosed(read_at=at)):
        shelf.desk.do(orders.Assert(stream=stream_of("today"), fact=fact), "mira")
    again = orders.revised(probed, result="unreachable")
    with pytest.raises(WindowClosed):
        shelf.desk.do(orders.Assert(stream=stream_of("today"), fact=again), "mira")
    assert reach(shelf)[OWN] == "reachable"
    assert shelf.window("today").coverage.left == 0
