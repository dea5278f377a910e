"""What the sealed log promises, shown on both engines by the same tests."""

import tracemalloc
from contextlib import suppress
from itertools import pairwise
from random import Random

import pytest

from ledger.errors import Conflict
from ledger.proof.hashes import TileHashes
from ledger.proof.merkle import (
    EMPTY_ROOT,
    check_consistency,
    check_inclusion,
    leaf_hash,
    root_at,
    root_of,
)
from ledger.proof.receipt import check_receipt, receipt_in
from ledger.proof.tiles import Tile, bundled, tiles_of
from ledger.seal import NoCheckpoint, NoTile, NotSealed, Seals
from ledger.sealing.growing import BATCH
from ledger.store import NewEvents
from ledger.store.batch import ROWS
from tests.ledger import rfc6962
from tests.ledger.engines import PostgresPlace
from tests.ledger.examples import EXAMPLES
from tests.ledger.sealed import NAME, Log, small

# --- checkpoints ------------------------------------------------------------------------------


def test_an_empty_ledger_is_sealed_as_such(log: Log) -> None:
    """The first checkpoint says that there is nothing, and whose log it is."""
    assert log.seals.latest() is None
    sealed = log.seals.seal()
    assert (sealed.size, sealed.root, sealed.position) == (0, EMPTY_ROOT, 0)
    assert sealed.note.startswith(f"{NAME}\n0\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n\n— ")
    assert log.seals.latest() == sealed
    assert log.seals.origin == NAME


@pytest.mark.parametrize("count", [1, 2, 255, 256, 257, 511, 512, 700])
def test_the_root_is_that_of_the_rfc(log: Log, count: int) -> None:
    """Over the SHA-256 of the stored bytes of every event, in the order of positions."""
    log.record(count)
    sealed = log.seals.seal()
    assert (sealed.size, sealed.position) == (count, count)
    log.check()


def test_a_log_that_grows_keeps_every_checkpoint_and_each_goes_on_from_the_one_before(
    log: Log,
) -> None:
    """A few events at a time, across the edges of tiles; no checkpoint is ever written again."""
    random, sealed = Random(4), []
    while log.recorded < 600:
        log.record(random.choice([1, 1, 2, 7, 40]))
        sealed.append(log.seals.seal())
    assert [one[0] for one in log.checkpoints()] == [one.size for one in sealed]
    log.check()
    for old, new in [*pairwise(sealed), (sealed[0], sealed[-1])]:
        check_consistency(
            old_size=old.size,
            old_root=old.root,
            new_size=new.size,
            new_root=new.root,
            proof=log.seals.consistency(old.size, new.size),
        )
    assert [log.seals.at(one.size) for one in sealed] == sealed


def test_sealing_again_changes_nothing(log: Log) -> None:
    """Nothing new: the same checkpoint, and not a row more."""
    log.record(3)
    sealed = log.seals.seal()
    assert log.seals.seal() == sealed
    assert Seals(log.store, log.keys).seal() == sealed
    assert len(log.checkpoints()) == 1


def test_a_long_import_is_sealed_in_several_steps_with_one_checkpoint_at_the_end(log: Log) -> None:
    """No checkpoint of a size at which nobody ever saw the ledger stand."""
    log.record(BATCH * 2 + 300)
    log.seals.seal()
    assert [size for size, _, _ in log.checkpoints()] == [BATCH * 2 + 300]
    log.check()


def test_sealing_many_events_takes_no_more_memory_than_sealing_few(log: Log) -> None:
    """What is held is one step of it, however much there is to seal."""
    peaks = []
    for count in (BATCH, 4 * BATCH):
        log.record(count)
        tracemalloc.start()
        log.seals.seal()
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < peaks[0] * 1.3


def test_the_first_checkpoint_that_covers_a_position_is_found(log: Log) -> None:
    """Not the newest: it is what could be had at that time, and stays the answer for ever."""
    for count in (3, 300, 2):
        log.record(count)
        log.seals.seal()
    found = [log.seals.covering(position) for position in (1, 3, 4, 303, 304, 305, 306)]
    assert [one and one.size for one in found] == [3, 3, 303, 303, 305, 305, None]


# --- leaves -----------------------------------------------------------------------------------


def test_every_position_has_its_leaf_and_every_leaf_its_position(log: Log) -> None:
    """In bundles and behind the last one; nothing is there before, between or beyond."""
    log.record(600)
    assert log.seals.index_of(1) is None
    log.seals.seal()
    log.record(1)
    positions, entries = log.positions(), log.entries()
    for index in (0, 1, 254, 255, 256, 257, 511, 512, 513, 599):
        assert log.seals.index_of(positions[index]) == index
        assert log.seals.position_of(index) == positions[index]
        assert log.seals.entry(index) == entries[index]
    for position in (-1, 0, 601, 602, 10**30):
        assert log.seals.index_of(position) is None
    for index in (-1, 600, 10**30):
        assert log.seals.position_of(index) is None
        with pytest.raises(NoTile):
            log.seals.entry(index)


