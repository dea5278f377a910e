"""The queue as a reviewer sees it: what each report is about, filters, and how many there are.

A report names a page of ours; its benchmark and source follow from that. Counts beside a filter
are of what the other filters leave.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import timedelta
from types import MappingProxyType

import attrs
from sqlalchemy import select

from ledger.claim import Plane
from ledger.store import Store
from ledger.subject import is_claim, subject_in
from ledger.values import Instant
from projections.keeping.rectangles import CHUNK, chunks
from projections.keeping.tables import FOREVER, in_plane
from projections.keeping.views import Reader
from projections.moment import Moment
from projections.review.code_places import code_places
from projections.review.queue import WaitingReport, unsettled

NOBODY = "-"
"""What is asked for to see the reports that nobody holds; no handle is written so."""

AGES = (1, 7, 30)
"""Days; a reviewer may ask for what has waited longer."""

LONGEST = 9
"""Digits of a correction's number; a longer one is of none that there is."""


PAGES = (
    "claims",
    "labels",
    "samples",
    "papers",
    "benchmarks",
    "models",
    "sources",
    "snapshots",
    "corrections",
    "probes",
    "site",
)
"""The kinds of page that a report can be about."""


@attrs.frozen(kw_only=True)
class Place:
    """What a report is about, as far as that is known: a claim, a label or a sample as it shows
    now, or a page.

    ``subject`` is the id that a decision calls it by. ``score`` is what shows: a number, or the
    word of a label or an outcome. ``papers`` are those on whose pages it is.
    """

    about: str = ""
    benchmark: str | None = None
    source: str | None = None
    papers: tuple[str, ...] = ()
    subject: str | None = None
    name: str | None = None
    score: str | None = None
    unit: str | None = None

    @property
    def claim(self) -> str | None:
        """The claim, where it is one."""
        return self.subject if self.subject is not None and is_claim(self.subject) else None


@attrs.frozen
class Entry:
    """One line of the queue."""

    report: WaitingReport
    place: Place

    def days(self, now: Instant) -> int:
        """Whole days since it came in."""
        return max(0, (now - self.report.received_at).days)


@attrs.frozen(kw_only=True)
class Filters:
    """What a reviewer wants to see; ``None`` for all. ``older_than`` is in days."""

    about: str | None = None
    benchmark: str | None = None
    paper: str | None = None
    source: str | None = None
    reason: str | None = None
    assignee: str | None = None
    older_than: int | None = None
    awaiting: bool | None = None


@attrs.frozen(kw_only=True)
class Queue:
    """What waits under some filters, oldest first, and what else could be asked for.

    ``counts`` has, for each filter by name, its values with how many lines each would show.
    """

    entries: tuple[Entry, ...]
    total: int
    counts: Mapping[str, Sequence[tuple[str, int]]]


Test = Callable[[Entry], bool]


def queue_at(reader: Reader, store: Store, filters: Filters, moment: Moment) -> Queue:
    """The queue at a moment, which is now."""
    entries = entries_of(reader, store, unsettled(reader), moment)
    tests = _tests(filters, moment.instant)
    return Queue(
        entries=tuple(one for one in entries if all(test(one) for test in tests.values())),
        total=len(entries),
        counts=MappingProxyType(
            {name: _counts(entries, name, tests, value) for name, value in VALUES.items()}
        ),
    )


def entries_of(
    reader: Reader, store: Store, found: Sequence[WaitingReport], moment: Moment
) -> list[Entry]:
    """Reports with what they are about."""
    places = _places(reader, store, [report.target for report in found], moment)
    return [Entry(report, places[report.target]) for report in found]


# --- filters ----------------------------------------------------------------------------------

Values = Callable[[Entry], Sequence[str]]


def _one(value: str | None) -> Sequence[str]:
    return () if value is None else (value,)


VALUES: Mapping[str, Values] = MappingProxyType(
    {
        "about": lambda entry: _one(entry.place.about or None),
        "benchmark": lambda entry: _one(entry.place.benchmark),
        "paper": lambda entry: entry.place.papers,
        "source": lambda entry: _one(entry.place.source),
        "reason": lambda entry: _one(entry.report.reason),
        "assignee": lambda entry: _one(entry.report.held_by or NOBODY),
    }
)
"""What an entry has under each filter: nothing, one value, or several."""


def _tests(filters: Filters, now: Instant) -> dict[str, Test]:
    tests: dict[str, Test] = {
        name: _is(value, wanted)
        for name, value in VALUES.items()
        if (wanted := getattr(filters, name)) is not None
    }
    if filters.older_than is not None:
        oldest = now - timedelta(days=filters.older_than)
        tests["older_than"] = lambda entry: entry.report.received_at <= oldest
    if filters.awaiting is not None:
        wanted_state = filters.awaiting
        tests["awaiting"] = lambda entry: (entry.report.awaiting is not None) is wanted_state
    return tests


