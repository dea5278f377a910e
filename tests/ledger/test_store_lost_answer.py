"""The line breaks around a commit: what was recorded is found again, and nothing is guessed."""

import sqlite3
from collections.abc import Callable, Iterator

import pytest
from eventsourcing.sqlite import SQLiteConnection

from ledger.errors import Conflict
from ledger.store import Store, Unavailable, Unconfirmed, open_store
from ledger.store.batch import ROWS
from tests.ledger.cut import CutLine
from tests.ledger.engines import Clock, Place, PostgresPlace, Salt
from tests.ledger.named import many, names, new


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
