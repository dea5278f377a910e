"""YAML is refused at the first value that is too much, before anything behind it is read."""

import pytest
import yaml

from ledger.errors import FileRefused
from ledger.importing.formats.documents import yaml_document
from ledger.importing.formats.format import Asked
from ledger.importing.formats.grids import grids_in
from ledger.importing.formats.model_index import MODEL_INDEX
from ledger.importing.formats.tables import read_table
from ledger.importing.formats.yaml_text import YamlText
from ledger.importing.limits import (
    DEEPEST,
    LONGEST_CELL,
    MOST_COLUMNS,
    MOST_DIRECTIVES,
    MOST_ROWS,
    MOST_VALUES,
)
from tests.ledger.formats.broken import NOW, candidate

BROKEN = '\n"'
"""What no parser gets past: a file that is refused for something else was not read so far."""


def refused(text: str) -> str:
    """Why a text is refused."""
    with pytest.raises(FileRefused) as why:
        YamlText("b.yaml").content(text)
    return str(why.value)


def fields(count: int) -> str:
    return "".join(f"  k{number}: 1\n" for number in range(count))


@pytest.mark.parametrize("read", [read_table, lambda name, text: grids_in(candidate(name, text))])
def test_a_row_of_too_many_keys_is_refused_before_the_rest_is_read(read: object) -> None:
    """The key, its line and its row are named; what is broken behind it is not met."""
    text = f"- model: a\n{fields(MOST_COLUMNS)}{BROKEN}"
    why = rf"line {MOST_COLUMNS + 1}, \[0\]: it has more than {MOST_COLUMNS} columns"
    assert callable(read)
    with pytest.raises(FileRefused, match=why):
        read("b.yaml", text.encode())


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("{" + ",".join(f"k{n}: []" for n in range(MOST_ROWS + 1)), f"more than {MOST_ROWS} keys"),
        ("[" + "1," * (MOST_ROWS + 1), f"line 1: it has more than {MOST_ROWS} rows"),
        ("- [" + "[]," * (MOST_ROWS + 1), rf"line 1, [0]: it has more than {MOST_ROWS} rows"),
        ("- " * (DEEPEST + 1) + "a", f"line 1: nested more than {DEEPEST} deep"),
        ("{a: " * 500, f"line 1: nested more than {DEEPEST} deep"),
        ("? " * 100_000, "line 1: a key that is not a word"),
        ("- &a 1\n- *a\n- b\n- c", "line 2: an alias"),
        ("&a b: 1\n*a : 2", "line 2: an alias"),
        ("- a: 1\n  b: 2\n  a: 3", "line 1, [0]: a stands twice in one object"),
        ("---\na\n---\nb", "line 3: another document begins here"),
        ("%TAG !a! b\n" * (MOST_DIRECTIVES + 1), f"%TAG more than {MOST_DIRECTIVES} times"),
    ],
)
def test_what_is_too_much_is_refused_where_it_stands(text: str, why: str) -> None:
    """With its line, and its path where it has one; nothing behind it is read."""
    assert why in refused(text + BROKEN)


def test_all_values_are_counted_however_they_are_spread() -> None:
    """Rows within their bound and lists within theirs hold too much together."""
    row = f"- [{'1,' * 99}1]\n"
    with pytest.raises(FileRefused, match="line 10: it has more than 1000 values"):
        YamlText("b.yaml", most_values=1_000).content(row * 20 + BROKEN)
    assert YamlText("b.yaml").most_values == MOST_VALUES


def test_what_is_within_every_bound_is_read() -> None:
    """As deep, as wide and as long as may be; a cell that is too long is its row's matter."""
    row = f"- model: {'x' * (LONGEST_CELL + 1)}\n{fields(MOST_COLUMNS - 1)}"
    (read,) = read_table("b.yaml", row.encode()).rows
    assert len(read.cells) == MOST_COLUMNS
    assert read.problem is not None
    assert f"at most {LONGEST_CELL}" in read.problem
    assert YamlText("b.yaml").content("- " * DEEPEST + "a") is not None
    assert YamlText("b.yaml").content("%TAG !a! b\n--- {c: !a!d e}") == {"c": "e"}


def test_a_cell_of_a_million_characters_is_refused_as_a_row() -> None:
    """In whatever way it is written."""
    size = 1_000_000
    for written in ("y" * size, '"' + "\\x41" * size + '"', "|\n" + "    y\n" * size):
        (row,) = read_table("b.yaml", f"- model: {written}\n  score: 1\n".encode()).rows
        assert row.problem is not None
        assert "model has " in row.problem


def test_a_card_may_say_more_beside_its_results_than_a_table_has_columns() -> None:
    """Such as the name of each of 1,500 labels."""
    index = "model-index:\n- name: Alpha\n  results:\n  - dataset: {type: reeds}\n"
    metrics = "    metrics: [{type: accuracy, value: 1}]\n"
    card = f"---\nlabels:\n{fields(1_500)}{index}{metrics}---\n"
    (sheets,) = [list(MODEL_INDEX.sheets(candidate("README.md", card), Asked(now=NOW)))]
    assert [sheet.benchmark for sheet in sheets] == ["reeds"]


def test_what_is_folded_is_what_the_library_builds() -> None:
    """Texts as they stand in any style, plain nothing as nothing, and the line of each part."""
    text = """# a board
- {a: 1.50, "b": '~', c: ~, d: , e: null}
- a: >
    two
    lines
  b: |
    kept
  c: [x, [y, {z: "\\u00e9"}]]
"""
    document = yaml_document("b.yaml", text)
    built = yaml.load(text, Loader=yaml.CBaseLoader)  # noqa: S506 (texts alone)
    built[0].update(c=None, d=None, e=None)
    assert document.content == built
    assert (document.line("[0]"), document.line("[1].b"), document.line("[1].c[1][1].z")) == (
        2,
        6,
        8,
    )
