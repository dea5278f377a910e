"""Pages served on loopback for a browser, and what is asked of every page in one."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

import pytest
from axe_playwright_python.sync_playwright import Axe
from flask import Flask
from playwright.sync_api import Browser, Page
from werkzeug.serving import WSGIRequestHandler, make_server

from tests.web.orchard import Orchard
from tests.web.receivers import free_port

WIDTHS = (1280, 360)
"""In pixels: a desk, and a phone."""


class Quiet(WSGIRequestHandler):
    """A server that does not write every request to the test's output."""

    def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
        """Say nothing."""


@contextmanager
def served(app: Flask) -> Iterator[str]:
    """An app at an address of its own, for as long as it is looked at."""
    server = make_server("127.0.0.1", 0, app, threaded=True, request_handler=Quiet)
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@contextmanager
def served_home(home: Path, **environment: str) -> Iterator[str]:
    """A home behind ``corrigenda serve``, in processes of its own, with these settings."""
    port = free_port()
    command = Path(sys.executable).parent / "corrigenda"
    process = subprocess.Popen(
        [str(command), "--home", str(home), "serve", "--port", str(port)],
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | environment,
        # Its workers end with it, and nobody else's.
        start_new_session=True,
    )
    try:
        assert process.stderr is not None
        assert "Serving at" in process.stderr.readline()
        yield f"http://127.0.0.1:{port}"
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.communicate(timeout=60)


def unfold(page: Page) -> None:
    """Open whatever is folded up."""
    page.locator("details").evaluate_all("all => all.forEach(one => { one.open = true; })")


def overflow(page: Page) -> int:
    """By how many pixels the page as a whole scrolls sideways."""
    size = page.locator("html").evaluate("e => [e.scrollWidth, e.clientWidth]")
    return int(size[0] - size[1])


def axe_finds_nothing(
    browser: Browser, address: str, paths: Iterable[str], *, width: int, scheme: str
) -> None:
    """No page breaks a rule or scrolls sideways, everything unfolded, in a colour scheme."""
    context = browser.new_context(
        viewport={"width": width, "height": 900},
        color_scheme="dark" if scheme == "dark" else "light",
    )
    page = context.new_page()
    axe = Axe()
    for path in paths:
        page.goto(f"{address}{path}")
        unfold(page)
        assert overflow(page) == 0, path
        found = axe.run(page)
        assert not found.violations_count, f"{path}\n{found.generate_report()}"
    context.close()


@pytest.fixture
def address(orchard: Orchard) -> Iterator[str]:
    """The orchard, served on loopback."""
    with served(orchard.app) as address:
        yield address
