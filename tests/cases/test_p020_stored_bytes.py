"""What is hashed are the stored bytes (P020)."""

import hashlib
from collections.abc import Iterable, Sequence

import pytest

from ledger import events as ev
from ledger.events import Statement
from ledger.store import NewEvents
from ledger.values import (
    Digest,
    Score,
    Slug,
    parse_instant,
)
from tests.ledger.engines import Place

PAYLOADS = (
    (("score", "1.0"), ("b", "1"), ("a", "2")),
    (("score", "1e-7"),),
    (("note", "é"), ("x", "")),
)


def stored_in(place: Place) -> list[bytes]:
    """The stored bytes, in the order of their positions."""
    return [row[4] for row in place.rows()]


def entries(stored: Iterable[bytes]) -> list[str]:
    """What anybody works out who hashes what is stored, in any language."""
    return [hashlib.sha256(one).hexdigest() for one in stored]


@pytest.fixture
def filled(place: Place) -> Place:
    """Three claims whose payloads a parser and a printer would not give back as they were."""
    events = [
        ev.ClaimRestated(
            says=Statement(name="Heron", metric=Slug("score"), score=Score("1.0"), extra=extra),
            reading=Digest("0" * 64),
            read_at=parse_instant("2025-07-01"),
        )
        for extra in PAYLOADS
    ]
    store = place.open()
    store.append(
        [NewEvents(f"claim:c{number}", 0, (event,)) for number, event in enumerate(events)],
        by="curator",
    )
    return place


def test_bytes_are_the_same_after_dump_and_restore(filled: Place) -> None:
    """P020: nothing is parsed and printed again on the way, so nothing seems tampered with."""
    before = entries(stored_in(filled))
    filled.close()
    filled.restore()
    assert entries(stored_in(filled)) == before
    again = filled.open().after(0, 10)
    assert entries(one.stored for one in again) == before


def test_a_changed_swapped_or_missing_event_is_found(filled: Place) -> None:
    """P020: one digit changed breaks that one entry; order and count are told by what is kept."""
    stored = stored_in(filled)
    kept = entries(stored)
    changed = [stored[0].replace(b'"1.0"', b'"1.1"'), *stored[1:]]
    assert differing(entries(changed), kept) == [1]
    swapped = [stored[0], stored[2], stored[1]]
    assert differing(entries(swapped), kept) == [2, 3]
    cut = stored[:-1]
    assert differing(entries(cut), kept) == []
    assert len(cut) != len(kept)


def differing(found: Sequence[str], kept: Sequence[str]) -> list[int]:
    """The positions at which entries are not what was kept elsewhere."""
    pairs = zip(found, kept, strict=False)
    return [place for place, (one, other) in enumerate(pairs, 1) if one != other]
