"""The verifier finds every alteration of a sealed log, and says exactly what and where."""

import re
from pathlib import Path

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.proof.merkle import leaf_hash, root_of
from ledger.store.seals import Sealed
from ledger.verifying.edge import Edge
from ledger.verifying.events import Row
from ledger.verifying.finding import Finding
from ledger.verifying.kinds import KINDS
from ledger.verifying.matching import MOST
from tests.ledger.made_log import checkpoint, entry, kinds, rows_of, sealed, verified

ROWS = rows_of(900)
SIZES = (10, 100, 300, 700, 800, 900)
STRANGER = rows_of(1_000)[950]


def changed(rows: list[Row], index: int) -> list[Row]:
    """The rows with another word in one event; its form stays canonical."""
    position, stream, version, name, stored = rows[index]
    other = stored.replace(b'"name":"Lab', b'"name":"LAB')
    return [*rows[:index], (position, stream, version, name, other), *rows[index + 1 :]]


def swapped(rows: list[Row], one: int, other: int) -> list[Row]:
    """The rows with two events in each other's place; positions stay."""
    found = list(rows)
    found[one] = (rows[one][0], *rows[other][1:])
    found[other] = (rows[other][0], *rows[one][1:])
    return found


def inserted(rows: list[Row], index: int) -> list[Row]:
    """The rows with one more, slipped in; those behind it make room."""
    new = (rows[index][0], *STRANGER[1:])
    return [*rows[:index], new, *((row[0] + 1, *row[1:]) for row in rows[index:])]


def of_the_tree(found: list[Finding]) -> list[Finding]:
    """Without what the events themselves betray: versions, clocks and columns."""
    betrayed = {"version-out-of-turn", "clock-fell", "event-misfiled", "position-fell"}
    return [one for one in found if one.kind not in betrayed]


@given(
    st.integers(0, 600).flatmap(
        lambda count: st.tuples(
            st.just(count), st.sets(st.integers(0, count), max_size=6), st.integers(1, 300)
        )
    )
)
@settings(max_examples=25)
def test_an_untouched_log_holds(case: tuple[int, set[int], int]) -> None:
    """Whatever its size, its checkpoints, and the batches it is read in."""
    count, sizes, batch = case
    rows = rows_of(count, gap=2)
    assert verified(rows, sealed(rows, sorted(sizes)), batch=batch) == []


@given(st.integers(0, 899))
@settings(max_examples=25)
def test_a_changed_event_is_named(index: int) -> None:
    """Whether a bundle has its entry, or the checkpoint that covered it first."""
    rows = changed(ROWS, index)
    (found,) = verified(rows, sealed(ROWS, SIZES))
    _, stream, version, _, _ = ROWS[index]
    assert found.kind == "event-changed"
    place = {"position": index + 1, "stream": stream, "version": version, "index": index}
    assert dict(found.place) == place
    assert (found.expected, found.found) == (entry(ROWS[index]).hex(), entry(rows[index]).hex())


@given(st.sets(st.integers(0, 899), min_size=2, max_size=2))
@settings(max_examples=25)
def test_two_swapped_events_are_named(pair: set[int]) -> None:
    """Neighbours or far apart; the clock betrays them as well, the versions perhaps."""
    one, other = sorted(pair)
    found = verified(swapped(ROWS, one, other), sealed(ROWS, SIZES))
    (of_both,) = of_the_tree(found)
    assert of_both.kind == "events-swapped"
    assert dict(of_both.place) == {
        "position": one + 1,
        "index": one,
        "other_position": other + 1,
        "other_index": other,
    }


@given(st.integers(0, 899))
@settings(max_examples=25)
def test_an_event_that_was_slipped_in_is_named(index: int) -> None:
    """And none of those that it shifts is blamed."""
    (found,) = of_the_tree(verified(inserted(ROWS, index), sealed(ROWS, SIZES)))
    assert found.kind == "event-inserted"
    assert (found.place["position"], found.place["index"]) == (index + 1, index)
    assert found.found == entry(STRANGER).hex()


