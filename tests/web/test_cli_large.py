"""A dump of many boards: in little memory, and as if nothing had been when it was killed."""

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from benchmarks.dump import write
from ledger.importing import snapshot
from ledger.store import open_store
from tests.web.corrigenda import Corrigenda
from web.wiring import random_salt, utc_now

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
