"""Whether the ledger bears out what a records file takes for granted, before anything is written.

Facts are judged in the order of their lines by the rules of their streams, each as if those
before it were recorded. A fact that its stream holds already is left out.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import attrs

from ledger import benchmark, claim, footing, paper, source
from ledger import events as ev
from ledger.errors import Refused
from ledger.importing.records.entering import streams_of
from ledger.importing.records.file import RecordedFact, RecordsFile
from ledger.importing.records.names import NamesWithFile
from ledger.importing.records.papers import RecordedPaperReading
from ledger.importing.records.problems import Problems
from ledger.importing.records.reading import RecordedReading
from ledger.importing.snapshot import Known
from ledger.ledger import Ledger, assertion, check_not_future
from ledger.model import full_name, name_assertion, resolve
from ledger.store import NewEvents
from ledger.values import Instant, Slug, name_key, short_instant
from ledger.wire import plain

Registered = (
    ev.BenchmarkRegistered
    | ev.LabRegistered
    | ev.ModelRegistered
    | ev.SourceRegistered
    | ev.PaperRegistered
    | ev.RepositoryRegistered
    | ev.ProbeWindowOpened
)


@attrs.define
class Check:
    """A records file against the ledger: what has to be appended, or all that is wrong."""

    ledger: Ledger
    names: NamesWithFile
    now: Instant
    problems: Problems
    streams: dict[str, list[ev.Event]]
    new: list[NewEvents] = attrs.field(factory=list)

    @classmethod
    def of(cls, ledger: Ledger, known: Known, records: RecordsFile) -> "Check":
        """Check the whole file; raises ``RecordsRefused`` with every line that will not do."""
        names = NamesWithFile(known)
        names.ask(_names_in(records))
        streams: dict[str, list[ev.Event]] = {stream: [] for stream in _streams_of(records)}
        for record in ledger.store.streams(streams):
            streams[record.envelope.stream].append(record.event)
        check = cls(ledger, names, ledger.clock(), Problems(records.file), streams)
        for line in records.facts:
            check.fact(line)
        check.readings(records.readings)
        for reading in records.paper_readings:
            check.paper_reading(reading)
        check.problems.refuse_if_any()
        return check

    # --- facts --------------------------------------------------------------------------------

    def fact(self, line: RecordedFact) -> None:
        """Judge one fact; enter it if it is new."""
        stream, fact = line.order.stream, line.order.fact
        if not self._is_registered(line.line, line.refers):
            return
        known = self.streams[stream]
        if said_before(known, fact):
            return
        try:
            check_not_future(fact, self.now)
            self._check(line, fact)
            events = assertion(known, fact)
        except Refused as why:
            self.problems.add(line.line, None, str(why).rstrip("."))
            return
        if events:
            self.new.append(NewEvents(stream, len(known), tuple(events)))
            known.extend(events)
            self.names.note(stream, len(known), fact)

    def _is_registered(self, line: int, refers: Iterable[tuple[str, str]]) -> bool:
        missing = [(field, stream) for field, stream in refers if not self.streams[stream]]
        for field, stream in missing:
            what, _, slug = stream.partition(":")
            why = f"no {what} is registered as {slug}; a {what} line before this one would do it"
            self.problems.add(line, field, why)
        return not missing

    def _check(self, line: RecordedFact, fact: ev.Event) -> None:
        if isinstance(fact, ev.ModelRegistered) and fact.means_from is None:
            name = full_name(fact.name, fact.version)
            for other in self._meant_by(name, fact.read_at) - {fact.slug}:
                why = (
                    f"{name} already means the model {other}; give means_from, the first reading"
                    f" in which it means {fact.slug}, or describe {other} instead"
                )
                self.problems.add(line.line, "name", why)
        if isinstance(fact, ev.PostRead):
            registered = self.streams[line.order.stream][0]
            if isinstance(registered, ev.SourceRegistered) and registered.kind != "launch-post":
                why = f"{registered.slug} is a {registered.kind}; only a launch post is read so"
                self.problems.add(line.line, "source", why)

    def _meant_by(self, name: str, read_at: Instant) -> set[Slug]:
        """The models that a name means by then, or by now (then another would take it over)."""
        assertions = self.names.about(name_key(name))
        meant = {resolve(assertions, at, at) for at in (read_at, self.now)}
        return {slug for slug in meant if slug is not None}

    # --- papers -------------------------------------------------------------------------------

    def paper_reading(self, reading: RecordedPaperReading) -> None:
        """Judge a reading of a paper: each fact as if those before it were recorded."""
        stream = source.stream_of(reading.source)
        refers = (("source", stream), ("paper", paper.stream_of(reading.paper)))
        if not self._is_registered(reading.line, refers):
            return
        if source.stands(self.streams[stream], reading.frozen):
            return
        self.streams[stream].append(reading.frozen)
        for line in reading.facts:
            fact, known = line.order.fact, self.streams[line.order.stream]
            if not self._is_registered(line.line, footing.stands_on(fact)):
                continue
            try:
                footing.must_stand(fact, self.streams.__getitem__)
                known.extend(assertion(known, fact))
            except Refused as why:
                self.problems.add(line.line, None, str(why).rstrip("."))

    # --- readings -----------------------------------------------------------------------------

    def readings(self, readings: Sequence[RecordedReading]) -> None:
        """Judge the readings, which stand in the order in which they were made."""
        named: set[tuple[Slug, Slug, str]] = set()
        for reading in readings:
            refers = (
                ("source", source.stream_of(reading.source)),
                ("benchmark", benchmark.stream_of(reading.benchmark)),
            )
            if self._is_registered(reading.line, refers):
                self._check_metrics(reading)
            if not reading.register:
                self._check_names(reading, named)
            named |= {(reading.source, reading.benchmark, key) for key in reading.named_on}

    def _check_metrics(self, reading: RecordedReading) -> None:
        events = self.streams[benchmark.stream_of(reading.benchmark)]
        ruled = {event.metric for event in events if isinstance(event, ev.RankingRuleSet)}
        for metric in reading.board.metrics:
            if metric not in ruled:
                why = f"{metric} has no ranking rule on {reading.benchmark}; state one before"
                self.problems.add(reading.line, "metrics", why)

    def _check_names(self, reading: RecordedReading, named: set[tuple[Slug, Slug, str]]) -> None:
        """Every name that first names its row means a model at the reading."""
        read_at = reading.board.read_at
        earlier: set[str] | None = None
        for key, says in reading.board.statements.items():
            name = says[0].name
            if resolve(self.names.about(name_key(name)), read_at, read_at) is not None:
                continue
            if (reading.source, reading.benchmark, key) in named:
                continue
            if earlier is None:
                earlier = self._keys_read_before(reading)
            if key not in earlier:
                when, hint = short_instant(read_at), self._hint(name)
                why = f"{name} means no registered model by {when}; {hint}"
                self.problems.add(reading.named_on[key], "name", why)

    def _hint(self, name: str) -> str:
        later = [one for one in self.names.about(name_key(name)) if not one.withdrawn]
        if later:
            one = later[0]
            return f"it means {one.model} only as of {short_instant(one.read_at)}"
        return 'register it by a model or alias line, or let the reading say "register": true'

    def _keys_read_before(self, reading: RecordedReading) -> set[str]:
        """The rows that an earlier reading of this source named: they keep their models."""
        ids = self.names.claims_of(reading.source, reading.benchmark)
        turn = (reading.board.read_at, reading.board.order)
        keys: dict[str, str] = {}
        before: set[str] = set()
        for record in self.ledger.store.streams(claim.stream_of(one) for one in ids):
            event, stream = record.event, record.envelope.stream
            if isinstance(event, ev.ClaimRecorded):
                keys[stream] = event.key
            if isinstance(event, ev.ClaimRecorded | ev.ClaimRestated | ev.ClaimRelisted) and (
                (event.read_at, event.order) <= turn
            ):
                before.add(stream)
        return {keys[stream] for stream in before}


def said_before(known: Sequence[ev.Event], fact: ev.Event) -> bool:
    """Whether a registration says nothing that its stream does not say already, read since then.

    A page that is read again registers again what it lists; that is no contradiction.
    """
    if not known or not isinstance(fact, Registered):
        return False
    first = known[0]
    return (
        isinstance(first, Registered)
        and first.read_at <= fact.read_at
        and (type(first), _lasting(first)) == (type(fact), _lasting(fact))
    )


def _lasting(fact: Registered) -> dict[str, Any]:
    """What a registration says, but for when and why it was said."""
    return {field: said for field, said in plain(fact).items() if field not in ("read_at", "why")}


def _streams_of(records: RecordsFile) -> Iterable[str]:
    for line in records.facts:
        yield line.order.stream
        yield from (stream for _, stream in line.refers)
    for reading in records.readings:
        yield source.stream_of(reading.source)
        yield benchmark.stream_of(reading.benchmark)
    for about in records.paper_readings:
        yield paper.stream_of(about.paper)
        yield from streams_of(about)


def _names_in(records: RecordsFile) -> Iterable[str]:
    for line in records.facts:
        if isinstance(line.order.fact, ev.ModelEvent):
            one = name_assertion("", 0, line.order.fact)
            if one is not None:
                yield one.key
    for reading in records.readings:
        for says in reading.board.statements.values():
            yield name_key(says[0].name)