@given(st.integers(0, 898))
@settings(max_examples=25)
def test_an_event_that_was_taken_out_is_named(index: int) -> None:
    """By its leaf, and by the event that stands behind the hole."""
    rows = [*ROWS[:index], *ROWS[index + 1 :]]
    (found,) = of_the_tree(verified(rows, sealed(ROWS, SIZES)))
    assert found.kind == "event-removed"
    assert dict(found.place) == {"index": index, "position": index + 2}
    assert found.expected == entry(ROWS[index]).hex()


@given(st.integers(1, 900))
@settings(max_examples=25)
def test_events_cut_off_at_the_end_are_named(count: int) -> None:
    """One or all of them: so many are sealed, so many are there."""
    (found,) = verified(ROWS[:-count], sealed(ROWS, SIZES))
    assert found.says == (
        f"the ledger ends too early: 900 events are sealed and it holds {900 - count}; leaf"
        f" {900 - count} and all after it are gone"
    )


@given(st.integers(0, 899))
@settings(max_examples=25)
def test_an_edited_entry_is_not_blamed_on_the_event(index: int) -> None:
    """The signed checkpoint bears the event out, so it is the tile that was altered."""
    kept = sealed(ROWS, SIZES)
    number, at = divmod(index, 256)
    if number in kept.bundles:
        bundle = kept.bundles[number]
        kept.bundles[number] = attrs.evolve(bundle, entries=flipped(bundle.entries, at))
    else:
        which = next(n for n, one in enumerate(kept.sealed) if one.size > index)
        row = kept.sealed[which]
        start = row.size - len(row.entries) // 32
        kept.sealed[which] = attrs.evolve(row, entries=flipped(row.entries, index - start))
    (found,) = verified(ROWS, kept)
    assert found.kind == "tile-changed"
    assert dict(found.place) == {"tile": f"tile/entries/{number:03d}", "entry": at}
    assert found.expected == entry(ROWS[index]).hex()


def flipped(entries: bytes, at: int) -> bytes:
    """Entries with one bit of one of them flipped."""
    other = bytearray(entries)
    other[32 * at] ^= 1
    return bytes(other)


def test_an_edited_hash_above_the_leaves_is_named() -> None:
    """By its tile and its place in it."""
    kept = sealed(ROWS, SIZES)
    kept.subtrees[1, 2] = bytes(32)
    (found,) = verified(ROWS, kept)
    assert found.says == "entry 2 of tile/1/000 is not what the events below it give"


def test_what_is_missing_of_the_tiles_is_named() -> None:
    """A bundle and a hash, as a checkpoint covers both."""
    kept = sealed(ROWS, SIZES)
    del kept.bundles[1], kept.subtrees[1, 0]
    found = verified(ROWS, kept)
    assert [(one.kind, dict(one.place)) for one in found] == [
        ("tile-missing", {"tile": "tile/1/000", "entry": 0}),
        ("tile-missing", {"tile": "tile/entries/001"}),
    ]


def test_an_event_at_another_position_is_named() -> None:
    """Its bytes are the same, but whoever was told its position finds another one there."""
    rows = [*ROWS[:255], (1_000, *ROWS[255][1:])]
    (found,) = verified(rows, sealed(ROWS[:256], [256]))[:1]
    assert found.kind == "position-changed"
    assert (found.place["index"], found.expected, found.found) == (255, "256", "1000")


@pytest.mark.parametrize("which", range(len(SIZES)))
def test_a_checkpoint_that_forked_is_named(which: int) -> None:
    """It is signed by the right key, and over another history."""
    kept = sealed(ROWS, SIZES)
    before = SIZES[which - 1] if which else 0
    kept.sealed[which] = attrs.evolve(
        checkpoint(changed(ROWS, 5), SIZES[which], before), entries=kept.sealed[which].entries
    )
    (found,) = verified(ROWS, kept)
    assert found.kind == "checkpoint-forked"
    assert dict(found.place) == {"size": SIZES[which], "since": before}
    assert found.found == kept.sealed[which].root.hex()


