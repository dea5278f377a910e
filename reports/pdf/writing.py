"""Writes a PDF object by object, keeping no more in memory than where each of them is."""

import struct
import zlib
from array import array
from typing import BinaryIO

PACKED = 500
"""Objects in one object stream."""
FREE, PLAIN, INSIDE = range(3)
_ENTRY = struct.Struct(">BQH")


class Writer:
    """Objects with numbers of up to ``top`` as they come, and at the end the table of them all."""

    def __init__(self, file: BinaryIO, top: int) -> None:
        self._file = file
        self._position = 0
        self._kinds = array("B", bytes(top + 1))
        self._places = array("Q", bytes(8 * (top + 1)))
        self._ordinals = array("H", bytes(2 * (top + 1)))
        self._waiting: list[tuple[int, bytes]] = []
        self._write(b"%PDF-1.7\n%\xf0\x9f\x96\xa4\n")

    def add(self, number: int, data: bytes) -> None:
        """An object that is no stream."""
        self._waiting.append((number, data))
        if len(self._waiting) == PACKED:
            self._pack()

    def add_stream(self, number: int, data: bytes) -> None:
        """A stream with its head."""
        self._kinds[number], self._places[number] = PLAIN, self._position
        self._write(b"%d 0 obj\n%b\nendobj\n" % (number, data))

    def finish(self, root: int, info: int, identifier: bytes) -> None:
        """The table of all objects, and the end of the file."""
        self._pack()
        start, number = self._position, self._another()
        self._kinds[number], self._places[number] = PLAIN, start
        self._ordinals[0] = 65535
        entries = zip(self._kinds, self._places, self._ordinals, strict=True)
        table = b"".join(_ENTRY.pack(*entry) for entry in entries)
        named = b"/Root %d 0 R/Info %d 0 R/ID [(%b) (%b)]" % (root, info, identifier, identifier)
        head = b"/Type /XRef/W [1 8 2]/Size %d%b" % (number + 1, named)
        self._write(b"%d 0 obj\n%b\nendobj\n" % (number, _stream(head, table)))
        self._write(b"startxref\n%d\n%%%%EOF\n" % start)

    def _pack(self) -> None:
        """What waits becomes one object stream."""
        if not self._waiting:
            return
        own = self._another()
        starts, bodies, at = [], [], 0
        for ordinal, (number, data) in enumerate(self._waiting):
            self._kinds[number], self._places[number] = INSIDE, own
            self._ordinals[number] = ordinal
            starts.append(b"%d %d" % (number, at))
            bodies.append(data)
            at += len(data) + 1
        index = b" ".join(starts) + b"\n"
        head = b"/Type /ObjStm/N %d/First %d" % (len(bodies), len(index))
        self._waiting.clear()
        self.add_stream(own, _stream(head, index + b"\n".join(bodies)))

    def _another(self) -> int:
        """A number after all others."""
        self._kinds.append(FREE)
        self._places.append(0)
        self._ordinals.append(0)
        return len(self._kinds) - 1

    def _write(self, data: bytes) -> None:
        self._file.write(data)
        self._position += len(data)


def _stream(head: bytes, data: bytes) -> bytes:
    packed = zlib.compress(data, 9)
    length = b"/Filter /FlateDecode/Length %d" % len(packed)
    return b"<<%b%b>>\nstream\n%b\nendstream" % (head, length, packed)
