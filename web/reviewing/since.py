"""What changed on a report, and on the claims that a decision would touch, since they were seen.

Whoever decides from an outdated page is refused with this, in words, oldest first.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import assert_never

import attrs

from ledger import commands as orders
from ledger import events as ev
from ledger.errors import Conflict
from ledger.report import stream_of as report_stream
from ledger.store import Store
from ledger.subject import stream_of as subject_stream
from ledger.values import Instant
from web.words import instant_words, term_words

Order = orders.Decide | orders.ApproveDecision | orders.ReturnDecision | orders.ReverseDecision


@attrs.frozen
class Change:
    """One thing that happened since: when (UTC), by whom, to what, and what it was."""

    at: Instant
    by: str
    about: str
    what: str

    def __str__(self) -> str:
        return f"{self.about}: {self.what} ({self.by}, {instant_words(self.at)})"


class ChangedSince(Conflict):
    """Report {number} has changed since you read it, so nothing was recorded. {what}. Look at it
    again, then repeat what still holds."""

    def __init__(self, number: int, changes: tuple[Change, ...]) -> None:
        self.changes = changes
        super().__init__(number=number, what="; ".join(map(str, changes)))

    @property
    def beside(self) -> Mapping[str, object]:
        """What programs are told more: each thing that changed."""
        changes = [
            {"at": one.at.isoformat(), "by": one.by, "about": one.about, "what": one.what}
            for one in self.changes
        ]
        return {"changes": changes}


def changes_since(store: Store, order: Order) -> tuple[Change, ...]:
    """What happened since the versions that an order names; nothing where it names none."""
    found: list[ev.Recorded] = []
    if order.version is not None:
        found += _after(store, report_stream(order.number), order.version)
    if isinstance(order, orders.Decide):
        seen = {wish.claim: wish.version for wish in order.effects if wish.version is not None}
        for claim, version in seen.items():
            found += _after(store, subject_stream(claim), version)
    found.sort(key=lambda record: record.position)
    return tuple(_changes(found))


def _after(store: Store, stream: str, version: int) -> Iterator[ev.Recorded]:
    return (one for one in store.stream(stream) if one.envelope.version > version)


def _changes(records: Iterable[ev.Recorded]) -> Iterator[Change]:
    for record in records:
        envelope = record.envelope
        about = envelope.stream.replace(":", " ").capitalize()
        yield Change(envelope.recorded_at, envelope.recorded_by, about, words_of(record.event))


def words_of(event: ev.Event) -> str:
    """What happened to a report, a claim, a label or a sample, in words."""
    if isinstance(event, ev.ReportEvent):
        return _report_words(event)
    if isinstance(event, ev.SourceFact):
        return _source_words(event)
    if isinstance(event, ev.DecisionFact):
        return _decision_words(event)
    if isinstance(event, ev.LabelEvent | ev.SampleEvent):
        return f"{event.source} was read for it again"
    raise TypeError(event)


def _report_words(event: ev.ReportEvent) -> str:
    match event:
        case ev.ReportFiled():
            return "filed"
        case ev.ReportScreened():
            why = f": {event.reason}" if event.reason else ""
            return ("let into the queue" if event.passed else "set apart") + why
        case ev.ReportAssigned():
            return f"given to {event.to}"
        case ev.ReportAmended():
            return "amended by its reporter"
        case ev.EvidenceAdded():
            return "private evidence added" if event.private else "evidence added"
        case ev.ReviewStarted():
            return "review started"
        case ev.ReportWithdrawn():
            return "withdrawn by its reporter" + (f": {event.reason}" if event.reason else "")
        case ev.DecisionProposed():
            return f"decision {event.decision} proposed: {_terms(event.terms)}"
        case ev.DecisionReturned():
            return f"proposed decision {event.decision} sent back: {event.why}"
        case ev.DecisionMade():
            return f"decided, {_terms(event.terms)} (decision {event.decision})"
        case ev.DecisionReversed():
            return f"decision {event.reverses} undone: {event.statement}"
        case _:
            assert_never(event)


def _terms(terms: ev.Terms) -> str:
    what = f"undo {terms.reverses}" if terms.reverses else term_words(terms.outcome)
    return f"{what}: {terms.statement}"


def _source_words(event: ev.SourceFact) -> str:
    match event:
        case ev.ClaimRecorded() | ev.ClaimRestated() | ev.ClaimRelisted():
            return f"its source was read to state {event.says.score}"
        case ev.ClaimDelisted():
            return "its source was read and no longer states it"
        case ev.ClaimReadingVoided():
            return "a reading of its source was taken back"
        case _:
            assert_never(event)


def _decision_words(event: ev.DecisionFact) -> str:
    by = f" by decision {event.decision}"
    match event:
        case ev.ClaimCorrected():
            fields = "; ".join(
                f"{term_words(one.field)} {one.from_ or 'not stated'} → {one.to or 'not stated'}"
                for one in event.changes
            )
            return f"corrected{by}: {fields}"
        case ev.ClaimReidentified():
            return f"said to be about {event.model}{by}"
        case ev.ClaimDisputed():
            return f"disputed{by}: {event.about}"
        case ev.ClaimDecisionReversed():
            return f"decision {event.reverses} undone{by}"
        case ev.ClaimRetracted():
            return f"retracted{by}"
        case ev.ClaimReinstated():
            return f"reinstated{by}"
        case ev.ClaimHeldOut():
            return f"held out of the ranking{by}"
        case ev.ClaimReadmitted():
            return f"readmitted to the ranking{by}"
        case ev.ClaimCleared():
            return f"cleared of its dispute{by}"
        case _:
            assert_never(event)
