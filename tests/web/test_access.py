"""Who may see and do what: nothing is open unless its view says so."""

import re
from typing import Any

import pytest
from flask import Flask

from tests.web.guarded import ada, pages, visitor
from tests.web.orchard import Orchard
from tests.web.people import Person, signed_in, stranger
from web import access
from web.access import ROLES, Unmarked, door_of, needs, public
from web.cookies import SESSION
from web.private import accounts

__all__ = ["ada", "pages", "visitor"]


OPEN_TO_ALL = re.compile(
    r"/(login|logout|password|report|reports/<[^/]*>(/[a-z-]+)?"
    # A large PDF is begun, and cancelled, by whoever asks for it; the ledger knows nothing of it.
    # A program may file a report as anybody may by the form; it shows no session.
    r"|api/reports"
    r"|(benchmarks|papers)/<[^/]*>\.pdf|corrections\.pdf|exports/jobs/<[^/]*>/cancel)"
)
"""Where people without an account may send something."""


# --- deny by default --------------------------------------------------------------------------


def test_every_view_says_who_may_pass(orchard: Orchard) -> None:
    """Each address is either public, or needs roles that there are."""
    for rule in orchard.app.url_map.iter_rules():
        door = door_of(orchard.app.view_functions[rule.endpoint])
        assert door is not None, rule
        assert door.anyone != bool(door.roles), rule
        assert door.roles <= set(ROLES), rule


def test_the_few_places_where_strangers_may_send_something_are_named(orchard: Orchard) -> None:
    """Every other view that changes something needs a role."""
    for rule in orchard.app.url_map.iter_rules():
        changes = (rule.methods or set()) - {"GET", "HEAD"}
        door = door_of(orchard.app.view_functions[rule.endpoint])
        if changes and door is not None and door.anyone:
            assert OPEN_TO_ALL.fullmatch(rule.rule), rule


def test_what_is_for_reviewers_is_under_their_own_addresses(orchard: Orchard) -> None:
    """No page of the review is public by mistake."""
    for rule in orchard.app.url_map.iter_rules():
        door = door_of(orchard.app.view_functions[rule.endpoint])
        if re.match(r"/(review|accounts)\b", rule.rule):
            assert door is not None, rule
            assert not door.anyone, rule


def test_an_app_with_an_unmarked_view_does_not_start() -> None:
    """Whoever forgets to say who may pass is told before anybody can."""
    app = Flask("forgetful")
    app.add_url_rule("/secret", "secret", lambda: "secret")
    with pytest.raises(Unmarked, match="secret"):
        access.install(app)


def test_a_view_that_is_added_later_without_a_mark_stays_shut(
    orchard: Orchard, caplog: pytest.LogCaptureFixture
) -> None:
    """It is our mistake and no visitor's: 500, and nothing of the view is shown."""
    orchard.app.add_url_rule("/late", "late", lambda: "secret")
    response = orchard.get("/late")
    assert response.status_code == 500
    assert "secret" not in response.text
    assert "late" in caplog.text


def test_a_view_bears_one_mark() -> None:
    """Two would contradict each other, and a role that is not there would let nobody in."""

    def view() -> str:
        return ""

    public(view)
    with pytest.raises(ValueError, match="already"):
        needs("reviewer")(view)
    for roles in ((), ("boss",)):
        with pytest.raises(ValueError, match="roles"):
            needs(*roles)


# --- roles ------------------------------------------------------------------------------------


def test_whoever_has_one_of_the_roles_passes(pages: Orchard) -> None:
    """One is enough; an administrator administers and does not review."""
    for handle, roles, status in (
        ("ada", ("reviewer",), 200),
        ("cleo", ("curator", "auditor"), 200),
        ("root", ("administrator",), 403),
        ("odd", ("auditor",), 403),
    ):
        person = signed_in(pages.app, pages.workspace, handle, *roles)
        response = person.get("/inside")
        assert response.status_code == status
        if status == 403:
            assert f"which {handle} does not have" in response.text


def test_a_stranger_is_sent_to_the_login_and_comes_back(visitor: Person) -> None:
    """With the filters that they had chosen."""
    response = visitor.get("/inside?benchmark=orchard&age=7")
    assert response.status_code == 303
    assert response.location == "/login?next=/inside?benchmark%3Dorchard%26age%3D7"


