"""Reports and their decisions: who may decide what, and when.

Nobody decides their own report. A decision says its outcome, a reason and a statement; one that
settles a claim names the frozen snapshot that was checked. A report may be decided in parts; each
part is a decision of its own. A decision is undone by a later one, never removed.
"""

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import assert_never, get_args

import attrs

from ledger import commands as orders
from ledger import events as ev
from ledger.claim import (
    History,
    Plane,
    State,
    correction_from,
    field_equals,
    field_text,
    state_at,
    with_field,
)
from ledger.errors import (
    AlreadyDecided,
    AwaitsSecondPerson,
    BadValue,
    NeedsSecondPerson,
    NoSnapshotChecked,
    NotAReading,
    NotFound,
    NothingChanges,
    ReportClosed,
    SelfReview,
    TooLate,
)
from ledger.values import Digest, Instant, instant_text, parse_digest, parse_slug
from ledger.vocabulary import ACCEPTING, EFFECTS, OUTCOMES, REASONS, UPDATE_TYPES

LONGEST_STATEMENT = 20_000
NEEDS_SNAPSHOT = ACCEPTING | {"declined"}


def stream_of(number: int) -> str:
    """The stream of a report."""
    return f"report:{number}"


# --- what is known of a report ----------------------------------------------------------------


@attrs.frozen(kw_only=True)
class Report:
    """The state of a report, folded from its stream."""

    number: int
    filed_by: str
    target: str
    version: int
    state: str = "open"
    held_by: str | None = None
    proposed: Mapping[str, tuple[str, ev.Terms]] = MappingProxyType({})
    decided: Mapping[str, tuple[str, ev.Terms]] = MappingProxyType({})
    reversed_by: Mapping[str, str] = MappingProxyType({})

    @property
    def decisions(self) -> int:
        """How many decisions (reversals and proposals too) the report has seen."""
        return len(self.decided) + len(self.reversed_by) + len(self.proposed)


def report_of(recorded: Iterable[ev.Recorded]) -> Report | None:
    """Fold a report's stream; ``None`` when it does not exist."""
    report: Report | None = None
    for record in recorded:
        report = evolve(report, record)
    return report


def evolve(report: Report | None, record: ev.Recorded) -> Report | None:
    """The state after one more event."""
    by, version = record.envelope.recorded_by, record.envelope.version
    event = record.event
    if isinstance(event, ev.ReportFiled):
        return Report(number=event.number, filed_by=by, target=event.target, version=version)
    if report is None or not isinstance(event, ev.ReportEvent):
        return report
    report = attrs.evolve(report, version=version)
    match event:
        case ev.ReportScreened():
            return attrs.evolve(report, state="open" if event.passed else "apart")
        case ev.ReportAssigned():
            return attrs.evolve(report, held_by=event.to)
        case ev.ReviewStarted():
            return attrs.evolve(report, held_by=report.held_by or by)
        case ev.ReportWithdrawn():
            return attrs.evolve(report, state="withdrawn")
        case ev.DecisionProposed():
            return attrs.evolve(
                report, proposed={**report.proposed, event.decision: (by, event.terms)}
            )
        case ev.DecisionReturned():
            return attrs.evolve(report, proposed=_without(report.proposed, event.decision))
        case ev.DecisionMade():
            return attrs.evolve(
                report,
                state="open" if event.terms.remainder else "decided",
                proposed=_without(report.proposed, event.decision),
                decided={**report.decided, event.decision: (by, event.terms)},
            )
        case ev.DecisionReversed():
            return attrs.evolve(
                report, reversed_by={**report.reversed_by, event.reverses: event.decision}
            )
        case ev.ReportAmended() | ev.EvidenceAdded():
            return report
        case _:
            assert_never(event)


def _without(
    proposed: Mapping[str, tuple[str, ev.Terms]], decision: str
) -> Mapping[str, tuple[str, ev.Terms]]:
    return {name: terms for name, terms in proposed.items() if name != decision}


# --- the rules --------------------------------------------------------------------------------