def test_a_gap_in_the_positions_is_none_among_the_leaves(log: Log) -> None:
    """What was rolled back leaves no leaf, and the indexes go on (PostgreSQL leaves a gap)."""
    log.record(250)
    too_late = NewEvents("report:0", 0, ())
    with suppress(Conflict):
        log.store.append([*small(1000, ROWS), too_late], by="mira")
    log.record(20)
    log.seals.seal()
    log.check()
    positions = log.positions()
    if isinstance(log.place, PostgresPlace):
        assert positions[-1] > 270
        assert log.seals.index_of(260) is None
    assert [log.seals.index_of(position) for position in positions] == list(range(270))
    assert log.seals.seal().position == positions[-1]


def test_every_kind_of_event_is_sealed_by_its_stored_bytes(log: Log) -> None:
    """Whatever a note, a name or a number looks like: nothing is written anew to be hashed."""
    log.store.append([NewEvents("claim:all", 0, tuple(EXAMPLES.values()))], by="mira")
    log.seals.seal()
    log.check()


# --- proofs -----------------------------------------------------------------------------------


def test_a_receipt_proves_an_event_under_the_newest_checkpoint_or_an_older_one(log: Log) -> None:
    """It is read and checked with the key alone."""
    sizes = []
    for count in (300, 1, 299):
        log.record(count)
        sizes.append(log.seals.seal().size)
    entries = log.entries()
    for position in (1, 2, 255, 256, 257, 299, 300, 301, 302, 511, 512, 513, 600):
        for size in (None, *sizes):
            if size is not None and position > size:
                with pytest.raises(NotSealed):
                    log.seals.receipt(position, size)
                continue
            receipt = receipt_in(str(log.seals.receipt(position, size)))
            found = check_receipt(receipt, entries[position - 1], log.seals.keys())
            assert (receipt.index, found.size) == (position - 1, size or 600)


def test_many_proofs_at_once_are_those_had_one_by_one(log: Log) -> None:
    """In the order of positions, each once."""
    log.record(700)
    size = log.seals.seal().size
    found = list(log.seals.proofs([700, 3, 255, 256, 257, 3, 699], size))
    assert [one.position for one in found] == [3, 255, 256, 257, 699, 700]
    entries, root = log.entries(), log.seals.at(size).root
    for one in found:
        assert list(one.proof) == log.seals.inclusion(one.index, size)
        leaf = leaf_hash(entries[one.index])
        check_inclusion(leaf, index=one.index, size=size, proof=one.proof, root=root)
    for beyond in (0, 701):
        with pytest.raises(NotSealed):
            list(log.seals.proofs([beyond], size))


def test_nothing_is_proved_of_a_size_that_was_never_signed(log: Log) -> None:
    """Or of a leaf that a checkpoint does not cover, or backwards."""
    log.record(5)
    log.seals.seal()
    log.record(5)
    log.seals.seal()
    for size in (-1, 0, 4, 6, 11, 10**30):
        with pytest.raises(NoCheckpoint):
            log.seals.inclusion(0, size)
        with pytest.raises(NoCheckpoint):
            log.seals.consistency(size, 10)
    with pytest.raises(NoCheckpoint):
        log.seals.consistency(10, 5)
    for index in (-1, 5, 9):
        with pytest.raises(NoTile):
            log.seals.inclusion(index, 5)
    with pytest.raises(NotSealed):
        log.seals.receipt(11)


def test_every_tile_of_every_size_can_be_had_for_ever(log: Log) -> None:
    """Those of an old checkpoint too, whose partial tiles have long been full."""
    for count in (100, 150, 262, 1):
        log.record(count)
        log.seals.seal()
    entries = log.entries()
    for size, _, _ in log.checkpoints():
        for tile in tiles_of(size):
            assert tile.level is not None
            span = 256**tile.level
            expected = [
                rfc6962.root(entries[at * span : (at + 1) * span])
                for at in range(tile.index * 256, tile.index * 256 + tile.width)
            ]
            assert log.seals.tile(tile) == b"".join(expected)
            if not tile.level:
                start = tile.index * 256
                bundle = log.seals.tile(Tile(None, tile.index, tile.width))
                assert bundle == bundled(entries[start : start + tile.width])


def test_70000_events_make_the_tiles_of_the_specification(log: Log) -> None:
    """273 full tiles and a partial one of 112, then 1 and 17, then 1; they lead to the root."""
    log.record(70_000)
    sealed = log.seals.seal()
    found = [(tile.level, tile.width) for tile in tiles_of(70_000) if log.seals.tile(tile)]
    assert found == [(0, 256)] * 273 + [(0, 112), (1, 256), (1, 17), (2, 1)]
    entries = log.entries()
    assert root_at(70_000, TileHashes(70_000, log.seals.tile)) == sealed.root
    assert root_of(map(leaf_hash, entries)) == sealed.root
    check_receipt(log.seals.receipt(65_537), entries[65_536], log.seals.keys())


def test_no_tile_reaches_beyond_the_newest_checkpoint(log: Log) -> None:
    """What is recorded and not yet sealed is not served."""
    log.record(258)
    with pytest.raises(NoTile):
        log.seals.tile(Tile(0, 0, 1))
    log.seals.seal()
    log.record(300)
    for tile in (Tile(0, 1, 3), Tile(0, 1), Tile(None, 1, 3), Tile(1, 0, 2), Tile(2, 0, 1)):
        with pytest.raises(NoTile):
            log.seals.tile(tile)
