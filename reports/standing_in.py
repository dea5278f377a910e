"""What stands in for the events of a report that no bundle has, when a board is rebuilt.

That a report was filed, by whom and with what, and who proposed what, is not published; of a
decided one the log says what it was about and who proposed the decision. So for each decision in a
bundle there is a stand-in that says as much, at a position that no event of the bundle has: such
positions are there, as the events themselves are in the ledger. Nothing of them shows.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import attrs

from ledger import events as ev
from ledger.errors import BadValue
from ledger.store.engine import Stored
from ledger.wire import decode, encode, name_of

Decision = ev.DecisionMade | ev.DecisionReversed
SALT = "0" * 32


@attrs.frozen
class Told:
    """What the log says of a decision beside its event."""

    target: str
    proposed_by: str | None


UNTOLD = Told("", None)


def told_in(decisions: Iterable[Mapping[str, Any]]) -> dict[str, Told]:
    """What a document's decisions say, by their names."""
    return {one["decision"]: Told(one["target"], one["proposed_by"]) for one in decisions}


def with_stand_ins(events: Iterable[Stored], told: Mapping[str, Told]) -> list[Stored]:
    """The events with the stand-ins among them, in the order of positions. Raises ``BadValue``
    where an event cannot be read, or no position is left for a stand-in."""
    given = list(events)
    free = _free({position for position, _ in given})
    made: list[Stored] = []
    known: set[str] = set()
    for record in (_decoded(*row) for row in given):
        if not isinstance(record.event, Decision):
            continue
        stream = record.envelope.stream
        about = told.get(record.event.decision, UNTOLD)
        facts = [] if stream in known else [(_filed(stream, about, record), "report")]
        known.add(stream)
        if about.proposed_by is not None:
            facts.append((_proposed(record.event), about.proposed_by))
        for fact, by in facts:
            position = next(free)
            if position >= record.position:
                why = "no position before it is left for its report"
                raise BadValue(what="decision", shown=record.event.decision, why=why)
            made.append((position, _stored(record, fact, by)))
    return sorted([*given, *made], key=lambda row: row[0])


def _free(taken: set[int]) -> Iterator[int]:
    position = 1
    while True:
        if position not in taken:
            yield position
        position += 1


def _decoded(position: int, stored: bytes) -> ev.Recorded:
    try:
        return decode(position, stored)
    except Exception as why:
        # These bytes come from anybody, and there are many ways for them to be no event of ours.
        shown = f"at position {position}"
        raise BadValue(what="event", shown=shown, why=f"it cannot be read: {why!r}") from why


def _filed(stream: str, about: Told, record: ev.Recorded) -> ev.Event:
    number = stream.partition(":")[2]
    if not (number.isascii() and number.isdecimal() and len(number) <= 18):
        raise BadValue(what="stream", shown=repr(stream), why="it is not that of a report")
    return ev.ReportFiled(
        number=int(number),
        target=about.target,
        reason="",
        received_at=record.envelope.recorded_at,
    )


def _proposed(decision: Decision) -> ev.Event:
    if isinstance(decision, ev.DecisionMade):
        return ev.DecisionProposed(decision=decision.decision, terms=decision.terms)
    terms = ev.Terms(
        outcome="reversed",
        reason="reversal",
        statement=decision.statement,
        reverses=decision.reverses,
    )
    return ev.DecisionProposed(decision=decision.decision, terms=terms)


def _stored(record: ev.Recorded, fact: ev.Event, by: str) -> bytes:
    envelope = ev.Envelope(
        stream=record.envelope.stream,
        version=1,
        type=name_of(fact),
        recorded_at=record.envelope.recorded_at,
        recorded_by=by,
        cause=None,
        salt=SALT,
    )
    return encode(envelope, fact)
