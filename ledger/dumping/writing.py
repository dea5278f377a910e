"""Writing a dump, piece by piece: what is held in memory does not grow with the ledger."""

import hashlib
import tarfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from gzip import GzipFile
from io import BytesIO
from typing import BinaryIO, TypeVar

import attrs

from ledger.archive import Archive, Damaged
from ledger.dumping.carried import Carried, Told
from ledger.dumping.shape import (
    ARCHIVE,
    EVENTS,
    FULL,
    LOG,
    MANIFEST,
    Contents,
    Tally,
    event_line,
    joined,
    log_line,
    part_name,
)
from ledger.values import Digest

Thing = TypeVar("Thing")
READABLE = 0o444
LEVEL = 6


@attrs.define
class DumpWriter:
    """A dump that is being written: ``ledger``, then ``archive``, then ``end``."""

    _tar: tarfile.TarFile
    _tally: Tally = attrs.field(factory=Tally, init=False)

    def ledger(self, carried: Carried, told: Told) -> None:
        """All events, and the log over them."""
        rows = (row for some in carried.events() for row in some)
        for number, (data, part) in enumerate(_parts(rows, event_line), 1):
            _add(self._tar, part_name(EVENTS, number), data)
            self._tally.add_events(data, part)
            told("Writing events", self._tally.last_position)
        for number, (data, lines) in enumerate(_parts(carried.log(), log_line), 1):
            _add(self._tar, part_name(LOG, number), data)
            self._tally.add_log(data, lines)

    def archive(self, archive: Archive, told: Told) -> None:
        """The archive's files; each is looked at while it goes by.

        Raises ``Damaged`` for one that is another now.
        """
        for done, digest in enumerate(archive.digests(), 1):
            size = archive.size(digest)
            with archive.open(digest) as file:
                seen = _Seen(file)
                _add_stream(self._tar, f"{ARCHIVE}/{digest}", seen, size)
            found = Digest(seen.digest.hexdigest())
            if found != digest:
                raise Damaged(file=digest, found=found)
            self._tally.add_file(digest, size)
            told("Writing the archive", done)

    def end(self, release: str) -> Contents:
        """What all of it came to, which is the dump's last file."""
        contents = self._tally.contents(release)
        _add(self._tar, MANIFEST, contents.encoded())
        return contents


@contextmanager
def open_writer(out: BinaryIO) -> Iterator[DumpWriter]:
    """A new dump on this stream."""
    with (
        # Without a name and a time: the same ledger gives the same bytes.
        GzipFile(filename="", mode="wb", compresslevel=LEVEL, fileobj=out, mtime=0) as packed,
        tarfile.open(fileobj=packed, mode="w|", format=tarfile.GNU_FORMAT) as tar,
    ):
        yield DumpWriter(tar)


def _parts(
    things: Iterable[Thing], line: Callable[[Thing], bytes]
) -> Iterator[tuple[bytes, list[Thing]]]:
    """The things as lines, some megabytes at a time, and which they are."""
    part: list[Thing] = []
    lines: list[bytes] = []
    size = 0
    for thing in things:
        part.append(thing)
        lines.append(line(thing))
        size += len(lines[-1])
        if size >= FULL:
            yield joined(lines), part
            part, lines, size = [], [], 0
    if part:
        yield joined(lines), part


@attrs.define
class _Seen:
    """A stream that digests what is read from it."""

    file: BinaryIO
    digest: "hashlib._Hash" = attrs.field(factory=hashlib.sha256)

    def read(self, size: int = -1, /) -> bytes:
        """The next bytes."""
        data = self.file.read(size)
        self.digest.update(data)
        return data


def _add(tar: tarfile.TarFile, name: str, data: bytes) -> None:
    _add_stream(tar, name, BytesIO(data), len(data))


def _add_stream(tar: tarfile.TarFile, name: str, stream: BinaryIO | _Seen, size: int) -> None:
    entry = tarfile.TarInfo(name)
    entry.size, entry.mode = size, READABLE
    tar.addfile(entry, stream)
    # It would remember every file that it was given.
    tar.members = []  # type: ignore[attr-defined]
