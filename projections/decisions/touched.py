"""What a decision did to a label or a sample, as the log tells it.

Like a claim's entry it is worked out from what the streams held when the decision was recorded, so
it never says anything else later.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import attrs

from ledger import events as ev
from ledger import label, sample
from ledger.paper import repository_stream
from ledger.store import Store
from ledger.subject import LABEL, Kind, address_of, kind_of, stream_of
from ledger.told import Told
from projections.code.cited import stands_at
from projections.code.tales import steps_on
from projections.keeping.views import Reader
from projections.over_time.changes import Shown


@attrs.frozen(kw_only=True)
class TouchedSubject:
    """What one decision did to one label or sample; before and after are text, as shown.

    ``name`` is what people know it by: the repository, or the digits of the code. ``paper`` is the
    one that a label is about.
    """

    subject: str
    name: str
    paper: str | None
    before: Mapping[str, str | None]
    after: Mapping[str, str | None]
    applies_from: str

    @property
    def kind(self) -> str:
        """``label`` or ``sample``."""
        return kind_of(self.subject).name

    @property
    def address(self) -> str:
        """The target that names it."""
        return address_of(self.subject)

    @property
    def changes(self) -> list[tuple[str, str | None, str | None]]:
        """Field, before and after, by the field's name."""
        fields = sorted({*self.before, *self.after})
        return [(name, self.before.get(name), self.after.get(name)) for name in fields]


def touched_subjects(
    reader: Reader, store: Store, touched: Mapping[str, Sequence[str]], upto: int | None
) -> dict[str, tuple[TouchedSubject, ...]]:
    """What each of these decisions did to labels and samples, as held by a position."""
    found: dict[str, tuple[TouchedSubject, ...]] = {}
    for decision, subjects in touched.items():
        if subjects:
            told = (_touched(reader, store, one, decision, upto) for one in subjects)
            found[decision] = tuple(told)
    return found


def _touched(
    reader: Reader, store: Store, subject: str, decision: str, upto: int | None
) -> TouchedSubject:
    records = [
        one for one in store.streams(streams_of(subject)) if upto is None or one.position <= upto
    ]
    records.sort(key=lambda one: one.position)
    own = [place for place, one in enumerate(records) if names(one, decision)]
    if own:  # what was recorded later does not change what the decision did
        records = records[: own[-1] + 1]
    told = told_by(reader, subject, records)
    facts = [one.fact for one in told.decisions if one.fact.decision == decision]
    latest = max((one.at for one in told.decisions), default=None)
    known, paper = _known_as(store, subject, records)
    steps = [] if latest is None else steps_on(subject, known, told, latest)
    made = [step for step in steps if step.decision == decision]
    kind = kind_of(subject)
    before = _fields(made[0].before if made else None, kind)
    after = _fields(made[-1].after if made else None, kind)
    differ = [field for field in before | after if before.get(field) != after.get(field)]
    return TouchedSubject(
        subject=subject,
        name=known,
        paper=paper,
        before={field: before.get(field) for field in differ},
        after={field: after.get(field) for field in differ},
        applies_from=applies_from(facts),
    )


def streams_of(subject: str) -> list[str]:
    """The streams in which its facts stand: those of a sample under all that it was stated as."""
    if kind_of(subject) is LABEL:
        return [stream_of(subject)]
    return [*map(sample.stream_of, sample.shorter(subject[1:])), stream_of(subject)]


def told_by(reader: Reader, subject: str, records: Sequence[ev.Recorded]) -> Told[Any]:
    """What is told of a label or a sample by these events, in the order of their positions."""
    position = records[-1].position if records else 0
    stands = stands_at(reader, records, position)
    if kind_of(subject) is LABEL:
        return label.told_of(records, stands)
    return sample.told_of(records, stands)


def _known_as(store: Store, subject: str, records: Iterable[ev.Recorded]) -> tuple[str, str | None]:
    """What people know it by, and the paper that a label is about."""
    for record in records:
        if isinstance(record.event, ev.RepositoryLabelled):
            slug = record.event.repository
            return _repository(store, slug), record.event.paper
    return subject[1:], None


def _repository(store: Store, slug: str) -> str:
    """A repository as its host writes it."""
    events = (one.event for one in store.stream(repository_stream(slug)))
    names = (event.name for event in events if isinstance(event, ev.RepositoryRegistered))
    return next(names, slug)


def _fields(shown: Shown | None, kind: Kind) -> dict[str, str | None]:
    """What showed, field by field, in a subject's own words."""
    if shown is None:
        return {}
    word, date = kind.correctable
    found = shown.fields()
    return {
        word: found["score"],
        date: found["published_on"],
        "standing": "retracted" if found["standing"] == "retracted" else "shown",
        "disputed": found["disputed"],
    }


def names(record: ev.Recorded, decision: str) -> bool:
    """Whether an event is what a decision did."""
    return isinstance(record.event, ev.DecisionFact) and record.event.decision == decision


def applies_from(facts: Iterable[ev.DecisionFact]) -> str:
    """From when a decision applies: ``start``, or an instant."""
    for fact in facts:
        if not isinstance(fact, ev.ClaimDecisionReversed):
            return "start" if fact.applies_from is None else fact.applies_from.isoformat()
    return "start"
