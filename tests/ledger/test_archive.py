"""The archive keeps bytes by their SHA-256, whole or not at all."""

import hashlib
import os
import stat
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from pathlib import Path

import pytest

from ledger.archive import PIECE, Archive, CannotKeep, Changed, Damaged
from ledger.errors import BadValue, NotFound
from ledger.values import Digest

DATA = b"model,score\ngpt-4o,72.50\n"
DIGEST = Digest(hashlib.sha256(DATA).hexdigest())
MISSING = Digest("0" * 64)


@pytest.fixture
def archive(tmp_path: Path) -> Archive:
    """An empty archive whose folder does not exist yet."""
    return Archive(tmp_path / "archive")


def path_of(archive: Archive, digest: Digest) -> Path:
    """Where the file of a digest lies."""
    return archive.folder / digest[:2] / digest[2:4] / digest


def overwrite(path: Path, data: bytes) -> None:
    """Change a file that is read-only."""
    path.chmod(0o644)
    path.write_bytes(data)


@pytest.mark.parametrize("data", [b"", DATA, bytes(range(256)) * 4096])
def test_what_is_put_is_got_back(archive: Archive, data: bytes) -> None:
    """The digest is the SHA-256 of the bytes, and leads back to them."""
    digest = archive.put(data)
    assert digest == hashlib.sha256(data).hexdigest()
    assert archive.get(digest) == data
    assert archive.has(digest)


def test_a_file_lies_two_folders_deep_and_is_read_only(archive: Archive) -> None:
    """Its place is ab/cd/abcd…, and nobody writes to it by accident."""
    archive.put(DATA)
    path = path_of(archive, DIGEST)
    assert path.read_bytes() == DATA
    assert stat.S_IMODE(path.stat().st_mode) == 0o444


def test_the_same_bytes_are_kept_once(archive: Archive) -> None:
    """A second put leaves the very file that is there."""
    archive.put(DATA)
    before = path_of(archive, DIGEST).stat()
    assert archive.put(DATA) == DIGEST
    after = path_of(archive, DIGEST).stat()
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)
    assert list(archive.digests()) == [DIGEST]


def test_eight_writers_of_the_same_bytes_agree(archive: Archive) -> None:
    """Writers who race for one name leave one whole file and nothing else."""
    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(archive.put, [DATA] * 40)) == {DIGEST}
    assert [path.name for path in archive.folder.rglob("*") if path.is_file()] == [DIGEST]
    assert archive.get(DIGEST) == DATA


def test_a_missing_file_is_not_found(archive: Archive) -> None:
    """What was never put is refused by its digest."""
    assert not archive.has(MISSING)
    with pytest.raises(NotFound, match=MISSING):
        archive.get(MISSING)


@pytest.mark.parametrize("found", [b"", DATA[:-1], DATA + b"\n", DATA.replace(b"72.50", b"72.51")])
def test_a_damaged_file_is_never_given_out(archive: Archive, found: bytes) -> None:
    """Bytes that do not fit the name are refused, and the refusal names the file."""
    archive.put(DATA)
    overwrite(path_of(archive, DIGEST), found)
    with pytest.raises(Damaged) as refusal:
        archive.get(DIGEST)
    assert str(path_of(archive, DIGEST)) in str(refusal.value)


def test_a_damaged_file_is_not_put_over(archive: Archive) -> None:
    """Damage is somebody's to look at: putting the right bytes again does not hide it."""
    archive.put(DATA)
    overwrite(path_of(archive, DIGEST), b"something else")
    with pytest.raises(Damaged):
        archive.put(DATA)
    assert path_of(archive, DIGEST).read_bytes() == b"something else"


@pytest.mark.parametrize(
    "name", ["", "../../etc/passwd", "ab/cd/" + "a" * 64, DIGEST.upper(), DIGEST + "\n"]
)
def test_no_name_leads_out_of_the_folder(archive: Archive, name: str) -> None:
    """Only a SHA-256 in lower case names a file."""
    for ask in (archive.get, archive.has):
        with pytest.raises(BadValue):
            ask(Digest(name))


