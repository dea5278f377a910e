"""Where a login leads: to a page of ours and nowhere else (P038)."""

import re
from urllib.parse import quote, urlsplit

import pytest
from argon2 import PasswordHasher
from hypothesis import example, given
from hypothesis import strategies as st

from tests.web.login import PASSWORD, log_in, pages, visitor
from tests.web.orchard import Orchard
from tests.web.people import Person
from web import passwords
from web.onward import onward
from web.private import accounts as acc

__all__ = ["pages", "visitor"]


# P038: what is given as next, and where it leads.
NEXT = {
    "////evil.example": "/",
    "///evil.example": "/",
    "//evil.example": "/",
    "/\\evil.example": "/",
    "/%09/evil.example": "/",
    "/%0A/evil.example": "/",
    "https:evil.example": "/",
    "%20//evil.example": "/",
    "javascript:alert(1)": "/",
    "/reports/9?x=1": "/reports/9?x=1",
    "\t//evil.example": "/",
    "/\t/evil.example": "/",
    "/\n/evil.example": "/",
    "/%5Cevil.example": "/",
    "\\\\evil.example": "/",
    "/.//evil.example": "/",
    "/..//evil.example": "/",
    "/review?next=%0d%0aSet-Cookie:x": "/",
    "/review\x00": "/",
    "/r\u00e9view": "/",
    "http://localhost/review": "/",
    "evil.example": "/",
    "": "/",
    " ": "/",
    "/review?benchmark=orchard&age=7": "/review?benchmark=orchard&age=7",
    "/benchmarks/orchard?as_read_on=2025-07-28T00:00:00%2B02:00": (
        "/benchmarks/orchard?as_read_on=2025-07-28T00:00:00%2B02:00"
    ),
    f"/{'a' * 3_000}": "/",
}


@pytest.mark.parametrize("wanted", NEXT)
@pytest.mark.parametrize("how", ["form", "address", "logged in"])
def test_a_login_leads_to_a_page_of_ours_and_nowhere_else(
    visitor: Person, monkeypatch: pytest.MonkeyPatch, wanted: str, how: str
) -> None:
    """P038, given as a field, in the address, or to somebody who is logged in already."""
    monkeypatch.setattr(passwords, "HASHER", PasswordHasher(1, 64, 1))
    acc.set_password(visitor.workspace.private, "ada", passwords.hashed(PASSWORD), one_time=False)
    if how == "form":
        response = log_in(visitor, next=wanted)
    elif how == "address":
        sent = {"handle": "ada", "password": PASSWORD, "csrf": visitor.token("/login")}
        response = visitor.client.post(f"/login?next={quote(wanted)}", data=sent)
    else:
        log_in(visitor)
        response = visitor.get(f"/login?next={quote(wanted)}")
    if len(quote(wanted)) > 1_900 and how != "form":
        assert response.status_code == 414
    elif how == "logged in" and (not wanted.strip() or len(wanted) > 128):
        assert response.status_code == 400
    else:
        assert (response.status_code, response.location) == (303, NEXT[wanted])


@given(st.text(alphabet="/\\%:?#@.ael0259ADFdf\t\n\r \x00&=\u3002\uff0f", max_size=20))
@example("/%2F/evil.example")
@example("/;//evil.example")
@example("/@evil.example")
def test_whatever_is_followed_stays_here(text: str) -> None:
    """Read as a browser does: without tabs and line ends, a backslash being a slash."""
    where = onward(text)
    assert where in {"/", text}
    seen = re.sub(r"[\t\n\r]", "", where).strip().replace("\\", "/")
    assert re.match(r"/([^/]|$)", seen)
    assert urlsplit(seen).netloc == ""
    assert "%2F" not in where.upper().partition("?")[0]
    assert not re.search(r"[\x00-\x20]|%[01]", where)


def test_the_login_page_keeps_where_somebody_came_from(pages: Orchard, visitor: Person) -> None:
    """From the address, or from our page that led here; from nowhere else."""
    here = {"Referer": "http://localhost/review/7?x=1"}
    assert 'name="next" value="/review/7?x=1"' in visitor.get("/login", headers=here).text
    assert 'name="next" value="/inside"' in visitor.get("/login?next=/inside").text
    for address, headers in (
        ("/login", {"Referer": "https://evil.example/inside"}),
        ("/login", {"Referer": "http://localhost//evil.example"}),
        ("/login", {"Referer": "http://localhost/password"}),
        ("/login?next=//evil.example", {}),
    ):
        assert 'name="next" value=""' in visitor.get(address, headers=headers).text
    response = pages.get("/nowhere")
    assert response.status_code == 404
    assert 'href="/login"' in response.text
