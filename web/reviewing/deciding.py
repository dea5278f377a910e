"""The one way to decide: page, bulk, JSON and command line all come through here.

What must stay true, whatever the way:

- the rule for two people is asked with what the decision does to the boards, worked out here;
- a decision taken on an outdated page is refused with what changed since, and so is the one that
  comes second when two decide at once;
- the same request twice records nothing twice and gives the first answer (`answered`).
"""

import attrs

from ledger import commands as orders
from ledger import events as ev
from ledger import faults
from ledger.decision import touched
from ledger.errors import (
    AlreadyDecided,
    AwaitsSecondPerson,
    Conflict,
    NotFound,
    NothingChanges,
    Refused,
    ReplacedAlready,
    ReportClosed,
)
from ledger.ledger import Ledger
from ledger.report import must_be_another, stream_of
from ledger.values import Instant, parse_slug
from projections.decisions.chain import chains
from projections.decisions.corrections import Correction, entries, numbers_of
from projections.review.effect import BoardEffect, effect_of, effect_of_reversal, touches_number_one
from projections.review.paper_effect import (
    PaperEffect,
    papers_moved_by,
    papers_moved_by_reversal,
)
from web.reviewing.answered import Outcome, outcome_of
from web.reviewing.replacing import replaced_by
from web.reviewing.since import ChangedSince, Order, changes_since
from web.telling.messages import DECIDED, REVERSED
from web.telling.outgoing import tell
from web.wiring import Workspace

# What somebody else's step in between can make of an order that was right when it was written.
OVERTAKEN = (
    Conflict,
    AlreadyDecided,
    AwaitsSecondPerson,
    NotFound,
    NothingChanges,
    ReplacedAlready,
    ReportClosed,
)
Previewed = orders.Decide | orders.ReverseDecision


@attrs.frozen(kw_only=True)
class Decision:
    """What came of an order.

    ``proposed``: it does nothing until a second person approves it, and ``why`` says why it takes
    one. ``returned``: a proposal was sent back. ``entry`` is its place in the public log.
    ``already``: this very request had come before, and this is the answer that it got.
    """

    name: str
    number: int
    by: str
    at: Instant
    position: int
    proposed: bool
    returned: bool
    why: tuple[str, ...] = ()
    entry: Correction | None = None
    already: bool = False


def decide(workspace: Workspace, order: Order, by: str) -> Decision:
    """Record a decision, an approval, a return or a reversal, or refuse.

    Raises :class:`~web.since.ChangedSince` when the order names versions that are outdated.
    """
    parse_slug(by, "handle")
    workspace.catch_up()
    ledger = workspace.ledger
    before = _outcome(ledger, order, by)
    if before is not None:
        return attrs.evolve(_decision(workspace, before), already=True)
    must_be_another(ledger.report(order.number), by)
    changes = changes_since(ledger.store, order)
    if changes:
        raise ChangedSince(order.number, changes)
    try:
        ready = prepared(workspace, order)
        _refuse_replaced(workspace, ready)
        appended = ledger.do(ready, by)
    except OVERTAKEN as no:
        # A second click, or a lost acknowledgement: then what we wanted is there.
        before = _outcome(ledger, order, by)
        if before is None:
            raise _overtaken(ledger, order, no) from no
        workspace.catch_up()
        return attrs.evolve(_decision(workspace, before), already=True)
    # Crash here: it is recorded; the same request again is answered from what is recorded.
    faults.here("decide:recorded")
    workspace.catch_up()
    recorded = next(
        one
        for one in ledger.store.stream(stream_of(order.number))
        if appended is not None
        and appended.first <= one.position <= appended.last
        and _settles(one.event, ready)
    )
    if isinstance(recorded.event, ev.DecisionMade | ev.DecisionReversed):
        undone = isinstance(recorded.event, ev.DecisionReversed)
        tell(workspace, order.number, REVERSED if undone else DECIDED)
    return attrs.evolve(_decision(workspace, recorded), why=why_two(ledger, ready))


def _outcome(ledger: Ledger, order: Order, by: str) -> ev.Recorded | None:
    return outcome_of(ledger.store.stream(stream_of(order.number)), order, by)