def test_digests_come_in_order_and_skip_what_is_not_ours(archive: Archive) -> None:
    """Leftovers of a crash, strays and misplaced files are no part of the archive."""
    digests = sorted(archive.put(bytes([number])) for number in range(20))
    folder = path_of(archive, digests[0]).parent
    (folder / ".tmp123").write_bytes(b"half")
    (folder / "abc").write_bytes(b"a stray")
    (folder / MISSING).write_bytes(b"in the wrong place")
    assert list(archive.digests()) == digests


def test_an_archive_without_a_folder_is_empty(archive: Archive) -> None:
    """Nothing has to be made before the first file is put."""
    assert list(archive.digests()) == []


@pytest.mark.parametrize("step", ["fsync", "fchmod"])
def test_a_failed_write_leaves_nothing(
    archive: Archive, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    """When the disk fails half-way, no file bears the name, and a later put succeeds."""

    def full(*_: object) -> None:
        raise OSError("no space left on device")

    with monkeypatch.context() as broken:
        broken.setattr(os, step, full)
        with pytest.raises(CannotKeep, match="no space"):
            archive.put(DATA)
    assert not archive.has(DIGEST)
    assert [path for path in archive.folder.rglob("*") if path.is_file()] == []
    assert archive.put(DATA) == DIGEST


def test_the_bytes_are_on_disk_before_the_name_is(
    archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A power cut never leaves a name without its bytes: file first, name second, folders last."""
    steps: list[str] = []

    def noted(name: str, real: Callable[..., object]) -> Callable[..., object]:
        def call(*args: object) -> object:
            steps.append(name)
            return real(*args)

        return call

    monkeypatch.setattr(os, "fsync", noted("fsync", os.fsync))
    monkeypatch.setattr(Path, "rename", noted("rename", Path.rename))
    archive.put(DATA)
    assert steps == ["fsync", "rename", "fsync", "fsync", "fsync"]


# --- more than can be held --------------------------------------------------------------------


class Watched(BytesIO):
    """A stream that notes how much was asked of it at once."""

    most = 0

    def read(self, size: int | None = -1) -> bytes:
        """Read on, and note."""
        found = super().read(size)
        self.most = max(self.most, len(found))
        return found


def test_a_stream_is_kept_piece_by_piece(archive: Archive) -> None:
    """However long it is, no more than a piece is held; what it was said to give is checked."""
    data = bytes(range(256)) * (2 * PIECE // 256) + b"the end"
    stream = Watched(data)
    digest = Digest(hashlib.sha256(data).hexdigest())
    assert archive.put_stream(stream, digest) == len(data)
    assert stream.most == PIECE
    assert archive.get(digest) == data
    assert (archive.check(digest), archive.size(digest)) == (len(data), len(data))
    with archive.open(digest) as file:
        assert file.read(4) == data[:4]


def test_a_stream_that_holds_something_else_is_not_kept(archive: Archive) -> None:
    """Somebody wrote to the file in between: then nothing is there, and nothing is left over."""
    with pytest.raises(Changed, match="nobody writes"):
        archive.put_stream(BytesIO(DATA + b"more"), DIGEST)
    assert [path for path in archive.folder.rglob("*") if path.is_file()] == []


def test_a_stream_that_is_kept_already_stays_as_it_is(archive: Archive) -> None:
    """It is checked, and not written again."""
    archive.put(DATA)
    before = path_of(archive, DIGEST).stat()
    assert archive.put_stream(BytesIO(DATA), DIGEST) == len(DATA)
    assert path_of(archive, DIGEST).stat().st_mtime_ns == before.st_mtime_ns
    overwrite(path_of(archive, DIGEST), b"something else")
    with pytest.raises(Damaged):
        archive.put_stream(BytesIO(DATA), DIGEST)
    with pytest.raises(Damaged):
        archive.check(DIGEST)


def test_what_is_not_there_has_no_size(archive: Archive) -> None:
    """It is not found, however one asks."""
    for ask in (archive.check, archive.size, archive.open):
        with pytest.raises(NotFound, match=MISSING):
            ask(MISSING)
