"""What is found about papers: archives, repositories, counts."""

from collections.abc import Mapping

import attrs

from ledger.events.parts import fact
from ledger.values import Digest, Instant, PartialDate, Slug


@attrs.frozen(kw_only=True)
class CountedPart:
    """One part of what a run record counts: a repository, or all repositories with one label."""

    repository: Slug | None = None
    label: str | None = None
    repositories: int | None = None
    harvested: int
    ran: int | None = None


@fact
class PaperRegistered:
    """A paper got its lasting slug; ``source`` is the source that its own claims are of."""

    slug: Slug
    title: str
    authors: tuple[str, ...] = ()
    arxiv_id: str | None = None
    address: str | None = None
    published_on: PartialDate | None = None
    source: Slug | None = None
    read_at: Instant
    why: str | None = None


@fact
class PaperDescribed:
    """Facts about a paper were stated or replaced (only those given; ``None`` takes one back)."""

    facts: Mapping[str, str | None]
    read_at: Instant
    why: str


@fact
class AbstractQuoted:
    """A source was read to give a paper's abstract in these words, to the byte, under a licence;
    ``text=None``: it gives none any more."""

    text: str | None
    licence: str | None = None
    source: Slug
    reading: Digest
    read_at: Instant
    order: str = ""


@fact
class ArchiveEntryRead:
    """A paper archive was read to hold so much about a paper; what has no page is counted."""

    leaderboard_rows: int
    tasks: tuple[str, ...] = ()
    tasks_without_page: int = 0
    methods: tuple[str, ...] = ()
    source: Slug
    reading: Digest
    read_at: Instant
    order: str = ""


@fact
class RepositoryListed:
    """A source was read to link a repository with a paper, or (``listed=False``) no longer to.

    ``official`` and ``mentioned`` are the source's own flags; ``None``: it does not say.
    """

    repository: Slug
    listed: bool = True
    official: bool | None = None
    mentioned: bool | None = None
    source: Slug
    reading: Digest
    read_at: Instant
    order: str = ""


@fact
class RunCountsRead:
    """A run record was read to count a paper's samples; which sample is which, it may not say.

    ``outcomes`` counts those that ran, by outcome; an outcome that is left out is not stated.
    """

    repositories: int | None = None
    harvested: int
    ran: int
    no_run: int | None = None
    outcomes: Mapping[str, int]
    pointer_only: int | None = None
    parts: tuple[CountedPart, ...] = ()
    source: Slug
    reading: Digest
    read_at: Instant
    order: str = ""
