"""How wide a table may be, how many there may be in a file, and how many metrics on a board: each
is said before anything is built of it."""

import json
from collections.abc import Sequence

import pytest

from ledger.errors import FileRefused
from ledger.importing.board import BoardFile, Target
from ledger.importing.formats.grids import grids_in
from ledger.importing.formats.snapshot import Metrics, read_snapshot
from ledger.importing.formats.tables import read_table
from ledger.importing.limits import MOST_COLUMNS, MOST_METRICS, MOST_TABLES, first_twice
from ledger.values import Slug
from tests.ledger.formats.broken import NOW, candidate
from tests.ledger.formats.workbooks import workbook


def named(count: int) -> list[str]:
    """A model, a score, and so many columns in all."""
    return ["model", "score", *(f"c{number}" for number in range(count - 2))]


def as_rows(sign: str, columns: Sequence[str]) -> str:
    return f"{sign.join(columns)}\n{sign.join('1' for _ in columns)}\n"


def one_object(columns: Sequence[str]) -> str:
    return json.dumps([dict.fromkeys(columns, "1")])


def one_column_a_row(columns: Sequence[str]) -> str:
    return json.dumps([{"model": "a", "score": "1", one: "1"} for one in columns])


def in_lines(columns: Sequence[str]) -> str:
    return "- " + "\n  ".join(f"{one}: 1" for one in columns) + "\n"


def wide(name: str, count: int) -> bytes:
    """A table of so many columns in the shape that its name says."""
    columns = named(count)
    match name:
        case "b.xlsx":
            return workbook(columns, ["1"] * count)
        case "b.md":
            return f"|{'|'.join(columns)}|\n|{'-|' * count}\n|{'1|' * count}\n".encode()
        case "b.yaml":
            return in_lines(columns).encode()
        case "each.json":
            return one_column_a_row(columns).encode()
        case "b.json":
            return one_object(columns).encode()
        case _:
            return as_rows("\t" if name == "b.tsv" else ",", columns).encode()


COUNTED = f"({MOST_COLUMNS + 1}|more than {MOST_COLUMNS})"
TOO_WIDE = f"it has {COUNTED} columns and at most {MOST_COLUMNS} are read"


@pytest.mark.parametrize(
    "name", ["b.csv", "b.tsv", "b.json", "each.json", "b.yaml", "b.md", "b.xlsx"]
)
def test_a_table_of_any_shape_has_so_many_columns_and_no_more(name: str) -> None:
    """The refusal names the limit."""
    (grid,) = grids_in(candidate(name, wide(name, MOST_COLUMNS)))
    assert len(grid.columns) == MOST_COLUMNS
    with pytest.raises(FileRefused, match=TOO_WIDE):
        grids_in(candidate(name, wide(name, MOST_COLUMNS + 1)))


@pytest.mark.parametrize("name", ["b.csv", "b.json", "each.json", "b.yaml"])
def test_a_table_of_ours_is_as_wide_at_most(name: str) -> None:
    """The same words."""
    assert len(read_table(name, wide(name, MOST_COLUMNS)).columns) == MOST_COLUMNS
    with pytest.raises(FileRefused, match=TOO_WIDE):
        read_table(name, wide(name, MOST_COLUMNS + 1))


def test_the_width_is_looked_at_before_the_names() -> None:
    """However many of them are the same, or none."""
    for column in ("a", ""):
        header = ",".join([column] * (MOST_COLUMNS + 1) + ["z"]).encode()
        for read in (read_table, lambda name, data: grids_in(candidate(name, data))):
            with pytest.raises(FileRefused, match="columns and at most"):
                read("b.csv", header + b"\n")


@pytest.mark.parametrize("name", ["b.json", "b.md"])
def test_a_file_has_so_many_tables_and_no_more(name: str) -> None:
    """Named, or one after the other."""

    def file(count: int) -> str:
        if name == "b.md":
            return "|model|\n|-|\n|a|\n\n" * count
        return json.dumps({f"t{number}": [{"model": "a"}] for number in range(count)})

    assert len(grids_in(candidate(name, file(MOST_TABLES)))) == MOST_TABLES
    with pytest.raises(FileRefused, match=f"more than {MOST_TABLES} tables"):
        grids_in(candidate(name, file(MOST_TABLES + 1)))


def board(metrics: int) -> BoardFile:
    """A board of one model with so many metrics, one a row."""
    rows = "".join(f"Alpha,1,m{number}\n" for number in range(metrics))
    target = Target(source=Slug("pond"), benchmark=Slug("reeds"))
    data = f"model,score,metric\n{rows}".encode()
    return read_snapshot("b.csv", data, target=target, metrics=Metrics(), now=NOW)


def test_a_board_has_so_many_metrics_and_no_more() -> None:
    """Each gets a rule of its own."""
    assert len(board(MOST_METRICS).metrics) == MOST_METRICS
    with pytest.raises(FileRefused, match=f"{MOST_METRICS + 1} metrics and at most"):
        board(MOST_METRICS + 1)


class Asked(str):
    """A name that counts how often it is compared."""

    __slots__ = ()
    compared = 0

    def __eq__(self, other: object) -> bool:
        Asked.compared += 1
        return str.__eq__(self, other)

    __hash__ = str.__hash__


def test_no_name_is_compared_with_all_others() -> None:
    """The last of many stands twice: that is found in one go."""
    names = [Asked(f"name {number}") for number in range(5_000)]
    Asked.compared = 0
    assert first_twice([*names, Asked("name 4999")]) == "name 4999"
    assert Asked.compared < len(names)
    assert first_twice(names) is None


def test_a_key_that_stands_twice_is_named_wherever_it_stands() -> None:
    """In JSON with many keys."""
    keys = [f"k{number}" for number in range(20_000)]
    text = ",".join(f'"{key}":1' for key in [*keys, "k19999"])
    with pytest.raises(FileRefused, match="k19999 stands twice in one object"):
        read_table("b.json", f"[{{{text}}}]".encode())
