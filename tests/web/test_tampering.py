"""Every alteration of a home is found, named, and placed; and nothing else is blamed for it."""

import hashlib
from pathlib import Path
from typing import Any

import pytest

from ledger.proof.merkle import leaf_hash, root_of
from ledger.proof.note import Checkpoint, signed, signing_key
from tests.web.tampered import Tampered, swapping

QUICK = "--skip-read-model"
CHANGE = (
    "UPDATE events SET state = CAST(replace(CAST(state AS TEXT), '\"ada\"', '\"eve\"') AS BLOB)"
    " WHERE rowid = {}"
)
# What shifts makes room from the end on, as positions are unique.
SHIFT = (
    "UPDATE events SET rowid = -rowid - 1 WHERE rowid >= {}",
    "UPDATE events SET rowid = -rowid WHERE rowid < 0",
)


def event(tampered: Tampered, position: int) -> dict[str, Any]:
    """Where an event is, as findings say it."""
    ((stream, version),) = tampered.ask(
        f"SELECT originator_id, originator_version FROM events WHERE rowid = {position}"
    )
    return {"position": position, "stream": stream, "version": version}


def test_an_untouched_home_holds(tampered: Tampered) -> None:
    """All that is in it was looked at, and not a byte of it was changed by that."""
    before = contents(tampered.home)
    assert tampered.verify() == {
        "target": str(tampered.home),
        "kind": "home",
        "holds": True,
        "checked": {
            "events": 308,
            "streams": 205,
            "bundles": 1,
            "checkpoints": 4,
            "keys": 1,
            "files": 2,
            "tables": 18,
            "rows": rows_of(tampered),
        },
        "findings": [],
        "more": {},
        "notes": [],
    }
    assert contents(tampered.home) == before


