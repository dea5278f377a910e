"""A file that may be of some format: how it begins, and its bytes as a stream."""

import zipfile
from pathlib import Path

import attrs
import pytest

from ledger.errors import FileRefused
from ledger.importing.formats.format import LOOKED_AT, Candidate
from ledger.importing.formats.sheets import kept_of, media_type
from ledger.importing.large import TOO_LARGE_TO_HOLD, LargeFile


def test_a_stream_tells_how_far_it_was_read(tmp_path: Path) -> None:
    """Up to its end, and no further."""
    path = tmp_path / "large.json"
    path.write_bytes(b"x" * (LOOKED_AT * 3))
    told: list[int] = []
    file = attrs.evolve(Candidate.at(path), watch=told.append)
    assert len(file.start) == LOOKED_AT
    with file.open() as stream:
        assert stream.read() == b"x" * (LOOKED_AT * 3)
    assert told == sorted(told)
    assert told[-1] == LOOKED_AT * 3


def test_a_watched_stream_can_be_read_from_its_end(tmp_path: Path) -> None:
    """As archives are."""
    path = tmp_path / "log.zip"
    with zipfile.ZipFile(path, "w") as packed:
        packed.writestr("a.txt", b"within")
    file = attrs.evolve(Candidate.at(path), watch=lambda _: None)
    with file.open() as stream, zipfile.ZipFile(stream) as packed:
        assert packed.read("a.txt") == b"within"


def test_a_large_file_is_not_held(tmp_path: Path) -> None:
    """Its digest is that of its bytes all the same."""
    path = tmp_path / "large.json"
    with path.open("wb") as sparse:
        sparse.truncate(TOO_LARGE_TO_HOLD + 1)
    kept = kept_of(Candidate.at(path))
    assert isinstance(kept.data, LargeFile)
    assert kept.data.size == TOO_LARGE_TO_HOLD + 1
    path.write_bytes(b"small")
    small = kept_of(Candidate.at(path))
    assert small.data == b"small"
    assert small == kept_of(Candidate.of("large.json", b"small"))


def test_what_cannot_be_read_is_refused(tmp_path: Path) -> None:
    """With its name and the reason."""
    with pytest.raises(FileRefused, match="nothing-there"):
        Candidate.at(tmp_path / "nothing-there")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("a.CSV", "text/csv"),
        ("a.tsv", "text/tab-separated-values"),
        ("a.jsonl", "application/jsonl"),
        ("a.what", "application/octet-stream"),
    ],
)
def test_what_a_file_is_follows_from_its_ending(name: str, said: str) -> None:
    """It is kept with the snapshot."""
    assert media_type(Candidate.of(name, b"")) == said
