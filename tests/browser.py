"""Debian's own Chromium for the tests that look at pages: one browser, a fresh page for each test.

Playwright drives it and never fetches a browser. Chromium is told to keep to the page it is given:
no updates, no sync, no look-ups of its own.
"""

import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

FLAGS = [
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
]


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Start Chromium once, without a window."""
    program = shutil.which("chromium")
    if program is None:
        pytest.fail(
            "Chromium is not installed, and these tests do not pass without it: run `make set-up`, "
            "or install Debian's package chromium",
            pytrace=False,
        )
    # What is waited for comes; how soon depends on what else the machine does.
    expect.set_options(timeout=60_000)
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(
            executable_path=program,
            args=FLAGS,
            # The sandbox works neither for root nor in most containers; we open our own pages only.
            chromium_sandbox=False,
        )
        yield started
        started.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """Open an empty page with no cookies and no memory of other tests."""
    context = browser.new_context(locale="en-GB", timezone_id="UTC")
    yield context.new_page()
    context.close()


@pytest.fixture
def plain(browser: Browser) -> Iterator[Page]:
    """A page where no script runs."""
    context = browser.new_context(java_script_enabled=False)
    yield context.new_page()
    context.close()
