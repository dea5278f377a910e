"""How often a client may try, and by what it is known."""

import re
from datetime import timedelta

import attrs
import pytest
from flask import request

from tests.web.guarded import TEXT, pages, visitor
from tests.web.orchard import Orchard
from tests.web.people import Person
from web.access import client_key, public
from web.app import create_app
from web.settings import Settings

__all__ = ["pages", "visitor"]


def test_too_many_tries_are_429_with_the_time_to_wait(pages: Orchard, visitor: Person) -> None:
    """What was typed comes back, and after the wait it is taken."""
    for _ in range(2):
        assert visitor.post("/seldom").text == "recorded"
    response = visitor.post("/seldom", {"words": TEXT})
    assert (response.status_code, response.headers["Retry-After"]) == (429, "900")
    assert "wait 900 seconds" in response.text
    assert "The table says 70.1" in response.text
    pages.clock.now += timedelta(seconds=900)
    assert visitor.post("/seldom").text == "recorded"


def key_of(orchard: Orchard, address: str) -> str:
    with orchard.app.test_request_context("/", environ_base={"REMOTE_ADDR": address}):
        return client_key()


def test_a_client_is_known_for_a_day_and_only_by_a_digest(orchard: Orchard) -> None:
    """Its address is nowhere, and tomorrow it is somebody else."""
    today = key_of(orchard, "192.0.2.7")
    assert re.fullmatch("[0-9a-f]{64}", today)
    assert key_of(orchard, "192.0.2.7") == today
    assert key_of(orchard, "192.0.2.8") != today
    orchard.clock.now += timedelta(days=1)
    assert key_of(orchard, "192.0.2.7") != today


def test_a_client_with_ipv6_is_known_by_its_network(orchard: Orchard) -> None:
    """It has 2^64 addresses to itself; a mapped IPv4 address is that address."""
    assert key_of(orchard, "2001:db8::1") == key_of(orchard, "2001:db8::ffff:2")
    assert key_of(orchard, "2001:db8::1") != key_of(orchard, "2001:db8:0:1::1")
    assert key_of(orchard, "::ffff:192.0.2.7") == key_of(orchard, "192.0.2.7")
    assert key_of(orchard, "") == key_of(orchard, "")


@pytest.mark.parametrize(
    ("proxies", "seen"), [(0, "10.0.0.1"), (1, "192.0.2.7"), (2, "198.51.100.9")]
)
def test_only_our_own_proxies_are_believed(orchard: Orchard, proxies: int, seen: str) -> None:
    """Whatever a client writes before them into the header does not count."""
    settings = Settings(home=orchard.workspace.settings.home, proxies=proxies)
    app = create_app(attrs.evolve(orchard.workspace, settings=settings))
    told: list[str | None] = []

    @app.get("/who")
    @public
    def who() -> str:
        told.append(request.remote_addr)
        return ""

    headers = {"X-Forwarded-For": "203.0.113.1, 198.51.100.9, 192.0.2.7"}
    app.test_client().get("/who", headers=headers, environ_base={"REMOTE_ADDR": "10.0.0.1"})
    assert told == [seen]
