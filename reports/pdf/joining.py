"""Printed pieces joined into one PDF, tags, bookmarks and all, with no more than one in memory.

Every piece keeps its objects under numbers shifted by those before it. What a document has once is
made anew: the page tree (each piece's own hangs in it), the list of bookmarks, the structure tree
(each piece is a part of the document) and its parent tree, whose keys are shifted too. Catalog,
metadata and attachments are those of the first piece. If we crash here, the file is not there yet:
it gets its name when it is whole.
"""

import re
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

import attrs

from reports.pdf.pieces import REFERENCE, Piece, Roots, keys_in
from reports.pdf.writing import Writer

PAGES, CATALOG, OUTLINES, STRUCTURE, DOCUMENT, PARENTS = range(1, 7)
FIRST = 7
HEADER_OF_TABLE = re.compile(rb"/ID \(|/Headers \[")
_IDENTIFIER = re.compile(rb"\((\d+-\d+-\d+)\)")


@attrs.frozen(kw_only=True)
class Placed:
    """A piece with its place in the whole: what its numbers and its keys are shifted by."""

    path: Path
    roots: Roots
    number: int
    shift: int
    keys: int
    before: int | None
    after: int | None

    def new(self, number: int) -> int:
        """The number that an object of the piece has in the whole."""
        if number == self.roots.outlines:
            return OUTLINES
        return STRUCTURE if number == self.roots.structure else number + self.shift


def join(paths: Sequence[Path], out: Path, identifier: str) -> int:
    """Join the PDFs of our printer into ``out``; how many pages it has. ``identifier`` is what the
    file is known by."""
    placed = list(_placed(paths))
    temporary = out.with_suffix(".joining")
    with temporary.open("wb") as file:
        writer = Writer(file, placed[-1].shift + placed[-1].roots.size)
        for piece in placed:
            _copy(writer, piece)
        _roots(writer, placed)
        info = placed[0].new(placed[0].roots.info)
        writer.finish(root=CATALOG, info=info, identifier=identifier.encode())
    temporary.replace(out)
    return sum(piece.roots.count for piece in placed)


def _placed(paths: Sequence[Path]) -> Iterator[Placed]:
    roots = [Piece(path).roots() for path in paths]
    shift, keys = FIRST - 1, 0
    before: int | None = None
    for number, (path, own) in enumerate(zip(paths, roots, strict=True), 1):
        following = roots[number] if number < len(roots) else None
        after = None if following is None else following.first + shift + own.size
        yield Placed(
            path=path,
            roots=own,
            number=number,
            shift=shift,
            keys=keys,
            before=before,
            after=after,
        )
        before = own.last + shift
        shift, keys = shift + own.size, keys + own.keys


# --- one piece --------------------------------------------------------------------------------


def _copy(writer: Writer, piece: Placed) -> None:
    roots = piece.roots
    dropped = {roots.outlines, roots.structure, roots.catalog}
    if piece.number > 1:
        dropped |= {roots.info, roots.metadata}
    renumber = partial(_renumbered, piece)
    for number, data, is_stream in Piece(piece.path).objects():
        if number == roots.catalog and piece.number == 1:
            writer.add(CATALOG, _catalog(piece, data))
        elif number in dropped:
            continue
        elif is_stream:
            head, rest = data[: (cut := data.index(b"\nstream\n"))], data[cut:]
            writer.add_stream(piece.new(number), REFERENCE.sub(renumber, head) + rest)
        else:
            writer.add(piece.new(number), _object(piece, number, data))


def _object(piece: Placed, number: int, data: bytes) -> bytes:
    roots = piece.roots
    if number == roots.parents:
        data = _parents(piece, data)
    told = REFERENCE.sub(partial(_renumbered, piece), data)
    if number == roots.pages:
        return _with(told, b"/Parent %d 0 R" % PAGES)
    if number == roots.document:
        told = told.replace(b"/S /Document", b"/S /Part", 1)
        return told.replace(b"/P %d 0 R" % STRUCTURE, b"/P %d 0 R" % DOCUMENT, 1)
    if number == roots.first and piece.before is not None:
        told = _with(told, b"/Prev %d 0 R" % piece.before)
    if number == roots.last and piece.after is not None:
        told = _with(told, b"/Next %d 0 R" % piece.after)
    if data.startswith(b"<</Type /StructElem") and HEADER_OF_TABLE.search(data):
        # Cells name their headers, and two pieces may have given one name twice.
        told = _IDENTIFIER.sub(b"(%d-\\1)" % piece.number, told)
    return told


def _renumbered(piece: Placed, found: re.Match[bytes]) -> bytes:
    if found["number"] is not None:
        return b"%d 0 R" % piece.new(int(found["number"]))
    if found["key"] is not None:
        return found["parent"] + b"%d" % (int(found["key"]) + piece.keys)
    return found[0]


def _parents(piece: Placed, data: bytes) -> bytes:
    """The piece's own parent tree as a leaf of the whole's."""
    parts, end = [], 0
    for found in keys_in(data):
        parts += [data[end : found.start()], b"%d" % (int(found[0]) + piece.keys)]
        end = found.end()
    limits = b"/Limits [%d %d]" % (piece.keys, piece.keys + piece.roots.keys - 1)
    return _with(b"".join([*parts, data[end:]]), limits)


def _catalog(piece: Placed, data: bytes) -> bytes:
    told = REFERENCE.sub(partial(_renumbered, piece), data)
    own = b"/Pages %d 0 R" % piece.new(piece.roots.pages)
    return told.replace(own, b"/Pages %d 0 R" % PAGES, 1)


def _with(dictionary: bytes, entry: bytes) -> bytes:
    return dictionary[: -len(b">>")] + entry + b">>"


# --- what a document has once -----------------------------------------------------------------


def _roots(writer: Writer, placed: Sequence[Placed]) -> None:
    def listed(name: str) -> bytes:
        return b" ".join(b"%d 0 R" % one.new(getattr(one.roots, name)) for one in placed)

    count = sum(one.roots.count for one in placed)
    bookmarks = sum(one.roots.bookmarks for one in placed)
    first, last = placed[0], placed[-1]
    ends = (bookmarks, first.new(first.roots.first), last.new(last.roots.last))
    writer.add(PAGES, b"<</Type /Pages/Kids [%b]/Count %d>>" % (listed("pages"), count))
    writer.add(OUTLINES, b"<</Type /Outlines/Count %d/First %d 0 R/Last %d 0 R>>" % ends)
    root = b"<</Type /StructTreeRoot/ParentTree %d 0 R/K [%d 0 R]>>"
    writer.add(STRUCTURE, root % (PARENTS, DOCUMENT))
    document = b"<</Type /StructElem/S /Document/K [%b]/P %d 0 R>>"
    writer.add(DOCUMENT, document % (listed("document"), STRUCTURE))
    writer.add(PARENTS, b"<</Kids [%b]>>" % listed("parents"))
