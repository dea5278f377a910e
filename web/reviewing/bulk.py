"""Several reports decided at once: one reason, one statement, and a decision of its own for each.

Each goes through `deciding.decide` and stands or falls alone; what was refused says why,
and the others are recorded.
"""

from collections.abc import Iterable

import attrs

from ledger.errors import Refused
from ledger.subject import subject_in
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


def reported_subject(workspace: Workspace, number: int) -> str | None:
    """The claim, label or sample that a report is about, if it is about one."""
    return subject_in(str(parse_target(workspace.ledger.report(number).target)))


def latest_snapshot(workspace: Workspace, number: int) -> Digest | None:
    """The latest reading of what is reported, which whoever decides looks at."""
    subject = reported_subject(workspace, number)
    readings = () if subject is None else workspace.ledger.told(subject).readings
    return Digest(readings[-1].digest) if readings else None
