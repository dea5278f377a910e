"""All that is stored, as it stands at one moment, is the same on both engines."""

from typing import Any

from ledger.store.whole import Whole
from tests.ledger.sealed import Log


def everything(whole: Whole) -> list[Any]:
    """All that it gives."""
    rows: list[Any] = []
    position = 0
    while batch := whole.rows(position, 100):
        rows += batch
        position = batch[-1][0]
    checkpoints = whole.checkpoints(-1, 10)
    sealed = [whole.bundle(0), whole.bundle(1), whole.subtree(1, 0), whole.subtree(1, 1)]
    return [whole.head(), rows, checkpoints, whole.keys(), sealed]


def test_every_column_is_given_as_it_lies_in_the_database(log: Log) -> None:
    """Rows in the order of positions, checkpoints in that of their sizes, and what is not there."""
    for count in (300, 5):
        log.record(count)
        log.seals.seal()
    with log.store.whole() as whole:
        head, rows, checkpoints, keys, sealed = everything(whole)
        assert whole.checkpoints(checkpoints[0].size, 10) == checkpoints[1:]
    assert [tuple(row) for row in rows] == log.place.rows()
    assert head == rows[-1][0]
    assert [one.size for one in checkpoints] == [300, 305]
    # Of the leaves that are in no bundle, each checkpoint keeps the entries that it adds.
    entries = log.entries()
    assert [one.entries for one in checkpoints] == [
        b"".join(entries[256:300]),
        b"".join(entries[300:305]),
    ]
    assert [key.number for key in keys] == [1]
    assert [one is None for one in sealed] == [False, True, False, True]


def test_what_is_added_meanwhile_does_not_show(log: Log) -> None:
    """Whoever checks sees one moment, and keeps no writer waiting."""
    log.record(10)
    log.seals.seal()
    with log.store.whole() as whole:
        before = everything(whole)
        log.record(300)
        log.seals.seal()
        assert everything(whole) == before
    with log.store.whole() as whole:
        assert everything(whole) != before
