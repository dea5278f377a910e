"""The server starts on loopback, says where it is, answers, and stops when it is told to."""

import os
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.web.corrigenda import Corrigenda, Toy
from tests.web.receivers import free_port


@pytest.fixture
def port() -> int:
    """A port that nobody has at the moment."""
    return free_port()


@pytest.fixture
def server(toy: Toy, port: int) -> Iterator[subprocess.Popen[str]]:
    """A real server on the toy's ledger."""
    command = Path(sys.executable).parent / "corrigenda"
    process = subprocess.Popen(
        [str(command), "--home", str(toy.corrigenda.home), "serve", "--port", str(port)],
        stderr=subprocess.PIPE,
        text=True,
        # Ctrl-C reaches all that the terminal runs; so this has a group of its own.
        start_new_session=True,
    )
    try:
        yield process
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate(timeout=20)


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_the_server_answers_until_it_is_stopped(
    server: subprocess.Popen[str], port: int, how: signal.Signals
) -> None:
    """It says its address once pages can be had, and ends with status 0 and no traceback."""
    assert server.stderr is not None
    assert server.stderr.readline() == f"Serving at http://127.0.0.1:{port}/ (Ctrl-C stops).\n"
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=20) as answer:
        assert answer.status == 200
    os.killpg(server.pid, how)
    _, said = server.communicate(timeout=30)
    assert server.returncode == 0
    assert "Traceback" not in said


def test_an_address_that_is_taken_is_refused(toy: Toy, port: int) -> None:
    """Before anything is started, with what to do instead."""
    with socket.socket() as other:
        other.bind(("127.0.0.1", port))
        other.listen()
        assert "--port" in toy.corrigenda.refused("serve", "--port", str(port))


def test_nothing_is_served_where_there_is_no_ledger(tmp_path: Path, port: int) -> None:
    """The way out is said: init, or the demo."""
    nowhere = Corrigenda(tmp_path / "nowhere")
    assert "corrigenda init" in nowhere.refused("serve", "--port", str(port))
