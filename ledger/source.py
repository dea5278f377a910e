"""The life of a source: a document or board at an address, and each time it was read.

A reading is a snapshot: bytes frozen at an instant. Readings of one source sort by (``read_at``,
``order``, position). A reading that was a mistake of ours is taken back, never removed.
"""

from collections.abc import Sequence
from typing import assert_never

from ledger import events as ev
from ledger.errors import AlreadyExists, BadValue, NotFound
from ledger.values import parse_digest, parse_name, parse_slug
from ledger.vocabulary import SOURCE_KINDS


def stream_of(slug: str) -> str:
    """The stream of a source."""
    return f"source:{slug}"


def decide(known: Sequence[ev.Event], fact: ev.SourceEvent) -> list[ev.Event]:
    """Whether the fact may be recorded after what is known; recorded already means nothing new."""
    if isinstance(fact, ev.SourceFrozen):
        if stands(known, fact):
            return []
    elif fact in known:
        return []
    if isinstance(fact, ev.SourceRegistered):
        if known:
            raise AlreadyExists(what="source", name=fact.slug)
    elif not known:
        raise NotFound(what="source", name="this; register it first")
    _check(known, fact)
    return [fact]


def _check(known: Sequence[ev.Event], fact: ev.SourceEvent) -> None:
    match fact:
        case ev.SourceRegistered():
            parse_slug(fact.slug)
            parse_name(fact.name)
            if fact.kind not in SOURCE_KINDS:
                raise BadValue(
                    what="kind", shown=repr(fact.kind), why=f"known are {', '.join(SOURCE_KINDS)}"
                )
        case ev.SourceFrozen():
            parse_digest(fact.digest)
        case ev.ReadingWithdrawn():
            if not any(same_reading(event, fact) for event in readings(known)):
                raise NotFound(what="reading", name=fact.digest)
        case ev.SourceFoundChanged():
            parse_digest(fact.digest)
        case ev.PostRead():
            parse_slug(fact.benchmark, "benchmark")
        case _:
            assert_never(fact)


def readings(known: Sequence[ev.Event]) -> list[ev.SourceFrozen]:
    """The readings that stand, in the order in which they were recorded."""
    standing: dict[tuple[object, ...], ev.SourceFrozen] = {}
    for event in known:
        if isinstance(event, ev.SourceFrozen):
            standing[_identity(event)] = event
        elif isinstance(event, ev.ReadingWithdrawn):
            standing.pop(_identity(event), None)
    return list(standing.values())


def stands(known: Sequence[ev.Event], fact: ev.SourceFrozen) -> bool:
    """Whether the same bytes were read at the same instant already (and not taken back since)."""
    return any(same_reading(event, fact) for event in readings(known))


def same_reading(one: ev.SourceFrozen, other: ev.SourceFrozen | ev.ReadingWithdrawn) -> bool:
    """Same bytes, same instant and order, same board."""
    return _identity(one) == _identity(other)


def _identity(reading: ev.SourceFrozen | ev.ReadingWithdrawn) -> tuple[object, ...]:
    return (reading.digest, reading.read_at, reading.order, reading.benchmark)
