"""A board as our own pages and commands export it, as CSV: what each source states goes back to it.

Such a table says by itself which benchmark it is about and which source states which row, so one
file may hold several sources. Ranks, ties and marks are worked out and stated by nobody; they are
not read. Apostrophes that keep a name from being a formula are taken off. A row without a claim is
a mean over splits, which no source states.
"""

from collections.abc import Iterator

import attrs

from ledger.errors import BadValue, FileRefused
from ledger.importing.formats.format import Asked, Candidate, Placing, Sheet
from ledger.importing.formats.rows import COLUMNS as SNAPSHOT_COLUMNS
from ledger.importing.formats.safe_cells import given_back
from ledger.importing.formats.tables import Cells, RawRow, columns_at_start, read_table
from ledger.importing.receipt import RefusedRow
from ledger.values import Instant, PartialDate, parse_instant, parse_slug, partial_date
from ledger.vocabulary import SOURCE_KINDS

COLUMNS = (
    "rank",
    "model",
    "score",
    "source",
    "source_kind",
    "claim_id",
    "benchmark",
    "better",
    "read_at",
)
"""By these columns together it is known."""

TAKEN = tuple(column for column in SNAPSHOT_COLUMNS if column != "model")
WORKED_OUT = "rank, tied, marks and published_on are worked out by a board, so they are left out"

_PLACING = Placing(
    published_on="the column date, which is the source’s own; published_on is a board’s",
    read_at="the column read_at, when the source was read last",
    setting="the column setting",
    split="the column split",
    identity="the columns source, key, metric and split",
    unit="the column unit, which is the metric’s where the source states none; else say --unit",
)


@attrs.frozen
class OurBoard:
    """Our own boards."""

    name: str = "board"
    title: str = "Boards as corrigenda exports them, as CSV"
    endings: tuple[str, ...] = (".csv",)
    placing: Placing = _PLACING

    def known_by(self, file: Candidate) -> str | None:
        """Its columns."""
        if file.ending != "csv" or not is_our_board(columns_at_start("csv", file.start)):
            return None
        return "it has the columns of a board that corrigenda exported"

    def sheets(self, file: Candidate, asked: Asked) -> Iterator[Sheet]:
        """What each source in it states, in the order of their first rows."""
        table = read_table(file.name, file.data())
        missing = [column for column in COLUMNS if column not in table.columns]
        if missing:
            raise FileRefused(file=file.name, why=f"it lacks the column {missing[0]}")
        boards: dict[tuple[str, str], _Board] = {}
        for raw in table.rows:
            cells = {column: given_back(cell) for column, cell in raw.cells.items() if cell}
            source = asked.source or _slug(file, raw, cells, "source")
            benchmark = asked.benchmark or _slug(file, raw, cells, "benchmark")
            board = boards.setdefault((source, benchmark), _Board(source, benchmark))
            board.add(file, raw, cells)
        for board in boards.values():
            yield board.sheet()


OUR_BOARD = OurBoard()


def is_our_board(columns: tuple[str, ...]) -> bool:
    """Whether a table has the columns of our exports."""
    return set(COLUMNS) <= set(columns)


@attrs.define
class _Board:
    """The rows of one source on one benchmark."""

    source: str
    benchmark: str
    first: Cells = attrs.field(factory=dict)
    rows: list[RawRow] = attrs.field(factory=list)
    refused: list[RefusedRow] = attrs.field(factory=list)
    names: dict[str, str] = attrs.field(factory=dict)
    lower: set[str] = attrs.field(factory=set)
    read_at: Instant | None = None
    released: dict[str, PartialDate] = attrs.field(factory=dict)

    def add(self, file: Candidate, raw: RawRow, cells: dict[str, str]) -> None:
        """Take a row in."""
        self.first = self.first or cells
        if raw.problem is None and "claim_id" not in cells:
            why = "it is a mean over splits, which is worked out; its parts were not exported"
            key = cells.get("key")
            self.refused.append(RefusedRow(row=raw.number, key=key, field="claim_id", why=why))
            return
        metric = cells.get("metric")
        if metric is not None:
            self.names.setdefault(metric, cells.get("metric_name", metric))
            if cells.get("better") == "lower":
                self.lower.add(metric)
        at = _instant(file, raw, cells.get("read_at"))
        if at is not None:
            self.read_at = at if self.read_at is None else max(at, self.read_at)
        placed = _cells(cells)
        released = _date(cells.get("released"))
        if released is not None and placed["model"]:
            self.released.setdefault(placed["model"], released)
        self.rows.append(attrs.evolve(raw, cells=placed))

    def sheet(self) -> Sheet:
        """All of it. What a board leaves out, such as a model's second best, stays as it was."""
        kind = self.first.get("source_kind")
        return Sheet(
            source=self.source,
            source_name=self.first.get("source_name"),
            kind=kind if kind in SOURCE_KINDS else None,
            benchmark=self.benchmark,
            benchmark_name=self.first.get("benchmark_name"),
            metric_names=tuple(self.names.items()),
            lower_is_better=frozenset(self.lower),
            rows=tuple(self.rows),
            read_at=self.read_at,
            released=tuple(self.released.items()),
            units_said=True,
            refused=tuple(self.refused),
            notes=(WORKED_OUT,),
        )


def _cells(cells: dict[str, str]) -> Cells:
    """The columns of a snapshot; the model by its whole name, and how it was written beside."""
    written = cells.get("as_written")
    name = " ".join(cells[part] for part in ("model", "version") if part in cells) or written
    found: dict[str, str | None] = {column: cells.get(column) for column in TAKEN}
    found["model"] = name
    if written != name:
        found["as_written"] = written
    return found


def _slug(file: Candidate, raw: RawRow, cells: dict[str, str], column: str) -> str:
    try:
        return parse_slug(cells.get(column, ""), column)
    except BadValue as why:
        said = f"row {raw.number}, {column}: {why.fields['why']}"
        raise FileRefused(file=file.name, why=said) from None


def _date(text: str | None) -> PartialDate | None:
    """A model's release, where it is a date."""
    try:
        return None if text is None else partial_date(text)
    except BadValue:
        return None


def _instant(file: Candidate, raw: RawRow, text: str | None) -> Instant | None:
    try:
        return None if text is None else parse_instant(text)
    except BadValue as why:
        said = f"row {raw.number}, read_at: {why.fields['why']}"
        raise FileRefused(file=file.name, why=said) from None
