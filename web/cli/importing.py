"""Bringing files in, and taking a wrong one back.

Each file is one reading (a records file may hold several) and is recorded or refused on its own: a
refused file is said so in the receipt, and the others go on. Records come first, since they say
what boards stand on; the other files are taken in the order of their names.
"""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import attrs
import click

from ledger.benchmark import check_unit, stream_of
from ledger.errors import FileRefused, Refused
from ledger.importing.board import Target
from ledger.importing.formats.snapshot import Metrics, read_snapshot
from ledger.importing.limits import check_size
from ledger.importing.receipt import NOTHING, FileReceipt
from ledger.importing.records import RecordsRefused, import_records, parse_records
from ledger.importing.snapshot import BoardImporter
from ledger.values import Instant, parse_digest, parse_instant, parse_name, parse_slug
from ledger.vocabulary import SOURCE_KINDS
from web.cli import show_receipts as show
from web.cli.options import json_option
from web.cli.output import print_json, progress_bar, say
from web.cli.session import Session, pass_session
from web.wiring import Workspace

ENDINGS = (".csv", ".json", ".yaml", ".yml", ".jsonl")
RECORDS = "records"
A_FEW = 3


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


@click.command("import")
@click.argument(
    "files", metavar="FILE|DIR...", nargs=-1, type=click.Path(exists=True, path_type=Path)
)
@click.option(
    "--format",
    "form",
    metavar="F",
    type=click.Choice(["snapshot", RECORDS]),
    help="snapshot or records; else records for .jsonl and snapshot for all others.",
)
@click.option("--source", metavar="SLUG", help="Which source was read.")
@click.option(
    "--kind",
    metavar="KIND",
    type=click.Choice(list(SOURCE_KINDS)),
    default="official-leaderboard",
    show_default=True,
    help=f"What a new source is: {', '.join(SOURCE_KINDS)}.",
)
@click.option("--benchmark", metavar="SLUG", help="Which benchmark it is about.")
@click.option("--benchmark-name", metavar="NAME", help="What a new benchmark is called.")
@click.option(
    "--read-at",
    metavar="INSTANT",
    help="When the source was read, where the file's name does not begin with it; else now.",
)
@click.option("--unit", metavar="U", help="The unit of scores that bear none.")
@click.option(
    "--lower-is-better",
    metavar="METRIC",
    multiple=True,
    help="A new metric of which less is better. May be repeated.",
)
@click.option("--only-tracked", is_flag=True, help="Register no model: count unknown ones alone.")
@click.option("--dry-run", is_flag=True, help="Say what would happen, and record nothing.")
@click.option("--withdraw", metavar="DIGEST", help="Take back every reading of these bytes.")
@json_option
@pass_session
def import_files(
    session: Session,
    /,
    files: tuple[Path, ...],
    form: str | None,
    read_at: str | None,
    dry_run: bool,
    withdraw: str | None,
    as_json: bool,
    **named: Any,
) -> None:
    """Bring in readings of boards from files or folders, or take one back."""
    if (withdraw is None) is not bool(files):
        raise click.UsageError("Give files or folders to import, or --withdraw DIGEST.")
    by, workspace = session.by, session.workspace
    outcomes: list[Outcome] = []
    if withdraw is not None:
        outcomes += workspace.importer(by, dry_run=dry_run).withdraw(parse_digest(withdraw))
    else:
        wanted = found_in(files, form)
        incoming = Incoming(
            workspace=workspace,
            by=by,
            dry_run=dry_run,
            target=target_of(named, needed=any(one != RECORDS for _, one in wanted)),
            read_at=None if read_at is None else parse_instant(read_at),
        )
        outcomes += incoming.take(wanted)
    workspace.follower.catch_up()
    print_receipt(outcomes, dry_run=dry_run, as_json=as_json)


def print_receipt(outcomes: Sequence[Outcome], *, dry_run: bool, as_json: bool) -> None:
    """The receipt; status 1 when any file was refused as a whole."""
    if as_json:
        print_json({"files": [one.as_json() for one in outcomes]})
    elif dry_run:
        say("Nothing was recorded; this is what would be.")
    refused = False
    for one in outcomes:
        if isinstance(one, RefusedFile):
            refused = True
            say(str(one.why))
        elif not as_json:
            show.receipt(one)
    if refused:
        click.get_current_context().exit(1)


# --- which files, and what they are about -----------------------------------------------------


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
    return [one for one in folder.iterdir() if one.suffix.lower() in ENDINGS and one.is_file()]


def _format_of(file: Path) -> str:
    return RECORDS if file.suffix.lower() == ".jsonl" else "snapshot"


def target_of(named: dict[str, Any], *, needed: bool) -> Target | None:
    """Where the boards of this call belong; records say it themselves."""
    if not needed:
        given = [name for name, value in named.items() if value and name != "kind"]
        if given:
            option = f"--{given[0].replace('_', '-')}"
            raise click.UsageError(f"Records say this themselves: leave out {option}.")
        return None
    for name in ("source", "benchmark"):
        if not named[name]:
            raise click.UsageError(f"A snapshot needs --{name} SLUG.")
    if named["unit"]:
        check_unit(named["unit"])
    name = named["benchmark_name"]
    return Target(
        source=parse_slug(named["source"], "source"),
        benchmark=parse_slug(named["benchmark"], "benchmark"),
        kind=named["kind"],
        benchmark_name=None if name is None else parse_name(name, "benchmark name"),
        unit=named["unit"],
        lower_is_better=frozenset(named["lower_is_better"]),
        only_tracked=named["only_tracked"],
    )


# --- taking them ------------------------------------------------------------------------------


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
