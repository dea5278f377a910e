"""The tree cut into tiles: how many, how they are called, and that they give every hash back."""

from collections.abc import Sequence
from functools import cache
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.proof.errors import Malformed
from ledger.proof.hashes import TileHashes
from ledger.proof.merkle import (
    SIZE,
    Subtree,
    check_consistency,
    check_inclusion,
    consistency_proof,
    inclusion_proof,
    leaf_hash,
    node_hash,
    root_at,
    root_of,
)
from ledger.proof.tiles import (
    Tile,
    bundled,
    is_within,
    split_entries,
    split_hashes,
    tile_at,
    tiles_of,
    width_at,
)

MANY = 70_000


@cache
def level(number: int) -> Sequence[bytes]:
    """The hashes of a tile level of 70,000 leaves, worked out row by row."""
    if number == 0:
        return [leaf_hash(b"%d" % leaf) for leaf in range(MANY)]
    row = level(number - 1)
    for _ in range(8):
        row = [node_hash(row[at], row[at + 1]) for at in range(0, len(row) - 1, 2)]
    return row


def read(tile: Tile) -> bytes:
    """A tile of the 70,000 leaves."""
    assert tile.level is not None
    start = tile.index * 256
    return b"".join(level(tile.level)[start : start + tile.width])


# --- which tiles there are --------------------------------------------------------------------


def counted(size: int) -> dict[int | None, tuple[int, list[int]]]:
    """By level: how many full tiles, and how wide the partial ones are."""
    found: dict[int | None, tuple[int, list[int]]] = {}
    for tile in tiles_of(size):
        full, partial = found.get(tile.level, (0, []))
        found[tile.level] = (
            (full + 1, partial) if tile.width == 256 else (full, [*partial, tile.width])
        )
    return found


def test_70000_leaves_make_the_tiles_of_the_specification() -> None:
    """273 full and one of 112; above them 1 full and one of 17; above those one of 1."""
    assert counted(MANY) == {0: (273, [112]), 1: (1, [17]), 2: (0, [1])}


def test_256_leaves_make_one_full_tile_and_one_hash_above_it() -> None:
    """The hash of a full tile stands on the level above at once; an empty tile does not exist."""
    assert counted(256) == {0: (1, []), 1: (0, [1])}
    assert counted(255) == {0: (0, [255])}
    assert counted(0) == {}


@given(st.integers(0, 200_000), st.integers(0, 200_000))
def test_the_tiles_since_are_those_that_were_not_there_before(one: int, other: int) -> None:
    """Who mirrors a log from one size to the next fetches these alone, and then has all."""
    old, new = sorted((one, other))
    before, after = set(tiles_of(old)), set(tiles_of(new))
    since = set(tiles_of(new, old))
    assert since == after - before
    assert all(is_within(tile, new) and not is_within(tile, old) for tile in since)


def test_a_tile_is_within_a_log_that_has_all_of_its_hashes() -> None:
    """A full one, a partial one of any width up to what is there, and nothing beyond."""
    assert is_within(Tile(0, 272), MANY)
    assert is_within(Tile(0, 273, 112), MANY)
    assert is_within(Tile(None, 273, 5), MANY)
    assert not is_within(Tile(0, 273, 113), MANY)
    assert not is_within(Tile(0, 274, 1), MANY)
    assert not is_within(Tile(2, 0, 2), MANY)
    assert width_at(MANY, 0, 274) == 0


# --- what they are called ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tile", "path"),
    [
        (Tile(0, 0), "tile/0/000"),
        (Tile(1, 999, 17), "tile/1/999.p/17"),
        (Tile(0, 1000), "tile/0/x001/000"),
        (Tile(0, 1_234_067, 112), "tile/0/x001/x234/067.p/112"),
        (Tile(None, 1_234_067), "tile/entries/x001/x234/067"),
    ],
)
def test_a_tile_has_the_address_of_the_specification(tile: Tile, path: str) -> None:
    """Numbers in groups of three digits, all but the last behind an x."""
    assert tile.path == path
    assert tile_at(path) == tile


