"""Repositories, their labels, code samples and what became of them."""

from ledger.events.parts import fact
from ledger.values import Digest, Instant, PartialDate, Slug


@fact
class RepositoryRegistered:
    """A repository got its lasting slug; ``name`` is its owner and name as written."""

    slug: Slug
    name: str
    address: str | None = None
    read_at: Instant
    why: str | None = None


@fact
class RepositoryLabelled:
    """A source was read to assert what a repository is to a paper; ``label=None``: nothing any
    more. ``as_of`` is the date that the source gives its assertion."""

    paper: Slug
    repository: Slug
    label: str | None
    as_of: PartialDate | None = None
    source: Slug
    reading: Digest
    read_at: Instant
    order: str = ""


@fact
class SampleHarvested:
    """A run record was read to hold a piece of code from a repository.

    ``code`` is its SHA-256, or as many of the first digits as the record shows. ``licence`` is the
    repository's as recorded at harvest (``None``: not stated), ``pointer_only`` why the record
    serves no text of this copy. What is not stated (``commit``, ``harvested_on``) stays unsaid.
    """

    code: str
    repository: Slug
    path: str | None = None
    symbol: str | None = None
    commit: str | None = None
    licence: str | None = None
    pointer_only: str | None = None
    harvested_on: PartialDate | None = None
    source: Slug
    reading: Digest
    read_at: Instant
    order: str = ""


@fact
class SampleRunRead:
    """A run record was read to say what became of a sample; whom that blames follows from it."""

    code: str
    outcome: str
    ran_on: PartialDate | None = None
    source: Slug
    reading: Digest
    read_at: Instant
    order: str = ""
