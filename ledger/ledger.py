"""``Ledger.do(command, by)``: let the rules decide, then record what happened.

One command is one transaction: a decision that touches several claims is saved with its report,
each against the version that was looked at. If any of them moved on, nothing is saved.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, assert_never

import attrs

from ledger import benchmark, effects, footing, label, model, paper, probe, sample, source, subject
from ledger import claim as claims
from ledger import commands as orders
from ledger import decision as rules
from ledger import events as ev
from ledger import report as reports
from ledger.archive import Archive
from ledger.errors import BadValue, CircularReference, Conflict, InTheFuture, NotFound
from ledger.store import Appended, NewEvents, Store
from ledger.told import Told
from ledger.values import Digest, Instant, parse_slug, short_instant


@attrs.frozen
class Ledger:
    """The events, the frozen bytes and the clock (UTC) that they are recorded by.

    ``two_person_rule`` says which decisions need a second person; ``None`` for none.
    """

    store: Store
    archive: Archive
    clock: Callable[[], Instant]
    two_person_rule: rules.TwoPersonRule | None = None

    def do(self, command: orders.Command, by: str, cause: str | None = None) -> Appended | None:
        """Record what ``command`` asks for, or refuse.

        ``by`` is the handle of who asks. Returns where it was recorded; ``None`` when everything
        was recorded already. Raises a :class:`~ledger.errors.Refused`, having recorded nothing.
        """
        parse_slug(by, "handle")
        match command:
            case orders.Assert():
                new = self._assert(command)
            case orders.FileReport():
                new = self._file(command)
            case orders.Decide():
                new = self._decide(command, by)
                cause = cause or f"report:{command.number}"
            case orders.ApproveDecision():
                new = self._approve(command, by)
                cause = cause or f"report:{command.number}"
            case orders.ReturnDecision():
                found = self._seen(command.number, command.version)
                returned = rules.send_back(found, command, by)
                new = [_new(reports.stream_of(found.number), found.version, [returned])]
            case orders.ReverseDecision():
                new = self._reverse(command, by)
                cause = cause or f"report:{command.number}"
            case orders.AboutReport():
                found = self.report(command.number)
                events = reports.handle(found, command, by)
                new = [_new(reports.stream_of(command.number), found.version, events)]
            case _:
                assert_never(command)
        if not any(one.events for one in new):
            return None
        return self.store.append(new, by=by, cause=cause)

    # --- reading what the rules need ----------------------------------------------------------

    def claim(self, claim_id: str) -> claims.History:
        """The history of one claim; refused when there is none."""
        history = claims.history_of(self.store.stream(claims.stream_of(claim_id)))
        if not history.version:
            raise NotFound(what="claim", name=claim_id)
        return history

    def told(self, name: str) -> Told[Any]:
        """What is told of a claim, a label or a sample, by its id; refused when there is none."""
        kind = subject.kind_of(name)
        subject.must_be_of_its_kind(name)
        if kind is subject.CLAIM:
            return self.claim(name)
        records = self.store.stream(subject.stream_of(name))
        if not records:
            raise NotFound(what=kind.name, name=name)
        if kind is subject.LABEL:
            return label.told_of(records, self._stands)
        earlier = (sample.stream_of(code) for code in sample.shorter(name[1:]))
        return sample.told_of([*self.store.streams(earlier), *records], self._stands)

    def _stands(self, fact: ev.ReadFact) -> bool:
        return footing.reading_stands(self.facts(source.stream_of(fact.source)), fact)

    def report(self, number: int) -> reports.Report:
        """The state of one report; refused when there is none."""
        found = reports.report_of(self.store.stream(reports.stream_of(number)))
        if found is None:
            raise NotFound(what="report", name=number)
        return found

    def facts(self, stream: str) -> list[ev.Event]:
        """The events of a stream, oldest first."""
        return [record.event for record in self.store.stream(stream)]

    # --- one command each ---------------------------------------------------------------------

    def _assert(self, command: orders.Assert) -> list[NewEvents]:
        check_not_future(command.fact, self.clock())
        footing.must_stand(command.fact, self.facts)
        known = self.facts(command.stream)
        return [_new(command.stream, len(known), assertion(known, command.fact))]

    def _file(self, command: orders.FileReport) -> list[NewEvents]:
        reported = subject.subject_in(command.target)
        if reported is not None:
            self.told(reported)
        stream = reports.stream_of(command.number)
        existing = reports.report_of(self.store.stream(stream))
        return [_new(stream, 0, reports.file(existing, command))]

    def _decide(self, command: orders.Decide, by: str) -> list[NewEvents]:
        found = self.report(command.number)
        rules.must_be_decidable(found, command.outcome)
        _must_be_at(command.version, found)
        histories = {wish.claim: self.told(wish.claim) for wish in command.effects}
        decision = rules.decide(
            found,
            command,
            by,
            snapshots=self._snapshots(found, histories),
            effects=tuple(self._plan(wish, histories[wish.claim]) for wish in command.effects),
            rule=self.two_person_rule,
        )
        stream = reports.stream_of(found.number)
        events = [*rules.overruled(found, command), decision]
        referred = self._referred(found, command)
        return [*referred, _new(stream, found.version, events), *_taken(decision)]

    def _plan(self, wish: orders.AnyEffect, history: Told[Any]) -> ev.PlannedEffect:
        if wish.version is not None and wish.version != history.version:
            stream = subject.stream_of(wish.claim)
            raise Conflict(stream=stream, expected=wish.version, actual=history.version)
        if isinstance(wish, orders.Reidentify) and not self.facts(model.stream_of(wish.model)):
            raise NotFound(what="model", name=wish.model)
        return effects.plan(history, wish, self.clock())

    def _referred(self, found: reports.Report, command: orders.Decide) -> list[NewEvents]:
        """The reports that a decision refers to, which must not move on until it is recorded.

        What it replaces is in force, and no report is at last its own duplicate.
        """
        rules.must_not_refer_to_itself(found, command)
        looked_at: dict[int, reports.Report] = {}
        if command.replaces is not None and command.replaces not in found.proposed:
            number = rules.report_of_decision(command.replaces)
            known = () if number is None else self.store.stream(reports.stream_of(number))
            replaced = rules.must_be_in_force(reports.report_of(known), command.replaces)
            looked_at[replaced.number] = replaced
        original, passed = command.duplicate_of, {found.number}
        while original is not None:
            if original in passed:
                raise CircularReference(what="Report", name=found.number)
            passed.add(original)
            looked_at[original] = self.report(original)
            original = looked_at[original].duplicate_of
        return [_new(reports.stream_of(one.number), one.version, []) for one in looked_at.values()]

    def _approve(self, command: orders.ApproveDecision, by: str) -> list[NewEvents]:
        found = self._seen(command.number, command.version)
        decision = rules.approve(found, command, by)
        taken = (
            self._undone(decision)
            if isinstance(decision, ev.DecisionReversed)
            else _taken(decision)
        )
        return [_new(reports.stream_of(found.number), found.version, [decision]), *taken]

    def _reverse(self, command: orders.ReverseDecision, by: str) -> list[NewEvents]:
        found = self._seen(command.number, command.version)
        event = rules.reverse(found, command, by, rule=self.two_person_rule)
        if command.snapshot is not None:
            touched = rules.touched(found, command.decision)
            readings = self._snapshots(found, {name: self.told(name) for name in touched})
            rules.must_be_a_reading(command.snapshot, readings)
        undone = self._undone(event) if isinstance(event, ev.DecisionReversed) else []
        return [_new(reports.stream_of(found.number), found.version, [event]), *undone]

    def _undone(self, event: ev.DecisionReversed) -> list[NewEvents]:
        """What a reversal records on each claim, label and sample that the decision touched."""
        undone = ev.ClaimDecisionReversed(decision=event.decision, reverses=event.reverses)
        return [
            _new(subject.stream_of(name), self.told(name).version, [undone])
            for name in event.claims
        ]

    def _seen(self, number: int, version: int | None) -> reports.Report:
        """The report, which still has to be as it was seen."""
        found = self.report(number)
        _must_be_at(version, found)
        return found

    def _snapshots(self, found: reports.Report, told: Mapping[str, Told[Any]]) -> list[Digest]:
        """The readings of the sources that what is touched, or was reported, rests on."""
        touched = list(told.values())
        reported = subject.subject_in(found.target)
        if not touched and reported is not None:
            touched = [self.told(reported)]
        slugs = dict.fromkeys(slug for one in touched for slug in one.sources)
        return [
            reading.digest
            for slug in slugs
            for reading in source.readings(self.facts(source.stream_of(slug)))
        ]


def _new(stream: str, expected_version: int, events: Sequence[ev.Event]) -> NewEvents:
    return NewEvents(stream, expected_version, tuple(events))


def _must_be_at(version: int | None, found: reports.Report) -> None:
    if version is not None and version != found.version:
        stream = reports.stream_of(found.number)
        raise Conflict(stream=stream, expected=version, actual=found.version)


def _taken(decision: ev.DecisionMade | ev.DecisionProposed) -> list[NewEvents]:
    """What a decision does to its subjects, each at the version that the reviewer saw; a proposal
    does nothing yet."""
    if isinstance(decision, ev.DecisionProposed):
        return []
    facts: dict[str, list[ev.Event]] = {}
    for planned in decision.terms.effects:
        facts.setdefault(planned.claim, []).append(effects.fact_of(planned, decision.decision))
    versions = {planned.claim: planned.version for planned in decision.terms.effects}
    return [_new(subject.stream_of(name), versions[name], events) for name, events in facts.items()]


def assertion(known: Sequence[ev.Event], fact: orders.Asserted) -> list[ev.Event]:
    """What a curator's statement adds to its stream, or a refusal."""
    why: str | None = getattr(fact, "why", None)
    if why is not None and not why.strip():
        raise BadValue(what="why", shown=repr(why), why="every act of a curator says why")
    if isinstance(fact, ev.BenchmarkEvent):
        return benchmark.decide(known, fact)
    if isinstance(fact, ev.LabEvent):
        return model.decide_lab(known, fact)
    if isinstance(fact, ev.ModelEvent):
        return model.decide(known, fact)
    if isinstance(fact, ev.SourceEvent):
        return source.decide(known, fact)
    if isinstance(fact, ev.PaperEvent):
        return paper.decide(known, fact)
    if isinstance(fact, ev.RepositoryEvent):
        return paper.decide_repository(known, fact)
    if isinstance(fact, ev.LabelEvent):
        return label.decide(known, fact)
    if isinstance(fact, ev.SampleEvent):
        return sample.decide(known, fact)
    if isinstance(fact, ev.ProbeEvent):
        return probe.decide(known, fact)
    parse_slug(fact.slug)
    return [] if fact in known else [fact]


def check_not_future(fact: ev.Event, now: Instant) -> None:
    """Refuse what claims to have been read after now."""
    read_at: Instant | None = getattr(fact, "read_at", None)
    if read_at is not None and read_at > now:
        raise InTheFuture(what="read_at", when=short_instant(read_at), now=short_instant(now))
