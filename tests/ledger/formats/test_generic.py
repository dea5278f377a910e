"""Tables of any shape: the same numbers whatever they are kept in, by a mapping and no guess."""

from contextlib import suppress
from datetime import datetime
from decimal import Decimal

import attrs
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from ledger.errors import FileRefused
from ledger.importing.board import BoardFile
from ledger.importing.formats.drafting import drafted
from ledger.importing.formats.every import NoFormatKnows, SeveralFormatsClaim, chosen, named
from ledger.importing.formats.format import Asked, Candidate
from ledger.importing.formats.generic import TABLE, NoMapping, Table
from ledger.importing.formats.grids import MOST_COLUMNS, grids_in
from ledger.importing.formats.mapping import read_mapping
from ledger.importing.formats.safe_cells import given_back
from ledger.importing.formats.spreadsheet import MOST_UNPACKED, plain
from ledger.importing.limits import LONGEST_LINE, MOST_ROWS
from ledger.values import Score, Slug
from projections.board.benchmarks import Rule
from projections.board.boards import comparable
from tests.ledger.formats.broken import JUNK, NOW, board, candidate
from tests.ledger.formats.workbooks import bomb, with_part, workbook
from web.csv_forms import safe

MAPPING = """\
mapping: corrigenda-mapping/1
source: pond
benchmark: reeds
whole: true
model: Model
key: [Model, Shots]
date: Date
lab: Lab
nothing: ["-"]
metrics:
  - {column: MMLU, unit: "%"}
  - {column: Speed, name: Time, unit: s, lower-is-better: true, split: all}
"""
HEADER = ("Model", "Shots", "MMLU", "Speed", "Date", "Lab", "Remark")
ROWS = (
    ("Heron-7B", "0", "72.50", "-", "2025-01", "Lab A", "fine"),
    ("Heron-7B", "5", "73", "1.5", "2025-01-02", "Lab A", ""),
    ("Ibis-13B", "0", "0.1234567890123456789", "2", "", "", ""),
)


def table(text: str = MAPPING) -> Table:
    return Table(read_mapping("m.yaml", text.encode()))


def delimited(sign: str) -> str:
    return "".join(f"{sign.join(row)}\n" for row in (HEADER, *ROWS))


def as_objects() -> list[dict[str, str]]:
    return [{name: cell for name, cell in zip(HEADER, row, strict=True) if cell} for row in ROWS]


def as_json() -> str:
    def cell(text: str) -> str:
        is_number = text.replace(".", "").isdigit() and text != "0" and "-" not in text
        return text if is_number else f'"{text}"'

    rows = (", ".join(f'"{k}": {cell(v)}' for k, v in one.items()) for one in as_objects())
    return "[" + ",\n".join(f"{{{row}}}" for row in rows) + "]"


def as_markdown() -> str:
    rows = [HEADER, tuple("---" for _ in HEADER), *ROWS]
    lines = ("| " + " | ".join(f"**{c}**" if c == "73" else c for c in row) + " |" for row in rows)
    return "# Results\n\n" + "\n".join(lines) + "\n\nThat is all.\n"


def as_yaml() -> str:
    rows = (
        ", ".join(f"{k}: {v!r}" if v == "-" else f"{k}: {v}" for k, v in one.items())
        for one in as_objects()
    )
    return "".join(f"- {{{row}}}\n" for row in rows)


KEPT_IN = {
    "b.csv": delimited(","),
    "b.tsv": delimited("\t"),
    "b.json": as_json(),
    "b.yaml": as_yaml(),
    "b.md": as_markdown(),
}


def read(form: Table, file: Candidate) -> BoardFile:
    said = Asked(now=NOW)
    (sheet,) = form.sheets(file, said)
    made, _ = board(form, sheet, file, said)
    return made


def numbers(found: BoardFile) -> dict[tuple[str, str, str | None], str]:
    return {
        (key, found.metric_names[says.metric], says.split): says.score.text
        for key, statements in found.statements.items()
        for says in statements
    }


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


