"""What an import did."""

from collections.abc import Mapping

from ledger.events.parts import fact
from ledger.values import Digest, Instant, Slug


@fact
class ImportReceived:
    """A file came in: its digest, what it did, and what was refused and why."""

    digest: Digest
    file: str
    format: str
    source: Slug
    benchmark: Slug | None = None
    read_at: Instant
    order: str = ""
    counts: Mapping[str, int]
    refused: tuple[str, ...] = ()
