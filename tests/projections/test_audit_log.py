"""The log page by page: a long one, in which what is looked for is rare."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import attrs
import pytest

from ledger import events as ev
from ledger.store import NewEvents, Store, open_store
from ledger.values import Slug
from projections import audit_log
from projections.audit_log import LogPage, Wanted, log_page, totals
from projections.keeping.follow import Follower
from projections.keeping.inventory import STRETCH
from projections.keeping.views import Views, open_views

NOON = datetime(2025, 7, 28, 12, tzinfo=UTC)
LONG = 5 * STRETCH
RARE = "model-registered/1"


def lab(number: int) -> ev.LabRegistered:
    """Something that there is much of."""
    return ev.LabRegistered(slug=Slug(f"lab-{number}"), name=f"Lab {number}", read_at=NOON)


def rare() -> ev.ModelRegistered:
    """Something that there is little of."""
    return ev.ModelRegistered(slug=Slug("kite"), name="Kite", read_at=NOON)


@attrs.frozen
class Long:
    """A log of many stretches, and a look at it."""

    store: Store
    views: Views

    def page(self, wanted: Wanted, *, upto: int = LONG, count: int = 3, **place: int) -> LogPage:
        """A part of the log."""
        with self.views.read() as reader:
            return log_page(reader, self.store, wanted, (1, upto), count=count, **place)

    def everything(self, wanted: Wanted, count: int = 3) -> list[int]:
        """All that there is of something, by going on until the list ends."""
        page = self.page(wanted, count=count)
        found = [one.position for one in page.entries]
        while page.older is not None:
            page = self.page(wanted, count=count, before=page.older)
            found += [one.position for one in page.entries]
        return found


@pytest.fixture(scope="module")
def long(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Long]:
    """Labs for five stretches, a report that nobody decided near the beginning, and three models:
    the very first event, one in the middle, and the very last."""
    folder: Path = tmp_path_factory.mktemp("long")
    time = [NOON]

    def clock() -> datetime:
        time[0] += timedelta(hours=1)
        return time[0]

    store = open_store(folder / "ledger.sqlite", clock=clock, salt=lambda: "0" * 32)
    views = open_views(folder / "views.db")
    filed = ev.ReportFiled(number=7, target="site", reason="other", received_at=NOON)
    middle = LONG // 2
    store.append([NewEvents("model:kite", 0, (rare(),))], by="mira")
    store.append([NewEvents("report:7", 0, (filed,))], by="zora")
    store.append(_labs(3, middle), by="ada")
    store.append([NewEvents("model:kite", 1, (rare(),))], by="ada")
    store.append(_labs(middle + 1, LONG), by="ada")
    store.append([NewEvents("model:kite", 2, (rare(),))], by="mira")
    assert store.head() == LONG
    Follower(store, views).catch_up()
    yield Long(store, views)
    views.close()
    store.close()


def _labs(start: int, end: int) -> Iterator[NewEvents]:
    return (NewEvents(f"lab:lab-{one}", 0, (lab(one),)) for one in range(start, end))


def test_the_last_events_come_first_and_pages_follow_one_another(long: Long) -> None:
    """Backwards and forwards the same events stand on the same pages."""
    first = long.page(Wanted())
    assert [one.position for one in first.entries] == [LONG, LONG - 1, LONG - 2]
    assert (first.older, first.newer) == (LONG - 2, None)
    second = long.page(Wanted(), before=first.older or 0)
    assert [one.position for one in second.entries] == [LONG - 3, LONG - 4, LONG - 5]
    back = long.page(Wanted(), after=second.newer or 0)
    assert [one.position for one in back.entries] == [one.position for one in first.entries]
    assert back.newer is None


def test_a_page_of_a_position_never_changes(long: Long) -> None:
    """What lies behind it might as well not be there."""
    page = long.page(Wanted(), upto=1_000, count=2)
    assert [one.position for one in page.entries] == [1_000, 999]
    assert long.page(Wanted(), before=1_001, count=2).entries == page.entries


def test_what_is_rare_is_found_without_reading_everything(long: Long) -> None:
    """Three events of a type among thousands, on one page; and by one author among them two."""
    page = long.page(Wanted(type=RARE))
    assert [one.position for one in page.entries] == [LONG, LONG // 2, 1]
    assert page.older is None
    assert long.everything(Wanted(type=RARE, who="mira"), count=1) == [LONG, 1]
    assert long.everything(Wanted(stream="model:kite"), count=2) == [LONG, LONG // 2, 1]
    forwards = long.page(Wanted(stream="model:kite"), count=2, after=1)
    assert [one.position for one in forwards.entries] == [LONG, LONG // 2]


def test_a_search_that_finds_nothing_for_long_says_where_to_go_on(
    long: Long, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A page looks through some stretches and stops; whoever goes on comes to all there is."""
    monkeypatch.setattr(audit_log, "MOST_STRETCHES", 1)
    wanted = Wanted(type=RARE, who="ada")
    page = long.page(wanted)
    assert (page.entries, page.older) == ((), LONG - STRETCH + 1)
    assert long.everything(wanted) == [LONG // 2]
    forwards = long.page(wanted, after=0)
    assert (forwards.entries, forwards.newer) == ((), STRETCH)


def test_of_what_is_withheld_nobody_learns_more_than_its_entry(long: Long) -> None:
    """It is found as withheld, and by nothing that it says."""
    (one,) = long.page(Wanted(shown="withheld")).entries
    assert (one.position, one.record) == (2, None)
    for wanted in (
        Wanted(who="zora"),
        Wanted(stream="report:7"),
        Wanted(type="report-filed/1"),
        Wanted(who="zora", shown="withheld"),
        Wanted(stream="report:7", shown="withheld"),
    ):
        assert long.page(wanted).entries == ()
    assert 2 not in long.everything(Wanted(shown="published"), count=10_000)


def test_the_numbers_are_those_of_the_whole_log(long: Long) -> None:
    """By type and by author; of what is withheld there is a number and nothing else."""
    with long.views.read() as reader:
        found = totals(reader)
    assert (found.events, found.withheld) == (LONG, 1)
    assert found.types == (("lab-registered/1", LONG - 4), (RARE, 3))
    assert found.authors == (("ada", LONG - 3), ("mira", 2))


def test_counting_does_not_depend_on_where_batches_end(long: Long, tmp_path: Path) -> None:
    """A follower that takes 300 events at a time counts the same in every stretch."""
    views = open_views(tmp_path / "views.db")
    Follower(long.store, views, batch=300).catch_up(upto=1_000)
    Follower(long.store, views, batch=700).catch_up()
    with views.read() as reader, long.views.read() as other:
        mine, theirs = reader.tables.inventory.select(), other.tables.inventory.select()
        rows = {tuple(row) for row in reader.connection.execute(mine)}
        assert rows == {tuple(row) for row in other.connection.execute(theirs)}
    views.close()


@pytest.mark.postgres
def test_the_log_is_paged_on_postgres_too(postgres_url: str) -> None:
    """By position, by what is rare and by stream; what a later batch adds is counted on."""
    store = open_store(postgres_url, clock=lambda: NOON, salt=lambda: "0" * 32)
    views = open_views(postgres_url)
    store.append([NewEvents("model:kite", 0, (rare(),))], by="mira")
    Follower(store, views).catch_up()
    store.append(_labs(2, 30), by="ada")
    store.append([NewEvents("model:kite", 1, (rare(),))], by="mira")
    Follower(store, views, batch=7).catch_up()
    last = store.head()
    here = Long(store, views)
    assert here.page(Wanted(), upto=last).entries[0].position == last
    rare_ones = [one.position for one in here.page(Wanted(type=RARE), upto=last).entries]
    assert rare_ones == [last, 1]
    assert here.page(Wanted(who="mira", type=RARE), upto=last, after=1).entries[0].position == last
    in_stream = here.page(Wanted(stream="model:kite"), upto=last)
    assert [one.position for one in in_stream.entries] == rare_ones
    with views.read() as reader:
        assert totals(reader).types == (("lab-registered/1", 28), (RARE, 2))
    views.close()
    store.close()
