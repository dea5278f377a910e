"""Whether a bundle's claims, decisions, snapshots and rule are those of the events it names."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ledger.proof.document import number_at, numbers_at, object_at, objects_at, text_at
from ledger.proof.envelopes import Shown

FROZEN = "source-frozen/"
RULE = "ranking-rule-set/"
CLAIM = "claim:"


def problems_of_names(document: dict[str, Any], events: Sequence[Shown]) -> Iterator[str]:
    """What the document says of its events and they do not. Raises ``Malformed``."""
    by_position = {one.position: one for one in events}
    yield from _times(document, events)
    yield from _claims(document, events)
    yield from _decisions(document, by_position)
    yield from _snapshots(document, by_position)
    rule = document.get("rule")
    if rule is not None:
        where = number_at(object_at(document, "rule"), "position")
        found = by_position.get(where)
        if found is None or not found.type.startswith(RULE):
            yield f"rule: no event at position {where} sets one"


def _times(document: dict[str, Any], events: Sequence[Shown]) -> Iterator[str]:
    """The document's position and head, against the events."""
    here = object_at(object_at(document, "subject"), "recorded_through")
    head = object_at(object_at(document, "since"), "recorded_through")
    position, last = number_at(here, "position"), number_at(head, "position")
    for one in events:
        if one.position > last:
            yield f"the {one.place} comes after position {last}, where the bundle was made"
        elif one.position > position and not one.is_decision:
            yield f"the {one.place} comes after position {position}, which the bundle is of"
        for limit in (here, head):
            if _is_outside(one, limit):
                at = f"position {limit['position']} at {limit.get('recorded_at')}"
                yield f"the {one.place}, of {one.recorded_at}, does not go with {at}"


def _is_outside(one: Shown, limit: dict[str, Any]) -> bool:
    """Whether an event was recorded on another side of an instant than of its position."""
    position, instant = number_at(limit, "position"), limit.get("recorded_at")
    if not isinstance(instant, str):
        return one.position <= position
    if one.position <= position:
        return one.recorded_at > instant
    return one.recorded_at < instant


def _claims(document: dict[str, Any], events: Sequence[Shown]) -> Iterator[str]:
    """Each claim is shown with all the events of its stream."""
    streams: dict[str, list[int]] = {}
    for one in events:
        streams.setdefault(one.stream, []).append(one.position)
    for claim in objects_at(document, "claims"):
        name = text_at(claim, "claim_id")
        if numbers_at(claim, "events") != streams.get(f"{CLAIM}{name}", []) or not name:
            yield f"claim {name}: its events are not those of its stream"


def _decisions(document: dict[str, Any], events: Mapping[int, Shown]) -> Iterator[str]:
    for one in objects_at(document, "decisions"):
        name, position = text_at(one, "decision"), number_at(one, "position")
        found = events.get(position)
        said = (name, text_at(one, "decided_by"), text_at(one, "decided_at"))
        if found is None or not found.is_decision or said != _decided(found):
            yield f"decision {name}: it is not what was recorded at position {position}"


def _decided(one: Shown) -> tuple[object, str, str]:
    return (one.event.get("decision"), one.recorded_by, one.recorded_at)


def _snapshots(document: dict[str, Any], events: Mapping[int, Shown]) -> Iterator[str]:
    for one in objects_at(document, "snapshots"):
        digest, position = text_at(one, "sha256"), number_at(one, "position")
        found = events.get(position)
        said = (digest, one.get("size"), one.get("media_type"))
        if found is None or not found.type.startswith(FROZEN) or said != _frozen(found):
            yield f"snapshot {digest}: it is not what was frozen at position {position}"


def _frozen(one: Shown) -> tuple[object, object, object]:
    return (one.event.get("digest"), one.event.get("size"), one.event.get("media_type"))


def digests_in(document: dict[str, Any]) -> frozenset[str]:
    """The SHA-256 of all snapshots that a bundle names. Raises ``Malformed``."""
    return frozenset(text_at(one, "sha256") for one in objects_at(document, "snapshots"))
