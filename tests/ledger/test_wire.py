"""The stored form of events: what is hashed today is what is hashed for ever.

The golden files are written by ``python -m tests.ledger.test_wire``, which leaves those that are
there alone. From release 1.0 on none of them changes; a new form gets a new name.
"""

import json
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any, cast, get_args

import attrs
import orjson
import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from ledger import events as ev
from ledger import wire
from ledger.errors import BadValue
from ledger.values import Score, Slug
from tests.ledger.examples import DIGEST, EXAMPLES, READ_AT, STATEMENT, envelope

GOLDEN = Path(__file__).parent / "golden"
DEFAULTS = GOLDEN / "defaults.json"
HOW = "write it with `python -m tests.ledger.test_wire`, and look at it before you commit it"

every_event = pytest.mark.parametrize(
    "event", EXAMPLES.values(), ids=[wire.name_of(event) for event in EXAMPLES.values()]
)


def stored(event: ev.Event) -> bytes:
    """An event as it is stored, in the fixed envelope."""
    return wire.encode(envelope(wire.name_of(event)), event)


def golden(name: str) -> Path:
    """The golden file of a lasting name: ``claim-recorded/1`` lies in ``claim-recorded.1.json``."""
    return GOLDEN / f"{name.replace('/', '.')}.json"


def defaults() -> dict[str, dict[str, Any]]:
    """The value of every field that is left out of the stored form when it has that value."""
    found: dict[str, dict[str, Any]] = {}
    classes: tuple[Any, ...] = (
        *EXAMPLES,
        ev.Statement,
        ev.Change,
        ev.RankedModel,
        ev.Terms,
        ev.PlannedEffect,
        ev.CountedPart,
    )
    for cls in classes:
        for field in attrs.fields(cls):
            if field.default is not attrs.NOTHING:
                value = list(field.default) if isinstance(field.default, tuple) else field.default
                found.setdefault(cls.__name__, {})[field.alias] = value
    return found


def test_every_event_has_an_example() -> None:
    """An event class without an example would have no golden file."""
    assert set(EXAMPLES) == set(get_args(ev.Event))


@every_event
def test_an_example_fills_in_every_field(event: ev.Event) -> None:
    """A field left at its default would not be seen in the golden file."""
    fields: tuple[attrs.Attribute[Any], ...] = attrs.fields(cast("Any", type(event)))
    left_out = {
        field.name
        for field in fields
        if field.default is not attrs.NOTHING and getattr(event, field.name) == field.default
    }
    assert not left_out


@every_event
def test_the_stored_bytes_never_change(event: ev.Event) -> None:
    """Each event's bytes are those of its golden file, byte for byte."""
    path = golden(wire.name_of(event))
    assert path.exists(), f"{path.name} is missing: {HOW}"
    assert stored(event) == path.read_bytes()


@every_event
def test_an_event_comes_back_as_it_went_in(event: ev.Event) -> None:
    """Decoding gives an equal event and envelope, and keeps the stored bytes."""
    data = stored(event)
    assert wire.decode(7, data) == ev.Recorded(7, envelope(wire.name_of(event)), event, data)


@every_event
def test_the_bytes_are_those_of_rfc_8785(event: ev.Event) -> None:
    """The quick encoder writes what the reference package for canonical JSON writes."""
    data = stored(event)
    assert rfc8785.dumps(json.loads(data)) == data


@given(st.text(), st.text(), st.integers(-wire.LARGEST, wire.LARGEST))
def test_any_text_and_number_is_written_as_in_rfc_8785(name: str, why: str, size: int) -> None:
    """Control characters, quotes and all of Unicode are escaped just as the standard says."""
    event = ev.SourceFrozen(
        digest=DIGEST, media_type=name, size=size, read_at=READ_AT, file=why, metrics=(Slug(name),)
    )
    data = stored(event)
    assert rfc8785.dumps(json.loads(data)) == data
    assert wire.decode(1, data).event == event


def test_names_do_not_depend_on_where_a_class_lives() -> None:
    """No module path is stored, only the lasting name."""
    assert wire.name_of(EXAMPLES[ev.ClaimRecorded]) == "claim-recorded/1"
    assert b"ledger.events" not in stored(EXAMPLES[ev.ClaimRecorded])


def test_every_golden_file_belongs_to_an_event() -> None:
    """A name that was once stored may not be forgotten."""
    known = {golden(name).name for name in {*wire.CLASSES, *wire.UPCASTS}}
    assert {path.name for path in GOLDEN.glob("*.json")} <= known | {DEFAULTS.name}


def test_a_value_left_out_keeps_its_meaning() -> None:
    """A default is not stored, so changing one would change what old events say."""
    assert DEFAULTS.exists(), f"{DEFAULTS.name} is missing: {HOW}"
    pinned = json.loads(DEFAULTS.read_bytes())
    today = defaults()
    changed = {
        f"{cls}.{field}": (value, today.get(cls, {}).get(field, "gone"))
        for cls, fields in pinned.items()
        for field, value in fields.items()
        if field not in today.get(cls, {}) or today[cls][field] != value
    }
    assert not changed, "give the event a new name and lift the old one to it"
    unpinned = {cls for cls, fields in today.items() if fields.keys() - pinned.get(cls, {}).keys()}
    assert not unpinned, f"{DEFAULTS.name} does not know their new fields: {HOW}"


# --- exact values -----------------------------------------------------------------------------


