"""A file that is too large to hold: where it lies, and what its bytes gave when they were read.

Its boards are recorded one after the other while the file is read on. Each of them cites the digest
that was worked out once, at the beginning; so before each is recorded the file has to be the one
that was looked at then.
"""

from pathlib import Path

import attrs

from ledger.archive import Archive, digest_of
from ledger.errors import FileRefused, Refused
from ledger.values import Digest

TOO_LARGE_TO_HOLD = 8 * 1024 * 1024
"""From how many bytes on a file is read from where it lies."""

Stamp = tuple[int, int, int, int]


class ChangedMeanwhile(Refused):
    """{file} was written to while it was imported; what came before is recorded as it was read.
    Wait until nobody writes to the file, and import it again."""


@attrs.frozen
class LargeFile:
    """A file on disk with the SHA-256 of its bytes.

    ``stamp`` tells the file from any other, and from itself once it was written to.
    """

    path: Path
    digest: Digest
    size: int
    stamp: Stamp = attrs.field(repr=False)

    @classmethod
    def at(cls, path: Path) -> "LargeFile":
        """Read a file once. Raises :class:`~ledger.errors.FileRefused` when it cannot be read."""
        try:
            with path.open("rb") as file:
                stamp = _stamp(path)
                digest, size = digest_of(file)
        except OSError as why:
            raise FileRefused(file=path.name, why=why.strerror or "it cannot be read") from None
        found = cls(path, digest, size, stamp)
        found.must_be_unchanged()
        return found

    def must_be_unchanged(self) -> None:
        """Refuse when the file is another by now."""
        try:
            now = _stamp(self.path)
        except OSError:
            raise ChangedMeanwhile(file=self.path.name) from None
        if now != self.stamp:
            raise ChangedMeanwhile(file=self.path.name)

    def keep(self, archive: Archive) -> None:
        """Put a copy into the archive, piece by piece."""
        self.must_be_unchanged()
        with self.path.open("rb") as file:
            archive.put_stream(file, self.digest)


def _stamp(path: Path) -> Stamp:
    found = path.stat()
    return (found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns)
