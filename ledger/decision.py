"""Decisions: what one may say, who may take it, and when it takes a second person.

Nobody decides their own report. A decision says its outcome, a reason and a statement; one that
settles a claim names the frozen snapshot that was checked. A report may be decided in parts; each
part is a decision of its own. A decision is undone by a later one, never removed; what takes a
second person, to decide or to undo, is proposed first and does nothing until it is approved.
"""

from collections.abc import Collection, Sequence
from types import MappingProxyType

import attrs

from ledger import commands as orders
from ledger import events as ev
from ledger.errors import (
    BadValue,
    CircularReference,
    NeedsSecondPerson,
    NoSnapshotChecked,
    NotAReading,
    NotFound,
    NothingChanges,
    ReplacedAlready,
)
from ledger.report import (
    Report,
    must_be_another,
    must_be_open,
    must_wait_for_nobody,
    next_decision,
)
from ledger.subject import CLAIM, kind_of
from ledger.values import Digest, parse_digest, parse_text
from ledger.vocabulary import ACCEPTING, CHECKS, OUTCOMES, UPDATE_TYPES

LONGEST_REASON = 300
LONGEST_STATEMENT = 20_000
LONGEST_DECISION = 24
REVERSED, REVERSAL = "reversed", "reversal"
"""Outcome and reason of what undoes a decision, in the log and while it is proposed."""
NEEDS_SNAPSHOT = ACCEPTING | {"declined"}


@attrs.frozen(kw_only=True)
class TwoPersonRule:
    """Which decisions take effect only when a second person approves them."""

    removals: bool = True
    most_claims: int = 10
    number_one: bool = True

    def asks_for(self, order: orders.Decide) -> list[str]:
        """Why this decision needs a second person; nothing when it needs none."""
        removes = any(isinstance(effect, orders.Retract) for effect in order.effects)
        subjects = {effect.claim for effect in order.effects}
        return self._why(subjects, removes=removes, changes_number_one=order.changes_number_one)

    def asks_to_reverse(self, report: Report, order: orders.ReverseDecision) -> list[str]:
        """Why this reversal needs a second person; nothing when it needs none."""
        removes = "reinstate" in does(report, order.decision)
        subjects = set(touched(report, order.decision))
        return self._why(subjects, removes=removes, changes_number_one=order.changes_number_one)

    def _why(
        self, subjects: Collection[str], *, removes: bool, changes_number_one: bool
    ) -> list[str]:
        kinds = sorted({kind_of(one).name for one in subjects})
        why = []
        if self.removals and removes and CLAIM.name in kinds:
            why.append("it takes a claim off every board")
        elif self.removals and removes:
            why.append(f"it takes a {' or a '.join(kinds)} back")
        if len(subjects) > self.most_claims:
            named = " and ".join(f"{kind}s" for kind in kinds)
            why.append(f"it touches {len(subjects)} {named}, more than {self.most_claims}")
        if self.number_one and changes_number_one:
            why.append("a board gets another number one")
        return why


UNDOES = MappingProxyType({"retract": "reinstate", "reinstate": "retract"})


