"""A source and its readings."""

from ledger.events.parts import fact
from ledger.values import Digest, Instant, PartialDate, Slug


@fact
class SourceRegistered:
    """A document or board at an address got its lasting slug."""

    slug: Slug
    name: str
    kind: str
    address: str | None = None
    lab: str | None = None
    model: str | None = None
    published_on: PartialDate | None = None
    read_at: Instant
    why: str | None = None


@fact
class SourceFrozen:
    """A source was read: these bytes, at this instant.

    ``order`` sorts readings of one instant and is unique among them; ``transcribed`` says that the
    record lines were frozen instead of the source's own bytes. A reading of a board says all that
    the source states on ``benchmark`` under ``metrics``, but for what is ``unread`` (ids of claims,
    keys of rows, or ``*`` for all that it does not state): that is left as it was.
    """

    digest: Digest
    media_type: str
    size: int
    read_at: Instant
    order: str = ""
    benchmark: Slug | None = None
    metrics: tuple[Slug, ...] = ()
    unread: tuple[str, ...] = ()
    entries_stated: int | None = None
    transcribed: bool = False
    file: str | None = None


@fact
class ReadingWithdrawn:
    """A reading was a mistake of ours (a wrong file); what the one before said holds again."""

    digest: Digest
    read_at: Instant
    order: str = ""
    benchmark: Slug | None = None
    why: str


@fact
class SourceFoundChanged:
    """The address was found to give other bytes than the frozen ones."""

    digest: Digest
    found: Digest | None
    read_at: Instant
    why: str


@fact
class PostRead:
    """A launch post was read for a benchmark: it lists it, or leaves it out."""

    benchmark: Slug
    listed: bool
    read_at: Instant