def file(report: Report | None, order: orders.FileReport) -> list[ev.Event]:
    """A new report; its number must be free."""
    if report is not None:
        raise BadValue(what="report", shown=str(order.number), why="the number is taken")
    if order.reason not in REASONS:
        raise BadValue(
            what="reason", shown=repr(order.reason), why=f"known are {', '.join(REASONS)}"
        )
    if not 1 <= len(order.target) <= 500:
        raise BadValue(what="target", shown=repr(order.target[:80]), why="name what is wrong")
    return [
        ev.ReportFiled(
            number=order.number,
            target=order.target,
            reason=order.reason,
            proposes=order.proposes,
            words=order.words,
            received_at=order.received_at,
        )
    ]


def handle(report: Report, order: orders.AboutReport, by: str) -> list[ev.Event]:
    """Everything about a report that touches no claim."""
    must_be_open(report)
    match order:
        case orders.ScreenReport():
            return [ev.ReportScreened(passed=order.passed, reason=order.reason)]
        case orders.AssignReport():
            return [ev.ReportAssigned(to=parse_slug(order.to, "handle"))]
        case orders.AmendReport():
            must_be_the_reporter(report, by)
            return [ev.ReportAmended(proposes=order.proposes, words=order.words)]
        case orders.AddEvidence():
            return [
                ev.EvidenceAdded(digest=order.digest, address=order.address, private=order.private)
            ]
        case orders.StartReview():
            return [ev.ReviewStarted()]
        case orders.WithdrawReport():
            must_be_the_reporter(report, by)
            return [ev.ReportWithdrawn(reason=order.reason)]
        case orders.ReturnDecision():
            if order.decision not in report.proposed:
                raise NotFound(what="proposed decision", name=order.decision)
            return [ev.DecisionReturned(decision=order.decision, why=order.why)]
        case _:
            raise TypeError(order)


def must_be_open(report: Report) -> None:
    """Refuse what comes after the end."""
    if report.state == "decided":
        decision, (by, terms) = list(report.decided.items())[-1]
        outcome = f"{terms.outcome}, decision {decision}"
        raise AlreadyDecided(number=report.number, outcome=outcome, by=by)
    if report.state == "withdrawn":
        raise ReportClosed(
            number=report.number, state="withdrawn by its reporter", hint="file a new one"
        )


def must_be_the_reporter(report: Report, by: str) -> None:
    """Only the reporter changes what they said."""
    if by != report.filed_by:
        raise ReportClosed(
            number=report.number, state="somebody else's", hint="only its reporter may change it"
        )


def must_be_another(report: Report, by: str) -> None:
    """Nobody decides their own report."""
    if by == report.filed_by:
        raise SelfReview(by=by, number=report.number)


def next_decision(report: Report) -> str:
    """The name of the next decision on this report, such as ``12.1``."""
    return f"{report.number}.{report.version}"


@attrs.frozen(kw_only=True)
class TwoPersonRule:
    """Which decisions take effect only when a second person approves them."""

    removals: bool = True
    most_claims: int = 10
    number_one: bool = True

    def asks_for(self, order: orders.Decide) -> bool:
        """Whether this decision needs a second person."""
        removes = any(isinstance(effect, orders.Retract) for effect in order.effects)
        claims = {effect.claim for effect in order.effects}
        return (
            (self.removals and removes)
            or len(claims) > self.most_claims
            or (self.number_one and order.changes_number_one)
        )


def decide(
    report: Report,
    order: orders.Decide,
    by: str,
    *,
    snapshots: Sequence[Digest],
    effects: tuple[ev.PlannedEffect, ...],
    rule: TwoPersonRule | None,
) -> ev.DecisionMade | ev.DecisionProposed:
    """The decision, or its proposal where ``rule`` asks for a second person.

    ``snapshots`` are the readings that the touched (or reported) claims rest on; ``effects`` what
    :func:`plan` made of the order's wishes.
    """
    must_be_open(report)
    must_be_another(report, by)
    for decision, (proposer, _) in report.proposed.items():
        raise AwaitsSecondPerson(decision=decision, number=report.number, by=proposer)
    _check_words(order)
    _check_snapshot(order, snapshots)
    proposes = order.propose or (rule is not None and rule.asks_for(order))
    made = ev.DecisionProposed if proposes else ev.DecisionMade
    return made(decision=next_decision(report), terms=_terms(order, effects))


