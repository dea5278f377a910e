"""Views as CSV that a spreadsheet opens without running anything (RFC 4180, UTF-8).

A cell that a spreadsheet would take for a formula gets a leading apostrophe, and so does one that
looks as if it had got one; a plain number stays a number. So every cell can be given back as it was
(:mod:`ledger.importing.formats.our_board` does). Used by the command line and by the pages alike.
"""

import csv
import io
import re
from collections.abc import Iterable, Iterator

from ledger.subject import address_of
from ledger.values import instant_text
from projections.board.boards import Board
from projections.board.rows import Row
from projections.board.shown import Shown
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
    "benchmark",
    "benchmark_name",
    "metric_name",
    "better",
    "source_name",
    "date",
    "url",
    "passed",
    "completed",
    "total",
    "read_at",
    "released",
)

_NUMBER = re.compile(r"[+-]?[0-9][0-9,]*(?:\.[0-9]*)?(?:[eE][+-]?[0-9]+)?")
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_SAFE = re.compile(r"'+[=+\-@\t\r]")


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
    "about",
)


def board_csv(board: Board, shown: Iterable[Shown] = ()) -> str:
    """The ranked rows of a board under :data:`BOARD_COLUMNS`, in the order of their ranks.

    ``shown`` is what their claims state beside what a board shows: :func:`shown_on` gives it.
    """
    stated = {one.row.claim_id: one for one in shown}
    rows = (_board_row(board, row, stated.get(row.claim_id)) for row in board.rows)
    return csv_of(BOARD_COLUMNS, rows)


def _board_row(board: Board, row: Row, shown: Shown | None) -> list[str]:
    model, rule = row.model, board.rule
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
        board.benchmark.slug,
        board.benchmark.name,
        rule.name if rule else None,
        ("higher" if rule.higher_is_better else "lower") if rule else None,
        row.source.name,
        *_stated(shown),
        model.released if model else None,
    )
    return ["" if cell is None else str(cell) for cell in cells]


def _stated(shown: Shown | None) -> tuple[object, ...]:
    """What stands with the claim alone: the source's own date, address and counters."""
    if shown is None:
        return (None,) * 6
    says = shown.says
    counters = (says.passed, says.completed, says.total)
    return (says.published_on, says.url, *counters, instant_text(shown.read_at))


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
            yield (*decided, *what, *rest, address_of(claim.claim_id))
    for one in entry.subjects:
        for change in one.changes or [("", None, None)]:
            told = (None, None, None, *change, one.applies_from)
            yield (*decided, *told, *rest, one.address)
    if not entry.claims and not entry.subjects:
        subject = names.subject(entry.target)
        claim_id = subject.id if subject.kind == "claims" else None
        model_name = subject.name if subject.kind == "claims" else None
        about = (subject.benchmark, claim_id, model_name)
        yield (*decided, *about, None, None, None, None, *rest, entry.target)


def csv_of(columns: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A header and rows, every cell safe."""
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow(columns)
    writer.writerows([safe(cell) for cell in row] for row in rows)
    return out.getvalue()


def safe(cell: str) -> str:
    """A cell that no spreadsheet takes for a formula."""
    if cell.startswith(_FORMULA):
        return cell if _NUMBER.fullmatch(cell) else f"'{cell}"
    return f"'{cell}" if _SAFE.match(cell) else cell
