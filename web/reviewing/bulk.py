"""Several reports decided at once: one reason, one statement, and a decision of its own for each.

Each goes through `deciding.decide` and stands or falls alone; what was refused says why,
and the others are recorded.
"""

from collections.abc import Iterable

import attrs

from ledger.errors import Refused
from ledger.values import Digest
from web.reporting.targets import parse_target
from web.reviewing.deciding import Decision, decide
from web.reviewing.since import Order
from web.wiring import Workspace

MOST = 200
"""Reports in one go; more are done in several."""


@attrs.frozen
class Settled:
    """What came of one report: a decision, or the refusal."""

    number: int
    decision: Decision | None = None
    refusal: Refused | None = None


def decide_each(workspace: Workspace, wanted: Iterable[Order], by: str) -> list[Settled]:
    """Decide one after the other, in the order given."""
    return [_one(workspace, order, by) for order in wanted]


def _one(workspace: Workspace, order: Order, by: str) -> Settled:
    try:
        return Settled(order.number, decision=decide(workspace, order, by))
    except Refused as no:
        return Settled(order.number, refusal=no)


def claim_reported(workspace: Workspace, number: int) -> str | None:
    """The claim that a report is about, if it is about one."""
    target = parse_target(workspace.ledger.report(number).target)
    return target.name if target.kind == "claims" else None


def latest_snapshot(workspace: Workspace, number: int) -> Digest | None:
    """The latest reading of the reported claim, which whoever decides looks at."""
    claim = claim_reported(workspace, number)
    readings = () if claim is None else workspace.ledger.claim(claim).readings
    return Digest(readings[-1].digest) if readings else None
