"""A frozen source as a reviewer looks at it: inert, bounded, with the quoted passage marked.

Text, JSON and YAML show as lines, a web page as its text, a table as a table, a PDF as pictures of
its pages. Bytes come from the archive by their digest, which is checked there. Whatever cannot be
shown can still be downloaded.
"""

import csv
import io
import re
from collections.abc import Iterator, Sequence
from itertools import islice

import attrs

from ledger.archive import Archive
from ledger.errors import NotFound
from ledger.values import Digest
from web.frozen.inert import text_of
from web.frozen.passage import NOTHING, Excerpt, Piece, Quoted, choose, excerpt, pieces
from web.frozen.pdf_pages import NoPages, pages_of

LARGEST_TEXT = 8_000_000
LARGEST_INDENTED = 1_000_000
LONG_LINE = 300
MOST_ROWS = 50_000
MOST_COLUMNS = 30
LONGEST_CELL = 200
PAGES_SHOWN = 3

HTML = ("text/html", "application/xhtml+xml")
TABLES = {"text/csv": ",", "text/tab-separated-values": "\t"}


@attrs.frozen
class Row:
    """One row of a table, counted from 1 for the header; ``skipped`` rows before it do not show."""

    number: int
    skipped: int
    cells: tuple[tuple[Piece, ...], ...]
    passage: bool


@attrs.frozen
class Table:
    """What is shown of a table."""

    header: tuple[str, ...]
    rows: tuple[Row, ...]
    total: int
    found: str
    columns_left_out: int


@attrs.frozen
class Pages:
    """What is shown of a PDF: pages counted from 1, and those that have the passage."""

    count: int
    shown: tuple[int, ...]
    with_passage: tuple[int, ...]
    texts: tuple[Excerpt, ...]

    @property
    def found(self) -> str:
        """What there is of the passage on the first page that is shown."""
        return self.texts[0].found if self.texts else NOTHING


@attrs.frozen(kw_only=True)
class Look:
    """A snapshot as it is shown; exactly one of the last four is there."""

    digest: str
    media_type: str
    size: int
    how: str
    text: Excerpt | None = None
    table: Table | None = None
    pages: Pages | None = None
    problem: str | None = None

    @property
    def found(self) -> str:
        """What there is of the passage: both, number, name or nothing."""
        shown = self.text or self.table or self.pages
        return NOTHING if shown is None else shown.found


def look_at(
    archive: Archive,
    digest: Digest,
    media_type: str,
    quoted: Quoted | None = None,
    page: int | None = None,
) -> Look:
    """A frozen source with the passage marked; of a PDF the page that was asked for (from 1)."""
    try:
        if _is_too_much(archive, digest):
            size = archive.size(digest)
            return Look(digest=digest, media_type=media_type, size=size, how="", problem=TOO_MUCH)
        data = archive.get(digest)
    except NotFound:
        return Look(digest=digest, media_type=media_type, size=0, how="", problem=NOT_HERE)
    kind = media_type.partition(";")[0].strip().lower()
    about = Look(digest=digest, media_type=media_type, size=len(data), how="")
    if kind == "application/pdf" or data.startswith(b"%PDF-"):
        return _pages(about, archive, quoted, page)
    text = _decoded(data)
    if text is None:
        return attrs.evolve(about, problem="It is neither text nor a PDF.")
    if kind in HTML:
        return attrs.evolve(about, how=AS_PAGE, text=excerpt(text_of(text), quoted))
    table = _table(text, TABLES[kind], quoted) if kind in TABLES else None
    if table is not None:
        return attrs.evolve(about, how=AS_TABLE, table=table)
    lines = text.splitlines()
    if kind.endswith("json") and len(text) <= LARGEST_INDENTED and _is_dense(lines):
        return attrs.evolve(about, how=AS_JSON, text=excerpt(indented(text), quoted))
    return attrs.evolve(about, how=AS_TEXT, text=excerpt(lines, quoted))


