"""Finished PDFs on disk, by the SHA-256 of their bytes; each is immutable.

Beside them stands what was asked for, by a key that tells all that decides about the bytes, so
nothing is printed twice. Both can be removed at any time: the same is printed again.
"""

import hashlib
import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import attrs
import orjson

from ledger import faults

MOST_KEPT = 2 * 10**9
"""Bytes of finished PDFs; beyond it the longest unused go."""
DIGEST = re.compile(r"[0-9a-f]{64}")


@attrs.frozen
class Finished:
    """A finished PDF, and what a copy of it is called."""

    digest: str
    path: Path
    name: str


@attrs.frozen
class Exports:
    """The folder of finished PDFs."""

    folder: Path
    most: int = MOST_KEPT

    def asked(self, key: str) -> Finished | None:
        """The PDF that was printed for a key, if it is still here."""
        try:
            told = orjson.loads((self._keys / key).read_bytes())
        except (OSError, orjson.JSONDecodeError):
            return None
        return self.finished(str(told["digest"]), str(told["name"]))

    def finished(self, digest: str, name: str | None = None) -> Finished | None:
        """The PDF with a digest; it counts as used just now."""
        path = self._files / f"{digest}.pdf"
        if not DIGEST.fullmatch(digest) or not path.is_file():
            return None
        try:
            path.touch()
        except FileNotFoundError:
            return None  # somebody made room just now
        return Finished(digest, path, name or f"{digest}.pdf")

    def keep(self, key: str, name: str, pdf: Path) -> Finished:
        """Take over a printed file, and remember for what it was asked.

        If we crash between the two, the PDF is there, and is printed once more for its key.
        """
        with pdf.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        for folder in (self._files, self._keys):
            folder.mkdir(parents=True, exist_ok=True)
        path = self._files / f"{digest}.pdf"
        pdf.replace(path)
        faults.here("print:kept")
        told = orjson.dumps({"digest": digest, "name": name})
        # A name of its own: somebody else may just have printed the same.
        handle, temporary = tempfile.mkstemp(prefix=f".{key}.", dir=self._keys)
        with os.fdopen(handle, "wb") as file:
            file.write(told)
        faults.here("print:told")
        Path(temporary).replace(self._keys / key)
        self._make_room(path)
        return Finished(digest, path, name)

    @property
    def jobs(self) -> Path:
        """Where jobs are."""
        return self.folder / "jobs"

    @property
    def _files(self) -> Path:
        return self.folder / "files"

    @property
    def _keys(self) -> Path:
        return self.folder / "keys"

    def _make_room(self, newest: Path) -> None:
        used = sorted(_sizes(self._files), reverse=True)
        total = 0
        for _, size, path in used:
            total += size
            if total > self.most and path != newest:
                path.unlink(missing_ok=True)


def _sizes(folder: Path) -> Iterator[tuple[float, int, Path]]:
    for path in folder.glob("*.pdf"):
        try:
            found = path.stat()
        except FileNotFoundError:
            continue
        yield found.st_mtime, found.st_size, path


def remove_folder(folder: Path) -> None:
    """Remove a folder that others may be removing as well."""
    shutil.rmtree(folder, ignore_errors=True)
