"""What the stored bytes of events say of their order: streams, versions, times.

Proofs say that each event is in the log. That none of a stream is left out in the middle follows
from the versions, which count 1, 2, 3 … in every stream. Of reports only what was decided is
published, so theirs have holes.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from ledger.proof.errors import Malformed

DECISIONS = ("decision-made/", "decision-reversed/")
REPORT = "report:"
FIELDS = {"stream", "version", "type", "recorded_at", "recorded_by", "cause", "salt", "event"}


@dataclass(frozen=True, slots=True)
class Shown:
    """One event of a bundle: where it is in the log, and what its bytes say."""

    position: int
    index: int
    stream: str
    version: int
    type: str
    recorded_at: str
    recorded_by: str
    event: dict[str, Any]

    @property
    def place(self) -> str:
        """How messages name it."""
        return f"event at position {self.position} ({self.type} of {self.stream})"

    @property
    def is_decision(self) -> bool:
        """Whether a report was decided by it."""
        return self.type.startswith(DECISIONS)


def shown(position: int, index: int, stored: str) -> Shown:
    """Read the envelope of an event. Raises ``Malformed``."""
    try:
        found = json.loads(stored)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict) or set(found) != FIELDS:
        raise Malformed(f"the bytes at position {position} are not an event in its envelope")
    texts = ("stream", "type", "recorded_at", "recorded_by")
    whole = isinstance(found["version"], int) and isinstance(found["event"], dict)
    if not whole or not all(isinstance(found[name], str) for name in texts):
        raise Malformed(f"the envelope at position {position} is not in its form")
    return Shown(
        position,
        index,
        found["stream"],
        found["version"],
        found["type"],
        found["recorded_at"],
        found["recorded_by"],
        found["event"],
    )


def problems_of_order(events: Iterable[Shown]) -> Iterator[str]:
    """What is wrong with the order of events, which are given as the bundle has them."""
    before: Shown | None = None
    reached: dict[str, int] = {}
    for one in events:
        if before is not None:
            yield from _after(before, one)
        if one.index >= one.position:
            yield f"the {one.place} has leaf {one.index}, which comes before its position"
        due = reached.get(one.stream, 0) + 1
        if one.stream.startswith(REPORT):
            if not one.is_decision:
                yield f"the {one.place} belongs to a report and is not published"
            if one.version < due:
                yield f"the {one.place} has version {one.version}, which was there already"
        elif one.version != due:
            yield f"the {one.place} has version {one.version} where {due} is due"
        reached[one.stream] = max(due - 1, one.version)
        before = one


def _after(before: Shown, one: Shown) -> Iterator[str]:
    between, leaves = one.position - before.position, one.index - before.index
    if between < 1 or leaves < 1:
        yield f"the {one.place} does not come after position {before.position} in the log"
    elif leaves > between:
        yield f"the {one.place} is {leaves} leaves but {between} positions after the one before"
    if one.recorded_at < before.recorded_at:
        yield f"the {one.place} was recorded earlier than the one before it"
