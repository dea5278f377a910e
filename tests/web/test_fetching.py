"""Fetching an address: what is never asked, what is never waited for, and what is kept."""

import socket
from collections.abc import Sequence
from ipaddress import IPv4Address, ip_address
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.web.failing_server import (
    PAGE,
    SECRET,
    FailingServer,
    failing_server,
    nobodys_port,
    own_certificate,
)
from web.fetching.addresses import Number, anywhere, is_public, place_of
from web.fetching.failure import NotFetched
from web.fetching.get import Fetched, Fetcher, Limits, fetcher
from web.fetching.robots import robots_of

AGENT = "Corrigenda/test (+https://corrections.example.org)"
SMALL = Limits(bytes_received=1_000_000, bytes_unpacked=1_000_000, seconds=60.0)
IMPATIENT = Limits(seconds=0.4)


def get(address: str, limits: Limits = SMALL) -> Fetched:
    return fetcher(AGENT, allow_private=True, limits=limits).get(address)


def failure(address: str, limits: Limits = SMALL) -> NotFetched:
    with pytest.raises(NotFetched) as caught:
        get(address, limits)
    return caught.value


# --- what is kept -----------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["fine", "gzip", "deflate", "chunks", "moved"])
def test_the_bytes_are_those_of_the_page_however_they_travel(
    server: FailingServer, path: str
) -> None:
    """Packed, in chunks, or after a redirect: what is frozen is what a reader sees."""
    fetched = get(server.url(path))
    assert (fetched.status, fetched.content, fetched.media_type) == (200, PAGE, "text/html")


def test_no_cookie_and_no_unknown_header_is_kept(server: FailingServer) -> None:
    """Headers may hold what is nobody's business; only those that are known are kept."""
    fetched = get(server.url("fine"))
    assert fetched.header("content-type") == "text/html; charset=utf-8"
    assert SECRET not in str(fetched.headers)
    assert {name for name, _ in fetched.headers} == {"date", "content-type", "content-length"}


def test_a_request_says_who_we_are(server: FailingServer) -> None:
    """The other side can find out whom to ask to stop."""
    get(server.url("fine"))
    assert server.agents == {AGENT}


def test_a_redirect_says_where_it_led(server: FailingServer) -> None:
    """The address asked and the address found are both known."""
    fetched = get(server.url("moved"))
    assert (fetched.asked, fetched.found_at) == (server.url("moved"), server.url("fine"))


# --- limits -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "cause"),
    [
        ("bomb", "too-large"),
        ("deflate-bomb", "too-large"),
        ("endless", "too-large"),
        ("half-gzip", "truncated"),
        ("truncated", "truncated"),
        ("half-chunk", "truncated"),
        ("brotli", "coding"),
        ("loop", "redirect-loop"),
        ("further", "too-many-redirects"),
        ("nowhere", "redirect-nowhere"),
        ("to-file", "bad-address"),
        ("with-password", "credentials"),
        ("hangs-up", "hung-up"),
        ("noise", "not-http"),
    ],
)
def test_each_failure_has_its_own_cause(server: FailingServer, path: str, cause: str) -> None:
    """Too long (as it comes or unpacked), cut off, or no answer at all: it is refused."""
    assert failure(server.url(path)).cause == cause


@pytest.mark.parametrize("path", ["silent", "drips", "drips-headers"])
def test_nobody_can_hold_us_longer_than_the_time_in_all(server: FailingServer, path: str) -> None:
    """Also a server that sends a byte now and then, so that every single read succeeds."""
    assert failure(server.url(path), IMPATIENT).cause == "timeout"


def test_redirects_share_one_time(server: FailingServer) -> None:
    """A slow answer behind a redirect has no more time than what is left."""
    server.elsewhere = server.url("drips")
    assert failure(server.url("elsewhere"), IMPATIENT).cause == "timeout"


def test_a_refused_connection_is_told_from_a_slow_one() -> None:
    """Where nobody listens, it says so."""
    assert failure(f"http://127.0.0.1:{nobodys_port()}/").cause == "refused"


# --- names and numbers ------------------------------------------------------------------------


