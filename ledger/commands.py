"""Wishes, as orders: what somebody wants to be recorded, before the rules have had their say."""

from typing import Any, Literal, TypeVar, cast, dataclass_transform

import attrs

from ledger import events as ev
from ledger.events import Change
from ledger.values import Digest, Instant, PartialDate

OrderClass = TypeVar("OrderClass")


@dataclass_transform(frozen_default=True, kw_only_default=True)
def order(cls: type[OrderClass]) -> type[OrderClass]:
    """Make a class an order: frozen, with keyword arguments only."""
    return attrs.frozen(kw_only=True)(cls)


Said = TypeVar("Said")


def revised(said: Said, **fields: Any) -> Said:
    """The order with some of its fields said otherwise."""
    # The type checker knows attrs classes by attrs' own decorators alone.
    return cast("Said", attrs.evolve(cast("Any", said), **fields))


AppliesFrom = Instant | Literal["start"]
Asserted = (
    ev.BenchmarkEvent
    | ev.LabEvent
    | ev.ModelEvent
    | ev.SourceEvent
    | ev.IndexEvent
    | ev.PaperEvent
    | ev.RepositoryEvent
    | ev.LabelEvent
    | ev.SampleEvent
    | ev.ProbeEvent
)


@order
class Assert:
    """Record what a curator states about a benchmark, lab, model, source, index, paper, repository
    or sample, and what was found in a probe window."""

    stream: str
    fact: Asserted


# --- what a decision is to do to one claim, label or sample ------------------------------------


@order
class Effect:
    """``claim`` is the id of a claim, a label or a sample (see :mod:`ledger.subject`); ``version``
    the version of it that the reviewer saw, ``None`` takes it as it is now."""

    claim: str
    version: int | None = None
    applies_from: AppliesFrom


@order
class Correct(Effect):
    """Replace fields (name → text as written, ``None`` for not stated)."""

    to: tuple[tuple[str, str | None], ...]


@order
class Reidentify(Effect):
    """Say that the claim is about another model."""

    model: str
    before: str | None = None


@order
class Retract(Effect):
    """Take the claim off every board."""

    upstream_on: PartialDate | None = None


@order
class Reinstate(Effect):
    """Put a retracted claim back."""


@order
class HoldOut(Effect):
    """Keep the claim visible but out of the ranking."""


@order
class Readmit(Effect):
    """Let the claim rank."""


@order
class Dispute(Effect):
    """Mark the claim as disputed."""

    about: str


@order
class Clear(Effect):
    """Lift a dispute."""


AnyEffect = Correct | Reidentify | Retract | Reinstate | HoldOut | Readmit | Dispute | Clear


# --- reports -----------------------------------------------------------------------------------


@order
class FileReport:
    """Say that something is wrong or missing; ``target`` is an address of ours, such as
    ``claims/c12…``, ``samples/e4428d…``, ``labels/l34…`` or ``benchmarks/bigcodebench``."""

    number: int
    target: str
    reason: str
    proposes: tuple[Change, ...] = ()
    words: Digest | None = None
    received_at: Instant


@order
class AboutReport:
    """An order about one report."""

    number: int


@order
class ScreenReport(AboutReport):
    """Let a report into the queue, or set it apart."""

    passed: bool
    reason: str | None = None


@order
class AssignReport(AboutReport):
    """Give a report to a reviewer."""

    to: str


@order
class AmendReport(AboutReport):
    """Change what is asked for."""

    proposes: tuple[Change, ...] = ()
    words: Digest | None = None


@order
class AddEvidence(AboutReport):
    """Add an address, or bytes by digest."""

    digest: Digest | None = None
    address: str | None = None
    private: bool = False


@order
class StartReview(AboutReport):
    """Open the review."""


@order
class WithdrawReport(AboutReport):
    """Take the report back."""

    reason: str | None = None


@order
class Decide(AboutReport):
    """Decide a report or a part of it, with all that the decision does to claims.

    ``version`` is the report's version that the reviewer saw; ``remainder`` leaves the rest of the
    report open for another part. ``replaces`` is the decision that this one corrects, or the
    proposal that it overrules; ``duplicate_of`` the report that says the same; ``checks`` what the
    reviewer ticked. ``changes_number_one`` says that a board would have another number one; with
    ``propose`` a reviewer asks for a second opinion where the rule does not ask for it.
    """

    version: int | None = None
    outcome: str
    type: str | None = None
    reason: str
    statement: str
    snapshot: Digest | None = None
    effects: tuple[AnyEffect, ...] = ()
    replaces: str | None = None
    duplicate_of: int | None = None
    checks: tuple[str, ...] = ()
    remainder: bool = False
    changes_number_one: bool = False
    propose: bool = False


@order
class ApproveDecision(AboutReport):
    """Let a proposed decision take effect, as a second person who saw the report at ``version``."""

    version: int | None = None
    decision: str


@order
class ReturnDecision(AboutReport):
    """Send a proposed decision back."""

    version: int | None = None
    decision: str
    why: str


@order
class ReverseDecision(AboutReport):
    """Undo what a decision did. ``version``, ``changes_number_one`` and ``propose`` as in
    :class:`Decide`."""

    version: int | None = None
    decision: str
    statement: str
    snapshot: Digest | None = None
    changes_number_one: bool = False
    propose: bool = False


ReportOrder = (
    FileReport
    | ScreenReport
    | AssignReport
    | AmendReport
    | AddEvidence
    | StartReview
    | WithdrawReport
    | Decide
    | ApproveDecision
    | ReturnDecision
    | ReverseDecision
)
Command = Assert | ReportOrder
