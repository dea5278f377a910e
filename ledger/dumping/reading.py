"""Reading a dump, from its first byte to its last, in the one order that it may have.

Lines are parsed, files of the archive digested, positions grow, and the digests of the parts are
compared at the end. So all of a dump is read once (:func:`check_dump`), which keeps its frozen
bytes, before an event is taken from it; its events and its log are then read again, and have to be
the same.
"""

import tarfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from gzip import GzipFile
from pathlib import Path
from typing import IO, Self

import orjson

from ledger.archive import Archive, Changed, digest_of
from ledger.dumping.carried import LogLine, Told
from ledger.dumping.shape import (
    ARCHIVE,
    EVENTS,
    FORMAT,
    LARGEST,
    LARGEST_MANIFEST,
    LOG,
    MANIFEST,
    Contents,
    DumpRefused,
    OddLine,
    Tally,
    event_of,
    log_line_of,
    part_name,
)
from ledger.errors import BadValue
from ledger.store.whole import WholeRow
from ledger.values import Digest, parse_digest

PIECE = 1 << 20
BROKEN = (tarfile.TarError, EOFError, zlib.error, OSError, OddLine)


class PlainEntry(tarfile.TarInfo):
    """The head of a file in a dump, and of nothing else.

    Heads that speak of others (long names, extended headers) may be as large as they like and are
    read into memory, and a sparse file may be larger than any disk; no dump ever has one of them.
    """

    @classmethod
    def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> Self:
        """A head as it stands in the tar. Raises ``ReadError`` for one that no dump has."""
        found = super().frombuf(buf, encoding, errors)
        if found.type != tarfile.REGTYPE or found.size < 0:
            raise tarfile.ReadError(f"{found.name[:200]} in it is no plain file")
        return found


