"""What an import did, file by file and row by row."""

from collections.abc import Mapping
from typing import Any

import attrs

from ledger.values import Instant, short_instant


@attrs.frozen(kw_only=True)
class RefusedRow:
    """A row that was left out, where it stands, and why; the rest of its file went on."""

    row: int
    key: str | None
    field: str | None
    why: str

    def __str__(self) -> str:
        where = f"row {self.row}" + (f" ({self.key})" if self.key else "")
        return f"{where}, {self.field}: {self.why}" if self.field else f"{where}: {self.why}"


@attrs.frozen(kw_only=True)
class FileReceipt:
    """What became of one file, or of one board in it.

    ``format`` and ``why`` say how it was read and why so, ``placing`` where that format says what.
    ``notes`` are for a person: what was flagged, assumed or kept beside.
    """

    file: str
    read_at: Instant
    rows: int
    counts: Mapping[str, int]
    digest: str | None = None
    refused: tuple[RefusedRow, ...] = ()
    notes: tuple[str, ...] = ()
    known_already: bool = False
    format: str | None = None
    why: str | None = None
    source: str | None = None
    benchmark: str | None = None
    placing: Mapping[str, str] | None = None

    def as_json(self) -> dict[str, Any]:
        """The receipt as the outside contract names its parts."""
        return {
            "file": self.file,
            "read_at": short_instant(self.read_at),
            "rows": self.rows,
            **self.counts,
            "refused": [
                {"row": one.row, "key": one.key, "field": one.field, "why": one.why}
                for one in self.refused
            ],
            "digest": self.digest,
            "known_already": self.known_already,
            "notes": list(self.notes),
            "format": self.format,
            "why": self.why,
            "source": self.source,
            "benchmark": self.benchmark,
            "placing": None if self.placing is None else dict(self.placing),
        }


NOTHING: Mapping[str, int] = {
    "recorded": 0,
    "restated": 0,
    "delisted": 0,
    "relisted": 0,
    "unchanged": 0,
}
