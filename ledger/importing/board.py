"""A board as a file hands it over, before it is compared with anything.

A format reader turns bytes into a :class:`BoardFile`: rows that could be read, rows that were
refused and why, and which metrics the file covers. It never guesses and never drops silently.
"""

from collections.abc import Mapping

import attrs

from ledger import events as ev
from ledger.errors import BadValue
from ledger.events import Statement
from ledger.importing.large import LargeFile
from ledger.importing.receipt import RefusedRow
from ledger.values import Digest, Instant, PartialDate, Slug


@attrs.frozen(kw_only=True)
class BoardFile:
    """One reading of one board. ``statements`` maps each row key to what its row states.

    ``unread`` names what could not be read and is left as it was: the ids of claims, or the keys
    of rows of which not even that could be told. ``metric_names`` are metrics as written. ``data``
    are the file's bytes, or where they lie when there are too many to hold. ``released`` says when
    models came out, by their written names; it counts for those that are met first.
    """

    file: str
    format: str
    data: bytes | LargeFile = attrs.field(repr=False)
    digest: Digest
    media_type: str
    read_at: Instant
    order: str = ""
    rows: int
    statements: Mapping[str, tuple[Statement, ...]] = attrs.field(repr=False)
    metrics: tuple[Slug, ...]
    metric_names: Mapping[Slug, str] = attrs.field(factory=dict, repr=False)
    refused: tuple[RefusedRow, ...] = ()
    unread: tuple[str, ...] = ()
    entries_stated: int | None = None
    transcribed: bool = False
    released: Mapping[str, PartialDate] = attrs.field(factory=dict, repr=False)

    def frozen(self, benchmark: Slug, order: str) -> ev.SourceFrozen:
        """The reading as a fact of its source."""
        return ev.SourceFrozen(
            digest=self.digest,
            media_type=self.media_type,
            size=self.data.size if isinstance(self.data, LargeFile) else len(self.data),
            read_at=self.read_at,
            order=order,
            benchmark=benchmark,
            metrics=self.metrics,
            unread=self.unread,
            entries_stated=self.entries_stated,
            transcribed=self.transcribed,
            file=self.file,
        )


@attrs.frozen(kw_only=True)
class Target:
    """Where a board belongs, and what to call things that are not registered yet."""

    source: Slug
    benchmark: Slug
    kind: str = "official-leaderboard"
    source_name: str | None = None
    benchmark_name: str | None = None
    unit: str | None = None
    units: Mapping[str, str] = attrs.field(factory=dict)
    """For rows that bear no unit: that of their metric, by slug or name, before ``unit``."""
    lower_is_better: frozenset[str] = frozenset()
    only_tracked: bool = False

    def unit_of(self, metric: Slug, name: str | None) -> str | None:
        """The unit that is said for a metric's rows that bear none."""
        return self.units.get(metric) or self.units.get(name or "") or self.unit


class RowProblem(BadValue):
    """{why}."""

    def __init__(self, field: str | None, why: str) -> None:
        super().__init__(field=field, why=why)
        self.field = field
        self.why = why
