"""The life of a label: what somebody asserts that a repository is to a paper, and as of when.

A label is told as a claim is: readings of its source, and decisions on top. It cannot be changed
by anybody else: a correction stands over the frozen assertion, with who, when, why, and which
snapshot was checked.
"""

import hashlib
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import attrs

from ledger import events as ev
from ledger.errors import BadValue
from ledger.events import Recorded
from ledger.told import Decided, Reading, Told, decided_by
from ledger.values import PartialDate, Slug, parse_partial
from ledger.vocabulary import LABELS

CORRECTABLE = ("label", "as_of")

Stands = Callable[[ev.ReadFact], bool]
"""Whether the reading that a fact cites stands, and was not taken back."""


@attrs.frozen
class Label:
    """What a source asserts: a label of the vocabulary, and the date that it gives for it."""

    label: str
    as_of: PartialDate | None = None


def label_id(paper: str, repository: str, source: str) -> str:
    """The lasting id of what a source asserts of a repository and a paper."""
    parts = f"{paper}\x1f{repository}\x1f{source}"
    return "l" + hashlib.sha256(parts.encode()).hexdigest()[:23]


def stream_of(label: str) -> str:
    """The stream in which a label's events stand."""
    return f"label:{label}"


def decide(known: Sequence[ev.Event], fact: ev.LabelEvent) -> list[ev.Event]:
    """Whether the label may be recorded after what is known; recorded already means nothing new."""
    if fact in known:
        return []
    if fact.label is not None:
        parse_label(fact.label)
    return [fact]


def parse_label(text: str) -> str:
    """A label of the vocabulary."""
    if text not in LABELS:
        raise BadValue(what="label", shown=repr(text[:40]), why=f"known are {', '.join(LABELS)}")
    return text


def told_of(recorded: Iterable[Recorded], stands: Stands) -> Told[Label]:
    """Fold the events of one label's stream (any first part of it)."""
    source, version = Slug(""), 0
    readings: list[Reading[Label]] = []
    decisions: list[Decided] = []
    for record in recorded:
        event, version = record.event, record.envelope.version
        if isinstance(event, ev.RepositoryLabelled):
            source = event.source
            if stands(event):
                readings.append(_reading(record, event))
        elif isinstance(event, ev.DecisionFact):
            decisions.append(decided_by(record, event))
    readings.sort(key=lambda reading: reading.turn)
    return Told(source, tuple(readings), tuple(decisions), version)


def _reading(record: Recorded, event: ev.RepositoryLabelled) -> Reading[Label]:
    says = None if event.label is None else Label(event.label, event.as_of)
    at = record.envelope.recorded_at
    return Reading(event.read_at, event.order, record.position, at, says, event.reading)


def with_field(says: Label, field: str, text: str | None) -> Label:
    """The label with one field replaced; refused when the text does not fit the field."""
    changed: dict[str, Any]
    match field:
        case "label" if text is None:
            why = "there always is one; retract the label instead"
            raise BadValue(what="label", shown="nothing", why=why)
        case "label" if text is not None:
            changed = {"label": parse_label(text)}
        case "as_of":
            changed = {"as_of": None if text is None else parse_partial(text, field)}
        case _:
            why = f"correctable are {', '.join(CORRECTABLE)}"
            raise BadValue(what="field", shown=repr(field), why=why)
    return attrs.evolve(says, **changed)
