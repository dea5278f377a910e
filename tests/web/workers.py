"""A real server with several workers, of which a test lets one alone answer."""

import http.client
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import attrs
import orjson

from tests.web.receivers import free_port
from web.settings import Settings

UNHEARD = {"CORRIGENDA_LOG": "json", "CORRIGENDA_PROXIES": "1"}


@attrs.frozen
class Answer:
    """What came back."""

    status: int
    headers: Mapping[str, str]
    text: str

    @property
    def json(self) -> Any:
        """The document in it."""
        return orjson.loads(self.text)


@attrs.frozen
class Served:
    """A server, its workers by their processes, and the file with all that it says."""

    port: int
    process: "subprocess.Popen[bytes]"
    said: Path

    @property
    def workers(self) -> list[int]:
        """The processes that answer."""
        parent = self.process.pid
        listed = Path(f"/proc/{parent}/task/{parent}/children").read_text(encoding="ascii")
        return [int(one) for one in listed.split()]

    @contextmanager
    def only(self, worker: int) -> Iterator[None]:
        """Let one worker alone answer, by having the others sleep."""
        others = [one for one in self.workers if one != worker]
        for one in others:
            os.kill(one, signal.SIGSTOP)
        try:
            yield
        finally:
            for one in others:
                os.kill(one, signal.SIGCONT)

    def ask(self, address: str, body: object = None, **headers: str) -> Answer:
        """Ask for an address, or send it a document, in a connection of its own."""
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=25)
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        try:
            if body is None:
                line.request("GET", address, headers=sent)
            else:
                sent["Content-Type"] = "application/json"
                line.request("POST", address, orjson.dumps(body), sent)
            got = line.getresponse()
            return Answer(got.status, dict(got.getheaders()), got.read().decode())
        finally:
            line.close()

    def lines(self) -> list[dict[str, Any]]:
        """What was logged."""
        written = self.said.read_text(encoding="utf-8").splitlines()
        return [orjson.loads(one) for one in written if one.startswith("{")]


@contextmanager
def serving(
    settings: Settings, folder: Path, workers: int = 2, environment: Mapping[str, str] = UNHEARD
) -> Iterator[Served]:
    """A home behind ``corrigenda serve --workers``, in processes of its own, once all answer."""
    port, said = free_port(), folder / "said.txt"
    words = ["--home", str(settings.home), "serve", "--port", str(port), "--workers", str(workers)]
    told = {**os.environ, **environment, "TMPDIR": str(folder)}
    if settings.database_url is not None:
        told["CORRIGENDA_DATABASE_URL"] = settings.database_url
    with said.open("wb") as file:
        process = subprocess.Popen(
            [str(Path(sys.executable).parent / "corrigenda"), *words],
            stderr=file,
            env=told,
            # Its workers end with it, and nobody else's.
            start_new_session=True,
        )
    served = Served(port, process, said)
    try:
        _await(served, workers)
        yield served
    finally:
        # At once: that it stops in peace is for other tests to see.
        os.kill(process.pid, signal.SIGQUIT)
        assert process.wait(timeout=60) == 0
    # Where the workers counted together.
    assert not list(folder.glob("corrigenda-*"))


def _await(served: Served, workers: int) -> None:
    """Wait until each worker has answered once: it may answer when the address is known."""
    while "Serving at" not in served.said.read_text(encoding="utf-8"):
        assert served.process.poll() is None, served.said.read_text(encoding="utf-8")
        os.sched_yield()
    assert len(served.workers) == workers
    for worker in served.workers:
        with served.only(worker):
            assert served.ask("/healthz").status == 200