@given(
    st.builds(
        Tile,
        st.one_of(st.none(), st.integers(0, 7)),
        st.integers(0, 2**60),
        st.integers(1, 256),
    )
)
def test_every_address_leads_back_to_its_tile(tile: Tile) -> None:
    """There and back."""
    assert tile_at(tile.path) == tile


@pytest.mark.parametrize(
    "path",
    [
        "",
        "tile/0",
        "tile/0/0",
        "tile/0/0000",
        "tile/0/x000/001",
        "tile/0/001/001",
        "tile/0/x001",
        "tile/8/000",
        "tile/-1/000",
        "tile/00/000",
        "tile/0/000.p/0",
        "tile/0/000.p/256",
        "tile/0/000.p/01",
        "tile/0/000.p/1000",
        "tile/0/000.p",
        "/tile/0/000",
        "tile/0/000/",
        "tile/0/../000",
        "tile/0/\N{ARABIC-INDIC DIGIT ZERO}00",
        "tile/ENTRIES/000",
        "tile/0/000\n",
    ],
)
def test_a_tile_has_one_address_and_no_other(path: str) -> None:
    """Two addresses for one tile would be kept, and forgotten, apart."""
    with pytest.raises(Malformed):
        tile_at(path)


# --- what is in them --------------------------------------------------------------------------


def test_tiles_give_every_root_and_every_proof() -> None:
    """Whoever has the tiles of 70,000 leaves can prove each leaf and each size before."""
    hashes, root = TileHashes(MANY, read), root_of(level(0))
    assert root_at(MANY, hashes) == root
    for index in (0, 1, 255, 256, 65_535, 65_536, 69_887, 69_888, MANY - 1):
        proof = inclusion_proof(index, MANY, hashes)
        check_inclusion(level(0)[index], index=index, size=MANY, proof=proof, root=root)
    for old in (1, 2, 255, 256, 257, 65_535, 65_536, 65_537, MANY - 1, MANY):
        old_root = root_at(old, hashes)
        assert old_root == root_of(level(0)[:old])
        proof = consistency_proof(old, MANY, hashes)
        check_consistency(
            old_size=old, old_root=old_root, new_size=MANY, new_root=root, proof=proof
        )


def test_no_hash_is_made_up_beyond_the_log() -> None:
    """A subtree that is not full has no hash, and one beyond the log even less."""
    hashes = TileHashes(MANY, read)
    for subtree in (Subtree(0, MANY), Subtree(16, 1), Subtree(8, 273), Subtree(17, 0)):
        with pytest.raises(ValueError, match="is not in a log of 70000 leaves"):
            hashes(subtree)


@pytest.mark.parametrize("given_back", [b"", b"x" * SIZE * 111, b"x" * SIZE * 113, b"x"])
def test_a_tile_of_another_width_is_refused(given_back: bytes) -> None:
    """A server that gives too much or too little is not worked with."""
    with pytest.raises(Malformed, match=r"tile/0/273\.p/112 has 112 hashes"):
        TileHashes(MANY, lambda _: given_back)(Subtree(0, MANY - 1))


def test_a_tile_comes_apart_into_its_hashes() -> None:
    """And nothing that is not whole hashes does."""
    hashes = list(level(1)[:17])
    assert split_hashes(b"".join(hashes)) == hashes
    for wrong in (b"", b"x" * 33, b"x" * SIZE * 257):
        with pytest.raises(Malformed):
            split_hashes(wrong)


@given(st.lists(st.binary(max_size=80), max_size=256))
def test_a_bundle_comes_apart_into_its_entries(entries: list[bytes]) -> None:
    """Whatever they hold, empty ones too."""
    assert split_entries(bundled(entries)) == entries


def test_a_bundle_is_entries_behind_their_lengths() -> None:
    """Two bytes, big-endian, as the specification says."""
    entry = sha256(b"event").digest()
    assert bundled([entry, b"ab"]) == b"\x00\x20" + entry + b"\x00\x02ab"


@pytest.mark.parametrize(
    "bundle", [b"\x00", b"\x00\x02a", b"\x00\x01a\x00", b"\x00\x00" * 257], ids=repr
)
def test_a_bundle_that_is_cut_off_or_too_long_is_refused(bundle: bytes) -> None:
    """Before anything is believed of it."""
    with pytest.raises(Malformed):
        split_entries(bundle)
