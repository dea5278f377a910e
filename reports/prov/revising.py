"""The revisions of one claim in PROV: what it says from each of its events on."""

from collections.abc import Mapping
from typing import Any

import attrs
from prov.model import QualifiedName

from ledger import events as ev
from reports.prov.activities import Activities
from reports.prov.words import said_of

Reading = tuple[object, ...]


@attrs.define
class Revisions:
    """A claim's revisions as they are told, the earliest first."""

    activities: Activities
    claim: QualifiedName
    _latest: QualifiedName | None = None
    _invalid: set[QualifiedName] = attrs.field(factory=set)
    _by_position: dict[int, QualifiedName] = attrs.field(factory=dict)
    _by_reading: dict[Reading, QualifiedName] = attrs.field(factory=dict)
    _by_decision: dict[str, int] = attrs.field(factory=dict)

    def tell(self, record: ev.Recorded, leaf: int) -> None:
        """One more event of the claim."""
        event = record.event
        match event:
            case ev.ClaimRecorded() | ev.ClaimRestated() | ev.ClaimRelisted():
                activity = self.activities.importing(record)
                revision = self._revise(record, event, activity, leaf)
                snapshot = self.activities.snapshot(event.reading)
                self._by_reading[_reading(event)] = revision
                relation = self.activities.names.thing("relations", "read", record.position)
                self.activities.made.derivation(revision, snapshot, identifier=relation)
            case ev.ClaimDelisted():
                self._invalidate(self._latest, record, self.activities.importing(record))
            case ev.ClaimReadingVoided():
                voided = self._by_reading.get(_reading(event))
                self._invalidate(voided, record, self.activities.importing(record))
            case ev.ClaimRetracted():
                self._invalidate(self._latest, record, self.activities.deciding(event.decision))
            case _ if isinstance(event, ev.DecisionFact):
                activity = self.activities.deciding(event.decision)
                self._by_decision[event.decision] = record.position
                self._revise(record, event, activity, leaf)

    def showing(self, one: Mapping[str, Any]) -> QualifiedName | None:
        """The revision that shows at the bundle's moment: by the last reading, or by the last
        decision that is applied to it."""
        if one["shows"] is None:
            return None
        applied = [*one["corrected_by"], *filter(None, (one["reidentified_by"],))]
        places = [one["readings"][-1]["position"]]
        places += [self._by_decision[name] for name in applied if name in self._by_decision]
        return self._by_position.get(max(places))

    def _revise(
        self, record: ev.Recorded, event: ev.ClaimEvent, activity: QualifiedName, leaf: int
    ) -> QualifiedName:
        made, named = self.activities.made, self.activities.names.thing
        position, at = record.position, record.envelope.recorded_at
        revision = named(self.claim.localpart, "as-of", position)
        told = {**said_of(event), "event": record.envelope.type, "leaf": leaf}
        names = self.activities.names
        made.entity(revision, names.typed("Revision") | names.said(told))
        made.specialization(revision, self.claim)
        made.generation(revision, activity, at, named("relations", "generated", position))
        if self._latest is not None:
            relation = named("relations", "revised", position)
            made.revision(revision, self._latest, identifier=relation)
        self._by_position[position] = self._latest = revision
        return revision

    def _invalidate(
        self, revision: QualifiedName | None, record: ev.Recorded, activity: QualifiedName
    ) -> None:
        """End a revision; what has ended already does not end twice."""
        if revision is None or revision in self._invalid:
            return
        self._invalid.add(revision)
        relation = self.activities.names.thing("relations", "invalidated", record.position)
        at = record.envelope.recorded_at
        self.activities.made.invalidation(revision, activity, at, relation)


def _reading(
    event: ev.ClaimRecorded | ev.ClaimRestated | ev.ClaimRelisted | ev.ClaimReadingVoided,
) -> Reading:
    return (event.reading, event.read_at, event.order)
