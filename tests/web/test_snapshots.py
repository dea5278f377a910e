"""Frozen sources as reviewers look at them: inert, bounded, with the quoted passage marked."""

from pathlib import Path

import orjson
import pytest

from ledger.archive import Archive
from ledger.values import Digest
from tests.web.reviewing import pdf_with
from web.frozen import snapshots
from web.frozen.inert import text_of
from web.frozen.passage import (
    BOTH,
    NAME,
    NOTHING,
    NUMBER,
    Excerpt,
    Quoted,
    excerpt,
    number_spans,
    pieces,
)
from web.frozen.pdf_pages import NoPages, pages_of, picture_of
from web.frozen.snapshots import Look, indented, look_at

HERON = Quoted("Heron-7B", "72.5")


@pytest.fixture
def archive(tmp_path: Path) -> Archive:
    """An empty archive."""
    return Archive(tmp_path)


def look(archive: Archive, data: bytes, media_type: str, quoted: Quoted | None = HERON) -> Look:
    """Freeze some bytes and look at them."""
    return look_at(archive, archive.put(data), media_type, quoted)


def marked(found: Excerpt) -> list[str]:
    """What is marked in the lines that are shown."""
    return [
        piece.text
        for part in found.parts
        for line in part.lines
        for piece in line.pieces
        if piece.mark
    ]


# --- the passage ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "there"),
    [
        ("72.5", True),
        ("Heron-7B | 72.5%", True),
        ("(72.5)", True),
        ("72.5.", True),
        ("72.5, 80", True),
        ("172.5", False),
        ("72.51", False),
        ("1,72.5", False),
        ("72.5.1", False),
        ("72.5,000", False),
    ],
)
def test_a_number_is_found_only_where_it_stands_by_itself(line: str, there: bool) -> None:
    """72.5 is neither in 172.5 nor in 72.51."""
    assert bool(number_spans(line, "72.5")) is there


@pytest.mark.parametrize(
    ("lines", "found", "marks"),
    [
        (["Ibis 72.5", "Heron-7B 72.5", "Heron-7B 80"], BOTH, ["Heron-7B", "72.5"]),
        (["heron-7b: 72.5"], BOTH, ["heron-7b", "72.5"]),
        (["Heron-7B", *["-"] * 9, "72.5"], BOTH, ["Heron-7B", "72.5"]),
        (["Heron-7B", *["-"] * 40, "72.5"], NUMBER, ["72.5"]),
        (["Heron-7B 80"], NAME, ["Heron-7B"]),
        (["Ibis 80"], NOTHING, []),
    ],
)
def test_the_best_passage_has_both(lines: list[str], found: str, marks: list[str]) -> None:
    """The name and the digits on one line, else near each other, else what there is."""
    shown = excerpt(lines, HERON)
    assert (shown.found, marked(shown)) == (found, marks)


def test_only_the_lines_around_the_passage_show(archive: Archive) -> None:
    """How many are left out is said; line numbers are those of the file."""
    text = "\n".join(["x"] * 500 + ["Heron-7B 72.5"] + ["x"] * 500)
    shown = look(archive, text.encode(), "text/plain").text
    assert shown is not None
    (part,) = shown.parts
    assert (part.skipped, part.lines[8].number, len(part.lines)) == (492, 501, 17)
    assert (shown.total, shown.skipped_after) == (1001, 492)


def test_a_long_line_shows_around_the_number(archive: Archive) -> None:
    """A minified page is one line of a megabyte."""
    text = "x" * 500_000 + " Heron-7B 72.5 " + "x" * 500_000
    shown = look(archive, text.encode(), "text/plain").text
    assert shown is not None
    (line,) = shown.parts[0].lines
    assert line.cut
    assert sum(len(piece.text) for piece in line.pieces) <= 1_000
    assert marked(shown) == ["Heron-7B", "72.5"]


def test_a_name_with_the_number_in_it_is_marked_once() -> None:
    """GPT-72.5 stays whole."""
    found = pieces("GPT-72.5 has 72.5", Quoted("GPT-72.5", "72.5"))
    assert [(piece.text, piece.mark) for piece in found] == [
        ("GPT-72.5", True),
        (" has ", False),
        ("72.5", True),
    ]


# --- kinds ------------------------------------------------------------------------------------


def test_a_table_shows_as_a_table(archive: Archive) -> None:
    """The row is marked, cell by cell; quoted line ends stay in their cell."""
    rows = ["Ibis,80,", 'Heron-7B,72.5,"two\nlines"'] + ["x,1,"] * 100
    shown = look(archive, "\n".join(["model,score,note", *rows]).encode(), "text/csv").table
    assert shown is not None
    assert (shown.header, shown.total, shown.found) == (("model", "score", "note"), 102, BOTH)
    (row,) = (row for row in shown.rows if row.passage)
    assert row.number == 3
    assert [piece.text for cell in row.cells for piece in cell if piece.mark] == [
        "Heron-7B",
        "72.5",
    ]


