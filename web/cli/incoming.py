"""A run of imports: which files are taken, in which order, and what becomes of each.

Each file is one reading (a records file may hold several) and is recorded or refused on its own: a
refused file is said so in the receipt, and the others go on. Records come first, since they say
what boards stand on; the other files are taken in the order of their names.
"""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import attrs

from ledger.benchmark import stream_of
from ledger.errors import FileRefused, Refused
from ledger.importing.board import Target
from ledger.importing.formats.snapshot import Metrics, read_snapshot
from ledger.importing.limits import check_size
from ledger.importing.receipt import NOTHING, FileReceipt
from ledger.importing.records import RecordsRefused, import_records, parse_records
from ledger.importing.snapshot import BoardImporter
from ledger.values import Instant
from web.cli.output import progress_bar
from web.wiring import Workspace

ENDINGS = (".csv", ".json", ".yaml", ".yml", ".jsonl")
RECORDS, SNAPSHOT = "records", "snapshot"
A_FEW = 3
"""How many files are done before anybody looks for a progress bar."""


def found_in(places: Sequence[Path], form: str | None) -> list[tuple[Path, str]]:
    """The files, each with its format, in the order in which they are taken."""
    files: list[Path] = []
    for place in places:
        inside = _inside(place) if place.is_dir() else [place]
        if not inside:
            raise FileRefused(file=place, why=f"no file in it ends in {', '.join(ENDINGS)}")
        files += inside
    formats = [(file, form or _format_of(file)) for file in dict.fromkeys(files)]
    return sorted(formats, key=lambda one: (one[1] != RECORDS, one[0].name, str(one[0])))


def _inside(folder: Path) -> list[Path]:
    try:
        return [one for one in folder.iterdir() if one.suffix.lower() in ENDINGS and one.is_file()]
    except OSError as why:
        raise FileRefused(file=folder, why=why.strerror or "it cannot be read") from None


def _format_of(file: Path) -> str:
    return RECORDS if file.suffix.lower() == ".jsonl" else SNAPSHOT


@attrs.frozen
class RefusedFile:
    """A file that was refused as a whole, and why."""

    file: str
    why: Refused

    def as_json(self) -> dict[str, Any]:
        """Its place in the receipt: nothing was recorded of it."""
        problems = self.why.problems if isinstance(self.why, RecordsRefused) else ()
        refused = [
            {"row": one.row, "key": one.key, "field": one.field, "why": one.why} for one in problems
        ]
        counts = {"read_at": None, "rows": 0, **NOTHING, "refused": refused}
        return {"file": self.file, **counts, "file_refused": str(self.why)}


Outcome = FileReceipt | RefusedFile


@attrs.define(kw_only=True)
class Incoming:
    """One run of imports, by one person; it compares each file with what stood before it."""

    workspace: Workspace
    by: str
    dry_run: bool = False
    target: Target | None = None
    read_at: Instant | None = None
    _boards: BoardImporter | None = attrs.field(default=None, init=False)

    def take(self, files: Sequence[tuple[Path, str]]) -> Iterator[Outcome]:
        """Every file in turn, with a progress bar on a terminal."""
        with progress_bar(show=len(files) > A_FEW) as bar:
            task = bar.add_task("Importing", total=len(files))
            for file, form in files:
                read = self.records if form == RECORDS else self.board
                yield from self._read(file, read)
                bar.advance(task)

    def _read(
        self, file: Path, read: Callable[[str, bytes], Sequence[FileReceipt]]
    ) -> Sequence[Outcome]:
        try:
            return read(file.name, _bytes_of(file))
        except Refused as why:
            return [RefusedFile(file.name, why)]

    def records(self, name: str, data: bytes) -> list[FileReceipt]:
        """A records file."""
        ledger = self.workspace.ledger
        records = parse_records(name, data, ledger.clock())
        self._boards = None  # what it compared with may be out of date now
        return import_records(
            ledger, self.workspace.known(), records, self.by, dry_run=self.dry_run
        )

    def board(self, name: str, data: bytes) -> list[FileReceipt]:
        """A snapshot of a whole board."""
        ledger = self.workspace.ledger
        target = self.target
        if target is None:
            raise TypeError(target)
        metrics = Metrics.of(ledger.facts(stream_of(target.benchmark)))
        board = read_snapshot(
            name, data, target=target, metrics=metrics, now=ledger.clock(), read_at=self.read_at
        )
        if self._boards is None:
            self._boards = self.workspace.importer(self.by, dry_run=self.dry_run)
        return [self._boards.read(board, target)]


def _bytes_of(file: Path) -> bytes:
    """The bytes of a file, asked for its size first."""
    try:
        check_size(file.name, file.stat().st_size)
        return file.read_bytes()
    except OSError as why:
        raise FileRefused(file=file.name, why=why.strerror or "it cannot be read") from None