# --- mappings ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("whole: true", 'whole: "?"', "line 4, whole"),
        ("whole: true", "whole: yes", "true or false"),
        ('MMLU, unit: "%"', 'MMLU, unit: "?"', r"metrics\[0\].unit"),
        ('MMLU, unit: "%"', "MMLU", "has no unit"),
        ('MMLU, unit: "%"', "MMLU, unit: furlongs", "furlongs"),
        ("corrigenda-mapping/1", "corrigenda-mapping/2", "corrigenda-mapping/1"),
        ("lab: Lab", "labs: Lab", "nothing is called labs"),
        ("lab: Lab", "score: Lab", "either"),
        ("source: pond", "source: The Pond", "source"),
        ("key: [Model, Shots]", "key: {a: b}", "key"),
        ("model: Model", "model: &x Model", "alias|Model"),
        ("date: Date", "date: Date\ndate: Lab", "twice"),
        ("model: Model", "model: null", "model has to be text"),
    ],
)
def test_a_mapping_that_is_not_decided_or_wrong_is_refused(old: str, new: str, why: str) -> None:
    """With its line and its field; all that is open at once."""
    assert old in MAPPING
    if "&x" in new:
        new = f"{new}\nurl: *x"
    with pytest.raises(FileRefused, match=why):
        table(MAPPING.replace(old, new))


def test_a_mapping_names_columns_that_are_there() -> None:
    """A column that is gone is not taken for one without numbers."""
    with pytest.raises(FileRefused, match="no column Speed"):
        read(table(), candidate("b.csv", "Model,Shots,MMLU,Date,Lab\nHeron,0,1,,\n"))


def test_a_table_without_a_mapping_is_not_read() -> None:
    """A first run drafts one; and no table is ever known by itself."""
    with pytest.raises(NoMapping):
        read(TABLE, candidate("b.csv", delimited(",")))
    assert TABLE.known_by(candidate("b.csv", delimited(","))) is None


@pytest.mark.parametrize("name", list(KEPT_IN))
def test_a_draft_says_what_is_guessed_and_open_and_is_a_mapping_once_decided(name: str) -> None:
    """In whatever the table is kept."""
    file = candidate(name, KEPT_IN[name])
    draft = drafted(file, Asked(source="pond", benchmark="reeds", now=NOW))
    assert any("key" in one and "Heron-7B" in one for one in draft.undecided)
    assert any("MMLU" in one for one in draft.undecided)
    with pytest.raises(FileRefused, match="still says"):
        table(draft.text)
    content = yaml.safe_load(draft.text)
    content |= {"whole": "true", "key": ["Model", "Shots"]}
    content["metrics"] = [
        {"column": one["column"], "unit": "%"}
        for one in content["metrics"]
        if one["column"] in ("MMLU", "Speed")
    ]
    made = read(table(yaml.safe_dump(content)), file)
    assert len(numbers(made)) == 5
    assert made.statements["Heron-7B | 0"][0].lab == "Lab A"


def test_a_draft_takes_a_percent_sign_for_what_it_is_and_guesses_no_unit_from_size() -> None:
    """0.57 may be a fraction or a little over half a percent."""
    text = "Model,A,B,C (%)\nHeron,57%,0.57,1\nIbis,5%,0.6,2\n"
    draft = drafted(candidate("b.csv", text), Asked(now=NOW))
    units = {one["column"]: one["unit"] for one in yaml.safe_load(draft.text)["metrics"]}
    assert units == {"A": "%", "B": "?", "C (%)": "%"}


# --- what is hostile, or broken ---------------------------------------------------------------


@pytest.mark.parametrize("name", ["b.csv", "b.tsv", "b.json", "b.yaml", "b.md", "b.xlsx"])
def test_junk_is_refused_and_raises_nothing_else(name: str) -> None:
    """Whatever its name says it is."""
    for data in JUNK:
        with suppress(FileRefused):
            assert read(table(), candidate(name, data)).statements == {}
        with pytest.raises(FileRefused):
            table(data.decode("latin-1"))


