"""Views as CSV that a spreadsheet opens without running anything (RFC 4180, UTF-8).

A cell that a spreadsheet would take for a formula gets a leading apostrophe; a plain number stays
a number. Used by the command line and by the pages alike.
"""

import csv
import io
import re
from collections.abc import Iterable, Iterator

from ledger.values import instant_text
from projections.board.boards import Board
from projections.board.rows import Row
from projections.decisions.corrections import Correction
from projections.decisions.log import LogPage
from projections.decisions.subjects import Names

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


CORRECTION_COLUMNS = (
    "number",
    "decided_at",
    "outcome",
    "type",
    "reason",
    "benchmark",
    "claim_id",
    "model",
    "field",
    "before",
    "after",
    "applies_from",
    "decided_by",
    "proposed_by",
    "snapshot",
    "replaces",
    "replaced_by",
    "in_force",
    "changed_at",
    "report",
    "statement",
)


def board_csv(board: Board) -> str:
    """The ranked rows of a board under :data:`BOARD_COLUMNS`, in the order of their ranks."""
    return csv_of(BOARD_COLUMNS, (_board_row(row) for row in board.rows))


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


def corrections_csv(pages: Iterable[LogPage]) -> str:
    """The log under :data:`CORRECTION_COLUMNS`, newest first: a row for each field that a decision
    changed, and one for a decision that changed nothing."""
    return csv_of(
        CORRECTION_COLUMNS,
        (
            ["" if cell is None else str(cell) for cell in row]
            for page in pages
            for entry in page.entries
            for row in _correction_rows(entry, page.names)
        ),
    )


def _correction_rows(entry: Correction, names: Names) -> Iterator[tuple[object, ...]]:
    decided = (
        entry.number,
        instant_text(entry.decided_at),
        entry.outcome,
        entry.type,
        entry.reason,
    )
    rest = (
        entry.decided_by,
        entry.proposed_by,
        entry.snapshot,
        entry.replaces,
        entry.replaced_by,
        "true" if entry.in_force else "false",
        instant_text(entry.changed_at),
        entry.report,
        entry.statement,
    )
    for claim in entry.claims:
        model = names.model(claim.model, claim.as_written)
        for change in claim.changes or [("", None, None)]:
            what = (claim.benchmark, claim.claim_id, model, *change, claim.applies_from)
            yield (*decided, *what, *rest)
    if not entry.claims:
        subject = names.subject(entry.target)
        claim_id = subject.id if subject.kind == "claims" else None
        model_name = subject.name if subject.kind == "claims" else None
        about = (subject.benchmark, claim_id, model_name)
        yield (*decided, *about, None, None, None, None, *rest)


def csv_of(columns: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A header and rows, every cell safe."""
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