class Dump:
    """A dump that is being read: ``events``, then ``log``, then ``files``, then ``end``; or
    ``same`` in place of the last two."""

    def __init__(self, file: Path, packed: GzipFile, tar: tarfile.TarFile) -> None:
        self._file = file
        self._packed = packed
        self._tar = tar
        self._tally = Tally()
        self._next = self._read_next()

    def events(self) -> Iterator[Sequence[WholeRow]]:
        """All events, a file at a time."""
        for data in self._parts(EVENTS):
            before = self._tally.last_position
            rows = []
            for line in data.splitlines():
                rows.append(event_of(line, before))
                before = rows[-1][0]
            self._tally.add_events(data, rows)
            yield rows

    def log(self) -> Iterator[LogLine]:
        """Keys and checkpoints."""
        for data in self._parts(LOG):
            lines = [log_line_of(line) for line in data.splitlines()]
            self._tally.add_log(data, lines)
            yield from lines

    def files(self, archive: Archive, told: Told) -> None:
        """The frozen bytes; they are kept in ``archive``."""
        before = ""
        for done, entry in enumerate(self._of(ARCHIVE), 1):
            digest = self._digest(entry, before)
            with self._open(entry) as stream:
                self._keep(archive, stream, digest)
            self._tally.add_file(digest, entry.size)
            before = digest
            told("Reading the archive", done)

    def same(self, contents: Contents) -> None:
        """Refuse events and a log that are not those of this dump as it was read before."""
        found = self._tally.contents(contents.release)
        if (found.events_sha256, found.log_sha256) != (contents.events_sha256, contents.log_sha256):
            raise self.refused("it was changed while it was read")

    def end(self) -> Contents:
        """Whether all of it was what its last file says."""
        entry = self._next
        if entry is None or entry.name != MANIFEST:
            raise self.refused("it ends before its end" if entry is None else "it is no dump")
        told = self._all(entry, LARGEST_MANIFEST)
        contents = self._tally.contents(_release(told))
        if told != contents.encoded():
            raise self.refused(_unlike(told, contents))
        self._next = self._read_next()
        if self._next is not None:
            raise self.refused("something follows its end")
        while rest := self._packed.read(PIECE):
            if rest.strip(b"\0"):
                raise self.refused("something follows its end")
        return contents

    def refused(self, why: str) -> DumpRefused:
        """This dump is refused."""
        return DumpRefused(file=self._file, why=why)

    # --- its files ----------------------------------------------------------------------------

    def _read_next(self) -> tarfile.TarInfo | None:
        found = self._tar.next()
        # It would remember every file that it has seen.
        self._tar.members = []  # type: ignore[attr-defined]
        if found is not None and not found.isreg():
            raise self.refused(f"{found.name[:200]} in it is no file")
        return found

    def _of(self, folder: str) -> Iterator[tarfile.TarInfo]:
        """The files of a folder, one after the other."""
        while self._next is not None and self._next.name.startswith(f"{folder}/"):
            yield self._next
            self._next = self._read_next()

    def _parts(self, folder: str) -> Iterator[bytes]:
        for number, entry in enumerate(self._of(folder), 1):
            if entry.name != part_name(folder, number):
                raise self.refused(f"{entry.name[:200]} is not {part_name(folder, number)}")
            yield self._all(entry, LARGEST)

    def _all(self, entry: tarfile.TarInfo, most: int) -> bytes:
        if entry.size > most:
            raise self.refused(f"{entry.name} has {entry.size} bytes; at most {most} are read")
        with self._open(entry) as stream:
            return stream.read()

    def _open(self, entry: tarfile.TarInfo) -> IO[bytes]:
        found = self._tar.extractfile(entry)
        if found is None:
            raise self.refused(f"{entry.name[:200]} in it is no file")
        return found

    def _digest(self, entry: tarfile.TarInfo, before: str) -> Digest:
        name = entry.name.partition("/")[2]
        try:
            digest = parse_digest(name)
        except BadValue:
            raise self.refused(f"{entry.name[:200]} is not named by a SHA-256") from None
        if digest <= before:
            raise self.refused(f"archived file {digest} does not come after {before}")
        return digest

    def _keep(self, archive: Archive, stream: IO[bytes], digest: Digest) -> None:
        try:
            if not archive.has(digest):
                archive.put_stream(stream, digest)  # type: ignore[arg-type]
                return
        except Changed as why:
            raise self.refused(f"archived file {digest} has other bytes") from why
        if digest_of(stream)[0] != digest:  # type: ignore[arg-type]
            raise self.refused(f"archived file {digest} has other bytes")


@contextmanager
def open_dump(file: Path) -> Iterator[Dump]:
    """A dump, to be read once. Whatever is wrong with it is said as ``DumpRefused``."""
    try:
        with (
            GzipFile(file, "rb") as packed,
            tarfile.open(fileobj=packed, mode="r|", tarinfo=PlainEntry) as tar,
        ):
            yield Dump(file, packed, tar)
    except BROKEN as why:
        said = getattr(why, "strerror", None) or str(why) or type(why).__name__
        raise DumpRefused(file=file, why=said) from why


def check_dump(file: Path, archive: Archive, told: Told) -> Contents:
    """Read all of a dump, and keep its frozen bytes. Raises ``DumpRefused``."""
    with open_dump(file) as dump:
        done = 0
        for rows in dump.events():
            done += len(rows)
            told("Reading events", done)
        for _ in dump.log():
            pass
        dump.files(archive, told)
        return dump.end()


def _release(told: bytes) -> str:
    """The release that wrote it, which is not known otherwise."""
    try:
        release = orjson.loads(told)["release"]
    except (ValueError, TypeError, KeyError):
        release = ""
    return release if isinstance(release, str) else ""


def _unlike(told: bytes, contents: Contents) -> str:
    """What of it is not as it says."""
    try:
        says = orjson.loads(told)
        if says["format"] != FORMAT:
            return f"it is a {str(says['format'])[:60]}, and {FORMAT} is read"
        found = orjson.loads(contents.encoded())
        odd = [name for name, value in found.items() if says.get(name) != value]
    except (ValueError, TypeError, KeyError, AttributeError):
        odd = []
    return f"its {odd[0]} is not what {MANIFEST} says" if odd else f"its {MANIFEST} is odd"
