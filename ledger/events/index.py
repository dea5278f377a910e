"""A dated ranking of models by somebody else."""

from ledger.events.parts import RankedModel, fact
from ledger.values import Instant, PartialDate, Slug


@fact
class CapabilityIndexRead:
    """A dated ranking of models was read."""

    slug: Slug
    name: str
    models: tuple[RankedModel, ...]
    entries_stated: int | None = None
    as_of: PartialDate | None = None
    read_at: Instant
