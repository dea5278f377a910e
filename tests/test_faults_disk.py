"""A disk that is full, read only, or has lost a file: a clear no, nothing half done, and once it is
well again the same command goes on without anybody's help."""

import os
import resource
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from ledger.archive import Archive, CannotKeep
from ledger.errors import NotFound
from ledger.events import LabRegistered
from ledger.store import NewEvents, open_store
from ledger.values import Slug
from tests.ledger.engines import NOON, Clock, Salt
from tests.web.corrigenda import ABOUT, Corrigenda

COMMAND = Path(sys.executable).parent / "corrigenda"
ROWS = 800


def board(file: Path) -> Path:
    """A board that takes some hundred kilobytes of ledger."""
    rows = (f"Model {number},{number}.50,accuracy,2025-01\n" for number in range(ROWS))
    file.write_text("model,score,metric,date\n" + "".join(rows), encoding="utf-8")
    return file


def importing(home: Path, file: Path, most: int | None = None) -> subprocess.CompletedProcess[str]:
    """A process of its own that imports a board, and may write no file longer than this."""

    def bound() -> None:
        if most is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))

    words = ["--home", str(home), "--by", "ada", "import", *ABOUT, str(file)]
    return subprocess.run(
        [str(COMMAND), *words], preexec_fn=bound, capture_output=True, text=True, check=False
    )


def mounted(*words: str) -> bool:
    """Whether something could be mounted; that takes root, and is not everywhere allowed."""
    return os.geteuid() == 0 and not subprocess.run(["mount", *words], check=False).returncode


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of its own with room for an empty ledger and little more."""
    folder = tmp_path / "small"
    folder.mkdir()
    if not mounted("-t", "tmpfs", "-o", "size=1000k", "tmpfs", str(folder)):
        pytest.skip("nothing can be mounted here")
    try:
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], check=True)


def test_a_full_disk_is_said_and_loses_nothing(small_disk: Path, tmp_path: Path) -> None:
    """Nothing of the board is recorded; with room again, the same command records all of it."""
    corrigenda = Corrigenda(small_disk / "home")
    corrigenda.done("init")
    file = board(tmp_path / "2025-02-07T191510Z.csv")
    refused = importing(corrigenda.home, file)
    assert refused.returncode == 1
    assert "Traceback" not in refused.stderr
    assert "takes nothing (database or disk is full)" in refused.stderr
    assert corrigenda.json("events") == {"events": []}
    subprocess.run(["mount", "-o", "remount,size=16m", str(small_disk)], check=True)
    corrigenda.done("import", *ABOUT, str(file))
    corrigenda.done("verify")
    corrigenda.done("rebuild", "--check")


def test_a_disk_that_can_only_be_read_serves_and_takes_nothing(tmp_path: Path) -> None:
    """What was recorded can be shown; what is new is refused; writable again, it is taken."""
    corrigenda = Corrigenda(tmp_path / "disk" / "home")
    corrigenda.done("init")
    disk, file = str(tmp_path / "disk"), board(tmp_path / "2025-02-07T191510Z.csv")
    if not mounted("--bind", disk, disk):
        pytest.skip("nothing can be mounted here")
    try:
        subprocess.run(["mount", "-o", "remount,bind,ro", disk], check=True)
        refused = importing(corrigenda.home, file)
        assert (refused.returncode, refused.stdout) == (1, "")
        assert "Traceback" not in refused.stderr
        assert "takes nothing" in refused.stderr
        subprocess.run(["mount", "-o", "remount,bind,rw", disk], check=True)
        corrigenda.done("import", *ABOUT, str(file))
    finally:
        subprocess.run(["umount", disk], check=True)


def test_a_file_that_may_not_grow_is_an_error_that_is_said(tmp_path: Path) -> None:
    """What the database could not write is not there afterwards, whatever it had begun."""
    corrigenda = Corrigenda(tmp_path / "home")
    corrigenda.done("init")
    file = board(tmp_path / "2025-02-07T191510Z.csv")
    refused = importing(corrigenda.home, file, most=150_000)
    assert (refused.returncode, refused.stdout) == (1, "")
    assert "disk I/O error" in refused.stderr
    assert "look whether it was recorded" in refused.stderr
    assert corrigenda.json("events") == {"events": []}
    corrigenda.done("import", *ABOUT, str(file))
    corrigenda.done("verify")


def test_an_archive_that_takes_nothing_refuses_before_anything_is_recorded(tmp_path: Path) -> None:
    """A file stands where a folder should be; no half of a file is left, and then it works."""
    archive, data = Archive(tmp_path / "archive"), b"kites"
    digest = archive.put(data)
    place = tmp_path / "archive" / digest[:2]
    shutil.rmtree(place)
    place.write_bytes(b"in the way")
    with pytest.raises(CannotKeep, match=r"cannot take a file \(.+\); nothing was recorded"):
        archive.put(data)
    assert list((tmp_path / "archive").iterdir()) == [place]
    place.unlink()
    assert archive.get(archive.put(data)) == data


def test_an_archived_file_that_is_gone_is_named_and_can_be_brought_back(tmp_path: Path) -> None:
    """``verify`` says which; importing the file again keeps its bytes and records nothing."""
    corrigenda = Corrigenda(tmp_path / "home")
    corrigenda.done("init")
    file = tmp_path / "2025-02-07T191510Z.csv"
    file.write_text("model,score,metric,date\nAlpha,72.50,accuracy,2025-01\n", encoding="utf-8")
    corrigenda.done("import", *ABOUT, str(file))
    events = corrigenda.json("events")
    archive = Archive(corrigenda.home / "archive")
    (digest,) = archive.digests()
    kept = corrigenda.home / "archive" / digest[:2] / digest[2:4] / digest
    kept.unlink()
    found = corrigenda.run("verify")
    assert found.exit_code == 1
    assert digest in found.output
    with pytest.raises(NotFound, match=digest):
        archive.get(digest)
    archive.put(file.read_bytes())
    corrigenda.done("verify")
    assert corrigenda.json("events") == events


def test_a_clock_that_was_set_back_or_forward_never_turns_the_ledgers_time(
    tmp_path: Path,
) -> None:
    """Set back, events bear the last time that was recorded; set forward, they go on from there;
    positions grow all the while, and what was known at an instant is found."""
    clock = Clock(step=timedelta())
    where = tmp_path / "ledger.db"
    times = [0, 3_600, -86_400, 60, 86_400 * 400, 0]
    with closing(open_store(where, clock=clock, salt=Salt())) as store:
        for number, seconds in enumerate(times):
            clock.now = NOON + timedelta(seconds=seconds)
            fact = LabRegistered(slug=Slug(f"l{number}"), name="Lab", read_at=NOON)
            store.append([NewEvents(f"lab:l{number}", 0, (fact,))], by="ada")
        found = [one.envelope.recorded_at for one in store.after(0, 10)]
        hour, year = NOON + timedelta(hours=1), NOON + timedelta(days=400)
        assert found == [NOON, hour, hour, hour, year, year]
        assert [store.position_at(one) for one in (NOON, hour, year)] == [1, 4, 6]
        assert store.position_at(NOON - timedelta(days=1)) == 0
