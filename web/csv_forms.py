"""Views as CSV that a spreadsheet opens without running anything (RFC 4180, UTF-8).

A cell that a spreadsheet would take for a formula gets a leading apostrophe; a plain number stays
a number. Used by the command line and by the pages alike.
"""

import csv
import io
import re
from collections.abc import Iterable

from projections.boards import Board
from projections.rows import Row

BOARD_COLUMNS = (
    "rank",
    "model",
    "version",
    "lab",
    "score",
    "unit",
    "published_on",
    "source",
    "source_kind",
    "key",
    "as_written",
    "claim_id",
    "tied",
    "metric",
    "split",
    "setting",
    "marks",
)

_NUMBER = re.compile(r"[+-]?[0-9][0-9,]*(?:\.[0-9]*)?(?:[eE][+-]?[0-9]+)?")
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def board_csv(board: Board) -> str:
    """The ranked rows of a board under :data:`BOARD_COLUMNS`, in the order of their ranks."""
    return _table(BOARD_COLUMNS, (_board_row(row) for row in board.rows))


def _board_row(row: Row) -> list[str]:
    model = row.model
    cells = (
        row.rank,
        model.name if model else None,
        model.version if model else None,
        model.lab if model else None,
        row.score,
        row.unit,
        row.published_on,
        row.source.slug,
        row.source.kind,
        row.key,
        row.as_written,
        row.claim_id,
        "true" if row.tied else "false",
        row.metric,
        row.split,
        row.setting,
        "; ".join(mark["text"] for mark in row.marks),
    )
    return ["" if cell is None else str(cell) for cell in cells]


def _table(columns: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow(columns)
    writer.writerows([safe(cell) for cell in row] for row in rows)
    return out.getvalue()


def safe(cell: str) -> str:
    """A cell that no spreadsheet takes for a formula."""
    if cell.startswith(_FORMULA) and not _NUMBER.fullmatch(cell):
        return f"'{cell}"
    return cell
