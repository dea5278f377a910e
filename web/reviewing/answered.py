"""Whether a request came before, and what it was answered with.

Nothing is kept for it. A decision is called after the version of the report that was seen
(``12.3``), so a request that names this version finds what it made by name, author and terms; an
approval or a return finds it by the proposal that it is about.
"""

from collections.abc import Sequence

from ledger import commands as orders
from ledger import events as ev
from ledger.effects import DOES
from ledger.values import Instant
from web.reviewing.since import Order

Outcome = ev.DecisionMade | ev.DecisionProposed | ev.DecisionReturned | ev.DecisionReversed


def outcome_of(records: Sequence[ev.Recorded], order: Order, by: str) -> ev.Recorded | None:
    """What this very order of this very person made of a report, if it did."""
    mine = [
        one for one in records if one.envelope.recorded_by == by and isinstance(one.event, Outcome)
    ]
    proposed = {one.event.decision for one in records if isinstance(one.event, ev.DecisionProposed)}
    return next((one for one in mine if _is_its(one.event, order, proposed)), None)


def _is_its(event: ev.Event, order: Order, proposed: set[str]) -> bool:
    match order, event:
        case orders.ReturnDecision(), ev.DecisionReturned():
            return (event.decision, event.why) == (order.decision, order.why)
        case orders.ApproveDecision(), ev.DecisionMade() | ev.DecisionReversed():
            return event.decision == order.decision and event.decision in proposed
        case orders.ReverseDecision(), ev.DecisionReversed() | ev.DecisionProposed():
            return event.decision == _name(order) and _undoes_the_same(event, order)
        case orders.Decide(), ev.DecisionMade() | ev.DecisionProposed():
            return event.decision == _name(order) and _says_the_same(event.terms, order)
        case _:
            return False


def _name(order: orders.Decide | orders.ReverseDecision) -> str:
    """What this order's decision is called; one that names no version has no name of its own."""
    return f"{order.number}.{order.version}"


def _undoes_the_same(
    event: ev.DecisionReversed | ev.DecisionProposed, order: orders.ReverseDecision
) -> bool:
    said = event.terms if isinstance(event, ev.DecisionProposed) else event
    asked = (order.decision, order.snapshot, order.statement)
    return (said.reverses, said.snapshot, said.statement) == asked


def _says_the_same(terms: ev.Terms, order: orders.Decide) -> bool:
    fields = ("outcome", "type", "reason", "statement", "snapshot", "duplicate_of", "remainder")
    return (
        all(getattr(terms, field) == getattr(order, field) for field in fields)
        and order.replaces in (None, terms.replaces)
        and set(terms.checks) == set(order.checks)
        and len(terms.effects) == len(order.effects)
        and all(map(_does_the_same, terms.effects, order.effects))
    )


def _does_the_same(planned: ev.PlannedEffect, wish: orders.AnyEffect) -> bool:
    since: Instant | None = None if wish.applies_from == "start" else wish.applies_from
    if (planned.claim, planned.does, planned.applies_from) != (wish.claim, DOES[type(wish)], since):
        return False
    match wish:
        case orders.Correct():
            return tuple((one.field, one.to) for one in planned.changes) == wish.to
        case orders.Reidentify():
            return planned.model == wish.model
        case orders.Dispute():
            return planned.about == wish.about
        case orders.Retract():
            return planned.upstream_on == wish.upstream_on
        case _:
            return True
