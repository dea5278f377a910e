"""A board as CSV: complete, exact, and harmless in a spreadsheet."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.web.corrigenda import Toy
from web.csv_forms import BOARD_COLUMNS, safe


def rows(toy: Toy, *words: str) -> list[dict[str, str]]:
    """The board of January as a spreadsheet reads it."""
    text = toy.corrigenda.done("board", "toy", "--as-read-on", "2025-02-07", "--csv", *words)
    return list(csv.DictReader(io.StringIO(text, newline="")))


def test_the_columns_are_those_that_scripts_know(toy: Toy) -> None:
    """In this order, and no cell more or less."""
    text = toy.corrigenda.done("board", "toy", "--csv")
    assert text.splitlines()[0] == (
        "rank,model,version,lab,score,unit,published_on,source,source_kind,key,as_written,"
        "claim_id,tied,metric,split,setting,marks,benchmark,benchmark_name,metric_name,better,"
        "source_name,date,url,passed,completed,total,read_at,released"
    )
    assert tuple(rows(toy)[0]) == BOARD_COLUMNS


def test_the_rows_say_what_the_board_says(toy: Toy) -> None:
    """Ranks, digits as written, dates as precise as they were given, and ties."""
    first, second = rows(toy)[:2]
    assert (first["rank"], first["model"], first["score"], first["unit"]) == (
        "1",
        "Alpha",
        "72.50",
        "%",
    )
    assert (first["published_on"], first["tied"]) == ("2025-01", "true")
    assert (second["model"], second["score"], second["lab"]) == ("Gamma", "72.5", "Lab B")
    assert first["claim_id"] == toy.claim("Alpha")
    assert (first["source"], first["source_kind"]) == ("toy-board", "official-leaderboard")
    assert first["marks"] == "added to the ledger later"


def test_no_cell_is_a_formula_and_numbers_stay_numbers(toy: Toy) -> None:
    """A model called =SUM(A1) of a lab called @lab with -3 points."""
    last = rows(toy)[-1]
    assert (last["model"], last["key"]) == ("'=SUM(A1)", "'=SUM(A1)")
    assert last["lab"] == "'@lab"
    assert last["score"] == "-3"


@pytest.mark.parametrize("cell", ["=1+1", "+SUM(A1)", "-1+1", "@A1", "\t=1", "\r=1", "-", "+"])
def test_what_a_spreadsheet_would_run_gets_an_apostrophe(cell: str) -> None:
    """Each of the characters that begin a formula somewhere."""
    assert safe(cell) == f"'{cell}"


@pytest.mark.parametrize("cell", ["-3", "+4.5", "-1e-5", "-1,234.50", "72.50", "Alpha", "", "a=b"])
def test_plain_numbers_and_words_stay_as_they_are(cell: str) -> None:
    """A score below zero is a number, not a formula."""
    assert safe(cell) == cell


@given(st.text())
def test_whatever_is_written_can_be_read_back_and_is_no_formula(cell: str) -> None:
    """Nothing but the apostrophe is added, for any text at all."""
    written = safe(cell)
    assert written in (cell, f"'{cell}")
    if written.startswith(("=", "@", "\t", "\r", "+", "-")):
        float(written.replace(",", ""))
