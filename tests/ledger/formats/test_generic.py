"""Tables of any shape: the same numbers whatever they are kept in, by a mapping and no guess."""

from datetime import datetime
from decimal import Decimal

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.importing.formats.drafting import drafted
from ledger.importing.formats.format import Asked, Candidate
from ledger.importing.formats.safe_cells import given_back
from ledger.importing.formats.spreadsheet import plain
from ledger.values import Score, Slug
from projections.board.benchmarks import Rule
from projections.board.boards import comparable
from tests.ledger.formats.broken import NOW, candidate
from tests.ledger.formats.pond import HEADER, KEPT_IN, MAPPING, delimited, numbers, read, table
from tests.ledger.formats.workbooks import with_part, workbook
from web.csv_forms import safe


@pytest.mark.parametrize("name", list(KEPT_IN))
def test_the_same_table_in_every_shape_gives_the_same_claims(name: str) -> None:
    """Digits as written, a key of two columns, empty cells and dashes state nothing."""
    made = read(table(), candidate(name, KEPT_IN[name]))
    found = numbers(made)
    assert sorted(found.values()) == sorted(["72.50", "73", "1.5", "0.1234567890123456789", "2"])
    assert found["Heron-7B | 0", "MMLU", None] == "72.50"
    (heron,) = made.statements["Heron-7B | 0"]
    assert (heron.name, heron.unit, heron.lab, str(heron.published_on)) == (
        "Heron-7B",
        "%",
        "Lab A",
        "2025-01",
    )
    assert ("Remark", "fine") in heron.extra
    assert not made.refused
    assert not made.unread, "the table is whole"


def test_an_excel_workbook_gives_the_stored_values() -> None:
    """Numbers as shortly as they name what is stored, days without a time zone as days."""
    rows = (
        HEADER,
        ("Heron-7B", 0, 72.5, "-", datetime(2025, 1, 2), "Lab A", None),  # noqa: DTZ001 -- as there
        ("Ibis-13B", 0, 0.25, 2, None, None, None),
        ("Loon-3B", 0, 57, 1e-7, None, None, None),
    )
    data = with_part(
        workbook(*rows),
        "xl/worksheets/sheet1.xml",
        lambda xml: xml.replace(b"<v>0.25</v>", b"<v>0.30000000000000004</v>"),
    )
    made = read(table(), candidate("b.xlsx", data))
    assert [[says.score.text for says in one] for one in made.statements.values()] == [
        ["72.5"],
        ["0.30000000000000004", "2"],
        ["57", "1e-07"],
    ]
    assert str(made.statements["Heron-7B | 0"][0].published_on) == "2025-01-02"


@given(st.decimals(min_value=-1000, max_value=1000, places=6).map(lambda one: one.normalize()))
def test_what_was_typed_into_a_workbook_is_what_is_read(typed: Decimal) -> None:
    """No digit of binary arithmetic is added to a number of up to 15 digits."""
    assert Decimal(plain(float(typed))) == typed


def test_a_formula_without_a_result_is_a_problem_of_its_cell() -> None:
    """The row's other numbers go on, and its claim is left as it was."""
    rows = (HEADER, ("Heron-7B", 0, "=1+1", 3, None, None, None))
    made = read(table(), candidate("b.xlsx", workbook(*rows)))
    assert [(one.row, one.field) for one in made.refused] == [(1, "score")]
    assert "formula" in made.refused[0].why
    assert [says.score.text for says in made.statements["Heron-7B | 0"]] == ["3"]
    assert len(made.unread) == 1


def test_cells_shown_as_percents_are_drafted_as_the_fractions_that_are_stored() -> None:
    """Excel stores 0.571 and shows 57.1%."""

    def percents(sheet: object) -> None:
        sheet["B2"].number_format = "0.0%"  # type: ignore[index]

    data = workbook(("Model", "Score A"), ("Heron-7B", 0.571), more=percents)
    draft = drafted(Candidate.of("b.xlsx", data), Asked(now=NOW))
    assert 'unit: "fraction"' in draft.text
    assert "Score A is counted in fraction, as the table shows" in draft.guessed


def test_a_long_table_has_a_number_a_row() -> None:
    """With the unit in a column; our own words in the header of a column kept beside do no harm."""
    mapping = """\
mapping: corrigenda-mapping/1
source: pond
benchmark: reeds
whole: false
model: Name
metric: Metric
score: Value
unit-column: Unit
"""
    text = "Name,Metric,Value,Unit,split\nHeron,acc,0.57,fraction,x\nHeron,elo,1200,elo,\n"
    made = read(table(mapping), candidate("b.csv", text))
    assert sorted(numbers(made).values()) == ["0.57", "1200"]
    assert {says.unit for says in made.statements["Heron"]} == {"fraction", "elo"}
    assert {says.split for says in made.statements["Heron"]} == {None}
    assert "*" in made.unread, "what is not in the table stays"