@pytest.mark.parametrize("address", ["/inside/7", "/inside.json"])
def test_a_page_about_something_tells_others_that_there_is_nothing(
    pages: Orchard, visitor: Person, address: str
) -> None:
    """The very answer of an address that does not exist, with or without an account."""
    auditor = signed_in(pages.app, pages.workspace, "odd", "auditor")
    missing = "/nowhere.json" if address.endswith(".json") else "/nowhere"
    for person in (visitor, auditor):
        for method in ("get", "head"):
            there = getattr(person.client, method)(address)
            nowhere = getattr(person.client, method)(missing)
            assert (there.status_code, there.data) == (404, nowhere.data)
            assert dict(there.headers) == dict(nowhere.headers)


def test_a_role_that_is_taken_away_is_gone_with_the_next_request(
    pages: Orchard, ada: Person
) -> None:
    """No session remembers what its account was."""
    assert ada.get("/inside").status_code == 200
    accounts.set_roles(pages.workspace.private, "ada", ["auditor"])
    assert ada.get("/inside").status_code == 403
    accounts.disable_account(pages.workspace.private, "ada")
    assert ada.get("/inside").status_code == 303


def test_nobody_is_logged_in_by_a_cookie_that_we_did_not_give(pages: Orchard) -> None:
    """Made up, empty, huge, or of another alphabet."""
    for made_up in ("x", "", "A" * 43, "A" * 9_000, "é" * 10, "' OR 1=1 --"):
        client = pages.app.test_client(use_cookies=False)
        cookies = {"Cookie": f"{SESSION}={made_up}"}
        assert client.get("/inside", headers=cookies).status_code == 303


# --- forms ------------------------------------------------------------------------------------


def test_reading_never_asks_for_a_token_and_never_changes_anything(orchard: Orchard) -> None:
    """No view that reads also takes forms, and what leaves or decides cannot be got."""
    for rule in orchard.app.url_map.iter_rules():
        methods = rule.methods or set()
        assert len(methods - {"HEAD"}) == 1, rule
    response = orchard.get("/logout")
    assert (response.status_code, response.headers["Allow"]) == (405, "POST")
    assert "a form of ours" in response.text


def test_looking_at_every_page_records_nothing(orchard: Orchard) -> None:
    """Neither a stranger nor somebody with all roles changes the ledger by reading."""
    boss = signed_in(orchard.app, orchard.workspace, "boss", *ROLES)
    head = orchard.head
    addresses = [
        rule.rule
        for rule in orchard.app.url_map.iter_rules()
        if "GET" in (rule.methods or set()) and not rule.arguments
    ]
    for address in (*addresses, "/benchmarks/orchard", "/review/1", "/corrections/1"):
        for person in (boss, stranger(orchard.app, orchard.workspace)):
            assert person.get(address).status_code in {200, 303, 400, 403, 404}, address
    assert orchard.head == head


# --- cookies ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("base", "name", "secure"),
    [
        ("http://localhost:8000", "form", False),
        ("http://127.0.0.1:8000", "form", False),
        ("http://[::1]:8000", "form", False),
        ("https://localhost", "__Host-form", True),
        ("http://corrigenda.example", "__Host-form", True),
        ("http://localhost.evil.example", "__Host-form", True),
        ("https://corrigenda.example", "__Host-form", True),
    ],
)
def test_cookies_travel_under_tls_alone_but_on_this_machine(
    pages: Orchard, base: str, name: str, secure: bool
) -> None:
    """No script reads them, no other site's form sends them, and no other host sets them."""
    response = pages.app.test_client().get("/form", base_url=base)
    (header,) = response.headers.getlist("Set-Cookie")
    parts: list[Any] = header.split("; ")
    assert parts[0].startswith(f"{name}=")
    expected = {"HttpOnly", "Path=/", "SameSite=Lax"} | ({"Secure"} if secure else set())
    assert set(parts[1:]) == expected


def test_public_pages_set_no_cookie_and_are_the_same_for_everybody(
    pages: Orchard, ada: Person
) -> None:
    """So any cache may keep them; who is logged in shows on pages that none keeps."""
    for address in ("/", "/benchmarks/orchard", "/corrections", "/nowhere"):
        mine, anyone = ada.get(address), pages.get(address)
        assert "Set-Cookie" not in mine.headers
        assert mine.data == anyone.data
