"""The verifier on keys and ties, and on events one by one."""

import attrs
import pytest

from ledger.proof.note import SigningKey, signed
from ledger.proof.trust import tie_text
from ledger.store.seals import StoredKey
from ledger.verifying.events import Row
from tests.ledger.made_log import KEY, checkpoint, kinds, rows_of, sealed, verified

ROWS = rows_of(900)
SIZES = (10, 100, 300, 700, 800, 900)

# --- keys -------------------------------------------------------------------------------------

NEXT = SigningKey(KEY.name, bytes(range(1, 33)))


def rotated(named: SigningKey = NEXT) -> tuple[StoredKey, StoredKey]:
    """The keys of a log that went on with another one after 300 leaves."""
    text = checkpoint(ROWS, 300, 100).note.partition("\n\n")[0] + "\n"
    tie = signed(tie_text(text, named.verifier), KEY, NEXT)
    first = StoredKey(1, str(KEY.verifier), 0)
    return first, StoredKey(2, str(NEXT.verifier), 300, tie, signed(text, KEY, NEXT))


def test_a_key_that_follows_from_the_one_before_holds() -> None:
    """Each checkpoint is signed by the key of its time."""
    kept = sealed(ROWS, SIZES)
    kept.keys = list(rotated())
    kept.sealed[3:] = [
        checkpoint(ROWS, *pair, NEXT) for pair in zip(SIZES[3:], SIZES[2:], strict=False)
    ]
    assert verified(ROWS, kept) == []


def test_a_key_whose_time_is_over_signs_nothing_more() -> None:
    """Who stole the old key cannot go on with the log."""
    kept = sealed(ROWS, SIZES)
    kept.keys = list(rotated())
    found = verified(ROWS, kept)
    assert kinds(found) == ["checkpoint-unsigned"] * 3
    assert "was in force" in found[0].says


@pytest.mark.parametrize("how", ["without a note", "of another size", "naming another key"])
def test_a_key_that_nothing_ties_to_the_one_before_is_named(how: str) -> None:
    """The note has to be there, of that size, signed by both, and to name the new key."""
    first, second = rotated(SigningKey(KEY.name, bytes(32))) if "naming" in how else rotated()
    if "without" in how:
        second = attrs.evolve(second, tie=None)
    elif "size" in how:
        second = attrs.evolve(second, size=100)
    kept = sealed(ROWS, SIZES[:3])
    kept.keys = [first, second]
    (found,) = verified(ROWS[:300], kept)[:1]
    assert (found.kind, found.place["key"]) == ("tie-broken", str(NEXT.verifier))


# --- events one by one ------------------------------------------------------------------------


def told(row: Row) -> list[tuple[str, dict[str, str | int]]]:
    """What is found of three events whose second is this one, and that nobody sealed."""
    rows = [ROWS[0], row, *ROWS[2:3]]
    return [(one.kind, dict(one.place)) for one in verified(rows, sealed(rows, []))]


@pytest.mark.parametrize(
    ("bytes_", "kind"),
    [
        (ROWS[1][4].replace(b":", b": ", 1), "event-not-canonical"),
        (ROWS[1][4].replace(b'"cause":null', b'"cause":null,"cause":null'), "event-not-canonical"),
        (b"\xff", "event-unreadable"),
        (b"[]", "event-unreadable"),
        (b"{}", "event-unreadable"),
        (ROWS[1][4].replace(b'"cause":null', b'"cause":null,"more":1'), "event-unreadable"),
        (ROWS[1][4].replace(b"12:00:01.000000Z", b"12:00:01Z"), "event-unreadable"),
        (ROWS[1][4].replace(b"12:00:01.000000Z", b"12:00:61.00000Z"), "event-unreadable"),
    ],
)
def test_bytes_that_are_no_event_are_named(bytes_: bytes, kind: str) -> None:
    """By their position, with what is wrong with them."""
    found = told((*ROWS[1][:4], bytes_))
    assert [one[0] for one in found] == [kind]
    assert found[0][1]["position"] == 2


def test_an_event_of_a_later_release_is_named() -> None:
    """It is not passed over: nobody here knows what it means."""
    row = (*ROWS[1][:3], "lab-closed/1", ROWS[1][4].replace(b"lab-registered/1", b"lab-closed/1"))
    assert told(row) == [
        ("event-unreadable", {"position": 2, "why": "lab-closed/1 is of a later release"})
    ]


@pytest.mark.parametrize(
    ("at", "value", "column"),
    [(1, "lab:other", "stream"), (2, 2, "version"), (3, "lab-described/1", "type")],
)
def test_a_column_that_says_something_else_than_the_bytes_is_named(
    at: int, value: str | int, column: str
) -> None:
    """The database finds events by its columns, and only the bytes are sealed."""
    row = list(ROWS[1])
    row[at] = value
    found = [one for one in told((row[0], row[1], row[2], row[3], row[4])) if "column" in one[1]]  # type: ignore[arg-type]
    assert found == [("event-misfiled", {"position": 2, "column": column})]


def test_what_falls_is_named() -> None:
    """Neither the clock nor positions ever fall, and no version is left out."""
    clock = (*ROWS[1][:4], ROWS[1][4].replace(b"T12:00:01", b"T11:00:01"))
    assert told(clock) == [("clock-fell", {"position": 2})]
    assert told((1, *ROWS[1][1:])) == [("position-fell", {"position": 1})]
    assert told((2, *ROWS[41][1:]))[0] == (
        "version-out-of-turn",
        {"position": 2, "stream": "lab:lab-1"},
    )
