"""The archive: frozen bytes, kept by their SHA-256 and never written twice.

A file is complete under its name or it is not there. What is read back is checked first, so a
damaged file is refused and never shown. Leftovers of a crash begin with a dot; they are not part
of the archive and may be removed.
"""

import hashlib
import os
import tempfile
from collections.abc import Iterable, Iterator
from io import BytesIO
from pathlib import Path
from typing import BinaryIO

import attrs

from ledger import faults
from ledger.errors import BadValue, NotFound, Refused
from ledger.values import Digest, parse_digest

READ_ONLY = 0o444
PIECE = 1 << 20
"""How many bytes of a stream are held at a time."""


class Damaged(Refused):
    """The archived file {file} no longer has the SHA-256 that it is named by; bring it back from
    a copy of the archive (its bytes now give {found})."""


class CannotKeep(Refused):
    """The archive in {folder} cannot take a file ({why}); nothing was recorded. See to its room and
    its rights, then repeat the command."""


class Changed(Refused):
    """What was to be archived gave the SHA-256 {digest} when it was looked at and {found} when it
    was copied; wait until nobody writes to the file, and import it again."""


@attrs.frozen
class Archive:
    """A folder of files ``ab/cd/abcd…``, each named by the SHA-256 of its bytes.

    Several processes may use one folder: all that two of them can write under one name is the same.
    """

    folder: Path

    def put(self, data: bytes) -> Digest:
        """Keep these bytes and give their digest; what is there already stays as it is.

        Raises ``Damaged`` when the file that is there holds something else.
        """
        digest = _sha256(data)
        if self._path(digest).exists():
            self.get(digest)
        else:
            self.put_stream(BytesIO(data), digest)
        return digest

    def put_stream(self, stream: BinaryIO, digest: Digest) -> int:
        """Keep what a stream holds, piece by piece, however much it is; give its size in bytes.

        ``digest`` is what its bytes were found to give before; raises ``Changed``, and keeps
        nothing, when they give another now, and ``CannotKeep`` where the disk is full or takes
        nothing. What is there already is checked and stays.
        """
        path = self._path(digest)
        if path.exists():
            return self.check(digest)
        try:
            return _write(path, stream, digest)
        except OSError as why:
            raise CannotKeep(folder=self.folder, why=why.strerror or why) from why

    def check(self, digest: Digest) -> int:
        """Read a file piece by piece and give its size. Raises ``NotFound`` or ``Damaged``."""
        with self.open(digest) as file:
            found, size = digest_of(file)
        if found != digest:
            raise Damaged(file=self._path(digest), found=found)
        return size

    def open(self, digest: Digest) -> BinaryIO:
        """The bytes as a stream, for what is too large to hold; close it. They are **not** looked
        at: ask :meth:`check` before they are shown. Raises ``NotFound``."""
        try:
            return self._path(digest).open("rb")
        except FileNotFoundError:
            raise NotFound(what="archived file", name=digest) from None

    def size(self, digest: Digest) -> int:
        """How many bytes the file has (they are not looked at). Raises ``NotFound``."""
        try:
            return self._path(digest).stat().st_size
        except FileNotFoundError:
            raise NotFound(what="archived file", name=digest) from None

    def get(self, digest: Digest) -> bytes:
        """The bytes with this digest, checked. Raises ``NotFound`` or ``Damaged``."""
        path = self._path(digest)
        try:
            data = path.read_bytes()
        except FileNotFoundError:
            raise NotFound(what="archived file", name=digest) from None
        found = _sha256(data)
        if found != digest:
            raise Damaged(file=path, found=found)
        return data

    def has(self, digest: Digest) -> bool:
        """Whether a file of this name is there (its bytes are not looked at)."""
        return self._path(digest).is_file()

    def digests(self) -> Iterator[Digest]:
        """The digests of all files, in order (their bytes are not looked at)."""
        for path in sorted(self.folder.glob("[0-9a-f][0-9a-f]/[0-9a-f][0-9a-f]/[0-9a-f]*")):
            try:
                digest = parse_digest(path.name)
            except BadValue:
                continue
            if path == self._path(digest):
                yield digest

    def _path(self, digest: Digest) -> Path:
        # Checked, so that no name leads out of the folder.
        name = parse_digest(digest)
        return self.folder / name[:2] / name[2:4] / name


def digest_of(stream: BinaryIO) -> tuple[Digest, int]:
    """The SHA-256 of all that a stream still holds, and how many bytes that is."""
    digest, size = hashlib.sha256(), 0
    for piece in _pieces(stream):
        digest.update(piece)
        size += len(piece)
    return Digest(digest.hexdigest()), size


def _sha256(data: bytes) -> Digest:
    return Digest(hashlib.sha256(data).hexdigest())


def _pieces(stream: BinaryIO) -> Iterable[bytes]:
    return iter(lambda: stream.read(PIECE), b"")


def _write(path: Path, stream: BinaryIO, digest: Digest) -> int:
    """Write a file that is complete from the moment it has its name."""
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, name = tempfile.mkstemp(prefix=".", dir=path.parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            size = _copy(stream, file, digest)
            file.flush()
            os.fchmod(file.fileno(), READ_ONLY)
            os.fsync(file.fileno())
        # If we die before this line, only a leftover that begins with a dot is there.
        faults.here("archive:written")
        Path(name).rename(path)
        faults.here("archive:named")
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    # The name is on disk only when its folder is, and that folder's own name in the one above.
    for folder in (path.parent, path.parent.parent, path.parent.parent.parent):
        _sync(folder)
    return size


def _copy(stream: BinaryIO, file: BinaryIO, digest: Digest) -> int:
    """Copy a stream, and refuse one that does not hold what it is said to hold."""
    found, size = hashlib.sha256(), 0
    for piece in _pieces(stream):
        found.update(piece)
        file.write(piece)
        size += len(piece)
    if found.hexdigest() != digest:
        raise Changed(digest=digest, found=found.hexdigest())
    return size


def _sync(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
