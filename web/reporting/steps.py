"""What happened to a report, step by step, in words for whoever reported it.

Who reviews it and what they note is not in it; what was decided is public anyway.
"""

from collections.abc import Iterable, Mapping
from typing import assert_never

import attrs

from ledger import events as ev
from ledger.values import Instant
from web.words import term_words

RECEIVED = "Received"


@attrs.frozen
class Step:
    """One step: when, what happened, and the number of the public notice if there is one."""

    at: Instant
    what: str
    notice: int | None = None


def steps_of(
    records: Iterable[ev.Recorded], notices: Mapping[str, int | None], handle: str
) -> list[Step]:
    """The steps, oldest first, for the one with this handle; ``notices`` are the numbers of the
    decisions in the public log. Evidence that came along is no step of its own."""
    found: list[Step] = []
    for record in records:
        if isinstance(record.event, ev.ReportEvent):
            mine = record.envelope.recorded_by == handle
            what = words_of(record.event, mine=mine)
            if found and what in (found[-1].what, _along_with(found[-1].what)):
                continue
            found.append(Step(_when(record), what, _notice(record.event, notices)))
    return found


def _notice(event: ev.ReportEvent, notices: Mapping[str, int | None]) -> int | None:
    """The notice of what took effect; what is proposed has none, though it bears the same name."""
    if isinstance(event, ev.DecisionMade | ev.DecisionReversed):
        return notices.get(event.decision)
    return None


def words_of(event: ev.ReportEvent, *, mine: bool) -> str:
    """One event in words; ``mine`` says whether the reader did it."""
    match event:
        case ev.ReportFiled():
            return RECEIVED
        case ev.ReportScreened():
            why = f": {event.reason}" if event.reason else ""
            passed = "Looked at, and put into the queue"
            return passed if event.passed else f"Set apart, without a decision{why}"
        case ev.ReportAssigned():
            return "A reviewer took it on"
        case ev.ReportAmended():
            return "You changed what you said"
        case ev.EvidenceAdded():
            return "You added evidence" if mine else "Evidence was added"
        case ev.ReviewStarted():
            return "In review"
        case ev.ReportWithdrawn():
            return "You withdrew it" if mine else "Withdrawn"
        case ev.DecisionProposed():
            return "A decision is proposed and waits for a second person"
        case ev.DecisionReturned():
            return "The proposed decision was sent back"
        case ev.DecisionMade():
            part = " in part" if event.terms.remainder else ""
            return f"Decided{part}: {term_words(event.terms.outcome)}"
        case ev.DecisionReversed():
            return "The decision was undone"
        case _:
            assert_never(event)


def _along_with(what: str) -> str | None:
    return "You added evidence" if what == RECEIVED else None


def _when(record: ev.Recorded) -> Instant:
    event = record.event
    return event.received_at if isinstance(event, ev.ReportFiled) else record.envelope.recorded_at
