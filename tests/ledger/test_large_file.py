"""Files that are too large to hold: read once for their digest, and watched while they are read."""

import hashlib
import os
from pathlib import Path

import pytest

from ledger.archive import Archive
from ledger.errors import FileRefused
from ledger.importing.large import ChangedMeanwhile, LargeFile

DATA = b"some large file"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A file."""
    file = tmp_path / "dump.json"
    file.write_bytes(DATA)
    return file


def test_its_bytes_come_into_the_archive_under_the_digest_that_was_worked_out(path: Path) -> None:
    """Once, at the beginning; every board cites it."""
    found = LargeFile.at(path)
    assert (found.digest, found.size) == (hashlib.sha256(DATA).hexdigest(), len(DATA))
    archive = Archive(path.parent / "archive")
    found.keep(archive)
    assert archive.get(found.digest) == DATA


def test_a_file_that_was_written_to_meanwhile_is_refused(path: Path) -> None:
    """Also with as many bytes as before, also when it is gone: no board cites what was not read."""
    found = LargeFile.at(path)
    archive = Archive(path.parent / "archive")
    path.write_bytes(DATA[::-1])
    os.utime(path, ns=(0, 0))
    with pytest.raises(ChangedMeanwhile, match=r"dump\.json"):
        found.keep(archive)
    path.unlink()
    with pytest.raises(ChangedMeanwhile):
        found.must_be_unchanged()
    assert list(archive.digests()) == []


def test_a_file_that_cannot_be_read_says_so(tmp_path: Path) -> None:
    """With its name, and no more of where it lies."""
    with pytest.raises(FileRefused, match=r"^gone\.json: No such file"):
        LargeFile.at(tmp_path / "gone.json")