def contents(home: Path) -> dict[str, str]:
    """The digest of every file."""
    files = (path for path in sorted(home.rglob("*")) if path.is_file())
    return {str(path): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def rows_of(tampered: Tampered) -> int:
    """All rows of the live read model, and how far it has come."""
    names = tampered.ask(
        "SELECT name FROM sqlite_master"
        " WHERE (name GLOB 'g1_*' OR name = 'progress') AND type = 'table'",
        "views.db",
    )
    return sum(tampered.ask(f"SELECT COUNT(*) FROM {name}", "views.db")[0][0] for (name,) in names)


@pytest.mark.parametrize("position", [1, 200, 256, 257, 300, 308])
def test_an_event_that_was_changed_is_named(tampered: Tampered, position: int) -> None:
    """With the entry that was sealed and the one that its bytes give now."""
    tampered.alter(CHANGE.format(position))
    (found,) = tampered.verify(QUICK)["findings"]
    ((state,),) = tampered.ask(f"SELECT state FROM events WHERE rowid = {position}")
    assert found["kind"] == "event-changed"
    assert found["place"] == {**event(tampered, position), "index": position - 1}
    assert found["found"] == hashlib.sha256(state).hexdigest()
    assert found["says"] == (
        f"the event at position {position} ({found['place']['stream']}"
        f" v{found['place']['version']}) is not the one that was sealed as leaf {position - 1}"
    )


@pytest.mark.parametrize(("one", "other"), [(5, 6), (110, 111), (240, 300), (301, 302)])
def test_two_events_that_were_swapped_are_named(tampered: Tampered, one: int, other: int) -> None:
    """Both, in a bundle or behind it."""
    tampered.alter(*swapping(one, other))
    place = {"position": one, "index": one - 1, "other_position": other, "other_index": other - 1}
    assert ("events-swapped", place) in tampered.wrong(QUICK)
    assert {kind for kind, _ in tampered.wrong(QUICK)} <= {"events-swapped", "clock-fell"}


@pytest.mark.parametrize("left", [307, 300, 100])
def test_events_that_were_cut_off_are_named(tampered: Tampered, left: int) -> None:
    """The checkpoint says how many there were."""
    tampered.alter(f"DELETE FROM events WHERE rowid > {left}")
    (found,) = [one for one in tampered.verify(QUICK)["findings"] if one["kind"] != "file-missing"]
    assert (found["kind"], found["place"]) == ("events-cut-off", {"index": left})
    assert (found["expected"], found["found"]) == ("308", str(left))


@pytest.mark.parametrize("position", [50, 280])
def test_an_event_that_was_taken_out_is_named(tampered: Tampered, position: int) -> None:
    """As positions may have gaps, it is the tree that tells."""
    tampered.alter(f"DELETE FROM events WHERE rowid = {position}")
    assert (
        "event-removed",
        {"index": position - 1, "position": position + 1},
    ) in tampered.wrong(QUICK)


@pytest.mark.parametrize("position", [50, 280])
def test_an_event_that_was_slipped_in_is_named(tampered: Tampered, position: int) -> None:
    """A whole one, canonical and the first of its stream, with room made for it."""
    new = (
        f"INSERT INTO events SELECT {position}, 'lab:x', 1, topic,"
        " CAST(replace(CAST(state AS TEXT), originator_id, 'lab:x') AS BLOB)"
        " FROM events WHERE rowid = 1"
    )
    tampered.alter(*(one.format(position) for one in SHIFT), new)
    place = {"position": position, "stream": "lab:x", "version": 1, "index": position - 1}
    assert [one for one in tampered.wrong(QUICK) if one[0].startswith("event")] == [
        ("event-inserted", place)
    ]


def test_events_at_other_positions_are_named(tampered: Tampered) -> None:
    """Bytes and order are whole, but what is cited by position is not there any more."""
    tampered.alter(*(one.format(256) for one in SHIFT))
    found = tampered.verify(QUICK)["findings"]
    assert [(one["kind"], one["expected"], one["found"]) for one in found] == [
        ("position-changed", "256", "257"),
        ("checkpoint-misfiled", "308", "307"),
        ("checkpoint-misfiled", "309", "308"),
    ]


@pytest.mark.parametrize(
    ("column", "value", "says"),
    [
        ("originator_id", "'lab:x'", "stream"),
        ("originator_version", "7", "version"),
        ("topic", "'lab-registered/1'", "type"),
    ],
)
def test_a_column_that_was_changed_is_named(
    tampered: Tampered, column: str, value: str, says: str
) -> None:
    """The bytes are whole; who looks for the event by the column finds another."""
    tampered.alter(f"UPDATE events SET {column} = {value} WHERE rowid = 3")
    assert ("event-misfiled", {"position": 3, "column": says}) in tampered.wrong(QUICK)
    assert not any(kind == "event-changed" for kind, _ in tampered.wrong(QUICK))


def test_bytes_that_are_no_event_do_not_stop_the_check(tampered: Tampered) -> None:
    """They are named, and the read model is not compared with what cannot be read."""
    tampered.alter("UPDATE events SET state = X'FF00' WHERE rowid = 7", CHANGE.format(9))
    assert [kind for kind, _ in tampered.wrong()] == [
        "event-unreadable",
        "event-changed",
        "event-changed",
        "event-unreadable",
        "views-unfit",
    ]


# --- tiles, checkpoints, keys -----------------------------------------------------------------


def test_a_tile_that_was_edited_is_named(tampered: Tampered) -> None:
    """And the event below it is not blamed: the signed checkpoint bears it out."""
    ((entries,),) = tampered.ask("SELECT entries FROM log_bundles")
    edited = bytes([entries[0] ^ 1]) + entries[1:]
    tampered.alter(
        f"UPDATE log_bundles SET entries = X'{edited.hex()}'",
        f"UPDATE log_subtrees SET hash = X'{bytes(32).hex()}'",
    )
    assert tampered.wrong(QUICK) == [
        ("tile-changed", {"tile": "tile/entries/000", "entry": 0}),
        ("tile-changed", {"tile": "tile/1/000", "entry": 0}),
    ]


def test_tiles_that_are_gone_are_named(tampered: Tampered) -> None:
    """A bundle and what stands on it."""
    tampered.alter("DELETE FROM log_bundles", "DELETE FROM log_subtrees")
    assert tampered.wrong(QUICK) == [
        ("tile-missing", {"tile": "tile/entries/000"}),
        ("tile-missing", {"tile": "tile/1/000", "entry": 0}),
    ]


@pytest.mark.parametrize("size", [205, 307, 308])
def test_a_checkpoint_that_forked_is_named(tampered: Tampered, size: int) -> None:
    """Signed by the log's own key, over events of which one was another."""
    states = [row[0] for row in tampered.ask("SELECT state FROM events ORDER BY rowid")]
    leaves = [leaf_hash(hashlib.sha256(state).digest()) for state in states[:size]]
    leaves[9] = bytes(32)
    key = signing_key((tampered.home / "checkpoint.key").read_text("ascii"))
    other = Checkpoint(key.name, size, root_of(leaves))
    note = signed(other.text, key).replace("'", "''")
    tampered.alter(
        f"UPDATE log_checkpoints SET root = X'{other.root.hex()}', note = '{note}'"
        f" WHERE size = {size}"
    )
    (found,) = tampered.verify(QUICK)["findings"]
    assert found["kind"] == "checkpoint-forked"
    assert found["place"]["size"] == size
    assert found["found"] == other.root.hex()


def test_a_checkpoint_that_was_taken_out_is_named(tampered: Tampered) -> None:
    """The next one says by what it keeps where it goes on."""
    tampered.alter("DELETE FROM log_checkpoints WHERE size = 307")
    assert tampered.wrong(QUICK) == [("checkpoint-missing", {"size": 307})]


def test_a_checkpoint_that_nobody_signed_is_named(tampered: Tampered) -> None:
    """Its note was edited, and the row with it."""
    tampered.alter("UPDATE log_checkpoints SET note = replace(note, char(10) || '307', '306')")
    (found,) = tampered.verify(QUICK)["findings"]
    assert (found["kind"], found["place"]["size"]) == ("checkpoint-unsigned", 307)


def test_without_any_checkpoint_nothing_is_proved(tampered: Tampered) -> None:
    """Who takes them all away is not taken for somebody who never made any."""
    tampered.alter("DELETE FROM log_checkpoints")
    assert tampered.wrong(QUICK) == [("seal-missing", {"events": 308})]


def test_a_key_file_that_does_not_fit_is_named(tampered: Tampered) -> None:
    """Another key's file, and one that others may read."""
    other = tampered.home.parent / "other"
    tampered.corrigenda.__class__(other).done("init")
    path = tampered.home / "checkpoint.key"
    path.chmod(0o644)
    assert [kind for kind, _ in tampered.wrong(QUICK)] == ["key-unusable"]
    path.unlink()
    (other / "checkpoint.key").rename(path)
    assert tampered.wrong(QUICK) == [("key-unfit", {})]
    path.unlink()
    assert tampered.verify(QUICK)["notes"] == ["there is no key here to sign with"]


def test_a_rotation_whose_note_was_edited_is_named(tampered: Tampered) -> None:
    """Nothing leads from the old key to the new one then."""
    tampered.corrigenda.done("key", "rotate")
    assert tampered.wrong(QUICK) == []
    ((new,),) = tampered.ask("SELECT verifier FROM log_keys WHERE number = 2")
    tampered.alter("UPDATE log_keys SET tie = replace(tie, '308', '309') WHERE number = 2")
    (found,) = tampered.verify(QUICK)["findings"]
    assert (found["kind"], found["place"]["key"]) == ("tie-broken", new)


# --- the archive and the read model -----------------------------------------------------------


def test_an_archived_file_that_was_altered_is_named(tampered: Tampered) -> None:
    """By its place in the archive, with the digest that its bytes give now."""
    files = sorted(path for path in (tampered.home / "archive").rglob("*") if path.is_file())
    files[0].chmod(0o644)
    files[0].write_bytes(files[0].read_bytes().replace(b"Wren 000", b"Wren 111"))
    files[1].unlink()
    (changed, missing) = tampered.verify(QUICK)["findings"]
    name = files[0].name
    assert (changed["kind"], changed["expected"]) == ("file-changed", name)
    assert changed["place"] == {"file": f"{name[:2]}/{name[2:4]}/{name}"}
    assert changed["found"] == hashlib.sha256(files[0].read_bytes()).hexdigest()
    assert (missing["kind"], missing["place"]["digest"]) == ("file-missing", files[1].name)


def test_a_file_that_no_event_names_is_told_of(tampered: Tampered) -> None:
    """It is no finding: an import that died leaves one."""
    place = tampered.home / "archive" / "stray.txt"
    place.write_text("nobody's")
    found = tampered.verify(QUICK)
    assert found["holds"] is True
    assert found["notes"] == ["the archive has files that no event names: stray.txt"]


def test_a_row_of_the_read_model_that_was_edited_is_named(tampered: Tampered) -> None:
    """By table, key and column, with both values."""
    ((claim, recorded_from, read_from, score),) = tampered.ask(
        "SELECT claim, recorded_from, read_from, score FROM g1_claim_version"
        " WHERE name = 'Wren 042' AND recorded_from < 206",
        "views.db",
    )
    which = f"claim = '{claim}' AND recorded_from = {recorded_from} AND read_from = {read_from}"
    tampered.alter(f"UPDATE g1_claim_version SET score = '99.9' WHERE {which}", database="views.db")
    (found,) = tampered.verify()["findings"]
    key = f"claim={claim} plane=both recorded_from={recorded_from} read_from={read_from}"
    assert found["kind"] == "row-changed"
    assert found["place"] == {"table": "claim_version", "key": key, "column": "score"}
    assert (found["expected"], found["found"]) == (f"'{score}'", "'99.9'")
    assert found["do"].startswith("Run corrigenda rebuild")
    tampered.corrigenda.done("rebuild")
    assert tampered.wrong() == []


def test_rows_of_the_read_model_that_are_gone_or_made_up_are_named(tampered: Tampered) -> None:
    """One that follows from events and is not there, one that is there and follows from none."""
    tampered.alter(
        "DELETE FROM g1_alias WHERE position = 3",
        "INSERT INTO g1_look_alike VALUES ('made up')",
        "UPDATE progress SET recorded_at = 0",
        database="views.db",
    )
    assert tampered.wrong() == [
        ("row-changed", {"table": "progress", "key": "one=1", "column": "recorded_at"}),
        ("row-missing", {"table": "alias", "key": "position=3"}),
        ("row-stranger", {"table": "look_alike", "key": "skeleton=made up"}),
    ]


def test_a_read_model_that_is_ahead_of_its_events_is_named(tampered: Tampered) -> None:
    """It cannot have been made of them."""
    tampered.alter("UPDATE progress SET position = 400", database="views.db")
    found = tampered.verify()["findings"]
    assert (found[0]["kind"], found[0]["expected"], found[0]["found"]) == (
        "views-ahead",
        "308",
        "400",
    )


def test_a_read_model_that_has_lost_a_table_is_named(tampered: Tampered) -> None:
    """It does not stop the check of anything else."""
    tampered.alter("DROP TABLE g1_alias", database="views.db")
    tampered.alter(CHANGE.format(3))
    assert [kind for kind, _ in tampered.wrong()] == ["event-changed", "views-unfit"]