def _check_words(order: orders.Decide) -> None:
    if order.outcome not in OUTCOMES:
        raise BadValue(
            what="outcome", shown=repr(order.outcome), why=f"known are {', '.join(OUTCOMES)}"
        )
    if order.type is not None and order.type not in UPDATE_TYPES:
        raise BadValue(
            what="type", shown=repr(order.type), why=f"known are {', '.join(UPDATE_TYPES)}"
        )
    if order.effects and order.outcome not in ACCEPTING:
        why = "only an accepted report changes claims"
        raise BadValue(what="outcome", shown=order.outcome, why=why)
    if not order.reason.strip() or not order.statement.strip():
        raise BadValue(what="decision", shown="without words", why="give a reason and a statement")
    if len(order.statement) > LONGEST_STATEMENT:
        why = f"{LONGEST_STATEMENT} characters at most"
        raise BadValue(what="statement", shown="too long", why=why)


def approve(report: Report, order: orders.ApproveDecision, by: str) -> ev.DecisionMade:
    """Let a proposed decision take effect; neither its proposer nor the reporter may."""
    must_be_open(report)
    must_be_another(report, by)
    if order.decision not in report.proposed:
        raise NotFound(what="proposed decision", name=order.decision)
    proposer, terms = report.proposed[order.decision]
    if by == proposer:
        raise NeedsSecondPerson(by=by, decision=order.decision)
    return ev.DecisionMade(decision=order.decision, terms=terms)


def _check_snapshot(order: orders.Decide, snapshots: Sequence[Digest]) -> None:
    if order.snapshot is not None:
        parse_digest(order.snapshot)
        if snapshots and order.snapshot not in snapshots:
            raise NotAReading(digest=order.snapshot, known=", ".join(dict.fromkeys(snapshots)))
    elif order.effects or (snapshots and order.outcome in NEEDS_SNAPSHOT):
        raise NoSnapshotChecked


def _terms(order: orders.Decide, effects: tuple[ev.PlannedEffect, ...]) -> ev.Terms:
    return ev.Terms(
        outcome=order.outcome,
        type=order.type,
        reason=order.reason,
        snapshot=order.snapshot,
        statement=order.statement,
        effects=effects,
        replaces=order.replaces,
        remainder=order.remainder,
    )


def reverse(report: Report, order: orders.ReverseDecision, by: str) -> ev.DecisionReversed:
    """Undo a decision of this report (a reversal can itself be reversed)."""
    must_be_another(report, by)
    made = set(report.decided) | set(report.reversed_by.values())
    if order.decision not in made:
        raise NotFound(what="decision", name=order.decision)
    if order.decision in report.reversed_by:
        later = report.reversed_by[order.decision]
        raise NothingChanges(why=f"decision {order.decision} was reversed already, by {later}")
    if not order.statement.strip():
        raise BadValue(what="reversal", shown="without words", why="say why")
    return ev.DecisionReversed(
        decision=next_decision(report),
        reverses=order.decision,
        claims=touched(report, order.decision),
        snapshot=order.snapshot,
        statement=order.statement,
    )


def touched(report: Report, decision: str) -> tuple[str, ...]:
    """The claims that a decision, or the decision that it reverses, touched."""
    for reversed_one, reversal in report.reversed_by.items():
        if reversal == decision:
            return touched(report, reversed_one)
    return report.decided[decision][1].claims


# --- what a decision does to one claim ---------------------------------------------------------


