"""What every test stands on: a clean environment, no network, and the shared fixtures."""

import ipaddress
import os
import signal
import sys
import tempfile
from typing import Any

import hypothesis
import pytest

from tests.browser import browser, page, plain
from tests.postgres import postgres_server, postgres_url

__all__ = ["browser", "page", "plain", "postgres_server", "postgres_url"]

STATE = tempfile.TemporaryDirectory(prefix="corrigenda-state-")


# Under CI, Hypothesis already repeats its cases and keeps no clock; a slow laptop needs no clock
# either, since the timeout of each test is enough.
hypothesis.settings.register_profile("patient", hypothesis.settings(), deadline=None)
hypothesis.settings.load_profile("patient")


def pytest_configure() -> None:
    """Before anything is imported: forget the developer's own settings, and close the network."""
    for name in list(os.environ):
        # libpq reads PGHOST and its kin by itself; ours would lead to somebody's real ledger.
        if name.startswith(("CORRIGENDA_", "PG", "POSTGRES_")):
            del os.environ[name]
    # What a shell starts in the background ignores Ctrl-C, and so would the commands tested here.
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    # What verify remembers of logs is of this session alone, and goes with it.
    os.environ["XDG_STATE_HOME"] = STATE.name
    sys.addaudithook(_loopback_only)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark each test that uses PostgreSQL or the browser, so that `-m` can choose."""
    for item in items:
        fixtures = getattr(item, "fixturenames", ())
        if "postgres_server" in fixtures:
            item.add_marker(pytest.mark.postgres)
        if "browser" in fixtures:
            item.add_marker(pytest.mark.browser)


def _loopback_only(event: str, args: tuple[Any, ...]) -> None:
    """Refuse to listen on, or to call, any address but this machine's own."""
    if event not in {"socket.bind", "socket.connect"}:
        return
    address = args[1]
    if not isinstance(address, tuple) or not isinstance(address[0], str):
        return  # a Unix socket, or the kernel's own
    host = address[0]
    if host != "localhost" and not _is_loopback(host):
        message = f"tests stay on loopback; {event} was asked for {host!r}"
        raise PermissionError(message)


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
