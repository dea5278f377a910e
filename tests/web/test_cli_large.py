"""A dump of many boards: in little memory, and as if nothing had been when it was killed."""

import os
import signal
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from benchmarks.dump import write
from ledger.importing import snapshot
from ledger.importing.formats.every import Choice
from ledger.importing.formats.format import Asked, Candidate
from ledger.importing.formats.papers_with_code import PAPERS_WITH_CODE
from ledger.store import open_store
from tests.web.corrigenda import Corrigenda
from web.cli.incoming import Incoming
from web.settings import Settings
from web.wiring import open_workspace, random_salt, utc_now

MEGABYTE = 1_000_000
READING = """
import resource, sys
from datetime import UTC, datetime
from pathlib import Path
from ledger.archive import Archive
from ledger.importing.formats.format import Asked, Candidate
from ledger.importing.formats.papers_with_code import PAPERS_WITH_CODE
from ledger.importing.large import LargeFile

file = Candidate.at(Path(sys.argv[1]))
LargeFile.at(file.path).keep(Archive(Path(sys.argv[2])))
rows = sum(len(s.rows) for s in PAPERS_WITH_CODE.sheets(file, Asked(now=datetime.now(UTC))))
print(rows, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024)
"""


def test_reading_takes_no_more_memory_for_a_larger_file(tmp_path: Path) -> None:
    """Four times as many boards, and what is held at a time is one of them."""
    rows, most = [], []
    for size in (2, 8):
        file = tmp_path / f"{size}.json"
        write(file, size * MEGABYTE)
        command = [sys.executable, "-c", READING, str(file), str(tmp_path / "archive")]
        done = subprocess.run(command, capture_output=True, check=True, text=True)
        count, memory = map(int, done.stdout.split())
        rows.append(count)
        most.append(memory)
    assert rows[1] > 2 * rows[0]
    assert most[1] - most[0] < 2 * MEGABYTE


def facts_of(corrigenda: Corrigenda) -> dict[str, list[Any]]:
    """What a home holds, stream by stream."""
    store = open_store(corrigenda.home / "ledger.db", clock=utc_now, salt=random_salt)
    try:
        found: dict[str, list[Any]] = {}
        for record in store.after(0, 1_000_000):
            found.setdefault(record.envelope.stream, []).append(record.event)
        return found
    finally:
        store.close()


def test_a_killed_import_goes_on_where_it_was(corrigenda: Corrigenda, tmp_path: Path) -> None:
    """The same facts as of one that nobody disturbed, and not one of them twice."""
    file = tmp_path / "evaluation-tables.json"
    boards = write(file, MEGABYTE)
    words = ["import", "--json", "--read-at", "2025-01-01", str(file)]
    undisturbed = Corrigenda(tmp_path / "undisturbed")
    undisturbed.run("init")
    undisturbed.run(*words)

    command = [sys.executable, "-c", "from web.cli import main; main()"]
    command += ["--home", str(corrigenda.home), "--by", "ada", *words]
    environment = {
        **os.environ,
        "XDG_STATE_HOME": str(corrigenda.state),
        "CORRIGENDA_DIE_AT": "append:committed@4",
    }
    done = subprocess.run(command, stdout=subprocess.DEVNULL, env=environment, check=False)
    assert done.returncode == -signal.SIGKILL
    before = facts_of(corrigenda)
    assert 0 < sum(stream.startswith("benchmark:") for stream in before) < boards

    entries = corrigenda.json(*words[:1], *words[2:])["files"]
    known = [entry["known_already"] for entry in entries]
    assert known == sorted(known, reverse=True)
    assert known[0]
    assert not known[-1]
    after = facts_of(corrigenda)
    assert after == facts_of(undisturbed)
    assert all(after[stream][: len(events)] == events for stream, events in before.items())


def test_names_that_are_not_kept_in_mind_are_asked_for_again(
    corrigenda: Corrigenda, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is registered twice, and nothing less, however few are kept."""
    file = tmp_path / "evaluation-tables.json"
    write(file, 200_000)
    words = ["import", "--read-at", "2025-01-01", str(file)]
    corrigenda.json(*words)
    forgetful = Corrigenda(tmp_path / "forgetful")
    forgetful.run("init")
    monkeypatch.setattr(snapshot, "NAMES_AT_HAND", 3)
    forgetful.run(*words)
    assert facts_of(forgetful) == facts_of(corrigenda)


def test_a_dry_run_of_many_boards_says_what_a_real_run_does(
    corrigenda: Corrigenda, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Though it holds one board at a time: all are brought in twice, the second time older and
    with other numbers, and a name taken for another's is noted once."""
    for name, size in (("2025-02-01T000000Z.json", 300_000), ("2025-01-01T000000Z.json", 260_000)):
        write(tmp_path / name, size)
    words = ["import", str(tmp_path / "2025-02-01T000000Z.json")]
    words += [str(tmp_path / "2025-01-01T000000Z.json")]
    whole = corrigenda.json(*words, "--dry-run")
    monkeypatch.setattr(snapshot, "CLAIMS_AT_HAND", 0)
    monkeypatch.setattr(snapshot, "NAMES_AT_HAND", 3)
    assert corrigenda.json(*words, "--dry-run") == whole
    assert corrigenda.json(*words) == whole


def test_a_dry_run_holds_no_more_than_one_board(
    corrigenda: Corrigenda, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of claims, of benchmarks and of names, however many the file has."""
    file = tmp_path / "evaluation-tables.json"
    boards = write(file, 300_000)
    monkeypatch.setattr(snapshot, "CLAIMS_AT_HAND", 0)
    monkeypatch.setattr(snapshot, "NAMES_AT_HAND", 3)
    with closing(open_workspace(Settings(home=corrigenda.home))) as workspace:
        asked = Asked(now=workspace.ledger.clock())
        incoming = Incoming(workspace=workspace, by="ada", asked=asked, dry_run=True)
        choice, held = Choice(PAPERS_WITH_CODE, "it is one"), []
        for _ in incoming.boards(Candidate.at(file), choice):
            importer = incoming._boards  # noqa: SLF001 -- what it holds is the matter
            assert importer is not None
            of_benchmarks = [one for one in importer._facts if one.startswith("benchmark:")]  # noqa: SLF001
            held.append((len(importer._books), len(of_benchmarks)))  # noqa: SLF001
    assert len(held) == boards > 1
    assert set(held) == {(1, 1)}
