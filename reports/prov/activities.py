"""Who did what in PROV: agents, transactions and decisions, and the snapshots that they froze or
used. Whatever is told is told once, when it is first spoken of."""

from collections.abc import Mapping
from typing import Any

import attrs
from prov.model import PROV, ProvDocument, QualifiedName

from ledger import events as ev
from ledger.wire import decode
from reports.prov.naming import Attributes, Names

Transaction = tuple[object, ...]


@attrs.define
class Activities:
    """What a bundle's events tell of activities, in the PROV document that is being made."""

    made: ProvDocument
    names: Names
    document: Mapping[str, Any]
    records: dict[int, ev.Recorded] = attrs.field(init=False)
    leaves: dict[int, int] = attrs.field(init=False)
    _first: dict[Transaction, int] = attrs.field(factory=dict, init=False)
    _frozen: dict[str, list[ev.Recorded]] = attrs.field(factory=dict, init=False)
    _numbers: dict[str, int] = attrs.field(init=False)
    _told: set[QualifiedName] = attrs.field(factory=set, init=False)

    def __attrs_post_init__(self) -> None:
        events = self.document["events"]
        self.leaves = {one["position"]: one["index"] for one in events}
        self.records = {
            one["position"]: decode(one["position"], one["stored"].encode()) for one in events
        }
        self._numbers = {one["decision"]: one["number"] for one in self.document["decisions"]}
        for position, record in self.records.items():
            self._first.setdefault(_transaction(record), position)
            if isinstance(record.event, ev.SourceFrozen):
                self._frozen.setdefault(record.event.digest, []).append(record)

    # --- agents and activities ----------------------------------------------------------------

    def _person(self, handle: str) -> QualifiedName:
        person = self.names.thing("people", handle)
        if self._is_new(person):
            told: Attributes = {"prov:type": PROV["Person"], "prov:label": handle}
            self.made.agent(person, told)
        return person

    def _is_new(self, name: QualifiedName) -> bool:
        is_new = name not in self._told
        self._told.add(name)
        return is_new

    def did(self, activity: QualifiedName, handle: str, role: str) -> None:
        """Somebody did something, in a role."""
        relation = self.names.thing("relations", "did", activity.localpart, role)
        told: Attributes = {"prov:role": self.names.term(role)}
        self.made.association(activity, self._person(handle), None, relation, told)

    def importing(self, record: ev.Recorded) -> QualifiedName:
        """The activity of the transaction that recorded an event."""
        activity = self.names.thing("imports", self._first[_transaction(record)])
        if self._is_new(activity):
            envelope = record.envelope
            told = self.names.typed("Import") | self.names.said({"cause": envelope.cause})
            self.made.activity(activity, envelope.recorded_at, envelope.recorded_at, told)
            self.did(activity, envelope.recorded_by, "importer")
        return activity

    def deciding(self, decision: str) -> QualifiedName:
        """The activity of a decision, by its name."""
        number = self._numbers.get(decision)
        if number is None:
            return self.names.thing("decisions", decision)
        return self.names.thing("corrections", number)

    def using(self, activity: QualifiedName, entity: QualifiedName) -> None:
        """An activity used an entity."""
        relation = self.names.thing("relations", "used", activity.localpart, entity.localpart)
        if self._is_new(relation):
            self.made.usage(activity, entity, None, relation)

    # --- snapshots and sources ----------------------------------------------------------------

    def snapshot(self, digest: str) -> QualifiedName:
        """The entity of frozen bytes; whoever froze them first brought them about."""
        snapshot = self.names.thing("snapshots", digest)
        if not self._is_new(snapshot):
            return snapshot
        records = self._frozen.get(digest, [])
        told: dict[str, Any] = {"sha256": digest}
        if records and isinstance(records[0].event, ev.SourceFrozen):
            frozen = records[0].event
            told |= {"media_type": frozen.media_type, "size": frozen.size}
            told |= {"transcribed": frozen.transcribed, "read_at": frozen.read_at}
            told |= {"leaf": self.leaves[records[0].position]}
        self.made.entity(snapshot, self.names.typed("Snapshot") | self.names.said(told))
        for place, record in enumerate(records):
            self._freeze(snapshot, record, is_first=not place)
        return snapshot

    def _freeze(self, snapshot: QualifiedName, record: ev.Recorded, *, is_first: bool) -> None:
        activity, source = self.importing(record), self._source(record.envelope.stream)
        if not is_first:
            self.using(activity, snapshot)
            return
        made, named = self.made, self.names.thing
        at, position = record.envelope.recorded_at, record.position
        made.generation(snapshot, activity, at, named("relations", "generated", position))
        relation = named("relations", "frozen", position)
        made.primary_source(snapshot, source, identifier=relation)

    def _source(self, stream: str) -> QualifiedName:
        source = self.names.thing("sources", stream.partition(":")[2])
        if self._is_new(source):
            name = self.document["names"].get(stream)
            self.made.entity(source, self.names.typed("Source", name))
        return source


def _transaction(record: ev.Recorded) -> Transaction:
    """What one append recorded has this in common."""
    envelope = record.envelope
    return (envelope.recorded_at, envelope.recorded_by, envelope.cause)
