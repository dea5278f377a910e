"""The ground that other tests stand on holds: the database, the browser, and the closed network."""

import socket

import psycopg
import pytest
from playwright.sync_api import Page

from tests.postgres import Server


def test_each_test_gets_an_empty_database_of_its_own(
    postgres_url: str, postgres_server: Server
) -> None:
    """A fresh database has no tables, belongs to the plain user, and speaks UTF-8 and UTC."""
    with psycopg.connect(postgres_url) as connection:
        row = connection.execute(
            "SELECT current_user, pg_get_userbyid(datdba), pg_encoding_to_char(encoding),"
            " current_setting('timezone'), (SELECT count(*) FROM pg_tables"
            " WHERE schemaname = 'public') FROM pg_database WHERE datname = current_database()"
        ).fetchone()
        assert row == ("corrigenda", "corrigenda", "UTF8", "UTC", 0)
        connection.execute("CREATE SCHEMA ledger")
    assert f":{postgres_server.port}/" in postgres_url


def test_the_database_listens_on_loopback_alone(postgres_url: str) -> None:
    """Nobody outside this machine can reach the tests' server."""
    with psycopg.connect(postgres_url) as connection:
        row = connection.execute("SHOW listen_addresses").fetchone()
    assert row == ("127.0.0.1",)


def test_the_browser_shows_a_page(page: Page) -> None:
    """Chromium starts without a window and renders what it is given."""
    page.set_content("<title>Corrections</title><h1>None yet</h1>")
    assert page.title() == "Corrections"
    assert page.get_by_role("heading").inner_text() == "None yet"


@pytest.mark.parametrize("host", ["0.0.0.0", "192.0.2.1", ""])
def test_no_test_listens_beyond_loopback(host: str) -> None:
    """Listening on every address, on a foreign one, or on an unnamed one is refused."""
    with socket.socket() as listener, pytest.raises(PermissionError, match="loopback"):
        listener.bind((host, 0))


def test_no_test_calls_out() -> None:
    """A connection that would leave this machine is refused before it starts."""
    with socket.socket() as caller, pytest.raises(PermissionError, match="loopback"):
        caller.connect(("192.0.2.1", 80))