def test_an_object_of_objects_has_a_row_for_each_name() -> None:
    """The name is a column; objects within are flat, with dots."""
    mapping = MAPPING.replace("Model\nkey: [Model, Shots]", "(name)").replace("MMLU", "scores.a")
    mapping = mapping.replace("date: Date\nlab: Lab\n", "")
    text = '{"Heron": {"scores": {"a": 1.10}}, "Ibis": {"scores": {"a": null}}}'
    made = read(table(mapping.replace("Speed", "scores.a")), candidate("b.json", text))
    assert list(numbers(made).values()) == ["1.10", "1.10"]


def test_a_table_without_rows_says_that_all_is_gone() -> None:
    """It still speaks about its metrics."""
    made = read(table(), candidate("b.csv", f"{','.join(HEADER)}\n"))
    assert len(made.metrics) == 2
    assert made.statements == {}


# --- units and numbers ------------------------------------------------------------------------


@given(
    st.decimals(min_value=0, max_value=1, allow_nan=False, places=8),
    st.integers(min_value=0, max_value=8),
)
def test_a_fraction_is_exactly_so_many_percent(share: Decimal, places: int) -> None:
    """0.57 as a fraction is 57.00 %: no digit more or less, whatever the digits."""
    written = f"{share:.{places}f}"
    rule = Rule(
        metric=Slug("m"),
        name="m",
        unit="%",
        higher_is_better=True,
        splits=None,
        combine="best",
        decimals=2,
        headline=True,
        known_from="2025-01-01T00:00:00.000000Z",
        ordinal=0,
    )
    text = f"Model,Shots,MMLU,Speed,Date,Lab\nHeron,,{written},,,\n"
    mapping = MAPPING.replace('MMLU, unit: "%"', "MMLU, unit: fraction")
    made = read(table(mapping), candidate("b.csv", text))
    (says,) = made.statements["Heron |"]
    row = _Row(says.score, says.unit)
    assert says.score.text == written
    assert comparable(row, rule) == Decimal(written).scaleb(2)  # type: ignore[arg-type]


@attrs.frozen
class _Row:
    score: Score
    unit: str | None


@pytest.mark.parametrize(
    ("cell", "unit", "decimal", "digits"),
    [
        ("57.10%", "%", ".", "57.10"),
        ("57.10 %", "%", ".", "57.10"),
        ("57.10%", "fraction", ".", None),
        ("57.1 ± 0.3", "%", ".", None),
        ("0,571", "fraction", ".", None),
        ("0,571", "fraction", ",", "0.571"),
        ("1.234,50", "points", ",", "1234.50"),
        ("3,471", "elo", ".", "3,471"),
        ("NaN", "%", ".", None),
        ("Infinity", "%", ".", None),
        ("1e999", "%", ".", None),
        ("true", "%", ".", None),
    ],
)
def test_a_cell_is_a_number_of_its_unit_or_a_refused_row(
    cell: str, unit: str, decimal: str, digits: str | None
) -> None:
    """Percent signs and commas are taken as the mapping says, and otherwise refused."""
    mapping = MAPPING.replace('MMLU, unit: "%"', f'MMLU, unit: "{unit}"')
    text = f"Model\tShots\tMMLU\tSpeed\tDate\tLab\nHeron\t\t{cell}\t\t\t\nIbis\t\t5\t\t\t\n"
    made = read(table(f'{mapping}decimal: "{decimal}"\n'), candidate("b.tsv", text))
    assert [one.field for one in made.refused] == ([] if digits else ["score"])
    found = [says.score.text for says in made.statements.get("Heron |", ())]
    assert found == ([digits] if digits else [])
    assert made.statements["Ibis |"][0].score.text == "5"


# --- names ------------------------------------------------------------------------------------


@given(st.text())
def test_what_our_csv_made_safe_is_given_back(cell: str) -> None:
    """Any text at all."""
    assert given_back(safe(cell)) == cell


def test_apostrophes_of_a_spreadsheet_are_given_back_where_the_mapping_says_so() -> None:
    """A model called =SUM(A1) keeps its name; without the mapping's word nothing is taken off."""
    text = "Model,Shots,MMLU,Speed,Date,Lab\n'=SUM(A1),0,1,,,\n"
    for word, name in (("given back", "=SUM(A1)"), ("kept", "'=SUM(A1)")):
        made = read(table(f"{MAPPING}apostrophes: {word}\n"), candidate("b.csv", text))
        assert [one.name for rows in made.statements.values() for one in rows] == [name]


def test_rows_that_cannot_be_told_apart_are_refused() -> None:
    """Which of two numbers is right is not guessed, also within one metric of a wide table."""
    text = delimited(",") + "Heron-7B,0,71,,,,\n"
    made = read(table(), candidate("b.csv", text))
    assert {one.row for one in made.refused} == {1, 4}
