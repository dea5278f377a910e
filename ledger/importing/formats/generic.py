"""A table of any shape, with a mapping that says which column is what.

CSV, TSV, JSON, YAML, Markdown tables and Excel workbooks (``grids.py``). A first run without a
mapping drafts one (``drafting.py``). A wide table has a column for each metric, a long one a row.
``published_on`` comes from the mapping's ``date``; whatever the mapping does not name is kept
beside the claim under its column's name.
"""

import re
from collections.abc import Iterator, Mapping

import attrs

from ledger.errors import FileRefused
from ledger.importing.formats.beside import Beside
from ledger.importing.formats.format import Asked, Candidate, Placing, Sheet
from ledger.importing.formats.grids import ENDINGS, Grid, GridRow, grid_in
from ledger.importing.formats.mapping import MetricColumn, TableMapping
from ledger.importing.formats.safe_cells import given_back
from ledger.importing.formats.tables import RawRow

_PLACING = Placing(
    published_on="the column that the mapping calls date",
    read_at="the instant that the file’s name begins with, else --read-at, else now",
    setting="the column, or the text with a metric, that the mapping calls setting",
    split="the column, or the text with a metric, that the mapping calls split",
    identity="the columns that the mapping calls key, else model; with metric and split",
    unit="the mapping says it, for each metric or as a column; it is never guessed",
)
_AFTER_NOUGHT = re.compile(r"[+-]?0,[0-9]*")
BETWEEN_KEYS = " | "


class NoMapping(FileRefused):
    """{file}: {why}; a first run without --mapping drafts one."""


@attrs.frozen
class Table:
    """Tables with a mapping; without one they are drafted and not read."""

    mapping: TableMapping | None = None
    name: str = "table"
    title: str = "A table of any shape, with a mapping: CSV, TSV, JSON, YAML, Markdown, Excel"
    endings: tuple[str, ...] = ENDINGS
    placing: Placing = _PLACING

    def known_by(self, file: Candidate) -> str | None:  # noqa: ARG002 -- as every format
        """Never: it has to be asked for."""
        return None

    def sheets(self, file: Candidate, asked: Asked) -> Iterator[Sheet]:
        """The one board that the mapping tells."""
        mapping = self.mapping
        if mapping is None:
            raise NoMapping(file=file.name, why="a table needs a mapping")
        source = asked.source or mapping.source
        benchmark = asked.benchmark or mapping.benchmark
        if source is None or benchmark is None:
            missing = "source" if source is None else "benchmark"
            raise FileRefused(file=file.name, why=f"say --{missing} SLUG, or in the mapping")
        grid = grid_in(file, mapping.table)
        _check_columns(file.name, grid, mapping)
        rows = _Rows(mapping)
        raw = tuple(one for row in grid.rows for one in rows.of(row))
        yield Sheet(
            source=source,
            benchmark=benchmark,
            rows=raw,
            whole=mapping.whole,
            lower_is_better=frozenset(one.name for one in mapping.metrics if one.lower_is_better),
            covers=_covers(mapping),
            notes=(f"read by the mapping {mapping.name}", *rows.beside.notes()),
        )


TABLE = Table()


def _check_columns(name: str, grid: Grid, mapping: TableMapping) -> None:
    for column in mapping.columns():
        if grid.columns and column not in grid.columns:
            have = ", ".join(grid.columns[:40])
            why = (
                f"it has no column {column}, which the mapping {mapping.name} names; it has {have}"
            )
            raise FileRefused(file=name, why=why)


def _covers(mapping: TableMapping) -> tuple[str | None, ...]:
    """The metrics that the table speaks about, rows or not."""
    if mapping.metrics:
        return tuple(one.name for one in mapping.metrics)
    return () if mapping.metric else (None,)


@attrs.define
class _Rows:
    """Rows of the table as rows of claims, one a number."""

    mapping: TableMapping
    beside: Beside = attrs.field(factory=Beside)

    def of(self, row: GridRow) -> Iterator[RawRow]:
        """What one row of the table states."""
        mapping = self.mapping
        cells = {name: self._said(cell) for name, cell in row.cells.items()}
        shared: dict[str, str | None] = {
            "key": BETWEEN_KEYS.join(cells.get(one) or "" for one in mapping.key),
            "model": cells.get(mapping.model),
        }
        for place, column in mapping.places.items():
            shared[place] = cells.get(column)
        if not any(cells.get(one) for one in mapping.key):
            shared["key"] = None
        problem = row.problem or self._unreadable(row)
        if problem is not None:
            yield RawRow(row.number, shared, problem)
            return
        taken = set(mapping.columns())
        rest = {column: cell for column, cell in cells.items() if column not in taken}
        shared |= self.beside.keep(rest, shared)
        if mapping.score is not None:
            yield self._long(row, cells, shared, mapping.score)
        for metric in mapping.metrics:
            yield self._wide(row, cells, shared, metric)

    def _unreadable(self, row: GridRow) -> str | None:
        """What is wrong with a cell that tells which row it is."""
        for column in (self.mapping.model, *self.mapping.key):
            if column in row.unreadable:
                return f"{column}: {row.unreadable[column]}"
        return None

    def _said(self, cell: str | None) -> str | None:
        if cell is None or cell.strip() in self.mapping.nothing:
            return None
        return given_back(cell) if self.mapping.apostrophes else cell

    def _long(
        self,
        row: GridRow,
        cells: Mapping[str, str | None],
        shared: dict[str, str | None],
        column: str,
    ) -> RawRow:
        mapping = self.mapping
        unit = mapping.unit if mapping.unit_column is None else cells.get(mapping.unit_column)
        named = {"metric": cells.get(mapping.metric)} if mapping.metric else {}
        return self._row(row, {**shared, **named, "unit": unit}, column, cells.get(column))

    def _wide(
        self,
        row: GridRow,
        cells: Mapping[str, str | None],
        shared: dict[str, str | None],
        metric: MetricColumn,
    ) -> RawRow:
        said = {"metric": metric.name, "unit": metric.unit}
        said |= {"split": metric.split} if metric.split else {}
        said |= {"setting": metric.setting} if metric.setting else {}
        return self._row(row, {**shared, **said}, metric.column, cells.get(metric.column))

    def _row(
        self, row: GridRow, cells: dict[str, str | None], column: str, score: str | None
    ) -> RawRow:
        """A row with its score, or with what is wrong with that cell."""
        if column in row.unreadable:
            problem: str | None = f"{column}: {row.unreadable[column]}"
            return RawRow(row.number, cells, problem, "score")
        number, problem = self.number(score, cells.get("unit"))
        return RawRow(row.number, {**cells, "score": number}, problem, "score" if problem else None)

    def number(self, cell: str | None, unit: str | None) -> tuple[str | None, str | None]:
        """A cell as a number with the digits as written, or what keeps it from being one."""
        if cell is None or not (text := cell.strip()):
            return None, None
        if text.endswith("%"):
            if unit != "%":
                return None, f"it says {text} where the mapping says {unit}"
            text = text[:-1].rstrip()
        if self.mapping.decimal == ",":
            return text.replace(".", "").replace(",", "."), None
        if _AFTER_NOUGHT.fullmatch(text):
            return None, f"{text} has a comma after a nought; say decimal: “,” in the mapping"
        return text, None