@pytest.mark.parametrize(
    ("name", "data", "why"),
    [
        ("b.yaml", "[" * 100 + "]" * 100, "deep"),
        ("b.json", "[" * 100_000, "deep"),
        ("b.yaml", "a: &a [1]\nb: *a\n", "alias"),
        ("b.md", "|a|\n|-|\n|" + "x" * LONGEST_LINE + "|\n", "characters"),
        ("b.md", "|a|\n|-|\n" + "|1|\n" * (MOST_ROWS + 1), "rows"),
        ("b.csv", "a\n" + "1\n" * (MOST_ROWS + 1), "rows"),
        ("b.csv", ",".join(f"c{n}" for n in range(MOST_COLUMNS + 1)), "columns"),
        ("b.csv", "a,a\n1,2\n", "two columns"),
        ("b.csv", "a,,b\n1,2,3\n", "column 2 has no name"),
        ("b.csv", 'a,b\n"1,2\n', "line"),
        ("b.xlsx", b"PK\x03\x04nothing", "workbook"),
        ("b.xlsx", bomb(MOST_UNPACKED + (1 << 20)), "unpacks to"),
        ("b.csv", "Mod\xe8le,a\n".encode("latin-1"), "UTF-8"),
    ],
)
def test_what_is_too_much_is_refused_with_the_reason(
    name: str, data: str | bytes, why: str
) -> None:
    """Before it is built."""
    with pytest.raises(FileRefused, match=why):
        grids_in(candidate(name, data))


@pytest.mark.parametrize(
    ("part", "old", "new"),
    [
        ("xl/worksheets/sheet1.xml", b"<sheetData>", b"<sheetData><oops"),
        ("xl/worksheets/sheet1.xml", b'r="A1"', b'r="A0"'),
        ("xl/worksheets/sheet1.xml", b'<row r="2"', b'<row r="x"'),
        ("xl/worksheets/sheet1.xml", b'<row r="2"', b'<row r="1048576"'),
        ("xl/worksheets/sheet1.xml", b'r="B2"', b'r="XFD2"'),
        ("xl/worksheets/sheet1.xml", b"<v>1</v>", b"<v>99</v>"),
        ("xl/worksheets/sheet1.xml", b"<v>1</v>", b"<v>" + b"9" * 5000 + b"</v>"),
        ("xl/workbook.xml", b"<sheets>", b"<oops>"),
    ],
)
def test_a_workbook_that_was_tampered_with_is_refused(part: str, old: bytes, new: bytes) -> None:
    """Rows beyond the sheet, cells beyond the limits, parts that are no XML."""
    whole = workbook(("Model", "A"), ("Heron", 1), ("Ibis", 2))

    def change(content: bytes) -> bytes:
        assert old in content
        return content.replace(old, new)

    try:
        found = grids_in(candidate("b.xlsx", with_part(whole, part, change)))
    except FileRefused:
        return
    assert len(found[0].rows) <= 2, "what could be read is what stands there"


def test_entities_in_a_workbook_are_refused() -> None:
    """They could unfold to gigabytes, or read a file of this machine."""

    def change(content: bytes) -> bytes:
        start = b'<!DOCTYPE x [<!ENTITY a "b"><!ENTITY f SYSTEM "file:///etc/passwd">]>'
        return start + content.partition(b"?>")[2] if b"?>" in content else start + content

    data = with_part(workbook(("Model", "A"), ("Heron", 1)), "xl/worksheets/sheet1.xml", change)
    with pytest.raises(FileRefused, match="not an Excel workbook"):
        grids_in(candidate("b.xlsx", data))


# --- which format -----------------------------------------------------------------------------


def test_nobody_guesses_between_formats() -> None:
    """None, or several: it is said which look for what, and which claim it."""
    with pytest.raises(NoFormatKnows, match="--format NAME"):
        chosen(candidate("b.csv", "a,b\n1,2\n"))
    assert chosen(candidate("b.csv", "model,score\n")).format.name == "snapshot"
    assert chosen(candidate("b.csv", "a,b\n"), "table").format is TABLE
    assert named("table") is TABLE
    assert "x.csv: a claims it (b)" in str(
        SeveralFormatsClaim(file="x.csv", claims="a claims it (b)")
    )