def _is(values: Values, wanted: str) -> Test:
    return lambda entry: wanted in values(entry)


def _counts(
    entries: Iterable[Entry],
    name: str,
    tests: Mapping[str, Test],
    values: Values,
) -> list[tuple[str, int]]:
    others = [test for other, test in tests.items() if other != name]
    left = (entry for entry in entries if all(test(entry) for test in others))
    counted = Counter(found for entry in left for found in values(entry))
    return sorted(counted.items())


# --- what reports are about -------------------------------------------------------------------


def _places(
    reader: Reader, store: Store, targets: Iterable[str], moment: Moment
) -> dict[str, Place]:
    """What each target is; one that is nothing in particular has an empty place."""
    named = {target: target.partition("#")[0].partition("/")[::2] for target in targets}
    decided = _subjects_of_corrections(
        reader, {name for kind, name in named.values() if kind == "corrections"}
    )
    subjects = {subject for target in named if (subject := subject_in(target)) is not None}
    known = _subjects(reader, store, subjects | set(decided.values()), moment)
    readings = _readings(reader, {name for kind, name in named.values() if kind == "snapshots"})
    found: dict[str, Place] = {}
    for target, (kind, name) in named.items():
        subject = decided.get(name) if kind == "corrections" else subject_in(target)
        match kind:
            case "snapshots":
                place = readings.get(name, Place())
            case "benchmarks":
                place = Place(benchmark=name)
            case "sources":
                place = Place(source=name)
            case "papers":
                place = Place(papers=(name,))
            case _:
                place = known.get(subject or "", Place())
        found[target] = attrs.evolve(place, about=kind if kind in PAGES else "")
    return found


def _subjects(reader: Reader, store: Store, ids: Iterable[str], moment: Moment) -> dict[str, Place]:
    """Claims, labels and samples by the ids that reports give them."""
    wanted = sorted(set(ids))
    of_code = code_places(reader, store, [one for one in wanted if not is_claim(one)], moment)
    found = _claims(reader, [one for one in wanted if is_claim(one)])
    for one, place in of_code.items():
        found[one] = Place(
            source=place.source,
            papers=place.papers,
            subject=place.subject,
            name=place.name,
            score=place.shows,
        )
    return found


def _claims(reader: Reader, ids: Sequence[str]) -> dict[str, Place]:
    known, shown = reader.tables.claim, reader.tables.claim_version
    found: dict[str, Place] = {}
    for chunk in chunks(ids, CHUNK):
        stated = select(known.c.claim, known.c.benchmark, known.c.source, known.c.key).where(
            known.c.claim.in_(chunk)
        )
        for row in reader.connection.execute(stated):
            found[row.claim] = Place(
                benchmark=row.benchmark, source=row.source, subject=row.claim, name=row.key
            )
        now = select(shown.c.claim, shown.c.name, shown.c.score, shown.c.unit).where(
            shown.c.claim.in_(chunk),
            in_plane(shown, Plane.THEN),
            shown.c.read_to == FOREVER,
            shown.c.recorded_to == FOREVER,
        )
        for row in reader.connection.execute(now):
            place = found[row.claim]
            found[row.claim] = attrs.evolve(place, name=row.name, score=row.score, unit=row.unit)
    return found


def _subjects_of_corrections(reader: Reader, numbers: Iterable[str]) -> dict[str, str]:
    """The first claim, label or sample that each numbered decision touched."""
    asked = [
        int(one) for one in numbers if one.isascii() and one.isdecimal() and len(one) <= LONGEST
    ]
    decision, touched = reader.tables.decision, reader.tables.decision_claim
    found: dict[str, str] = {}
    for chunk in chunks(sorted(asked), CHUNK):
        query = (
            select(decision.c.number, touched.c.claim)
            .join(touched, touched.c.decision == decision.c.decision)
            .where(decision.c.number.in_(chunk))
            .order_by(touched.c.claim)
        )
        for number, claim in reader.connection.execute(query):
            found.setdefault(str(number), claim)
    return found


def _readings(reader: Reader, digests: Iterable[str]) -> dict[str, Place]:
    table = reader.tables.reading
    found: dict[str, Place] = {}
    for chunk in chunks(sorted(digests), CHUNK):
        query = select(table.c.digest, table.c.source, table.c.benchmark).where(
            table.c.digest.in_(chunk)
        )
        for row in reader.connection.execute(query):
            found[row.digest] = Place(benchmark=row.benchmark, source=row.source)
    return found
