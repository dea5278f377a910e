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
    """What became of one file. ``notes`` are for a person: what was flagged or assumed."""

    file: str
    read_at: Instant
    rows: int
    counts: Mapping[str, int]
    digest: str | None = None
    refused: tuple[RefusedRow, ...] = ()
    notes: tuple[str, ...] = ()
    known_already: bool = False

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
        }


NOTHING: Mapping[str, int] = {
    "recorded": 0,
    "restated": 0,
    "delisted": 0,
    "relisted": 0,
    "unchanged": 0,
}
