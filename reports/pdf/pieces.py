"""A printed piece as the objects of its PDF, so that pieces can be joined into one.

Only what WeasyPrint writes is read here (one object stream, one cross-reference stream, generation
0, strings without bare parentheses), which is why the joined paper is checked with other people's
programs in the tests. Object numbers are all that is understood; what a page shows is never looked
at.
"""

import re
import zlib
from collections.abc import Iterator
from pathlib import Path

import attrs

_XREF = re.compile(rb"\d+ 0 obj\n<<(?P<head>[^\n]*)>>\nstream\n")
_OBJECT = re.compile(rb"\d+ 0 obj\n")
_SIZES = re.compile(rb"/W \[(\d) (\d) (\d)\]")
_STRING = rb"\((?:[^()\\]|\\.)*\)|<[0-9A-Fa-f]*>"
REFERENCE = re.compile(rb"(?s:" + _STRING + rb")|(?P<parent>/StructParents? )(?P<key>\d+)"
                       rb"|(?P<number>\d+) 0 R")  # fmt: skip
"""Strings (which are left alone), keys of the parent tree, references to objects."""


@attrs.frozen(kw_only=True)
class Roots:
    """The numbers of the objects that a piece hangs on; ``size`` counts all of its objects, and
    ``keys`` those of its parent tree."""

    size: int
    catalog: int
    info: int
    metadata: int
    pages: int
    count: int
    structure: int
    document: int
    parents: int
    keys: int
    outlines: int
    first: int
    last: int
    bookmarks: int


class Piece:
    """The objects of one PDF, as bytes by number."""

    def __init__(self, path: Path) -> None:
        self._data = path.read_bytes()
        start = int(self._data[self._data.rindex(b"startxref") + 9 :].split()[0])
        found = _XREF.match(self._data, start)
        assert found is not None  # noqa: S101 -- our own printer wrote it
        self._head = found["head"]
        self._places = _places(self._head, _inflated(self._data, found.end()))
        self._packed = self._unpacked()

    def objects(self) -> Iterator[tuple[int, bytes, bool]]:
        """Number, bytes, and whether the object is a stream; those of the file's own make-up are
        left out."""
        yield from ((number, data, False) for number, data in sorted(self._packed.items()))
        for number, (kind, place) in enumerate(self._places):
            if kind == 1:
                data = self._plain(place)
                if not data.startswith((b"<</Type /ObjStm", b"<</Type /XRef")):
                    yield number, data, True

    def roots(self) -> Roots:
        """Where it hangs together."""
        catalog = _reference(self._head, b"/Root")
        top = self._packed[catalog]
        structure, outlines = _reference(top, b"/StructTreeRoot"), _reference(top, b"/Outlines")
        pages = _reference(top, b"/Pages")
        parents = _reference(self._packed[structure], b"/ParentTree")
        listed = self._packed[outlines]
        return Roots(
            size=len(self._places),
            catalog=catalog,
            info=_reference(self._head, b"/Info"),
            metadata=_reference(top, b"/Metadata"),
            pages=pages,
            count=_number(self._packed[pages], b"/Count"),
            structure=structure,
            document=_reference(self._packed[structure], b"/K"),
            parents=parents,
            keys=sum(1 for _ in keys_in(self._packed[parents])),
            outlines=outlines,
            first=_reference(listed, b"/First"),
            last=_reference(listed, b"/Last"),
            bookmarks=_number(listed, b"/Count"),
        )

    def _plain(self, place: int) -> bytes:
        found = _OBJECT.match(self._data, place)
        assert found is not None  # noqa: S101 -- our own printer wrote it
        end = self._data.index(b"\nendobj", self._stream_end(found.end()))
        return self._data[found.end() : end]

    def _stream_end(self, start: int) -> int:
        """Where the bytes of a stream end, which may hold anything."""
        head = self._data[start : self._data.index(b"\nstream\n", start)]
        return start + len(head) + len(b"\nstream\n") + _number(head, b"/Length")

    def _unpacked(self) -> dict[int, bytes]:
        place = next(place for kind, place in self._places if kind == 1 and self._is_packed(place))
        data = self._plain(place)
        head = data[: data.index(b"\nstream\n")]
        body = _inflated(data, len(head) + len(b"\nstream\n"))
        first, count = _number(head, b"/First"), _number(head, b"/N")
        numbers = list(map(int, body[:first].split()))
        starts = [*numbers[1 : 2 * count : 2], len(body) - first]
        return {
            number: body[first + start : first + end].rstrip(b"\n")
            for number, start, end in zip(
                numbers[: 2 * count : 2], starts, starts[1:], strict=False
            )
        }

    def _is_packed(self, place: int) -> bool:
        return b"/Type /ObjStm" in self._data[place : place + 60]


def keys_in(tree: bytes) -> Iterator[re.Match[bytes]]:
    """The keys of a parent tree, as they stand among its references."""
    return (found for found in _KEY.finditer(tree) if found[1] is not None)


_KEY = re.compile(rb"\d+ 0 R|(\d+)")


def _places(head: bytes, table: bytes) -> list[tuple[int, int]]:
    """Kind and place of each object, by number."""
    sizes = _SIZES.search(head)
    assert sizes is not None  # noqa: S101 -- our own printer wrote it
    one, two, three = (int(size) for size in sizes.groups())
    step = one + two + three
    return [
        (
            int.from_bytes(table[at : at + one], "big"),
            int.from_bytes(table[at + one : at + one + two], "big"),
        )
        for at in range(0, len(table), step)
    ]


def _inflated(data: bytes, start: int) -> bytes:
    return zlib.decompressobj().decompress(data[start:])


def _reference(data: bytes, name: bytes) -> int:
    """The object that an entry refers to, alone or first of a list."""
    found = re.search(re.escape(name) + rb" \[?(\d+) 0 R", data)
    assert found is not None, name  # noqa: S101 -- our own printer wrote it
    return int(found[1])


def _number(data: bytes, name: bytes) -> int:
    found = re.search(re.escape(name) + rb" (\d+)", data)
    assert found is not None, name  # noqa: S101 -- our own printer wrote it
    return int(found[1])
