"""Record what a records file says: all its facts in one transaction, then reading by reading.

Everything is checked against the ledger before anything is written. The facts come first, so a
crash after them leaves a ledger that lacks readings and nothing else; importing the same file
again skips the facts that are there and enters the rest.
"""

from collections.abc import Callable
from functools import partial

import attrs

from ledger import faults
from ledger.errors import Conflict
from ledger.importing.board import Target
from ledger.importing.receipt import NOTHING, FileReceipt
from ledger.importing.records.check import Check
from ledger.importing.records.entering import PaperImporter
from ledger.importing.records.file import RecordsFile
from ledger.importing.records.reading import RecordedReading
from ledger.importing.snapshot import ATTEMPTS, BoardImporter, Known
from ledger.ledger import Ledger
from ledger.values import parse_slug

Progress = Callable[[int, int], None]
"""Called after each reading with how many are done, and of how many."""


def import_records(
    ledger: Ledger,
    known: Known,
    records: RecordsFile,
    by: str,
    *,
    dry_run: bool = False,
    progress: Progress | None = None,
) -> list[FileReceipt]:
    """Record the file: a receipt for its facts, if it has any, then one a reading, those of boards
    first.

    ``by`` is the handle of the curator. Importing a file twice records nothing new. Raises
    :class:`~ledger.importing.records.problems.RecordsRefused`, having recorded nothing, when the
    ledger contradicts a line.
    """
    parse_slug(by, "handle")
    check = _record_facts(ledger, known, records, by, dry_run=dry_run)
    receipts = [_facts_receipt(records, check)] if records.facts else []
    # Crash here: the facts stand, and the next import of this file enters the readings.
    faults.here("import:facts")
    importer = BoardImporter(ledger, check.names if dry_run else known, by, dry_run)
    papers = PaperImporter(ledger, by, dry_run)
    entries: list[Callable[[], FileReceipt]] = [
        partial(_read, importer, reading) for reading in records.readings
    ]
    entries += [partial(papers.read, reading) for reading in records.paper_readings]
    for done, enter in enumerate(entries, 1):
        receipts.append(enter())
        if progress is not None:
            progress(done, len(entries))
    return receipts


def _record_facts(
    ledger: Ledger, known: Known, records: RecordsFile, by: str, *, dry_run: bool
) -> Check:
    """Check everything, append the facts; anew when another writer got in between."""
    for attempt in range(1, ATTEMPTS + 1):
        known.forget()
        check = Check.of(ledger, known, records)
        if dry_run:
            break
        try:
            ledger.store.append(check.new, by=by, cause=f"import:{records.digest}")
        except Conflict:
            if attempt == ATTEMPTS:
                raise
        else:
            break
    return check


def _facts_receipt(records: RecordsFile, check: Check) -> FileReceipt:
    read_at = max(line.order.fact.read_at for line in records.facts)
    recorded = sum(len(new.events) for new in check.new)
    return FileReceipt(
        file=records.file,
        read_at=records.read_at or read_at,
        rows=len(records.facts),
        counts={**NOTHING, "recorded": recorded, "unchanged": len(records.facts) - recorded},
        digest=records.digest,
        notes=("facts that belong to no reading",),
        known_already=recorded == 0,
    )


def _read(importer: BoardImporter, reading: RecordedReading) -> FileReceipt:
    target = Target(
        source=reading.source, benchmark=reading.benchmark, only_tracked=not reading.register
    )
    receipt = importer.read(reading.board, target)
    where = f"line {reading.line}: {reading.source} on {reading.benchmark}"
    return attrs.evolve(receipt, notes=(where, *receipt.notes))
