"""A table of any shape as a grid: columns as they are called, cells as the texts in the file.

CSV, TSV, JSON, YAML, Markdown and Excel give the same grid; what its columns mean is not said here.
"""

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import attrs

from ledger.errors import FileRefused
from ledger.importing.formats.beside import flat
from ledger.importing.formats.documents import yaml_document
from ledger.importing.formats.format import Candidate
from ledger.importing.formats.markdown import markdown_tables
from ledger.importing.formats.spreadsheet import Workbook
from ledger.importing.formats.tables import check_names, json_content
from ledger.importing.limits import (
    LONGEST_CELL,
    check_columns,
    check_rows,
    check_tables,
    decode_utf8,
)

ENDINGS = (".csv", ".tsv", ".json", ".yaml", ".yml", ".md", ".markdown", ".xlsx")
NAME_COLUMN = "(name)"
"""What the names of an object's parts are called where each part is a row."""


@attrs.frozen
class GridRow:
    """A row: its number in the file, its cells, or what is wrong with it or with some of them."""

    number: int
    cells: Mapping[str, str | None]
    problem: str | None = None
    unreadable: Mapping[str, str] = attrs.field(factory=dict)


@attrs.frozen(kw_only=True)
class Grid:
    """A table of a file. ``percents`` are columns that the file shows as percents of a stored
    fraction."""

    name: str
    columns: tuple[str, ...]
    rows: tuple[GridRow, ...] = attrs.field(repr=False)
    percents: frozenset[str] = frozenset()


def grids_in(file: Candidate) -> list[Grid]:
    """The tables in a file, by the ending of its name; refused when there is none.

    Raises :class:`~ledger.errors.FileRefused`.
    """
    found = []
    for grid in _grids(file):
        found.append(grid)
        check_tables(file.name, len(found))
    if not found:
        raise FileRefused(file=file.name, why="there is no table in it")
    return found


def grid_in(file: Candidate, wanted: str | None) -> Grid:
    """The table of a name, or the only one."""
    grids = grids_in(file)
    if wanted is None and len(grids) == 1:
        return grids[0]
    for one in grids:
        if one.name == wanted:
            return one
    names = ", ".join(one.name for one in grids)
    asked = "the mapping has to say which table" if wanted is None else f"no table called {wanted}"
    raise FileRefused(file=file.name, why=f"{asked}; there are: {names}")


def _grids(file: Candidate) -> Iterator[Grid]:
    name, ending = file.name, file.ending
    if ending == "xlsx":
        for sheet in Workbook(name, file.data()).sheets():
            yield _grid_of_cells(name, sheet.name, sheet.rows, sheet.unreadable, sheet.percents)
        return
    text = decode_utf8(name, file.data())
    match ending:
        case "csv" | "tsv":
            yield _grid_of_cells(name, "table", _delimited(name, text, ending), may_be_short=False)
        case "json":
            yield from _grids_of_content(name, json_content(name, text))
        case "yaml" | "yml":
            yield from _grids_of_content(name, yaml_document(name, text).content)
        case "md" | "markdown":
            for number, cells in enumerate(markdown_tables(name, text), 1):
                yield _grid_of_cells(name, str(number), cells)
        case _:
            why = f"a table ends in {', '.join(ENDINGS)}"
            raise FileRefused(file=name, why=why)


# --- rows of cells ----------------------------------------------------------------------------

Numbered = tuple[int, Sequence[str | None]]


def _delimited(name: str, text: str, ending: str) -> Iterator[Numbered]:
    delimiter = "\t" if ending == "tsv" else ","
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    number = 0
    try:
        for cells in reader:
            if any(cells):
                check_rows(name, number)
                yield number, cells
                number += 1
    except csv.Error as why:
        raise FileRefused(file=name, why=f"line {reader.line_num}: {why}") from None


def _grid_of_cells(
    name: str,
    table: str,
    lines: Iterator[Numbered],
    unreadable: Mapping[int, Mapping[int, str]] | None = None,
    percents: set[int] | None = None,
    *,
    may_be_short: bool = True,
) -> Grid:
    """A grid of which the first row names the columns. The others are read to their end before
    ``unreadable`` and ``percents``, which are filled meanwhile, are looked at."""
    _, header = next(lines, (0, ()))
    columns = _columns(name, [(cell or "").strip() for cell in header])
    found = []
    for number, cells in lines:
        named = dict(zip(columns, [cell or None for cell in cells], strict=False))
        cells_wrong = (unreadable or {}).get(number, {})
        wrong = {columns[place]: why for place, why in cells_wrong.items() if place < len(columns)}
        why = _wrong_width(columns, cells, may_be_short=may_be_short) or _long(named)
        found.append(GridRow(number, named, why, wrong))
    shown = frozenset(columns[place] for place in percents or () if place < len(columns))
    return Grid(name=table, columns=columns, rows=tuple(found), percents=shown)


def _columns(name: str, header: Sequence[str]) -> tuple[str, ...]:
    said = next((place for place, cell in enumerate(reversed(header)) if cell), len(header))
    header = header[: len(header) - said]
    if not header:
        raise FileRefused(file=name, why="its first row names no columns")
    check_columns(name, len(header))
    check_names(name, header)
    return tuple(header)


def _wrong_width(
    columns: Sequence[str], cells: Sequence[str | None], *, may_be_short: bool
) -> str | None:
    """What does not fit the header; Excel and Markdown leave out empty cells at the end."""
    if any(cells[len(columns) :]) or (len(cells) < len(columns) and not may_be_short):
        return f"it has {len(cells)} cells where the header names {len(columns)}"
    return None


def _long(cells: Mapping[str, str | None]) -> str | None:
    for column, cell in cells.items():
        if cell is not None and len(cell) > LONGEST_CELL:
            return f"{column} has {len(cell)} characters and at most {LONGEST_CELL} are kept"
    return None


# --- objects ----------------------------------------------------------------------------------


def _grids_of_content(name: str, content: Any) -> Iterator[Grid]:
    """A list of objects, an object of objects, or an object that holds such by name."""
    if isinstance(content, list):
        yield _grid_of_objects(name, "table", enumerate(content, 1))
    elif isinstance(content, dict):
        if content and all(isinstance(one, dict) for one in content.values()):
            rows = ({NAME_COLUMN: key, **one} for key, one in content.items())
            yield _grid_of_objects(name, "table", enumerate(rows, 1))
        for key, one in content.items():
            if isinstance(one, list) and one and all(isinstance(row, dict) for row in one):
                yield _grid_of_objects(name, key, enumerate(one, 1))


def _grid_of_objects(name: str, table: str, objects: Iterator[tuple[int, Any]]) -> Grid:
    rows = []
    for number, one in objects:
        check_rows(name, number)
        rows.append(_object_row(number, one))
    columns = tuple(dict.fromkeys(column for row in rows for column in row.cells))
    check_columns(name, len(columns))
    return Grid(name=table, columns=columns, rows=tuple(rows))


def _object_row(number: int, content: Any) -> GridRow:
    if not isinstance(content, dict):
        return GridRow(number, {}, "it is not an object")
    plain = (str(key) for key, value in content.items() if not isinstance(value, dict | list))
    cells: dict[str, str | None] = {**dict.fromkeys(plain), **dict(flat(content))}
    return GridRow(number, cells, _long(cells))
