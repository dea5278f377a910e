"""A run of imports: what becomes of each file, board by board.

Each board is one reading (a records file may hold several) and is recorded or refused on its own: a
refused one is said so in the receipt, and the others go on. Ctrl-C is heeded between two boards.
What was recorded stays; the same command goes on from there.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import attrs
from rich.progress import Progress, TaskID

from ledger import events as ev
from ledger.benchmark import stream_of
from ledger.errors import FileRefused, Refused
from ledger.importing.board import BoardFile, Target
from ledger.importing.book import EVERYTHING_ELSE
from ledger.importing.formats.every import Choice
from ledger.importing.formats.format import Asked, Candidate, Sheet
from ledger.importing.formats.rows import Metrics
from ledger.importing.formats.sheets import Kept, board_of, kept_of
from ledger.importing.formats.snapshot import SNAPSHOT
from ledger.importing.formats.units import check_units
from ledger.importing.git_history import Version
from ledger.importing.large import TOO_LARGE_TO_HOLD
from ledger.importing.receipt import NOTHING, FileReceipt
from ledger.importing.records import RecordsRefused, import_records, parse_records
from ledger.importing.snapshot import BoardImporter
from web.cli.finding import RECORDS, Wanted
from web.cli.output import progress_bar
from web.cli.stopping import Stopping
from web.wiring import Workspace

A_FEW = 3
"""How many files are done before anybody looks for a progress bar."""
MIB = 1 << 20


@attrs.frozen
class RefusedFile:
    """A file, or a board in it, that was refused as a whole, and why."""

    file: str
    why: Refused
    format: str | None = None
    source: str | None = None
    benchmark: str | None = None
    is_skipped: bool = False
    """Whether the others are worth no less without it: one version of many."""

    def as_json(self) -> dict[str, Any]:
        """Its place in the receipt: nothing was recorded of it."""
        problems = self.why.problems if isinstance(self.why, RecordsRefused) else ()
        refused = [
            {"row": one.row, "key": one.key, "field": one.field, "why": one.why} for one in problems
        ]
        counts = {"read_at": None, "rows": 0, **NOTHING, "refused": refused}
        where = {"format": self.format, "source": self.source, "benchmark": self.benchmark}
        refusal = {"file_refused": str(self.why), "skipped": self.is_skipped}
        return {"file": self.file, **counts, **where, **refusal}


Outcome = FileReceipt | RefusedFile


@attrs.define(kw_only=True)
class Incoming:
    """One run of imports, by one person; it compares each board with what stood before it."""

    workspace: Workspace
    by: str
    asked: Asked
    dry_run: bool = False
    only_tracked: bool = False
    lower_is_better: frozenset[str] = frozenset()
    stopping: Stopping = attrs.field(factory=Stopping)
    _boards: BoardImporter | None = attrs.field(default=None, init=False)

    def take(self, files: Sequence[Wanted]) -> Iterator[Outcome]:
        """Every file in turn, with a progress bar on a terminal."""
        with progress_bar(show=len(files) > A_FEW or any(map(_is_large, files))) as bar:
            task = bar.add_task("Importing", total=len(files))
            for one in files:
                if self.stopping.asked:
                    return
                size = _size(one)
                of_it = bar.add_task(one.file.name, total=size // MIB, visible=_is_large(one))
                watch = partial(_advance, bar, of_it)
                yield from self.file(attrs.evolve(one, file=attrs.evolve(one.file, watch=watch)))
                bar.remove_task(of_it)
                bar.advance(task)

    def file(self, one: Wanted) -> Iterator[Outcome]:
        """What becomes of one file."""
        if isinstance(one.reading, Refused):
            yield RefusedFile(one.file.name, one.reading)
        elif one.reading is None:
            yield from self.records(one.file)
        elif one.unknown is None:
            yield from self.boards(one.file, one.reading)
        elif self.asked.source is None or self.asked.benchmark is None:
            yield RefusedFile(one.file.name, one.unknown)
        else:
            yield from map(_as_unknown, self.boards(one.file, one.reading))

    def records(self, file: Candidate) -> Iterator[Outcome]:
        """A records file."""
        ledger = self.workspace.ledger
        self._boards = None  # what it compared with may be out of date now
        try:
            records = parse_records(file.name, file.data(), ledger.clock())
            known = self.workspace.known()
            done = import_records(ledger, known, records, self.by, dry_run=self.dry_run)
        except Refused as why:
            yield RefusedFile(file.name, why, format=RECORDS)
        except OSError as why:
            said = FileRefused(file=file.name, why=why.strerror or "it cannot be read")
            yield RefusedFile(file.name, said, format=RECORDS)
        else:
            yield from (attrs.evolve(one, format=RECORDS) for one in done)

    # --- boards -------------------------------------------------------------------------------

    def boards(
        self, file: Candidate, choice: Choice, version: Version | None = None
    ) -> Iterator[Outcome]:
        """Every board in a file, one after the other; what is read of one is let go for the next.

        ``version``: of which commit the file is, which says when it was read.
        """
        called = file.name if version is None else version.file
        count: Counter[tuple[str, str]] = Counter()
        try:
            in_hand = self._in_hand(file, choice, version)
            for sheet in choice.format.sheets(in_hand.file, in_hand.asked):
                about = in_hand.about(sheet)
                count[about] += 1
                yield self._sheet(sheet, in_hand, count[about])
                if self.stopping.asked:
                    return
            if not count:
                yield _empty(in_hand)
        except Refused as why:
            yield RefusedFile(called, why, format=choice.format.name)
        except OSError as why:
            said = FileRefused(file=called, why=why.strerror or "it cannot be read")
            yield RefusedFile(called, said, format=choice.format.name)

    def _in_hand(self, file: Candidate, choice: Choice, version: Version | None) -> "_InHand":
        """A file with all that its boards share; when its bytes were first brought in, too.

        A table of our own that is read again is another reading, whether it changed or not.
        """
        ledger, kept = self.workspace.ledger, kept_of(file)
        asked = attrs.evolve(self.asked, now=ledger.clock())
        if choice.format is not SNAPSHOT:
            before = (
                event.read_at
                for event in ledger.facts(f"import:{kept.digest}")
                if isinstance(event, ev.ImportReceived)
            )
            asked = attrs.evolve(asked, read_before=next(before, None))
        if isinstance(kept.data, bytes):
            file = attrs.evolve(file, held=kept.data)  # what is frozen is what is read
        return _InHand(file, choice, kept, asked, version)

    def _sheet(self, sheet: Sheet, of: "_InHand", part: int) -> Outcome:
        """What becomes of one board of a file."""
        try:
            board, target = self._board(sheet, of)
            if self._boards is None:
                self._boards = self.workspace.importer(self.by, dry_run=self.dry_run)
            receipt = self._boards.read(_as_part(board, part, of), target)
        except Refused as why:
            source, benchmark = of.about(sheet)
            return RefusedFile(of.called, why, of.choice.format.name, source, benchmark)
        return attrs.evolve(
            receipt,
            format=of.choice.format.name,
            why=of.choice.why,
            source=target.source,
            benchmark=target.benchmark,
            placing=attrs.asdict(of.choice.format.placing),
            notes=(*sheet.notes, *receipt.notes),
        )

    def _board(self, sheet: Sheet, of: "_InHand") -> tuple[BoardFile, Target]:
        _, benchmark = of.about(sheet)
        known = self.workspace.ledger.facts(stream_of(benchmark))
        metrics, form = Metrics.of(known), of.choice.format
        board, target = board_of(sheet, of.file, of.asked, metrics, of.kept, form=form.name)
        if form is not SNAPSHOT:
            if not sheet.units_said:
                check_units(board, benchmark, known)
            target = _with_units_of_rows(board, target)
        lower = target.lower_is_better | self.lower_is_better
        return board, attrs.evolve(target, lower_is_better=lower, only_tracked=self.only_tracked)


@attrs.frozen
class _InHand:
    """A file that is being read, and what its boards share."""

    file: Candidate
    choice: Choice
    kept: Kept
    asked: Asked
    version: Version | None

    @property
    def called(self) -> str:
        """What its readings are called."""
        return self.file.name if self.version is None else self.version.file

    def about(self, sheet: Sheet) -> tuple[str, str]:
        """The source and the benchmark of a sheet."""
        return self.asked.source or sheet.source, self.asked.benchmark or sheet.benchmark


def _with_units_of_rows(board: BoardFile, target: Target) -> Target:
    """The target without what was said of units, but for metrics that no row states: rows bear
    theirs by now, and a metric of which they bear another is not counted in what was said."""
    stated = {says.metric for statements in board.statements.values() for says in statements}
    units: dict[str, str] = {
        metric: unit
        for metric in board.metrics
        if metric not in stated and (unit := target.unit_of(metric, board.metric_names.get(metric)))
    }
    return attrs.evolve(target, unit=None, units=units)


def _as_part(board: BoardFile, part: int, of: _InHand) -> BoardFile:
    """The board at its turn; a second one of the same kind in a file comes after the first, and
    does not take back what that one said."""
    read_at, order = board.read_at, board.order
    if of.version is not None:
        read_at, order = of.version.read_at, of.version.order
    unread = board.unread
    if part > 1:
        order = f"{order}.{part:05d}"
        unread = tuple(sorted({*unread, EVERYTHING_ELSE}))
    return attrs.evolve(board, file=of.called, read_at=read_at, order=order, unread=unread)


def _empty(of: _InHand) -> FileReceipt:
    """A file of a format that states nothing by itself."""
    return FileReceipt(
        file=of.called,
        read_at=of.asked.now,
        rows=0,
        counts=NOTHING,
        digest=of.kept.digest,
        notes=("it states no number by itself, so nothing was recorded",),
        format=of.choice.format.name,
        why=of.choice.why,
        placing=attrs.asdict(of.choice.format.placing),
    )


def _as_unknown(one: Outcome) -> Outcome:
    """What was read as one of our own tables only since no format knows it: then that is said."""
    if isinstance(one, RefusedFile):
        why = str(one.why).removeprefix(f"{one.file}: ").removesuffix(".")
        said = f"{why}; no other format knows it either (corrigenda formats lists them)"
        return attrs.evolve(one, why=FileRefused(file=one.file, why=said))
    return one


def _advance(bar: Progress, task: TaskID, done: int) -> None:
    bar.update(task, completed=done // MIB)


def _size(one: Wanted) -> int:
    path = one.file.path
    try:
        return 0 if path is None else path.stat().st_size
    except OSError:
        return 0


def _is_large(one: Wanted) -> bool:
    return _size(one) > TOO_LARGE_TO_HOLD