def test_a_history_that_was_rewritten_tiles_and_all_does_not_lead_to_what_was_signed() -> None:
    """Who has no key cannot sign anew."""
    rows = changed(ROWS, 50)
    kept = sealed(rows, SIZES)
    signed_before = sealed(ROWS, SIZES).sealed
    kept.sealed = [
        attrs.evolve(old, entries=new.entries)
        for old, new in zip(signed_before, kept.sealed, strict=True)
    ]
    (found,) = verified(rows, kept)
    assert (found.kind, dict(found.place)) == ("checkpoint-forked", {"size": 100, "since": 10})


def test_a_checkpoint_that_was_taken_out_shows_by_the_next_one() -> None:
    """The entries that the next one keeps begin where the missing one ended."""
    kept = sealed(ROWS, SIZES)
    del kept.sealed[4]
    (found,) = verified(ROWS, kept)
    assert found.says == "a checkpoint of 800 leaves was made and is not there any more"


def test_a_note_that_was_edited_is_not_signed() -> None:
    """Whatever is changed in it, the signature says so, and names the checkpoint."""
    kept = sealed(ROWS, SIZES)
    note = kept.sealed[1].note.replace("\n100\n", "\n101\n")
    kept.sealed[1] = attrs.evolve(kept.sealed[1], note=note)
    (found,) = verified(ROWS, kept)
    assert (found.kind, found.place["size"]) == ("checkpoint-unsigned", 100)
    assert "is not valid" in found.says


@pytest.mark.parametrize(
    ("column", "value"), [("root", bytes(32)), ("position", 99), ("size", 101)]
)
def test_a_row_that_says_something_else_than_its_note_is_named(column: str, value: object) -> None:
    """The note is signed; what stands beside it is not."""
    kept = sealed(ROWS, SIZES)
    row = {**attrs.asdict(kept.sealed[1]), column: value}
    kept.sealed[1] = Sealed(**row)
    (found,) = verified(ROWS, kept)
    assert (found.kind, found.place["column"]) == ("checkpoint-misfiled", column)


def test_a_second_alteration_is_found_behind_the_first() -> None:
    """An edited tile does not hide a changed event, nor the other way about."""
    for tile_at, event_at in ((5, 650), (517, 50)):
        kept = sealed(ROWS, SIZES)
        bundle = kept.bundles[tile_at // 256]
        edited = flipped(bundle.entries, tile_at % 256)
        kept.bundles[tile_at // 256] = attrs.evolve(bundle, entries=edited)
        found = verified(changed(ROWS, event_at), kept)
        assert kinds(found) == ["tile-changed", "event-changed"]
        assert found[1].place["index"] == event_at


def test_a_whole_other_ledger_does_not_fill_memory() -> None:
    """So many differences are told apart; that there are more can be seen by their number."""
    other = [(*row[:4], row[4].replace(b'"ada"', b'"eve"')) for row in ROWS]
    assert kinds(verified(other, sealed(ROWS, SIZES))) == ["event-changed"] * MOST


# --- what all of it stands on -----------------------------------------------------------------


@given(st.lists(st.integers(0, 255), max_size=5), st.integers(0, 3))
@settings(max_examples=25)
def test_the_edge_gives_the_root_of_every_size(steps: list[int], tiles: int) -> None:
    """However the leaves come in, also over the ends of tiles."""
    edge = Edge()
    leaves: list[bytes] = []
    for step in [*[256] * tiles, *steps]:
        for _ in range(step):
            leaves.append(leaf_hash(len(leaves).to_bytes(4, "big")))
            edge.add(leaves[-1:])
        assert edge.root() == root_of(leaves)
    assert edge.copy().root() == root_of(leaves)


def test_every_kind_has_a_sentence_and_advice() -> None:
    """A sentence begins small, as a line begins with its kind; advice is whole sentences."""
    for kind, (says, do) in KINDS.items():
        assert says[0].islower() or says[0] == "{", kind
        assert says[-1] != "." or kind.startswith("bundle"), kind
        assert do[0].isupper(), kind
        assert do[-1] == ".", kind


def test_every_kind_is_documented() -> None:
    """The page has a line for each, and none for a kind that is not there."""
    page = Path(__file__).parents[2] / "docs" / "verifying.md"
    documented = re.findall(r"^\| `([a-z-]+)` \|", page.read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(documented) == sorted(KINDS)
