"""Reports, and what is decided of them."""

import attrs

from ledger.events.parts import Change, fact
from ledger.values import Digest, Instant, PartialDate


@attrs.frozen(kw_only=True)
class PlannedEffect:
    """What a decision does to one claim, as its claim will record it.

    ``version`` is the claim's version that the reviewer saw; ``applies_from=None`` means from the
    claim's first reading. ``does`` is one of :data:`ledger.vocabulary.EFFECTS`.
    """

    claim: str
    version: int
    does: str
    applies_from: Instant | None
    changes: tuple[Change, ...] = ()
    before: str | None = None
    model: str | None = None
    about: str | None = None
    upstream_on: PartialDate | None = None


@attrs.frozen(kw_only=True)
class Terms:
    """What a decision says: outcome, update type and reason, the snapshot checked, the effects.

    ``replaces`` is the decision that it corrects, ``duplicate_of`` the report that says the same,
    ``checks`` what the reviewer ticked. A proposed reversal has ``reverses`` and no effects.
    """

    outcome: str
    type: str | None = None
    reason: str
    snapshot: Digest | None = None
    statement: str
    effects: tuple[PlannedEffect, ...] = ()
    replaces: str | None = None
    duplicate_of: int | None = None
    checks: tuple[str, ...] = ()
    remainder: bool = False
    reverses: str | None = None

    @property
    def claims(self) -> tuple[str, ...]:
        """The claims that it touches."""
        return tuple(dict.fromkeys(effect.claim for effect in self.effects))


@fact
class ReportFiled:
    """Somebody said that something is wrong or missing.

    ``words`` is the digest over a nonce and the free text, both kept in the private store.
    """

    number: int
    target: str
    reason: str
    proposes: tuple[Change, ...] = ()
    words: Digest | None = None
    received_at: Instant


@fact
class ReportScreened:
    """A person looked at a report and put it into the queue, or apart."""

    passed: bool
    reason: str | None = None


@fact
class ReportAssigned:
    """A reviewer holds a report."""

    to: str


@fact
class ReportAmended:
    """The reporter changed what they ask for."""

    proposes: tuple[Change, ...] = ()
    words: Digest | None = None


@fact
class EvidenceAdded:
    """Evidence was added: an address, or bytes by digest."""

    digest: Digest | None = None
    address: str | None = None
    private: bool = False


@fact
class ReviewStarted:
    """A reviewer opened the review."""


@fact
class ReportWithdrawn:
    """The reporter took the report back before it was decided."""

    reason: str | None = None


@fact
class DecisionProposed:
    """A reviewer proposes a decision that a second person has to approve."""

    decision: str
    terms: Terms


@fact
class DecisionReturned:
    """The second person sent a proposed decision back."""

    decision: str
    why: str


@fact
class DecisionMade:
    """A report, or a part of it, was decided."""

    decision: str
    terms: Terms


@fact
class DecisionReversed:
    """A decision was undone by a later one."""

    decision: str
    reverses: str
    claims: tuple[str, ...] = ()
    snapshot: Digest | None = None
    statement: str
