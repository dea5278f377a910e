"""CSV, JSON and YAML as the same thing: rows of named cells, every cell as the text in the file.

Numbers keep their digits (``72.50`` stays ``72.50``); only an empty cell, ``null`` or ``~`` is
nothing. What cannot be a table is refused whole, with the place; a single odd row is not.
"""

import csv
import io
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import attrs

from ledger.errors import FileRefused
from ledger.importing.formats.yaml_text import YamlText
from ledger.importing.limits import (
    LONGEST_CELL,
    check_columns,
    check_depth,
    check_rows,
    decode_utf8,
    first_twice,
)

Cells = Mapping[str, str | None]


@attrs.frozen
class RawRow:
    """One row: its number (from 1) and its cells, or what is wrong with it.

    ``field``: the one cell that is wrong, so that the others tell which claim the row is about;
    without it the row is wrong as a whole.
    """

    number: int
    cells: Cells
    problem: str | None = None
    field: str | None = None


@attrs.frozen
class RawTable:
    """Rows, and the columns that any of them has, in the order in which they were met."""

    columns: tuple[str, ...]
    rows: tuple[RawRow, ...]
    media_type: str


def read_table(name: str, data: bytes) -> RawTable:
    """The table in a file, by the ending of its name (.csv, .json, .yaml, .yml).

    Raises :class:`~ledger.errors.FileRefused` for anything else.
    """
    text = decode_utf8(name, data)
    ending = name.lower().rpartition(".")[2]
    if ending == "json":
        return _from_json(name, text)
    if ending in ("yaml", "yml"):
        return _from_yaml(name, text)
    if ending == "csv":
        return _from_csv(name, text)
    raise FileRefused(file=name, why="a snapshot is a .csv, .json, .yaml or .yml file")


def columns_at_start(ending: str, start: bytes) -> tuple[str, ...]:
    """The columns of a table as far as its beginning shows them; none for what is no table."""
    text = start.decode("utf-8-sig", errors="replace").lstrip()
    if ending == "csv":
        try:
            cells = next(csv.reader([text.partition("\n")[0]]), [])
        except csv.Error:
            return ()
        return tuple(cell.strip().lower() for cell in cells)
    if ending == "json":
        return tuple(key.strip().lower() for key in _first_object(text))
    return tuple(dict.fromkeys(key.lower() for key in _YAML_KEY.findall(_first_entry(text))))


_YAML_KEY = re.compile(
    r"(?:^|[{,]|\n)[ ]*(?:-[ ]+)?[{]?[ ]*[\"']?([A-Za-z_][A-Za-z0-9_ ]{0,60})[\"']?:"
)


def _first_object(text: str) -> Mapping[str, Any]:
    """The first of a list of JSON objects."""
    inside = text[1:].lstrip()
    if not text.startswith("[") or not inside.startswith("{"):
        return {}
    try:
        found, _ = json.JSONDecoder().raw_decode(inside)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _first_entry(text: str) -> str:
    """The first of a list of YAML objects, as text."""
    lines = [line for line in text.splitlines() if line.strip() and line[0] not in "#%"]
    if lines and lines[0].rstrip() == "---":
        lines = lines[1:]
    if not lines or lines[0][0] not in "-[":
        return ""
    following = next((at for at, line in enumerate(lines[1:], 1) if line[0] == "-"), len(lines))
    return "\n".join(lines[:following])


# --- CSV --------------------------------------------------------------------------------------


def _from_csv(name: str, text: str) -> RawTable:
    lines = _csv_lines(name, text)
    header = [cell.strip().lower() for cell in next(lines, (0, []))[1]]
    if not any(header):
        raise FileRefused(file=name, why="it is empty; the first line names the columns")
    check_columns(name, len(header))
    check_names(name, header)
    rows = []
    for number, (_, cells) in enumerate(lines, 1):
        check_rows(name, number)
        rows.append(_csv_row(number, header, cells))
    return RawTable(tuple(header), tuple(rows), "text/csv")


def _csv_lines(name: str, text: str) -> Iterator[tuple[int, list[str]]]:
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        for cells in reader:
            if cells:
                yield reader.line_num, cells
    except csv.Error as why:
        raise FileRefused(file=name, why=f"line {reader.line_num}: {why}") from None


def _csv_row(number: int, header: list[str], cells: list[str]) -> RawRow:
    named = {column: cell or None for column, cell in zip(header, cells, strict=False)}
    problem = None
    if len(cells) != len(header):
        problem = f"it has {len(cells)} cells where the header names {len(header)}"
    return RawRow(number, named, problem or _too_long(named))


def check_names(name: str, columns: Sequence[str]) -> None:
    """Refuse a table with a column that has no name, or two that have one."""
    if not all(columns):
        raise FileRefused(file=name, why=f"column {columns.index('') + 1} has no name")
    twice = first_twice(columns)
    if twice is not None:
        raise FileRefused(file=name, why=f"two columns are called {twice}")


def _too_long(cells: Cells) -> str | None:
    for column, cell in cells.items():
        if cell is not None and len(cell) > LONGEST_CELL:
            return f"{column} has {len(cell)} characters and at most {LONGEST_CELL} are kept"
    return None


# --- JSON -------------------------------------------------------------------------------------


class _Twice(ValueError):
    """A key stands twice in one object."""


def _from_json(name: str, text: str) -> RawTable:
    return _from_objects(name, json_content(name, text), "application/json")


def json_content(name: str, text: str) -> Any:
    """What JSON text holds, numbers as the text of their digits (``NaN`` is text too).

    Raises :class:`~ledger.errors.FileRefused` for what is no JSON, too deep, or names a key twice.
    """
    check_depth(name, text)
    try:
        return json.loads(
            text,
            parse_float=str,
            parse_int=str,
            parse_constant=str,
            object_pairs_hook=_without_twice,
        )
    except _Twice as why:
        raise FileRefused(file=name, why=str(why)) from None
    except (json.JSONDecodeError, RecursionError) as why:
        raise FileRefused(file=name, why=f"not JSON: {why}") from None


def _without_twice(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise _Twice(f"{first_twice(key for key, _ in pairs)} stands twice in one object")
    return found


def _from_objects(name: str, content: object, media_type: str) -> RawTable:
    if not isinstance(content, list):
        raise FileRefused(file=name, why="a snapshot is a list of rows")
    check_rows(name, len(content))
    rows = tuple(_object_row(number, one) for number, one in enumerate(content, 1))
    columns = dict.fromkeys(column for row in rows for column in row.cells)
    check_columns(name, len(columns))
    return RawTable(tuple(columns), rows, media_type)


def _object_row(number: int, content: object) -> RawRow:
    if not isinstance(content, dict):
        return RawRow(number, {}, "it is not an object")
    cells: dict[str, str | None] = {}
    for column, value in content.items():
        if isinstance(value, bool):
            cells[str(column).strip().lower()] = "true" if value else "false"
        elif value is None or isinstance(value, str):
            cells[str(column).strip().lower()] = value or None
        else:
            return RawRow(number, cells, f"{column} holds a list or an object")
    return RawRow(number, cells, _too_long(cells))


# --- YAML -------------------------------------------------------------------------------------


def _from_yaml(name: str, text: str) -> RawTable:
    content = YamlText(name).content(text)
    return _from_objects(name, [] if content is None else content, "application/yaml")