def _is_too_much(archive: Archive, digest: Digest) -> bool:
    """Whether it is a text that nobody could look through, and would fill the memory."""
    if archive.size(digest) <= LARGEST_TEXT:
        return False
    with archive.open(digest) as file:
        return not file.read(5).startswith(b"%PDF-")


TOO_MUCH = f"It has more than {LARGEST_TEXT:,} bytes."
NOT_HERE = "Its bytes are not in the archive of this machine."
AS_TEXT = "Shown as it is, line by line."
AS_PAGE = "The text of the page, without its scripts, styles and pictures; a table row is one line."
AS_TABLE = "The rows of the file, as it was frozen."
AS_JSON = "The same values and digits, with line breaks put in for reading."
AS_PAGES = "Pictures of the pages, made here; nothing of the file runs."


def _decoded(data: bytes) -> str | None:
    """The text, where it is any; a byte that is none shows as a sign for that."""
    if b"\x00" in data[:10_000]:
        return None
    return data.decode("utf-8-sig", errors="replace")


# --- tables -----------------------------------------------------------------------------------


def _table(text: str, delimiter: str, quoted: Quoted | None) -> Table | None:
    """The table; ``None`` where the text is none."""
    reader = csv.reader(io.StringIO(text), delimiter=delimiter)
    try:
        found = [row for row in islice(reader, MOST_ROWS) if row]
    except csv.Error:
        return None
    if not found:
        return None
    header, *rows = found
    choice = choose([" | ".join(row) for row in rows], quoted)
    return Table(
        header=tuple(cell[:LONGEST_CELL] for cell in header[:MOST_COLUMNS]),
        rows=tuple(_rows(rows, choice.wanted, choice.hits, quoted)),
        total=len(rows),
        found=choice.found,
        columns_left_out=max(0, len(header) - MOST_COLUMNS),
    )


def _rows(
    rows: Sequence[Sequence[str]],
    wanted: Sequence[int],
    hits: frozenset[int],
    quoted: Quoted | None,
) -> Iterator[Row]:
    end = 0
    for index in wanted:
        marked = quoted if index in hits else None
        cells = (cell[:LONGEST_CELL] for cell in rows[index][:MOST_COLUMNS])
        shown = tuple(pieces(cell, marked) if marked else (Piece(cell),) for cell in cells)
        yield Row(index + 2, index - end, shown, index in hits)
        end = index + 1


# --- JSON -------------------------------------------------------------------------------------

_PARTS = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+|"', re.DOTALL)
_OPEN, _CLOSE = frozenset("{["), frozenset("}]")
DEEPEST = 40


def _is_dense(lines: Sequence[str]) -> bool:
    return any(len(line) > LONG_LINE for line in lines)


def indented(text: str) -> list[str]:
    """JSON with each value on a line of its own; values keep their digits, as nothing is parsed."""
    lines, line, depth = list[str](), "", 0
    for part in _PARTS.findall(text):
        if part in _CLOSE:
            depth = max(0, depth - 1)
            lines.append(line)
            line = "  " * min(depth, DEEPEST) + part
        elif part in _OPEN or part == ",":
            depth += part in _OPEN
            lines.append(line + part)
            line = "  " * min(depth, DEEPEST)
        else:
            line += ": " if part == ":" else part
    return [one for one in (*lines, line) if one.strip()]


# --- PDF --------------------------------------------------------------------------------------


def _pages(about: Look, archive: Archive, quoted: Quoted | None, page: int | None) -> Look:
    try:
        found = pages_of(archive, Digest(about.digest))
    except NoPages as no:
        return attrs.evolve(about, problem=str(no))
    with_passage = found.with_passage(quoted) if quoted else []
    if page is not None and 1 <= page <= found.count:
        shown = [page - 1]
    else:
        shown = (with_passage or list(range(found.count)))[:PAGES_SHOWN]
    texts = [found.texts[one] if one < len(found.texts) else "" for one in shown]
    pages = Pages(
        found.count,
        tuple(one + 1 for one in shown),
        tuple(one + 1 for one in with_passage),
        tuple(excerpt(text.splitlines(), quoted) for text in texts),
    )
    return attrs.evolve(about, how=AS_PAGES, pages=pages)