def test_a_host_that_is_not_there_is_told_from_one_that_cannot_be_looked_up() -> None:
    """The first is gone, the second may be there."""

    def missing(*_: object) -> Sequence[str]:
        raise socket.gaierror(socket.EAI_NONAME, "no such name")

    def failing(*_: object) -> Sequence[str]:
        raise socket.gaierror(socket.EAI_AGAIN, "try again")

    for lookup, cause in ((missing, "dns"), (failing, "dns-failure")):
        with pytest.raises(NotFetched) as caught:
            Fetcher(agent=AGENT, lookup=lookup).get("http://kites.example/")
        assert caught.value.cause == cause


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "localhost", "2130706433", "0x7f.1", "127.1", "0.0.0.0"]
)
def test_this_machine_is_not_asked_unless_it_is_allowed(server: FailingServer, host: str) -> None:
    """However its number is written."""
    with pytest.raises(NotFetched) as caught:
        fetcher(AGENT, allow_private=False).get(server.url("fine", host))
    assert (caught.value.cause, server.asked) == ("private-address", [])


@pytest.mark.parametrize(
    "number",
    [
        "10.0.0.1",
        "172.16.0.1",
        "192.168.1.1",
        "100.64.0.1",
        "169.254.169.254",
        "127.0.0.1",
        "0.0.0.0",
        "224.0.0.1",
        "255.255.255.255",
        "240.0.0.1",
        "192.0.2.1",
        "::1",
        "::",
        "fe80::1",
        "fc00::1",
        "ff02::1",
        "::ffff:127.0.0.1",
        "::ffff:10.0.0.1",
        "64:ff9b::7f00:1",
        "64:ff9b:1::1",
        "2002:7f00:1::",
        "2001:db8::1",
    ],
)
def test_numbers_of_nobody_are_not_public(number: str) -> None:
    """Private, loopback, link-local, multicast, reserved, and those carried in others."""
    assert not is_public(ip_address(number))


@pytest.mark.parametrize("number", ["1.1.1.1", "2606:4700::1111", "::ffff:1.1.1.1"])
def test_numbers_of_the_internet_are_public(number: str) -> None:
    """What anybody may ask, we may."""
    assert is_public(ip_address(number))


@given(st.ip_addresses(v=4))
def test_an_ipv4_number_is_judged_alike_however_it_is_carried(number: IPv4Address) -> None:
    """Mapped into IPv6 it is no more public than by itself."""
    assert is_public(ip_address(f"::ffff:{number}")) == is_public(number)


def test_a_name_is_looked_up_once_and_the_checked_number_is_asked(server: FailingServer) -> None:
    """A name that is answered otherwise the next time leads nowhere else (DNS rebinding)."""
    answers = iter([["127.0.0.1"], ["127.0.0.2"]])
    asking = Fetcher(agent=AGENT, permits=_home, limits=SMALL, lookup=lambda *_: next(answers))
    assert asking.get(server.url("fine", "kites.example")).content == PAGE
    with pytest.raises(NotFetched) as caught:
        asking.get(server.url("fine", "kites.example"))
    assert (caught.value.cause, server.links) == ("private-address", ["/fine"])


def test_every_number_of_a_name_has_to_be_allowed(server: FailingServer) -> None:
    """One that is not, among others, is enough to refuse the name."""
    asking = Fetcher(agent=AGENT, permits=_home, lookup=lambda *_: ["127.0.0.1", "127.0.0.2"])
    with pytest.raises(NotFetched) as caught:
        asking.get(server.url("fine", "kites.example"))
    assert (caught.value.cause, server.asked) == ("private-address", [])


def test_a_redirect_is_checked_like_the_first_address(server: FailingServer) -> None:
    """What is public may lead to what is not, and is not followed there."""
    with failing_server("127.0.0.2") as inner:
        server.elsewhere = inner.url("fine", "127.0.0.2")
        with pytest.raises(NotFetched) as caught:
            Fetcher(agent=AGENT, permits=_home, limits=SMALL).get(server.url("elsewhere"))
        assert (caught.value.cause, inner.asked) == ("private-address", [])


def _home(number: Number) -> bool:
    return number == IPv4Address("127.0.0.1")


