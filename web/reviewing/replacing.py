"""Which decision another one takes the place of, where that follows from what they do.

A correction of a corrected field stands in the place of the first, a reinstatement in that of the
retraction. It is said so only when all that the earlier decision did is done anew; a reviewer may
always name another one.
"""

from collections.abc import Iterable
from typing import Any

from ledger import commands as orders
from ledger import events as ev
from ledger.decision import report_of_decision
from ledger.ledger import Ledger
from ledger.subject import state_at
from ledger.told import Plane, State, Told
from ledger.values import Instant

# What lifts what: the effect, and the field of the state that names the decision which it lifts.
LIFTS = (
    (orders.Reidentify, "reidentify", "reidentified_by"),
    (orders.Reinstate, "retract", "retracted_by"),
    (orders.HoldOut, "readmit", "readmitted_by"),
    (orders.Readmit, "hold-out", "held_out_by"),
    (orders.Clear, "dispute", "disputed_by"),
)


def replaced_by(ledger: Ledger, wishes: Iterable[orders.AnyEffect], now: Instant) -> str | None:
    """The one decision in force that these effects take the place of as a whole, if there is."""
    listed = list(wishes)
    found: set[str] = set()
    for wish in listed:
        history = ledger.told(wish.claim)
        state = state_at(wish.claim, history, now, Plane.THEN)
        if state is not None:
            found |= _in_the_way(history, state, wish)
    if len(found) != 1:
        return None
    (decision,) = found
    return decision if _is_done_anew(ledger, decision, listed) else None


def _in_the_way(history: Told[Any], state: State[Any], wish: orders.AnyEffect) -> set[str]:
    """The decisions whose effect on a claim a wish overrides."""
    if isinstance(wish, orders.Correct):
        fields = {field for field, _ in wish.to}
        return {
            one.fact.decision
            for one in history.decisions
            if isinstance(one.fact, ev.ClaimCorrected)
            and one.fact.decision in state.corrected_by
            and fields & {change.field for change in one.fact.changes}
        }
    named = [getattr(state, field) for kind, _, field in LIFTS if isinstance(wish, kind)]
    return {decision for decision in named if decision is not None}


def _is_done_anew(ledger: Ledger, decision: str, wishes: Iterable[orders.AnyEffect]) -> bool:
    number = report_of_decision(decision)
    if number is None:
        return False
    _, terms = ledger.report(number).decided[decision]
    listed = list(wishes)
    return all(any(_covers(wish, planned) for wish in listed) for planned in terms.effects)


def _covers(wish: orders.AnyEffect, planned: ev.PlannedEffect) -> bool:
    if wish.claim != planned.claim:
        return False
    if isinstance(wish, orders.Correct):
        fields = {change.field for change in planned.changes}
        return planned.does == "correct" and fields <= {field for field, _ in wish.to}
    return any(isinstance(wish, kind) and planned.does == lifted for kind, lifted, _ in LIFTS)
