"""What is told of a report: as JSON to the operator's receiver, in words to the reporter.

Both are worked out from the ledger when they are sent; neither holds what a reporter wrote.
"""

from collections.abc import Iterator

import attrs
import orjson

from ledger.values import Instant, instant_text
from projections.decisions.corrections import Correction, entries, number_at
from projections.decisions.subjects import Names, names_of
from web.log.notice_words import decided_words, notice_words
from web.wiring import Workspace

RECEIVED, IN_REVIEW, DECIDED = "received", "in-review", "decided"
REVERSED, WITHDRAWN = "reversed", "withdrawn"
MAILED = (IN_REVIEW, DECIDED, REVERSED)
"""What reporters hear of. Not that a report came in: nobody has looked at it yet, and the address
may be somebody else's."""


@attrs.frozen(kw_only=True)
class Told:
    """What happened to a report: the event of the ledger, and its entry in the log, if it has one
    (with the names of what that speaks of). ``address`` is where the pages are, if that is known.
    """

    event: str
    report: int
    position: int
    at: Instant | None
    address: str
    entry: Correction | None
    names: Names


def told_of(workspace: Workspace, event: str, report: int, position: int) -> Told:
    """All that there is to tell of the event at a position."""
    workspace.catch_up()
    store = workspace.ledger.store
    with workspace.views.read() as reader:
        number = number_at(reader, position)
        found = entries(reader, store, [] if number is None else [number])
        names = names_of(reader, found, workspace.moment())
    return Told(
        event=event,
        report=report,
        position=position,
        at=store.recorded_at(position),
        address=workspace.settings.address or "",
        entry=found[0] if found else None,
        names=names,
    )


def body_of(told: Told) -> bytes:
    """The body for the receiver; the same bytes however often it is tried."""
    entry = told.entry
    page = f"/corrections/{entry.number}" if entry else f"/review/{told.report}"
    return orjson.dumps(
        {
            "type": f"report.{told.event}",
            "timestamp": instant_text(told.at) if told.at else None,
            "data": {
                "report": told.report,
                "position": told.position,
                "address": f"{told.address}{page}",
                "correction": _in_short(entry) if entry else None,
            },
        }
    )


def _in_short(entry: Correction) -> dict[str, object]:
    """What tells a receiver whether to look the notice up."""
    return {
        "number": entry.number,
        "outcome": entry.outcome,
        "type": entry.type,
        "reason": entry.reason,
        "replaces": entry.replaces,
        "claims": [one.claim_id for one in entry.claims],
    }


def subject_of(told: Told) -> str:
    """The subject of the message to a reporter."""
    return f"Report {told.report}: {_headline(told)}"


def _headline(told: Told) -> str:
    if told.event == REVERSED:
        return "the decision was undone"
    if told.entry is None:
        return "a reviewer is looking at it"
    return decided_words(told.entry)


def text_of(told: Told) -> str:
    """The text of the message to a reporter."""
    return "\n\n".join(_paragraphs(told)) + "\n"


def _paragraphs(told: Told) -> Iterator[str]:
    if told.entry is None:
        yield f"A reviewer has begun to look at report {told.report}, which you filed."
    else:
        first = "The decision on report" if told.event == REVERSED else "Report"
        did = "undone" if told.event == REVERSED else "decided"
        yield f"{first} {told.report}, which you filed, was {did}."
        yield from notice_words(told.entry, told.names)
        yield f"The whole notice: {told.address}/corrections/{told.entry.number}"
    yield (
        "To see each step, to add something, or to take the report back, use the secret link that"
        " you were given when you filed it. We cannot send it to you: we do not have it."
    )
    yield (
        "You get this because this address was left with the report; it is used for nothing else."
        " If it was not you, ignore this message."
    )
