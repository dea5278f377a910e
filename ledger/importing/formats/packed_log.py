"""The packed form of Inspect's logs (``.eval``): a zip whose ``header.json`` is the log without its
samples.

Only that one member is unpacked: the samples lie in members of their own (``samples/*.json``), and
the numbers of a run stand in its header. Nothing that the archive says of itself is believed: what
is read is counted while it is read. No member is ever written to disk; one whose name would lead
out of a folder is refused all the same, since whoever unpacks the frozen file would meet it. A run
that was not finished has a journal (``_journal/``) and no header.
"""

import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO, cast

import attrs

from ledger.errors import FileRefused
from ledger.importing.formats.format import Candidate
from ledger.importing.limits import MIB, MOST_BYTES

HEADER = "header.json"
JOURNAL = "_journal/"
OF_INSPECT = (HEADER, JOURNAL, "samples/", "summaries.json", "reductions.json")
"""How the names of members begin that Inspect writes."""

BEGINS = b"PK\x03\x04"
NAME_AT = 30
LONGEST_LOOK = 200

MOST_MEMBERS = 100_000
MOST_AT_ONCE = 16 * MIB
"""Bytes of the archive that are read in one go; its list of members is."""
MOST_TIMES = 200
"""How often a member may be larger than what it was packed into, beyond a first mebibyte."""
PIECE = 64 * 1024

PLAIN = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
ENCRYPTED = 0x1 | 0x40 | 0x2000
"""The bits of a member that say so: the whole of it, strongly, or the list of members."""
PACKINGS = {9: "deflate64", 12: "bzip2", 14: "lzma", 93: "zstd", 95: "xz", 98: "ppmd"}
INSTEAD = "turn it into JSON with inspect log convert --to json"
BROKEN = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    OSError,
    OverflowError,
    RuntimeError,
    ValueError,
)
"""What zipfile raises for archives that are not whole, or that were made to look odd."""


def first_member(start: bytes) -> str | None:
    """The first member of a packed log, by a file's first bytes; ``None`` for anything else."""
    if not start.startswith(BEGINS) or len(start) < NAME_AT:
        return None
    length = min(int.from_bytes(start[26:28], "little"), LONGEST_LOOK)
    name = start[NAME_AT : NAME_AT + length].decode("utf-8", "replace")
    return name if name.startswith(OF_INSPECT) and name.isprintable() else None


def is_packed(start: bytes) -> bool:
    """Whether a file begins as an archive does."""
    return start.startswith(BEGINS[:2])


def header_of(file: Candidate) -> bytes:
    """The bytes of a packed log's header. Raises :class:`~ledger.errors.FileRefused`."""
    with file.open() as stream, _opened(file.name, stream) as packed:
        return _unpacked(file.name, packed, _header_in(file.name, packed.infolist()))


@contextmanager
def _opened(name: str, stream: BinaryIO) -> Iterator[zipfile.ZipFile]:
    try:
        with zipfile.ZipFile(cast("BinaryIO", _Measured(name, stream))) as packed:
            yield packed
    except BROKEN as why:
        said = f"not a packed log that can be read, or it breaks off: {str(why)[:200]}"
        raise FileRefused(file=name, why=f"{said}; {INSTEAD}") from None


@attrs.define
class _Measured:
    """A file of which nobody reads more than :data:`MOST_AT_ONCE` bytes at once, whatever an
    archive says that there are."""

    name: str
    stream: BinaryIO

    def read(self, size: int | None = -1) -> bytes:
        """Some bytes, or all that follow."""
        most = MOST_AT_ONCE + 1
        data = self.stream.read(most if size is None or size < 0 else min(size, most))
        if len(data) == most:
            why = f"its list of members has more than {MOST_AT_ONCE} bytes; {INSTEAD}"
            raise FileRefused(file=self.name, why=why)
        return data

    def seekable(self) -> bool:
        """Archives are read from their end."""
        return self.stream.seekable()

    def seek(self, offset: int, whence: int = 0) -> int:
        """Go elsewhere."""
        return self.stream.seek(offset, whence)

    def tell(self) -> int:
        """Where it is read."""
        return self.stream.tell()


def _header_in(name: str, members: list[zipfile.ZipInfo]) -> zipfile.ZipInfo:
    """The one header among the members, all of which have to be such as Inspect writes."""
    if len(members) > MOST_MEMBERS:
        why = f"it has {len(members)} members and at most {MOST_MEMBERS} are read; {INSTEAD}"
        raise FileRefused(file=name, why=why)
    for one in members:
        if one.flag_bits & ENCRYPTED:
            raise FileRefused(file=name, why="it is encrypted; give it as Inspect wrote it")
        # As it stands in the archive; zipfile itself cuts names off at a null character.
        if not _stays_inside(one.orig_filename):
            why = f"a member is called {one.orig_filename[:80]!a}, which leads elsewhere"
            raise FileRefused(file=name, why=why)
    headers = [one for one in members if one.filename == HEADER]
    if len(headers) > 1:
        raise FileRefused(file=name, why=f"{HEADER} stands in it {len(headers)} times, not once")
    if not headers:
        raise FileRefused(file=name, why=_without_header(members))
    return headers[0]


def _stays_inside(path: str) -> bool:
    parts = path.replace("\\", "/").split("/")
    is_odd = any(ord(letter) < 32 or ord(letter) == 127 for letter in path)
    return parts[0] != "" and ".." not in parts and parts[0][1:2] != ":" and not is_odd


def _without_header(members: list[zipfile.ZipInfo]) -> str:
    if any(one.filename.startswith(JOURNAL) for one in members):
        return f"its run was not finished: it has a journal and no {HEADER}"
    return f"it has no {HEADER}, so it is no log of Inspect, or an early one; {INSTEAD}"


def _unpacked(name: str, packed: zipfile.ZipFile, member: zipfile.ZipInfo) -> bytes:
    """A member's bytes, counted while they are unpacked."""
    if member.compress_type not in PLAIN:
        packing = PACKINGS.get(member.compress_type, f"method {member.compress_type}")
        why = f"{HEADER} is packed with {packing}, and deflate alone is read; {INSTEAD}"
        raise FileRefused(file=name, why=why)
    found = bytearray()
    most = min(MOST_BYTES, max(MIB, MOST_TIMES * member.compress_size))
    with packed.open(member) as stream:
        while piece := stream.read(PIECE):
            found += piece
            if len(found) > most:
                why = f"{HEADER} unpacks to more than {most} bytes out of {member.compress_size}"
                raise FileRefused(file=name, why=why)
    return bytes(found)
