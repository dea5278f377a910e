"""Pages a second through the real server, beside a view of the same library that says one word.

``wrk`` asks over loopback; without it nothing is measured, and that is said. The page is the
demo's largest board (83 rows): pinned to a position, so that it may be kept whole; as of now, made
of what is kept of the moment; and as of another instant with every request, so that nothing kept
can answer.
"""

import contextlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from flask import Flask

from benchmarks.home import fresh
from ledger.importing.records import import_records, parse_records
from tests.web.receivers import free_port
from web.cli.demo import sample_records
from web.cli.serve import Server
from web.settings import Settings

SECONDS = 4
CONNECTIONS = 8
BOARD = "/benchmarks/bigcodebench"
READ_ON = "2026-11-12"
ANOTHER_EACH_TIME = """
local n = 0
request = function()
  n = n + 1
  local at = os.date("!%%Y-%%m-%%dT%%H:%%M:%%SZ", 1796000000 + n)
  return wrk.format("GET", "%s?as_read_on=" .. at)
end
"""


class Constant(Server):
    """The same server over one view that says one word."""

    def load(self) -> Callable[..., Any]:
        """A page that costs nothing to make."""
        app = Flask("constant")
        app.add_url_rule("/", "constant", lambda: "constant")
        return app


def served() -> dict[str, float]:
    """Pages a second, and what part of the constant view's they are."""
    if shutil.which("wrk") is None:
        print("wrk is not installed, so serving is not measured", file=sys.stderr)
        return {}
    with tempfile.TemporaryDirectory() as name:
        home = Path(name) / "home"
        position = _demo(home)
        with _running("constant", home) as address:
            constant = _rate(f"{address}/")
        with _running("pages", home) as address:
            pinned = _rate(f"{address}{BOARD}?as_read_on={READ_ON}&recorded_through={position}")
            warm = _rate(f"{address}{BOARD}")
            cold = _rate(f"{address}/", ANOTHER_EACH_TIME % BOARD)
    return {
        "constant view, pages/s": constant,
        "pinned board page, pages/s": pinned,
        "warm board page, pages/s": warm,
        "board page of a new moment, pages/s": cold,
        "pinned page / constant view": pinned / constant,
        "warm page / constant view": warm / constant,
        "page of a new moment / constant view": cold / constant,
    }


def _demo(home: Path) -> int:
    """The demo's records in a home; the position that they reach."""
    workspace = fresh(home)
    now = workspace.ledger.clock()
    for name, data in sample_records():
        records = parse_records(name, data, now)
        import_records(workspace.ledger, workspace.known(), records, "curator")
    workspace.catch_up()
    head = workspace.ledger.store.head()
    workspace.close()
    return head


@contextlib.contextmanager
def _running(which: str, home: Path) -> Iterator[str]:
    """A server of its own process; it ends by the pid that was started."""
    port = free_port()
    command = [sys.executable, "-m", "benchmarks.serving", which, str(home), str(port)]
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    address = f"http://127.0.0.1:{port}"
    try:
        _wait_for(f"{address}/")
        yield address
    finally:
        process.terminate()
        process.wait(20)


def _wait_for(address: str) -> None:
    for _ in range(200):
        with contextlib.suppress(OSError), urllib.request.urlopen(address, timeout=5):  # noqa: S310
            return
        time.sleep(0.05)
    raise TimeoutError(address)


def _rate(address: str, script: str | None = None) -> float:
    """Requests a second; every answer has to be a page."""
    with tempfile.NamedTemporaryFile("w", suffix=".lua") as file:
        file.write(script or "")
        file.flush()
        told = ["-s", file.name] if script else []
        asked = ["wrk", "-t1", f"-c{CONNECTIONS}", f"-d{SECONDS}s", *told, address]
        done = subprocess.run(asked, check=True, capture_output=True, text=True)
    assert "Non-2xx" not in done.stdout, done.stdout
    found = re.search(r"Requests/sec:\s+([0-9.]+)", done.stdout)
    assert found is not None, done.stdout
    return float(found[1])


def main(which: str, home: str, port: str) -> None:
    """Serve until stopped."""
    server = {"constant": Constant, "pages": Server}[which]
    server(Settings(home=Path(home)), "127.0.0.1", int(port), 1, None).run()


if __name__ == "__main__":
    main(*sys.argv[1:])
