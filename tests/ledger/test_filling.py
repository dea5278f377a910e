"""An empty store takes over what another one holds, positions and all, and goes on from there."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from ledger.dumping.carried import FromStore, LogLine, fill
from ledger.seal import Forked, Seals
from ledger.store import DoesNotFit, NotEmpty, Store
from ledger.store.whole import WholeRow
from tests.ledger.engines import Place, PostgresPlace, SQLitePlace
from tests.ledger.sealed import THIRD, Log, new_log, small


def spaced(*positions: int) -> list[WholeRow]:
    """Some event at each of these positions."""
    stored = b'{"recorded_at":"2025-07-28T12:00:00Z"}'
    return [(one, f"report:9{one}", 1, "report-assigned/1", stored) for one in positions]


def all_of(store: Store) -> tuple[list[WholeRow], list[LogLine]]:
    """Every event that is stored, column by column, and all of the log over them."""
    with store.whole() as whole:
        carried = FromStore(whole)
        rows = [tuple(row) for some in carried.events() for row in some]
        bundles = [whole.bundle(number) for number in range(len(rows) // 256 + 1)]
        hashes = [whole.subtree(1, number) for number in range(len(rows) // 256 + 1)]
        return [*rows, *bundles, *hashes], list(carried.log())  # type: ignore[list-item]


def test_positions_stay_as_they_are_and_the_next_one_lies_behind(place: Place) -> None:
    """With the gaps that PostgreSQL may have left, on either engine."""
    store = place.open()
    with store.filling() as filling:
        filling.put(spaced(3, 7))
        filling.put(spaced(9))
    assert [row[:2] for row in place.rows()] == [row[:2] for row in spaced(3, 7, 9)]
    store.append(small(1, 1), by="mira")
    assert store.head() == 10


def test_what_is_raised_inside_leaves_it_empty(place: Place) -> None:
    """Nothing of it is committed, and whoever comes next may fill it."""
    store = place.open()
    with suppress(ZeroDivisionError), store.filling() as filling:
        filling.put(spaced(1))
        raise ZeroDivisionError
    assert store.head() == 0
    with store.filling() as filling:
        filling.put(spaced(2))
    assert store.head() == 2


BAD = {
    "a position twice": [*spaced(2), (2, "report:1", 1, "report-assigned/1", b"{}")],
    "a version twice": [*spaced(2), (3, *spaced(2)[0][1:])],
    "a version of 0": [(1, "report:1", 0, "report-assigned/1", b"{}")],
}


@pytest.mark.parametrize("rows", BAD.values(), ids=BAD)
def test_rows_that_cannot_be_stored_are_refused(place: Place, rows: list[WholeRow]) -> None:
    """By the database's own rules, which stay on; the store stays empty."""
    store = place.open()
    with pytest.raises(DoesNotFit), store.filling() as filling:
        filling.put(rows)
    assert store.head() == 0


def test_a_store_with_events_is_not_filled(log: Log) -> None:
    """Nothing is recorded over."""
    log.record(1)
    with pytest.raises(NotEmpty, match="its last position is 1"), log.store.filling():
        pass


def test_a_log_that_was_begun_is_not_filled(log: Log) -> None:
    """It has a key of its own, though nothing is under it."""
    log.seals.seal()
    with pytest.raises(NotEmpty, match="begun"), log.store.filling():
        pass


@contextmanager
def other(folder: Path) -> Iterator[Place]:
    """An empty file elsewhere."""
    found = SQLitePlace(str(folder / "other.sqlite"))
    yield found
    found.close()


def test_what_was_filled_has_the_same_log_and_goes_on(log: Log, tmp_path: Path) -> None:
    """Events, bundles, hashes, checkpoints and keys; and the next checkpoint is the same one."""
    for count in (3, 300, 400):
        log.record(count)
        log.seals.seal()
    log.seals.rotate(THIRD)
    log.record(5)
    log.seals.seal()
    with other(tmp_path) as target:
        store = target.open()
        with log.store.whole() as whole, store.filling() as filling:
            fill(filling, FromStore(whole), lambda *_: None)
        assert all_of(store) == all_of(log.store)
        seals = Seals(store, log.keys)
        for one in (log.store, store):
            one.append(small(708, 300), by="mira")
        assert seals.seal().size == log.seals.seal().size == 1008


@pytest.mark.postgres
def test_from_sqlite_to_postgresql_as_well(tmp_path: Path, postgres_url: str) -> None:
    """The same the other way round."""
    first = new_log(SQLitePlace(str(tmp_path / "first.sqlite")), tmp_path)
    first.record(600)
    first.seals.seal()
    target = PostgresPlace(postgres_url)
    store = target.open()
    with first.store.whole() as whole, store.filling() as filling:
        fill(filling, FromStore(whole), lambda *_: None)
    assert all_of(store) == all_of(first.store)
    store.append(small(600, 1), by="mira")
    assert store.head() == 601
    for one in (first.place, target):
        one.close()


class Short(FromStore):
    """A ledger whose last events were lost on the way."""

    def events(self) -> Iterator[Sequence[WholeRow]]:
        """The first of them alone."""
        for rows in super().events():
            yield [row for row in rows if row[0] < 200]


def test_events_that_a_checkpoint_covers_have_to_be_there(log: Log, tmp_path: Path) -> None:
    """Else no bundle can be grown, and nothing is committed."""
    log.record(600)
    log.seals.seal()
    with other(tmp_path) as target:
        store = target.open()
        with (
            pytest.raises(Forked, match="are gone"),
            log.store.whole() as whole,
            store.filling() as filling,
        ):
            fill(filling, Short(whole), lambda *_: None)
        assert store.head() == 0
