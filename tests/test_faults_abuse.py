"""Clients that mean harm, at a real server: slow ones, long ones, and names that are no names."""

import os
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.web.corrigenda import ABOUT, Corrigenda
from tests.web.receivers import free_port
from web.cli.gathering import MOST, SMALL, Coming
from web.cli.serve import THREADS
from web.reporting.pages import LARGEST_POST

COMMAND = Path(sys.executable).parent / "corrigenda"
GET = b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"
FORM = b"POST /report HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\n"


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """Where a real server listens, on an empty ledger."""
    home, found = tmp_path_factory.mktemp("abuse") / "home", free_port()
    Corrigenda(home).done("init")
    words = [str(COMMAND), "--home", str(home), "serve", "--port", str(found)]
    with subprocess.Popen(words, stderr=subprocess.PIPE, start_new_session=True) as process:
        assert process.stderr is not None
        assert b"Serving" in process.stderr.readline()
        try:
            yield found
        finally:
            os.killpg(process.pid, signal.SIGKILL)


def said(port: int, *pieces: bytes, answers: int = 1) -> bytes:
    """What the server answers to these bytes, until it has said so many answers or hangs up."""
    found = b""
    with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for piece in pieces:
            connection.sendall(piece)
        while found.count(b"HTTP/1.1 ") < answers or b"\r\n\r\n" not in found:
            more = connection.recv(65_536)
            if not more:
                break
            found += more
    return found


@pytest.mark.parametrize(
    "beginning",
    [b"", b"GET / HT", GET[:-2] + b"X-Slow: ", FORM + b"Content-Length: 5000\r\n\r\na="],
    ids=["nothing", "half a line", "half a head", "half a form"],
)
def test_slow_clients_stop_nobody(port: int, beginning: bytes) -> None:
    """Three times as many as there are threads have begun and go no further; all others are
    answered, and a slow one too once it has said all."""
    with ExitStack() as stack:
        slow = [
            stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=60))
            for _ in range(3 * THREADS)
        ]
        for one in slow:
            one.sendall(beginning)
        for _ in range(THREADS + 1):
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=60) as answer:
                assert answer.status == 200
        if not beginning:
            slow[0].sendall(GET)
            assert slow[0].recv(100).startswith(b"HTTP/1.1 200 ")


def test_a_request_in_many_pieces_is_one_request(port: int) -> None:
    """However it is cut, and also where another one begins in the same piece."""
    pieces = [GET[at : at + 3] for at in range(0, len(GET), 3)]
    assert said(port, *pieces).startswith(b"HTTP/1.1 200 ")
    assert said(port, GET + GET[:20], GET[20:], answers=2).count(b"HTTP/1.1 200 ") == 2
    body = b"a" * 10
    form = FORM + b"Content-Length: 10\r\n\r\n"
    assert b"HTTP/1.1 4" in said(port, form, body[:3], body[3:])
    chunked = FORM + b"Transfer-Encoding: chunked\r\n\r\n"
    assert b"HTTP/1.1 4" in said(port, chunked, b"3\r\na=b\r\n", b"0\r\n\r\n")


@pytest.mark.parametrize(
    "request_bytes",
    [
        FORM + b"Content-Length: %d\r\n\r\n" % (MOST + 1),
        FORM + b"Content-Length: " + b"9" * 40 + b"\r\n\r\n",
        FORM + b"Content-Length: 100000\r\n\r\n" + b"a=" + b"b" * 99_998,
    ],
)
def test_what_is_too_large_is_refused(port: int, request_bytes: bytes) -> None:
    """Longer than anything that is taken: before it is here; longer than a form may be: then."""
    assert said(port, request_bytes).startswith((b"HTTP/1.1 413 ", b"HTTP/1.1 403 "))


@pytest.mark.parametrize(
    "nonsense",
    [
        b"\x00" * (SMALL + 10) + b"\r\n\r\n",
        b"GET /" + b"a" * (SMALL + 10),
        b"GET / HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
        b"GET / HTTP/1.1\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd",
        b"GET / HTTP/1.1\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        b"\r\n\r\n",
    ],
)
def test_what_is_no_request_is_refused_and_the_server_goes_on(port: int, nonsense: bytes) -> None:
    """400, or the connection is closed; the next one is answered."""
    with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
        connection.sendall(nonsense)
        connection.shutdown(socket.SHUT_WR)
        answer = connection.recv(65_536)
    assert not answer or answer.startswith(b"HTTP/1.1 4")
    assert said(port, GET).startswith(b"HTTP/1.1 200 ")


def test_a_request_is_whole_when_its_last_byte_is_here() -> None:
    """As its head tells: a length, or chunks that end by themselves."""
    for whole in (
        GET,
        FORM + b"Content-Length: 3\r\n\r\na=b",
        FORM + b"transfer-encoding: chunked\r\n\r\n3\r\na=b\r\n0\r\n\r\n",
    ):
        coming = Coming(0.0)
        for at, byte in enumerate(whole):
            assert not coming.is_whole, whole[:at]
            coming.data.append(byte)
        assert coming.is_whole


HOSTILE = (
    "\x1b[2J\x1b[31mred.csv",
    "line\nend.csv",
    "\u202egnp.csv",
    "--help.csv",
    "a" * 240 + ".csv",
)


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_file_name_is_a_name_and_no_order(tmp_path: Path, name: str) -> None:
    """It moves no cursor and turns no text around on a terminal, wherever it is shown."""
    corrigenda, folder = Corrigenda(tmp_path / "home"), tmp_path / "readings"
    corrigenda.done("init")
    folder.mkdir()
    (folder / name).write_text("model,score\nAlpha,72.50\n", encoding="utf-8")
    result = corrigenda.run("import", *ABOUT, "--read-at", "2025-02-07", str(folder))
    shown = result.output + corrigenda.done("events") + corrigenda.done("source", "toy-board")
    assert not {"\x1b", "\u202e"} & set(shown)
    assert "Traceback" not in shown


def test_the_largest_form_is_taken_whole() -> None:
    """A report with its files is shorter than what the server gathers."""
    assert LARGEST_POST + SMALL < MOST