def plan(history: History, wish: orders.AnyEffect, now: Instant) -> ev.PlannedEffect:
    """What a wish comes to on its claim as it stands, or a refusal.

    A correction keeps the first ``from`` when it corrects a correction that shows.
    """
    if not history.version:
        raise NotFound(what="claim", name=wish.claim)
    state = state_at(history, now, Plane.THEN)
    planned = ev.PlannedEffect(
        claim=wish.claim,
        version=history.version,
        does=DOES[type(wish)],
        applies_from=_applies_from(wish.applies_from, now),
    )
    match wish:
        case orders.Correct():
            return attrs.evolve(planned, changes=_changes(history, state, wish, now))
        case orders.Reidentify():
            if state is not None and state.model == wish.model:
                raise NothingChanges(why=f"the claim is about {wish.model} already")
            before = state.model if state and state.model else wish.before
            return attrs.evolve(planned, before=before, model=parse_slug(wish.model, "model"))
        case orders.Retract():
            _refuse_if(state, "retracted_by", present=True, why="the claim is retracted already")
            return attrs.evolve(planned, upstream_on=wish.upstream_on)
        case orders.Reinstate():
            _refuse_if(state, "retracted_by", present=False, why="the claim is not retracted")
        case orders.HoldOut():
            _refuse_if(state, "held_out_by", present=True, why="the claim is held out already")
        case orders.Readmit():
            _refuse_if(state, "held_out", present=False, why="the claim is not held out")
        case orders.Dispute():
            _refuse_if(state, "disputed_by", present=True, why="the claim is disputed already")
            return attrs.evolve(planned, about=wish.about)
        case orders.Clear():
            _refuse_if(state, "disputed_by", present=False, why="the claim is not disputed")
        case _:
            assert_never(wish)
    return planned


DOES: Mapping[type, str] = MappingProxyType(
    dict(zip(get_args(orders.AnyEffect), EFFECTS, strict=True))
)


def fact_of(planned: ev.PlannedEffect, decision: str) -> ev.DecisionFact:
    """What a planned effect records on its claim."""
    since = planned.applies_from
    match planned.does:
        case "correct":
            return ev.ClaimCorrected(decision=decision, changes=planned.changes, applies_from=since)
        case "reidentify":
            return ev.ClaimReidentified(
                decision=decision,
                before=planned.before,
                model=planned.model or "",
                applies_from=since,
            )
        case "retract":
            upstream_on = planned.upstream_on
            return ev.ClaimRetracted(decision=decision, applies_from=since, upstream_on=upstream_on)
        case "reinstate":
            return ev.ClaimReinstated(decision=decision, applies_from=since)
        case "hold-out":
            return ev.ClaimHeldOut(decision=decision, applies_from=since)
        case "readmit":
            return ev.ClaimReadmitted(decision=decision, applies_from=since)
        case "dispute":
            about = planned.about or ""
            return ev.ClaimDisputed(decision=decision, applies_from=since, about=about)
        case "clear":
            return ev.ClaimCleared(decision=decision, applies_from=since)
        case _:
            raise BadValue(what="effect", shown=planned.does, why=f"known are {', '.join(EFFECTS)}")


def _applies_from(wish: orders.AppliesFrom, now: Instant) -> Instant | None:
    if wish == "start":
        return None
    if wish > now:
        raise TooLate(applies_from=instant_text(wish), now=instant_text(now))
    return wish


def _refuse_if(state: State | None, field: str, *, present: bool, why: str) -> None:
    if state is not None and (getattr(state, field) is not None) is present:
        raise NothingChanges(why=why)


def _changes(
    history: History, state: State | None, wish: orders.Correct, now: Instant
) -> tuple[ev.Change, ...]:
    if state is None:
        raise NothingChanges(why="its source no longer states the claim")
    if not wish.to:
        raise BadValue(what="correction", shown="of nothing", why="name at least one field")
    shown = state.shows
    for field, text in wish.to:
        shown = with_field(shown, field, text)
    if all(field_equals(field, field_text(state.shows, field), text) for field, text in wish.to):
        raise NothingChanges(why="the claim shows these values already")
    return tuple(
        ev.Change(field, correction_from(history, now, field), text) for field, text in wish.to
    )