@pytest.mark.parametrize("digits", ["72.50", "1.1", "0.1234567890123456789", "3,471", "-0.0"])
def test_a_score_keeps_its_digits(digits: str) -> None:
    """What the source wrote is what is stored and what comes back (P014)."""
    event = ev.ClaimRestated(
        says=attrs.evolve(STATEMENT, score=Score(digits)), reading=DIGEST, read_at=READ_AT
    )
    back = wire.decode(1, stored(event)).event
    assert isinstance(back, ev.ClaimRestated)
    assert back.says.score.text == digits
    assert back.says.score.value == Decimal(digits.replace(",", ""))


def test_a_score_that_was_taken_once_can_be_read_for_ever() -> None:
    """Nobody may state 0,571 any more; an event that does is 571, as it was when it came in."""
    bytes_ = stored(ev.ClaimRestated(says=STATEMENT, reading=DIGEST, read_at=READ_AT))
    back = wire.decode(1, bytes_.replace(b'"72.50"', b'"0,571"')).event
    assert isinstance(back, ev.ClaimRestated)
    assert (back.says.score.text, back.says.score.value) == ("0,571", Decimal(571))
    assert attrs.evolve(back.says, split=None).score is back.says.score


@pytest.mark.parametrize(
    "number", [72.5, 1.0, 1e400, float("nan"), float("-inf"), Decimal("72.5"), 2**53]
)
def test_no_inexact_number_is_stored(number: Any) -> None:
    """A float, NaN, infinity or a number too large for JSON is refused everywhere (P014)."""
    for event in (
        ev.BenchmarkDescribed(facts={"score": number}, read_at=READ_AT, why="a float"),
        ev.SourceFrozen(digest=DIGEST, media_type="text/csv", size=number, read_at=READ_AT),
        ev.ReportAssigned(to=number),
        ev.CapabilityIndexRead(
            slug=Slug("i"),
            name="i",
            models=(ev.RankedModel(rank=number, name="a"),),
            read_at=READ_AT,
        ),
    ):
        with pytest.raises(BadValue):
            stored(event)


def test_a_float_is_no_score() -> None:
    """Neither a score nor a statement takes a binary float."""
    number: Any = 72.5
    with pytest.raises(BadValue):
        Score(number)
    event = ev.ClaimRestated(
        says=attrs.evolve(STATEMENT, score=number), reading=DIGEST, read_at=READ_AT
    )
    with pytest.raises(BadValue):
        stored(event)


def test_an_instant_needs_an_offset() -> None:
    """Without one the server's own time zone would decide what is hashed."""
    naive = datetime(2025, 7, 28, 10, 0)  # noqa: DTZ001 (the missing time zone is the point)
    with pytest.raises(BadValue, match="offset"):
        stored(ev.PostRead(benchmark=Slug("b"), listed=True, read_at=naive))


def test_an_instant_is_stored_in_utc_with_six_digits() -> None:
    """The same instant gives the same bytes, whatever offset it was written with (P022)."""
    local = datetime.fromisoformat("2025-07-28T23:30:00-07:00")
    here, utc = (
        stored(ev.PostRead(benchmark=Slug("b"), listed=True, read_at=read_at))
        for read_at in (local, local.astimezone(UTC))
    )
    assert b'"read_at":"2025-07-29T06:30:00.000000Z"' in here
    assert here == utc


@pytest.mark.parametrize("key", ["é", "\U0001f600", 1])
def test_keys_are_ascii(key: Any) -> None:
    """Other keys would be sorted differently by RFC 8785, so they are refused."""
    event = ev.BenchmarkDescribed(facts={key: "x"}, read_at=READ_AT, why="a key")
    with pytest.raises(BadValue, match="ASCII"):
        stored(event)


def test_half_a_character_is_refused() -> None:
    """A lone surrogate is not Unicode text and has no bytes."""
    with pytest.raises(BadValue):
        stored(ev.ReportAssigned(to="\ud800"))


# --- older forms ------------------------------------------------------------------------------


def old_form() -> bytes:
    """An event under a name of long ago, as it lies in the database."""
    record = json.loads(stored(ev.ReportScreened(passed=True)))
    record["type"] = "report-seen/1"
    record["event"] = {"ok": "yes"}
    return orjson.dumps(record, option=orjson.OPT_SORT_KEYS)


def test_an_older_form_is_lifted_step_by_step(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two upcasts lead from an old name to today's; the stored bytes stay as they were."""
    monkeypatch.setitem(
        wire.UPCASTS, "report-seen/1", ("report-seen/2", lambda old: {"passed": old["ok"] == "yes"})
    )
    monkeypatch.setitem(
        wire.UPCASTS, "report-seen/2", ("report-screened/1", lambda old: {**old, "reason": "old"})
    )
    record = wire.decode(3, old_form())
    assert record.event == ev.ReportScreened(passed=True, reason="old")
    assert record.envelope.type == "report-seen/1"
    assert record.stored == old_form()


def test_an_unknown_name_is_refused_with_advice() -> None:
    """An event of a newer version is not guessed at."""
    with pytest.raises(BadValue, match="upgrade first"):
        wire.decode(3, old_form())


def write_missing() -> None:
    """Write the golden files that are missing, and the defaults that are not pinned yet."""
    GOLDEN.mkdir(exist_ok=True)
    for event in EXAMPLES.values():
        path = golden(wire.name_of(event))
        if not path.exists():
            path.write_bytes(stored(event))
    pinned = json.loads(DEFAULTS.read_bytes()) if DEFAULTS.exists() else {}
    merged = {cls: fields | pinned.get(cls, {}) for cls, fields in (pinned | defaults()).items()}
    DEFAULTS.write_text(json.dumps(merged, indent=1, sort_keys=True) + "\n", encoding="ascii")


if __name__ == "__main__":
    write_missing()
