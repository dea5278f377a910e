"""What a source said of one number, and what decisions did to it."""

from ledger.events.parts import Change, Statement, fact
from ledger.values import Digest, Instant, PartialDate, Slug


@fact
class ClaimRecorded:
    """A source was read to state a number for the first time that we know of."""

    source: Slug
    benchmark: Slug
    key: str
    says: Statement
    reading: Digest
    read_at: Instant
    order: str = ""


@fact
class ClaimRestated:
    """The source was read to say something else in the same place."""

    says: Statement
    reading: Digest
    read_at: Instant
    order: str = ""


@fact
class ClaimDelisted:
    """The source was read and no longer says it."""

    reading: Digest
    read_at: Instant
    order: str = ""


@fact
class ClaimRelisted:
    """The source was read to say it while the reading before did not."""

    says: Statement
    reading: Digest
    read_at: Instant
    order: str = ""


@fact
class ClaimReadingVoided:
    """A reading was taken back: what it said of this claim counts no longer."""

    reading: Digest
    read_at: Instant
    order: str = ""


@fact
class ClaimCorrected:
    """A decision replaced fields of what the source says.

    ``applies_from=None`` means from the claim's first reading, whatever that turns out to be.
    """

    decision: str
    changes: tuple[Change, ...]
    applies_from: Instant | None


@fact
class ClaimReidentified:
    """A decision said which model a claim is about."""

    decision: str
    before: str | None
    model: str
    applies_from: Instant | None


@fact
class ClaimRetracted:
    """A decision took a claim off every board; ``upstream_on`` is the source's own date for it."""

    decision: str
    applies_from: Instant | None
    upstream_on: PartialDate | None = None


@fact
class ClaimReinstated:
    """A decision put a retracted claim back."""

    decision: str
    applies_from: Instant | None


@fact
class ClaimHeldOut:
    """A decision keeps a claim visible but out of the ranking."""

    decision: str
    applies_from: Instant | None


@fact
class ClaimReadmitted:
    """A decision lets a claim rank again, or at last."""

    decision: str
    applies_from: Instant | None


@fact
class ClaimDisputed:
    """A decision marks a claim as disputed; it keeps its place."""

    decision: str
    applies_from: Instant | None
    about: str


@fact
class ClaimCleared:
    """A decision lifts a dispute."""

    decision: str
    applies_from: Instant | None


@fact
class ClaimDecisionReversed:
    """What an earlier decision did to this claim is undone by a later one."""

    decision: str
    reverses: str
