"""Labs, models, and which name means which."""

from collections.abc import Mapping

from ledger.events.parts import fact
from ledger.values import Instant, PartialDate, Slug


@fact
class LabRegistered:
    """A lab got its lasting slug."""

    slug: Slug
    name: str
    read_at: Instant
    why: str | None = None


@fact
class ModelRegistered:
    """A dated version of a model got its lasting slug.

    Its full name means it in every reading from ``means_from`` on; ``None`` means in all.
    """

    slug: Slug
    name: str
    version: str | None = None
    lab: str | None = None
    released: PartialDate | None = None
    means_from: Instant | None = None
    read_at: Instant
    why: str | None = None


@fact
class ModelDescribed:
    """Facts about a model were stated or replaced (only those given; ``None`` takes one back)."""

    facts: Mapping[str, str | None]
    read_at: Instant
    why: str


@fact
class ModelRenamed:
    """A model goes by another name from ``read_at`` on, which then means it."""

    name: str
    version: str | None = None
    read_at: Instant
    why: str


@fact
class AliasAsserted:
    """Somebody asserts that a written name means this model.

    ``means_from`` is the first reading that it covers; ``None`` covers every reading.
    """

    name: str
    means_from: Instant | None = None
    read_at: Instant
    why: str


@fact
class AliasWithdrawn:
    """A written name no longer means this model, from ``read_at`` on."""

    name: str
    read_at: Instant
    why: str