def test_a_web_page_is_its_text_and_nothing_that_runs(archive: Archive) -> None:
    """No script, no style, no comment; a table row is one line; entities are letters."""
    page = b"""<!doctype html><html><head><title>T</title><style>p{}</style></head><body
    onload="x()"><script>steal('72.5')</script><!-- 72.5 --><h1>Results &amp; more</h1>
    <table><tr><th>Model</th><th>Score</th></tr>
    <tr><td>Heron-7B</td>
        <td><b>72.5</b></td></tr></table><p>1 &lt; 2 and a < b</p><pre>a
b</pre></body></html>"""
    shown = look(archive, page, "text/html; charset=utf-8").text
    assert shown is not None
    lines = ["".join(piece.text for piece in line.pieces) for line in shown.parts[0].lines]
    assert lines == [
        "Results & more",
        "Model | Score",
        "Heron-7B | 72.5",
        "1 < 2 and a < b",
        "a",
        "b",
    ]
    assert marked(shown) == ["Heron-7B", "72.5"]


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    "page", ["<" * 400_000, "<script>" * 50_000, "<!--" * 100_000, "<td" * 100_000, "&lt" * 100_000]
)
def test_no_page_takes_long_to_read(page: str) -> None:
    """One pass, whatever was left open."""
    assert all(isinstance(line, str) for line in text_of(page))


def test_dense_json_gets_lines_and_keeps_its_digits(archive: Archive) -> None:
    """Nothing is parsed, so 72.50 stays 72.50 and a brace in a text is no level."""
    document = {"rows": [{"model": "Heron-7B", "note": 'a "{" in it'}] * 20}
    data = orjson.dumps(document).replace(b'in it"', b'in it","score":72.50')
    found = look(archive, data, "application/json", Quoted("Heron-7B", "72.50"))
    assert found.how == snapshots.AS_JSON
    assert found.text is not None
    assert found.text.found == BOTH
    assert "72.50" in marked(found.text)
    assert orjson.loads("".join(indented(data.decode()))) == orjson.loads(data)


def test_a_short_text_that_is_no_table_shows_as_text(archive: Archive) -> None:
    """A broken table, YAML, JSON Lines: line by line."""
    for data, kind in (
        (b"model: Heron-7B\nscore: 72.5\n", "application/yaml"),
        (b'{"name":"Heron-7B","score":"72.5"}\n', "application/x-ndjson"),
        (b'"' + b"x" * 200_000, "text/csv"),
    ):
        assert look(archive, data, kind).how == snapshots.AS_TEXT


@pytest.mark.parametrize("data", [b"\x00\x01\x02" * 10, b"x" * (snapshots.LARGEST_TEXT + 1)])
def test_what_cannot_be_shown_says_so(archive: Archive, data: bytes) -> None:
    """It can still be downloaded."""
    found = look(archive, data, "application/octet-stream")
    assert found.problem
    assert found.text is None


def test_bytes_that_are_not_here_say_so(archive: Archive) -> None:
    """The archive of another machine has them."""
    assert look_at(archive, Digest("0" * 64), "text/plain").problem == snapshots.NOT_HERE


# --- PDF --------------------------------------------------------------------------------------


def test_a_pdf_shows_the_page_with_the_passage(archive: Archive) -> None:
    """As a picture with marks, and as text beside it."""
    digest = archive.put(pdf_with("Heron-7B 72.5"))
    found = look_at(archive, digest, "application/pdf", HERON).pages
    assert found is not None
    assert (found.count, found.shown, found.with_passage, found.found) == (1, (1,), (1,), BOTH)
    marks = tuple(pages_of(archive, digest).marks(0, HERON))
    assert len(marks) == 2
    plain, with_marks = (picture_of(archive, digest, 0, given) for given in ((), marks))
    assert plain != with_marks


@pytest.mark.parametrize("data", [b"%PDF-1.4 rubbish", b"%PDF-" + b"\x00" * 100])
def test_a_broken_pdf_takes_nobody_down(archive: Archive, data: bytes) -> None:
    """It is read in a process of its own, and has no pages to show."""
    assert "cannot be read as a PDF" in str(look(archive, data, "application/pdf").problem)


def test_a_pdf_that_is_too_large_is_not_read(
    archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its size is asked for first."""
    monkeypatch.setattr("web.frozen.pdf_pages.LARGEST", 10)
    with pytest.raises(NoPages, match="more than 10 bytes"):
        pages_of(archive, archive.put(pdf_with("of its own")))
