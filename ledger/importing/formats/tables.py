"""CSV, JSON and YAML as the same thing: rows of named cells, every cell as the text in the file.

Numbers keep their digits (``72.50`` stays ``72.50``); only an empty cell, ``null`` or ``~`` is
nothing. What cannot be a table is refused whole, with the place; a single odd row is not.
"""

import csv
import io
import json
from collections.abc import Iterator, Mapping
from typing import Any, NoReturn

import attrs
import yaml

from ledger.errors import FileRefused
from ledger.importing.limits import DEEPEST, LONGEST_CELL, check_depth, check_rows, decode_utf8

Cells = Mapping[str, str | None]
YAML_NULLS = frozenset({"", "null", "Null", "NULL", "~"})


@attrs.frozen
class RawRow:
    """One row: its number (from 1) and its cells, or what is wrong with it as a whole."""

    number: int
    cells: Cells
    problem: str | None = None


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


# --- CSV --------------------------------------------------------------------------------------


def _from_csv(name: str, text: str) -> RawTable:
    lines = _csv_lines(name, text)
    header = [cell.strip().lower() for cell in next(lines, (0, []))[1]]
    if not any(header):
        raise FileRefused(file=name, why="it is empty; the first line names the columns")
    _check_columns(name, header)
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


def _check_columns(name: str, columns: list[str]) -> None:
    for place, column in enumerate(columns, 1):
        if not column:
            raise FileRefused(file=name, why=f"column {place} has no name")
        if columns.count(column) > 1:
            raise FileRefused(file=name, why=f"two columns are called {column}")


def _too_long(cells: Cells) -> str | None:
    for column, cell in cells.items():
        if cell is not None and len(cell) > LONGEST_CELL:
            return f"{column} has {len(cell)} characters and at most {LONGEST_CELL} are kept"
    return None


# --- JSON -------------------------------------------------------------------------------------


class _Twice(ValueError):
    """A key stands twice in one object."""


def _from_json(name: str, text: str) -> RawTable:
    check_depth(name, text)
    try:
        content = json.loads(
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
    return _from_objects(name, content, "application/json")


def _without_twice(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        names = [key for key, _ in pairs]
        twice = next(key for key in names if names.count(key) > 1)
        raise _Twice(f"{twice} stands twice in one object")
    return found


def _from_objects(name: str, content: object, media_type: str) -> RawTable:
    if not isinstance(content, list):
        raise FileRefused(file=name, why="a snapshot is a list of rows")
    check_rows(name, len(content))
    rows = tuple(_object_row(number, one) for number, one in enumerate(content, 1))
    columns = dict.fromkeys(column for row in rows for column in row.cells)
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
    try:
        _check_yaml(name, text)
        node = yaml.compose(text, Loader=yaml.CBaseLoader)
    except yaml.YAMLError as why:
        raise FileRefused(file=name, why=f"not YAML: {_place(why)}") from None
    return _from_objects(name, _plain(name, node), "application/yaml")


def _check_yaml(name: str, text: str) -> None:
    """Refuse what could unfold to more than the file holds, before it is built."""
    depth = 0
    for event in yaml.parse(text, Loader=yaml.CBaseLoader):
        if isinstance(event, yaml.AliasEvent):
            _refuse(name, event, "an alias; write the value out")
        elif isinstance(event, yaml.CollectionStartEvent):
            depth += 1
            if depth > DEEPEST:
                _refuse(name, event, f"nested more than {DEEPEST} deep")
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1


def _plain(name: str, node: yaml.Node | None) -> object:
    """A node as lists, objects and texts; plain ``null`` is nothing."""
    if node is None:
        return []
    if isinstance(node, yaml.SequenceNode):
        return [_plain(name, one) for one in node.value]
    if isinstance(node, yaml.MappingNode):
        pairs = [(_key(name, key), _plain(name, value)) for key, value in node.value]
        try:
            return _without_twice(pairs)
        except _Twice as why:
            _refuse(name, node, str(why))
    is_plain = isinstance(node, yaml.ScalarNode) and not node.style
    return None if is_plain and node.value in YAML_NULLS else str(node.value)


def _key(name: str, node: yaml.Node) -> str:
    if not isinstance(node, yaml.ScalarNode):
        _refuse(name, node, "a key that is not a word")
    return str(node.value)


def _refuse(name: str, where: yaml.Event | yaml.Node, why: str) -> NoReturn:
    line = where.start_mark.line + 1 if where.start_mark else "?"
    raise FileRefused(file=name, why=f"line {line}: {why}")


def _place(why: yaml.YAMLError) -> str:
    mark = getattr(why, "problem_mark", None)
    problem = getattr(why, "problem", None) or str(why)
    return f"line {mark.line + 1}: {problem}" if mark else str(problem)
