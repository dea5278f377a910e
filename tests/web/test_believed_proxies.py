"""What a request says of whom it speaks for is believed from the proxies that are set, and from
nobody else, also not from this machine: by the real server."""

import http.client
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.web.corrigenda import Corrigenda
from tests.web.served import served_home

FORWARDED = {
    "X-Forwarded-Proto": "https",
    "X-Forwarded-Ssl": "on",
    "X-Forwarded-Protocol": "ssl",
    "X-Forwarded-For": "203.0.113.7",
    "X-Forwarded-Host": "evil.example",
    "X-Forwarded-Prefix": "/evil",
    "X-Forwarded-Port": "444",
    "Forwarded": "for=203.0.113.7;proto=https;host=evil.example",
    "Script_Name": "/evil",
    "Path_Info": "/benchmarks",
}
FEED = "/corrections.atom"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """An empty ledger."""
    Corrigenda(tmp_path / "home").done("init")
    return tmp_path / "home"


def asked(address: str, path: str, headers: dict[str, str]) -> tuple[int, str, str]:
    """Status, cookie and text of an answer, without what differs by chance."""
    connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=60)
    connection.request("GET", path, headers=headers)
    response = connection.getresponse()
    text = response.read().decode()
    connection.close()
    cookie = response.headers.get("Set-Cookie", "")
    name = cookie.partition("=")[0]
    return response.status, f"{name}{cookie.partition(';')[2]}", text


def test_nobody_is_believed_unless_a_proxy_is_set(home: Path) -> None:
    """Not from loopback either, and not because the machine's environment says so: every page is
    the one that a plain request gets, over http."""
    with served_home(home, FORWARDED_ALLOW_IPS="*") as address:
        plain, login = asked(address, FEED, {}), asked(address, "/login", {})
        assert f"{address}{FEED}" in plain[2]
        assert "Secure" not in login[1]
        for name, value in FORWARDED.items():
            told = {name: value}
            assert asked(address, FEED, told) == plain, name
            assert asked(address, "/login", told)[:2] == login[:2], name


def test_as_many_proxies_are_believed_as_are_set(home: Path) -> None:
    """The scheme that the nearest one tells, and of that alone; no host and no path."""
    with served_home(home, CORRIGENDA_PROXIES="1") as address:
        plain = asked(address, FEED, {})
        secure = address.replace("http://", "https://")
        for told in ("https", "http, https"):
            found = asked(address, FEED, {"X-Forwarded-Proto": told})
            assert found == (200, plain[1], plain[2].replace(address, secure)), told
        assert "Secure" in asked(address, "/login", {"X-Forwarded-Proto": "https"})[1]
        assert asked(address, FEED, {"X-Forwarded-Proto": "https, http"}) == plain
        for name in FORWARDED.keys() - {"X-Forwarded-Proto"}:
            assert asked(address, FEED, {name: FORWARDED[name]}) == plain, name