def does(report: Report, decision: str) -> set[str]:
    """What a decision does to claims; a reversal puts back what was removed, and the reverse."""
    for reversed_one, reversal in report.reversed_by.items():
        if reversal == decision:
            return {UNDOES.get(one, one) for one in does(report, reversed_one)}
    return {effect.does for effect in report.decided[decision][1].effects}


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

    It may overrule the one that awaits its second person, by naming that as what it replaces.
    ``snapshots`` are the readings that the touched (or reported) claims rest on; ``effects`` what
    :func:`plan` made of the order's wishes.
    """
    must_be_decidable(report, order.outcome)
    must_be_another(report, by)
    must_wait_for_nobody(report, overruled=order.replaces)
    _check_words(order)
    _check_snapshot(order, snapshots)
    proposes = order.propose or bool(rule is not None and rule.asks_for(order))
    made = ev.DecisionProposed if proposes else ev.DecisionMade
    return made(decision=next_decision(report), terms=_terms(order, effects))


def must_be_decidable(report: Report, outcome: str) -> None:
    """Refuse what comes after the end; but that a report was withdrawn may be told in public."""
    if report.state != "withdrawn" or outcome != "withdrawn":
        must_be_open(report)


def _check_words(order: orders.Decide) -> None:
    if order.outcome not in OUTCOMES:
        raise BadValue(
            what="outcome", shown=repr(order.outcome), why=f"known are {', '.join(OUTCOMES)}"
        )
    if order.type is not None and order.type not in UPDATE_TYPES:
        raise BadValue(
            what="type", shown=repr(order.type), why=f"known are {', '.join(UPDATE_TYPES)}"
        )
    unknown = [check for check in order.checks if check not in CHECKS]
    if unknown:
        raise BadValue(what="check", shown=repr(unknown[0]), why=f"known are {', '.join(CHECKS)}")
    if order.duplicate_of is not None and order.outcome != "duplicate":
        why = "only a duplicate has an original"
        raise BadValue(what="duplicate_of", shown=str(order.duplicate_of), why=why)
    if order.effects and order.outcome not in ACCEPTING:
        why = "only an accepted report changes claims"
        raise BadValue(what="outcome", shown=order.outcome, why=why)
    if not order.reason.strip() or not order.statement.strip():
        raise BadValue(what="decision", shown="without words", why="give a reason and a statement")
    if len(order.reason) > LONGEST_REASON:
        why = f"{LONGEST_REASON} characters at most; the statement may say more"
        raise BadValue(what="reason", shown="too long", why=why)
    parse_text(order.reason, "reason")
    _check_statement(order.statement)


def _check_statement(statement: str) -> None:
    """Refuse more than anybody reads, and what readers of the public log cannot see, or would see
    in another order."""
    if len(statement) > LONGEST_STATEMENT:
        why = f"{LONGEST_STATEMENT} characters at most"
        raise BadValue(what="statement", shown="too long", why=why)
    for line in statement.splitlines(keepends=True):
        parse_text(line.rstrip("\r\n").replace("\t", " "), "statement")


def approve(
    report: Report, order: orders.ApproveDecision, by: str
) -> ev.DecisionMade | ev.DecisionReversed:
    """Let a proposed decision take effect; neither its proposer nor the reporter may."""
    proposer, terms = _proposal(report, order.decision, by)
    if by == proposer:
        raise NeedsSecondPerson(by=by, decision=order.decision)
    if terms.reverses is None:
        return ev.DecisionMade(decision=order.decision, terms=terms)
    return ev.DecisionReversed(
        decision=order.decision,
        reverses=terms.reverses,
        claims=touched(report, terms.reverses),
        snapshot=terms.snapshot,
        statement=terms.statement,
    )


def send_back(report: Report, order: orders.ReturnDecision, by: str) -> ev.DecisionReturned:
    """Send a proposed decision back; its proposer may take it back too."""
    _proposal(report, order.decision, by)
    if not order.why.strip():
        raise BadValue(what="return", shown="without words", why="say why")
    return ev.DecisionReturned(decision=order.decision, why=order.why)


def _proposal(report: Report, decision: str, by: str) -> tuple[str, ev.Terms]:
    """Who proposed a decision, and what; refused for its reporter, and when it waits no more."""
    must_be_another(report, by)
    if decision not in report.proposed:
        must_be_open(report)
        raise NotFound(what="proposed decision", name=decision)
    return report.proposed[decision]


def _check_snapshot(order: orders.Decide, snapshots: Sequence[Digest]) -> None:
    if order.snapshot is not None:
        must_be_a_reading(order.snapshot, snapshots)
    elif order.effects or (snapshots and order.outcome in NEEDS_SNAPSHOT):
        raise NoSnapshotChecked


def must_be_a_reading(snapshot: Digest, snapshots: Sequence[Digest]) -> None:
    """Refuse a snapshot that none of the claims rests on."""
    parse_digest(snapshot)
    if snapshots and snapshot not in snapshots:
        raise NotAReading(digest=snapshot, known=", ".join(dict.fromkeys(snapshots)))


def _terms(order: orders.Decide, effects: tuple[ev.PlannedEffect, ...]) -> ev.Terms:
    return ev.Terms(
        outcome=order.outcome,
        type=order.type,
        reason=order.reason,
        snapshot=order.snapshot,
        statement=order.statement,
        effects=effects,
        replaces=order.replaces,
        duplicate_of=order.duplicate_of,
        checks=tuple(check for check in CHECKS if check in order.checks),
        remainder=order.remainder,
    )


# --- what a decision refers to ----------------------------------------------------------------


def report_of_decision(decision: str) -> int | None:
    """The number of the report that a decision belongs to; ``None`` for what is no such name."""
    number, dot, version = decision.partition(".")
    named = number.isascii() and number.isdecimal() and version.isascii() and version.isdecimal()
    return int(number) if dot and named and len(decision) <= LONGEST_DECISION else None


def must_be_in_force(report: Report | None, decision: str) -> Report:
    """The report of a decision that may be replaced; refused when it was never made, or undone."""
    if report is None or decision not in report.decided:
        raise NotFound(what="decision", name=decision)
    if not report.stands(decision):
        raise ReplacedAlready(decision=decision, later=f"decision {report.reversed_by[decision]}")
    return report


def overruled(report: Report, order: orders.Decide) -> list[ev.Event]:
    """What happens to a proposal that another decision takes the place of: it is sent back."""
    if order.replaces is None or order.replaces not in report.proposed:
        return []
    return [ev.DecisionReturned(decision=order.replaces, why=f"overruled: {order.statement}")]


def must_not_refer_to_itself(report: Report, order: orders.Decide) -> None:
    """Refuse a decision that would replace itself, or a report that is its own duplicate."""
    if order.replaces is not None and order.replaces == next_decision(report):
        raise CircularReference(what="Decision", name=order.replaces)
    if order.duplicate_of == report.number:
        raise CircularReference(what="Report", name=report.number)


# --- undoing ----------------------------------------------------------------------------------


def reverse(
    report: Report, order: orders.ReverseDecision, by: str, *, rule: TwoPersonRule | None
) -> ev.DecisionReversed | ev.DecisionProposed:
    """Undo a decision of this report (a reversal can itself be reversed), or propose to."""
    must_be_another(report, by)
    must_wait_for_nobody(report)
    if order.decision not in report.made:
        raise NotFound(what="decision", name=order.decision)
    if order.decision in report.reversed_by:
        later = report.reversed_by[order.decision]
        raise NothingChanges(why=f"decision {order.decision} was reversed already, by {later}")
    if not order.statement.strip():
        raise BadValue(what="reversal", shown="without words", why="say why")
    _check_statement(order.statement)
    if order.propose or (rule is not None and rule.asks_to_reverse(report, order)):
        return ev.DecisionProposed(decision=next_decision(report), terms=_reversal(order))
    return ev.DecisionReversed(
        decision=next_decision(report),
        reverses=order.decision,
        claims=touched(report, order.decision),
        snapshot=order.snapshot,
        statement=order.statement,
    )


def _reversal(order: orders.ReverseDecision) -> ev.Terms:
    return ev.Terms(
        outcome=REVERSED,
        reason=REVERSAL,
        snapshot=order.snapshot,
        statement=order.statement,
        reverses=order.decision,
    )


def touched(report: Report, decision: str) -> tuple[str, ...]:
    """The claims that a decision, or the decision that it reverses, touched."""
    for reversed_one, reversal in report.reversed_by.items():
        if reversal == decision:
            return touched(report, reversed_one)
    return report.decided[decision][1].claims
