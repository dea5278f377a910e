"""Reports: what is known of each, and what may happen to it before and beside its decision.

A report is filed, screened, held, amended and withdrawn; once it is decided, or withdrawn, it is
closed. What a decision may say and do stands in :mod:`ledger.decision`.
"""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import assert_never

import attrs

from ledger import commands as orders
from ledger import events as ev
from ledger.errors import (
    AlreadyDecided,
    AwaitsSecondPerson,
    BadValue,
    ReportClosed,
    SelfReview,
)
from ledger.values import parse_slug
from ledger.vocabulary import REASONS


def stream_of(number: int) -> str:
    """The stream of a report."""
    return f"report:{number}"


# --- what is known of a report ----------------------------------------------------------------


@attrs.frozen(kw_only=True)
class Report:
    """The state of a report, folded from its stream; ``proposers`` are all who ever proposed a
    decision on it, by its name, ``evidence`` the digests of what was added to it."""

    number: int
    filed_by: str
    target: str
    version: int
    state: str = "open"
    held_by: str | None = None
    proposed: Mapping[str, tuple[str, ev.Terms]] = MappingProxyType({})
    decided: Mapping[str, tuple[str, ev.Terms]] = MappingProxyType({})
    reversed_by: Mapping[str, str] = MappingProxyType({})
    proposers: Mapping[str, str] = MappingProxyType({})
    evidence: frozenset[str] = frozenset()

    @property
    def decisions(self) -> int:
        """How many decisions (reversals and proposals too) the report has seen."""
        return len(self.decided) + len(self.reversed_by) + len(self.proposed)

    @property
    def made(self) -> frozenset[str]:
        """All that was decided and all that was undone, by name."""
        return frozenset(self.decided) | frozenset(self.reversed_by.values())

    @property
    def duplicate_of(self) -> int | None:
        """The report that this one was decided to be a duplicate of, while that stands."""
        stand = [terms for name, (_, terms) in self.decided.items() if self.stands(name)]
        return next((terms.duplicate_of for terms in reversed(stand) if terms.duplicate_of), None)

    def stands(self, decision: str) -> bool:
        """Whether a decision or reversal is in force: not undone, or that was undone in turn."""
        undone_by = self.reversed_by.get(decision)
        return undone_by is None or not self.stands(undone_by)


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
            # What was proposed lapses with the report; undoing an earlier part does not.
            pending = {d: one for d, one in report.proposed.items() if one[1].reverses}
            return attrs.evolve(report, state="withdrawn", proposed=pending)
        case ev.DecisionProposed():
            return attrs.evolve(
                report,
                proposed={**report.proposed, event.decision: (by, event.terms)},
                proposers={**report.proposers, event.decision: by},
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
                report,
                proposed=_without(report.proposed, event.decision),
                reversed_by={**report.reversed_by, event.reverses: event.decision},
            )
        case ev.EvidenceAdded(digest=str(digest)):
            return attrs.evolve(report, evidence=report.evidence | {digest})
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
    """Everything about a report that touches no claim; nothing for evidence that it has already."""
    must_be_open(report)
    match order:
        case orders.ScreenReport():
            return [ev.ReportScreened(passed=order.passed, reason=order.reason)]
        case orders.AssignReport():
            return [ev.ReportAssigned(to=parse_slug(order.to, "handle"))]
        case orders.AmendReport():
            must_be_the_reporter(report, by)
            return [ev.ReportAmended(proposes=order.proposes, words=order.words)]
        case orders.AddEvidence() if order.digest in report.evidence:
            return []
        case orders.AddEvidence():
            return [
                ev.EvidenceAdded(digest=order.digest, address=order.address, private=order.private)
            ]
        case orders.StartReview():
            return [ev.ReviewStarted()]
        case orders.WithdrawReport():
            must_be_the_reporter(report, by)
            return [ev.ReportWithdrawn(reason=order.reason)]
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


def must_wait_for_nobody(report: Report, overruled: str | None = None) -> None:
    """Refuse a decision while another one awaits its second person, unless it overrules that."""
    for decision, (proposer, _) in report.proposed.items():
        if decision != overruled:
            raise AwaitsSecondPerson(decision=decision, number=report.number, by=proposer)


def next_decision(report: Report) -> str:
    """The name of the next decision on this report, such as ``12.1``."""
    return f"{report.number}.{report.version}"