@pytest.mark.parametrize(
    ("address", "cause"),
    [
        ("ftp://kites.example/", "bad-address"),
        ("file:///etc/passwd", "bad-address"),
        ("http://ada:secret@kites.example/", "credentials"),
        ("http://ada@kites.example/", "credentials"),
        ("http://kites.example:99999/", "bad-address"),
        ("http:///nowhere", "bad-address"),
        ("http://kites.example/\r\nX: y", "bad-address"),
        ("http://[::1/", "bad-address"),
        ("http://" + "a" * 70 + ".example/", "bad-address"),
    ],
)
def test_addresses_that_are_none_of_ours_are_refused(address: str, cause: str) -> None:
    """Other schemes, credentials, line breaks: nothing is asked, and no password is repeated."""
    with pytest.raises(NotFetched) as caught:
        place_of(address)
    assert caught.value.cause == cause
    assert "secret" not in str(caught.value)


@given(st.text(max_size=60))
def test_no_address_breaks_a_request_in_two(rest: str) -> None:
    """Whatever stands in an address, its request line is one line of ASCII, or it is refused."""
    try:
        place = place_of(f"http://kites.example/{rest}")
    except NotFetched:
        return
    line = f"GET {place.target} HTTP/1.1"
    assert line.isascii()
    assert line.isprintable()
    assert line.count(" ") == 2


# --- TLS --------------------------------------------------------------------------------------


def test_a_certificate_that_nobody_vouches_for_is_refused(tmp_path: Path) -> None:
    """An answer that might be anybody's is no answer."""
    with failing_server(chain=own_certificate(tmp_path / "own.pem")) as server:
        address = server.url("fine").replace("http:", "https:")
        assert failure(address).cause == "tls"
        assert server.asked == []


def test_a_certificate_is_of_the_host_that_was_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that is vouched for is taken for its own host, and for no other."""
    chain = own_certificate(tmp_path / "own.pem")
    monkeypatch.setenv("SSL_CERT_FILE", str(chain))
    with failing_server(chain=chain) as server:
        address = server.url("fine").replace("http:", "https:")
        assert get(address).content == PAGE
        other = address.replace("127.0.0.1", "kites.example")
        asking = Fetcher(agent=AGENT, permits=anywhere, lookup=lambda *_: ["127.0.0.1"])
        with pytest.raises(NotFetched) as caught:
            asking.get(other)
        assert caught.value.cause == "tls"


def test_https_never_leads_to_plain_http(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is safe is not followed to where anybody could answer."""
    chain = own_certificate(tmp_path / "own.pem")
    monkeypatch.setenv("SSL_CERT_FILE", str(chain))
    with failing_server(chain=chain) as server, failing_server() as plain:
        server.elsewhere = plain.url("fine")
        assert failure(server.url("elsewhere").replace("http:", "https:")).cause == "downgrade"
        assert plain.asked == []


# --- robots.txt -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("robots", "target", "allowed"),
    [
        ("", "/a", True),
        ("User-agent: *\nDisallow: /", "/a", False),
        ("User-agent: *\nDisallow:", "/a", True),
        ("User-agent: *\nAllow: /\nDisallow: /a", "/a", False),
        ("User-agent: *\nDisallow: /a\nAllow: /a/b", "/a/b/c", True),
        ("User-agent: *\nDisallow: /*.pdf$", "/x/a.pdf", False),
        ("User-agent: *\nDisallow: /*.pdf$", "/x/a.pdf?v=1", True),
        ("User-agent: *\nDisallow: /a*c", "/abc/d", False),
        ("User-agent: other\nDisallow: /", "/a", True),
        ("User-agent: Corrigenda/2\nDisallow: /a\n\nUser-agent: *\nDisallow: /", "/b", True),
        ("User-agent: x\nUser-agent: corrigenda\nDisallow: /a # why", "/a", False),
        ("\ufeffuser-agent:*\ndisallow:/a", "/a", False),
        ("Disallow: /a", "/a", True),
        ("User-agent: *\nDisallow: /%61", "/a", False),
        ("User-agent: *\nDisallow: /", "/robots.txt", True),
    ],
)
def test_robots_are_read_as_rfc_9309_says(robots: str, target: str, allowed: bool) -> None:
    """Our own group or the one for all; the longest rule that fits; patterns."""
    assert robots_of(robots.encode(), "corrigenda").allows(target) is allowed


@given(st.binary(max_size=300), st.text(max_size=30))
def test_any_bytes_can_stand_in_a_robots_txt(data: bytes, target: str) -> None:
    """Nothing that a server sends there ends a run."""
    assert robots_of(data, "corrigenda").allows(f"/{target}") in {True, False}
