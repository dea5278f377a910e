"""A real server, looked at from outside: what it serves is what the verifier asks for."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import orjson
import pytest

from tests.web.corrigenda import Corrigenda
from tests.web.pretender import Pretender, serving
from tests.web.served import served_home
from tests.web.tampered import ABOUT, Tampered, reading


@pytest.fixture
def address(tampered: Tampered) -> Iterator[str]:
    """A real server on a home of 308 events."""
    with served_home(tampered.home) as address:
        yield address


def test_a_log_is_followed_while_it_grows_and_its_key_changes(
    tampered: Tampered, address: str, tmp_path: Path
) -> None:
    """From the first look, with a key from elsewhere, over a new reading and a rotation."""
    visitor = Corrigenda(tmp_path / "visitor" / "home")
    key = tampered.corrigenda.done("key", "show").strip()

    def look(*words: str) -> dict[str, object]:
        found = orjson.loads(visitor.run("verify", address, *words, "--json").stdout)
        assert found["findings"] == []
        return dict(found["checked"])

    assert look("--key", key)["leaves"] == 308
    file = tampered.readings / "2025-03-01T191510Z.csv"
    file.write_text(reading(2), encoding="utf-8")
    tampered.corrigenda.done("import", *ABOUT, str(file))
    tampered.corrigenda.done("key", "rotate")
    assert look()["leaves"] == 410
    everything = look("--all")
    assert (everything["entries"], everything["tiles"]) == (410, 5)


def test_a_served_log_that_was_put_back_is_found_out(
    tampered: Tampered, address: str, tmp_path: Path
) -> None:
    """Whoever saw it before sees that it has fewer leaves."""
    visitor = Corrigenda(tmp_path / "visitor" / "home")
    assert visitor.run("verify", address).exit_code == 0
    tampered.alter(
        "DELETE FROM events WHERE rowid > 307", "DELETE FROM log_checkpoints WHERE size > 307"
    )
    result = visitor.run("verify", address)
    assert result.exit_code == 1
    assert result.stdout.startswith("log-shrank: the log has 307 leaves, and had 308 when it was")


def test_a_check_that_is_stopped_says_that_nothing_is_known(tmp_path: Path) -> None:
    """Ctrl-C ends it at once, also while a server keeps it waiting, and nothing is remembered."""
    asked, done = threading.Event(), threading.Event()

    def keep_waiting(answer: bytes) -> bytes:
        asked.set()
        done.wait(60)
        return answer

    with serving(Pretender(["one"], lies={"checkpoint": keep_waiting})) as log:
        command = Path(sys.executable).parent / "corrigenda"
        process = subprocess.Popen(
            [str(command), "verify", log.address],
            stderr=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "XDG_STATE_HOME": str(tmp_path)},
            start_new_session=True,
        )
        try:
            assert asked.wait(60)
            os.killpg(process.pid, signal.SIGINT)
            printed, said = process.communicate(timeout=60)
        finally:
            done.set()
    assert process.returncode == 130
    assert printed == ""
    assert said == "Stopped; nothing is known of what was not looked at yet.\n"
    assert list(tmp_path.iterdir()) == []
