"""Tables that are broken, too much, or made to do harm."""

from contextlib import suppress

import pytest

from ledger.errors import FileRefused
from ledger.importing.formats.grids import grids_in
from ledger.importing.formats.spreadsheet import MOST_UNPACKED
from ledger.importing.limits import LONGEST_LINE, MOST_COLUMNS, MOST_ROWS
from tests.ledger.formats.broken import JUNK, candidate
from tests.ledger.formats.pond import read, table
from tests.ledger.formats.workbooks import bomb, with_part, workbook


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
