"""Papers, repositories, labels, samples and probe windows in PROV: what each was read or decided to
be, from each of its events on."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

import attrs
from prov.model import QualifiedName

from ledger import events as ev
from ledger.probe import link_key
from ledger.values import Instant, end_of_day, parse_day, parse_instant
from reports.prov.activities import Activities
from reports.prov.words import said_of

THINGS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "paper": ("papers", "Paper"),
        "repository": ("repositories", "Repository"),
        "label": ("labels", "Label"),
        "sample": ("samples", "CodeSample"),
        "probe": ("probes", "ProbeWindow"),
    }
)
"""The kind of a stream → the first part of its address, and our term for what it is."""
FIELDS = (
    "title",
    "licence",
    "leaderboard_rows",
    "repository",
    "official",
    "mentioned",
    "harvested",
    "ran",
    "label",
    "paper",
    "as_of",
    "code",
    "path",
    "pointer_only",
    "outcome",
    "ran_on",
    "subject",
    "link",
    "result",
    "cause",
    "address",
    "name",
)
"""The fields of such facts that are told; the words of an abstract are in the bundle."""


@attrs.define
class CodeRevisions:
    """What is told of facts about code, the earliest first."""

    activities: Activities
    _latest: dict[str, QualifiedName] = attrs.field(factory=dict)

    def tell(self) -> Iterator[QualifiedName]:
        """All of them; gives the revisions that a page of the bundle's moment rests on."""
        until, links = _until(self.activities.document), _links(self.activities.records)
        later = self.activities.document["subject"]["corrected"] == "since"
        for record in self.activities.records.values():
            kind, _, name = record.envelope.stream.partition(":")
            event = record.event
            if kind not in THINGS:
                continue
            if isinstance(event, ev.LinkProbed) and link_key(event.link) not in links:
                continue
            if isinstance(event, ev.ClaimRetracted):
                self._invalidate(record, event)
                continue
            revision = self._revise(record, kind, name)
            is_decided = isinstance(event, ev.DecisionFact)
            read_at = None if is_decided else getattr(event, "read_at", None)
            if (is_decided and later) or (read_at or record.envelope.recorded_at) <= until:
                yield revision

    def _revise(self, record: ev.Recorded, kind: str, name: str) -> QualifiedName:
        made, names, event = self.activities.made, self.activities.names, record.event
        thing, position = self._thing(record, kind, name), record.position
        revision = names.thing(thing.localpart, "as-of", position)
        told = {**_said(event), "event": record.envelope.type}
        told |= {"leaf": self.activities.leaves[position]}
        made.entity(revision, names.typed("Revision") | names.said(told))
        made.specialization(revision, thing)
        at, generated = record.envelope.recorded_at, names.thing("relations", "generated", position)
        made.generation(revision, self._activity(record), at, generated)
        if isinstance(event, ev.ReadFact):
            read = names.thing("relations", "read", position)
            made.derivation(revision, self.activities.snapshot(event.reading), identifier=read)
        before = self._latest.get(record.envelope.stream)
        if before is not None:
            revised = names.thing("relations", "revised", position)
            made.revision(revision, before, identifier=revised)
        self._latest[record.envelope.stream] = revision
        return revision

    def _invalidate(self, record: ev.Recorded, event: ev.ClaimRetracted) -> None:
        """A retraction says nothing new; it ends what was said before."""
        before = self._latest.get(record.envelope.stream)
        if before is not None:
            activity, at = self.activities.deciding(event.decision), record.envelope.recorded_at
            relation = self.activities.names.thing("relations", "invalidated", record.position)
            self.activities.made.invalidation(before, activity, at, relation)

    def _thing(self, record: ev.Recorded, kind: str, name: str) -> QualifiedName:
        """What a stream is of, told when it is first spoken of."""
        page, term = THINGS[kind]
        names = self.activities.names
        thing = names.thing(page, name[1:] if kind == "sample" else name)
        if record.envelope.stream not in self._latest:
            called = self.activities.document["names"].get(record.envelope.stream, name)
            self.activities.made.entity(thing, names.typed(term, called))
        return thing

    def _activity(self, record: ev.Recorded) -> QualifiedName:
        if isinstance(record.event, ev.DecisionFact):
            return self.activities.deciding(record.event.decision)
        return self.activities.importing(record)


def _said(event: ev.Event) -> Mapping[str, Any]:
    """What a fact says, or what a decision does, as attributes."""
    if isinstance(event, ev.ClaimEvent):
        return said_of(event)
    found = {name: getattr(event, name, None) for name in FIELDS}
    return {name: str(value) for name, value in found.items() if value is not None}


def _until(document: Mapping[str, Any]) -> Instant:
    day = document["subject"]["as_read_on"]
    return end_of_day(parse_day(day)) if len(day) == len("2025-07-28") else parse_instant(day)


def _links(records: Mapping[int, ev.Recorded]) -> set[str]:
    """The addresses of the repositories that are spoken of, as probes are found by them."""
    events = (record.event for record in records.values())
    return {
        link_key(event.address)
        for event in events
        if isinstance(event, ev.RepositoryRegistered) and event.address is not None
    }