def _refuse_replaced(workspace: Workspace, order: Order) -> None:
    """What takes the place of a decision takes that of the one in force, so no chain forks."""
    if not isinstance(order, orders.Decide) or order.replaces is None:
        return
    with workspace.views.read() as reader:
        known = chains(reader, upto=None, decided_by=None)
    later = known.replaced_by(order.replaces)
    if later is not None and not known.stands(order.replaces):
        raise ReplacedAlready(decision=order.replaces, later=f"decision {later.decision}")


def _settles(event: ev.Event, order: Order) -> bool:
    """Whether an event is the answer to an order; what it overrules on the way is not."""
    if isinstance(event, ev.DecisionReturned):
        return isinstance(order, orders.ReturnDecision)
    return isinstance(event, Outcome)


def _overtaken(ledger: Ledger, order: Order, no: Refused) -> Refused:
    """A refusal in the light of what changed since; itself when nothing did."""
    changes = changes_since(ledger.store, order)
    return ChangedSince(order.number, changes) if changes else no


def _decision(workspace: Workspace, recorded: ev.Recorded) -> Decision:
    """An outcome with its entry in the public log, as far as there is one."""
    event, envelope = recorded.event, recorded.envelope
    if not isinstance(event, Outcome):
        raise TypeError(event)
    return Decision(
        name=event.decision,
        number=int(envelope.stream.partition(":")[2]),
        by=envelope.recorded_by,
        at=envelope.recorded_at,
        position=recorded.position,
        proposed=isinstance(event, ev.DecisionProposed),
        returned=isinstance(event, ev.DecisionReturned),
        entry=entry_of(workspace, event.decision),
    )


def entry_of(workspace: Workspace, decision: str) -> Correction | None:
    """The entry of a decision in the public log; ``None`` while it is only proposed."""
    with workspace.views.read() as reader:
        number = numbers_of(reader, [decision])[decision]
        return entries(reader, workspace.ledger.store, [number])[0] if number else None


# --- what the rules have to know --------------------------------------------------------------


def prepared(workspace: Workspace, order: Order) -> Order:
    """The order with what follows from it: which decision it takes the place of, and whether a
    board gets another number one (not worked out where it takes two people anyway)."""
    ledger = workspace.ledger
    if isinstance(order, orders.Decide) and order.replaces is None:
        replaces = replaced_by(ledger, order.effects, ledger.clock())
        order = orders.revised(order, replaces=replaces)
    if not isinstance(order, Previewed) or ledger.two_person_rule is None or why_two(ledger, order):
        return order
    changes = touches_number_one(preview(workspace, order))
    return orders.revised(order, changes_number_one=changes)


def why_two(ledger: Ledger, order: Order) -> tuple[str, ...]:
    """Why an order takes a second person; nothing when it takes none."""
    rule = ledger.two_person_rule
    if rule is not None and isinstance(order, orders.Decide):
        return tuple(rule.asks_for(order))
    if rule is not None and isinstance(order, orders.ReverseDecision):
        report = ledger.report(order.number)
        if order.decision in report.made:
            return tuple(rule.asks_to_reverse(report, order))
    return ()


def preview(workspace: Workspace, order: Previewed) -> list[BoardEffect]:
    """What an order would do to each board now, or the refusal that deciding would raise."""
    store, moment = workspace.ledger.store, workspace.moment()
    with workspace.views.read() as reader:
        if isinstance(order, orders.Decide):
            return effect_of(reader, store, order.effects, moment)
        touches = _undone_by(workspace, order)
        return effect_of_reversal(reader, store, order.decision, touches, moment)


def preview_papers(workspace: Workspace, order: Previewed) -> list[PaperEffect]:
    """What an order would do to each paper's page now, or the refusal that deciding would raise."""
    store, moment = workspace.ledger.store, workspace.moment()
    with workspace.views.read() as reader:
        if isinstance(order, orders.Decide):
            return papers_moved_by(reader, store, order.effects, moment)
        touches = _undone_by(workspace, order)
        return papers_moved_by_reversal(reader, store, order.decision, touches, moment)


def _undone_by(workspace: Workspace, order: orders.ReverseDecision) -> tuple[str, ...]:
    """The claims, labels and samples on which a decision would be undone."""
    report = workspace.ledger.report(order.number)
    if order.decision not in report.made:
        raise NotFound(what="decision", name=order.decision)
    return touched(report, order.decision)
