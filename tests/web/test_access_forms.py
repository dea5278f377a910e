"""A form is taken if we gave it out and our own page sends it; nothing typed is lost."""

import re
from collections.abc import Callable
from datetime import timedelta
from io import BytesIO

import pytest
from flask import request
from werkzeug.test import TestResponse

from tests.web.guarded import TEXT, ada, pages, visitor
from tests.web.orchard import Orchard
from tests.web.people import Person, signed_in, stranger
from web import access
from web.access import public
from web.cookies import FORM

__all__ = ["ada", "pages", "visitor"]


def test_a_form_that_we_gave_out_is_taken(visitor: Person, ada: Person) -> None:
    """From strangers and from whoever is logged in; the page brings the token and no cache."""
    for person in (visitor, ada):
        page = person.get("/form")
        assert page.headers["Cache-Control"] == "no-store"
        found = re.search('value="([0-9a-f]{64})"', page.text)
        assert found is not None
        sent = {"csrf": found[1], "words": TEXT}
        assert person.client.post("/form", data=sent).text == f"recorded {TEXT}"


def test_a_form_brings_its_own_cookie(pages: Orchard) -> None:
    """A first visitor gets one with the form, and can send it."""
    client = pages.app.test_client()
    page = client.get("/form")
    found = re.search('value="([0-9a-f]{64})"', page.text)
    assert found is not None
    assert client.get_cookie(FORM) is not None
    assert client.post("/form", data={"csrf": found[1], "words": "x"}).status_code == 200


Sending = Callable[[Person], TestResponse]
FORGED: dict[str, Sending] = {
    "without a token": lambda who: who.post("/form", {"words": TEXT}, forged=True),
    "an empty token": lambda who: who.post("/form", {"words": TEXT, "csrf": ""}),
    "a token of letters": lambda who: who.post("/form", {"words": TEXT, "csrf": "é" * 64}),
    "another form's token": lambda who: who.post(
        "/form", {"words": TEXT, "csrf": who.token("/seldom")}
    ),
}
ELSEWHERE: dict[str, dict[str, str]] = {
    "another origin": {"Origin": "https://evil.example"},
    "an origin of this name at another port": {"Origin": "http://localhost:81"},
    "an origin that begins like ours": {"Origin": "http://localhost.evil.example"},
    "an origin that hides itself": {"Origin": "null"},
    "an origin that is none": {"Origin": "http://[::1"},
    "another page": {"Referer": "https://evil.example/localhost"},
    "another site": {"Sec-Fetch-Site": "cross-site"},
    "a site beside ours": {"Sec-Fetch-Site": "same-site", "Origin": "http://localhost"},
}
FROM_HERE: dict[str, dict[str, str]] = {
    "says nothing": {},
    "our origin": {"Origin": "http://localhost", "Sec-Fetch-Site": "same-origin"},
    "our origin with its port": {"Origin": "http://localhost:80"},
    "under TLS before a proxy": {"Origin": "https://LOCALHOST"},
    "our page": {"Referer": "http://localhost/form?x=1"},
    "reloaded by hand": {"Sec-Fetch-Site": "none"},
}


@pytest.mark.parametrize("how", FORGED)
def test_a_form_that_we_did_not_give_out_is_refused_and_can_be_sent_again(
    visitor: Person, how: str
) -> None:
    """403; nothing is recorded, and what was typed comes back in a form that works."""
    response = FORGED[how](visitor)
    assert response.status_code == 403
    assert "recorded The table" not in response.text
    assert "The table says 70.1, &lt;script&gt;" in response.text
    assert "<script>" not in response.text
    again = re.search('name="csrf" value="([0-9a-f]{64})"', response.text)
    assert again is not None
    sent = visitor.client.post("/form", data={"csrf": again[1], "words": TEXT})
    assert sent.text == f"recorded {TEXT}"


@pytest.mark.parametrize("how", ELSEWHERE)
def test_what_another_site_sends_is_refused_even_with_a_right_token(
    visitor: Person, how: str
) -> None:
    """What was typed is shown, but no button would send it: it may be somebody else's text."""
    response = visitor.post("/form", {"words": TEXT}, headers=ELSEWHERE[how])
    assert response.status_code == 403
    assert "from another site" in response.text
    assert "The table says 70.1, &lt;script&gt;" in response.text
    assert 'method="post"' not in response.text


@pytest.mark.parametrize("how", FROM_HERE)
def test_what_our_own_pages_send_is_taken(visitor: Person, how: str) -> None:
    """Whatever the browser says about it, or does not."""
    response = visitor.post("/form", {"words": "x"}, headers=FROM_HERE[how])
    assert response.status_code == 200


def test_a_token_is_good_for_one_browser(pages: Orchard, visitor: Person) -> None:
    """Whoever was given one cannot have another person send it."""
    other = stranger(pages.app, pages.workspace)
    response = visitor.post("/form", {"words": "x", "csrf": other.token("/form")})
    assert response.status_code == 403


def test_a_program_may_send_its_token_as_a_header(ada: Person) -> None:
    """JSON has no field for it."""
    token = {"X-CSRF-Token": ada.token("/inside")}
    assert ada.client.post("/inside", json={}, headers=token).text == "hello ada"
    assert ada.client.post("/inside", json={}).status_code == 403


def test_a_form_that_was_open_too_long_loses_nothing(pages: Orchard, ada: Person) -> None:
    """The session is over: the text comes back, and after another login it can be sent."""
    pages.clock.now += timedelta(hours=13)
    late = ada.post("/inside", {"words": TEXT, "password": "four words do well"})
    assert late.status_code == 403
    assert "Log in (opens another tab)" in late.text
    assert "The table says 70.1" in late.text
    assert "four words" not in late.text
    # The other tab logs in, which gives the browser another cookie.
    again = signed_in(pages.app, pages.workspace, "ada")
    second = again.post("/inside", {"words": TEXT, "csrf": ada.token("/inside")})
    assert second.status_code == 403
    assert "The table says 70.1" in second.text
    found = re.search('name="csrf" value="([0-9a-f]{64})"', second.text)
    assert found is not None
    sent = again.client.post("/inside", data={"csrf": found[1], "words": TEXT})
    assert sent.text == "hello ada"


def test_files_that_have_to_be_chosen_again_are_named(visitor: Person) -> None:
    """A browser lets nobody choose a file but the person."""
    files = {"words": "x", "evidence": (BytesIO(b"%PDF"), "table-4.pdf")}
    response = visitor.post("/form", files, forged=True)
    assert "chosen again in the form itself: table-4.pdf" in response.text


def test_a_body_that_is_too_large_is_refused_before_it_is_read(visitor: Person) -> None:
    """413, on every form that does not ask for more."""
    response = visitor.post("/form", {"words": "x" * 70_000})
    assert response.status_code == 413


def test_a_view_may_take_larger_bodies(pages: Orchard) -> None:
    """Where files are sent; the others keep the usual limit."""

    @pages.app.post("/upload")
    @access.largest(200_000)
    @public
    def upload() -> str:
        return str(len(request.files["evidence"].read()))

    who = stranger(pages.app, pages.workspace)
    sent = who.post("/upload", {"evidence": (BytesIO(b"x" * 150_000), "a.txt")})
    assert sent.text == "150000"
    too_large = who.post("/upload", {"evidence": (BytesIO(b"x" * 250_000), "a.txt")})
    assert too_large.status_code == 413
