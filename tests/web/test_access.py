"""Who may see and do what: nothing is open unless its view says so."""

import re
from collections.abc import Callable
from datetime import timedelta
from io import BytesIO
from typing import Any

import attrs
import pytest
from flask import Flask, render_template_string, request
from werkzeug.test import TestResponse

from tests.web.orchard import Orchard
from tests.web.people import Person, signed_in, stranger
from web import access
from web.access import ROLES, Unmarked, account, client_key, door_of, limit, needs, public
from web.app import create_app
from web.cookies import FORM, SESSION
from web.private import accounts
from web.settings import Settings

TEXT = "The table says 70.1, <script>alert('x')</script>\nand \"not\" 72.5."
FORM_PAGE = '<form method="post"><input name="csrf" value="{{ csrf_token() }}"></form>'
OPEN_TO_ALL = re.compile(
    r"/(login|logout|password|report|reports/<[^/]*>(/[a-z-]+)?"
    # A large PDF is begun, and cancelled, by whoever asks for it; the ledger knows nothing of it.
    # A program may file a report as anybody may by the form; it shows no session.
    r"|api/reports"
    r"|(benchmarks|papers)/<[^/]*>\.pdf|corrections\.pdf|exports/jobs/<[^/]*>/cancel)"
)
"""Where people without an account may send something."""


def add_views(app: Flask) -> None:
    """A public form, and pages that need a role, as the other blueprints have them."""

    @app.get("/form")
    @public
    def form() -> str:
        return render_template_string(FORM_PAGE)

    @app.post("/form")
    @public
    def send() -> str:
        return f"recorded {request.form['words']}"

    @app.post("/seldom")
    @public
    def seldom() -> str:
        limit("seldom", client_key(), 2, 900)
        return "recorded"

    @app.route("/inside", methods=["GET", "POST"])
    @needs("reviewer", "curator")
    def inside() -> str:
        who = account()
        assert who is not None
        return f"hello {who.handle}"

    @app.route("/inside/<int:number>", methods=["GET", "POST"])
    @needs("reviewer")
    def one(number: int) -> str:
        return f"report {number}"

    @app.get("/inside.json")
    @needs("reviewer")
    def listed() -> str:
        return "[]"


@pytest.fixture
def pages(orchard: Orchard) -> Orchard:
    """The orchard with a few pages more."""
    add_views(orchard.app)
    return orchard


@pytest.fixture
def visitor(pages: Orchard) -> Person:
    """Somebody without an account, at a form."""
    return stranger(pages.app, pages.workspace)


@pytest.fixture
def ada(pages: Orchard) -> Person:
    """A reviewer."""
    return signed_in(pages.app, pages.workspace, "ada", "reviewer")


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


# --- limits -----------------------------------------------------------------------------------


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
