"""Logging in and out: nobody learns who has an account, and nobody is led astray."""

import re
from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

import pytest
from argon2 import PasswordHasher, extract_parameters
from axe_playwright_python.sync_playwright import Axe
from click.testing import CliRunner
from hypothesis import example, given
from hypothesis import strategies as st
from playwright.sync_api import Page
from werkzeug.test import TestResponse

from tests.web.corrigenda import Corrigenda
from tests.web.orchard import Hand, Orchard
from tests.web.people import Person, stranger
from tests.web.served import served
from web import passwords
from web.access import needs
from web.app import create_app
from web.cli import main
from web.cookies import FORM, SESSION
from web.onward import onward
from web.private import accounts as acc
from web.settings import Settings
from web.wiring import make_home, open_workspace

PASSWORD = "seven grafted apple trees"
OTHER = "nine pruned cherry hedges"
HASHED = passwords.hashed(PASSWORD)

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


@pytest.fixture
def pages(orchard: Orchard) -> Orchard:
    """The orchard, with a reviewer called ada and a page that reviewers alone can see."""
    add_account(orchard, "ada", "reviewer")

    @orchard.app.get("/inside")
    @needs("reviewer")
    def inside() -> str:
        return "inside"

    return orchard


@pytest.fixture
def visitor(pages: Orchard) -> Person:
    """Somebody at the login page."""
    return stranger(pages.app, pages.workspace)


def add_account(pages: Orchard, handle: str, *roles: str, one_time: bool = False) -> None:
    acc.add_account(pages.workspace.private, handle, roles, HASHED, one_time=one_time)


def log_in(
    who: Person, handle: str = "ada", password: str = PASSWORD, **fields: str
) -> TestResponse:
    token = who.token("/login")
    held = who.client.get_cookie(SESSION)
    if held is not None:
        token = Person(who.workspace, who.client, held.value).token("/login")
    sent = {"handle": handle, "password": password, "csrf": token, **fields}
    return who.client.post("/login", data=sent)


def after_login(who: Person) -> Person:
    """The same browser, with what it was given at the login."""
    held = who.client.get_cookie(SESSION)
    assert held is not None
    return Person(who.workspace, who.client, held.value)


# --- in and out -------------------------------------------------------------------------------


def test_a_right_password_lets_in_and_logging_out_ends_it(visitor: Person) -> None:
    """The session is over on our side too: the old cookie is worth nothing."""
    assert visitor.get("/inside").status_code == 303
    assert (log_in(visitor).status_code, log_in(visitor).location) == (303, "/")
    ada = after_login(visitor)
    assert ada.get("/inside").text == "inside"
    left = ada.post("/logout")
    assert (left.status_code, left.location) == (303, "/")
    assert ada.client.get_cookie(SESSION) is None
    ada.client.set_cookie(SESSION, ada.secret)
    assert ada.get("/inside").status_code == 303


def test_every_login_makes_a_new_session(visitor: Person) -> None:
    """One that somebody slipped into the browser beforehand is worth nothing afterwards."""
    log_in(visitor)
    first = after_login(visitor)
    log_in(first)
    second = after_login(visitor)
    assert second.secret != first.secret
    thief = stranger(visitor.client.application, visitor.workspace)
    thief.client.set_cookie(SESSION, first.secret)
    assert thief.get("/inside").status_code == 303
    slipped = stranger(visitor.client.application, visitor.workspace)
    slipped.client.set_cookie(SESSION, "A" * 43)
    token = Person(visitor.workspace, slipped.client, "A" * 43).token("/login")
    log_in(slipped, csrf=token)
    assert after_login(slipped).secret != "A" * 43
    assert slipped.client.get_cookie(FORM) is None


def test_a_login_that_another_site_sends_is_refused(visitor: Person) -> None:
    """Else somebody could be logged in as somebody else without knowing."""
    assert log_in(visitor, csrf="").status_code == 403
    assert visitor.client.get_cookie(SESSION) is None


def test_a_wrong_password_and_an_unknown_handle_get_the_same_answer(pages: Orchard) -> None:
    """So do a disabled account, a one-time password that is too old, and what is no handle."""
    add_account(pages, "gone", "reviewer")
    acc.disable_account(pages.workspace.private, "gone")
    add_account(pages, "late", "reviewer", one_time=True)
    pages.clock.now += timedelta(days=7)
    told = set()
    for handle, password in (
        ("ada", "wrong"),
        ("ada", ""),
        ("nobody", PASSWORD),
        ("gone", PASSWORD),
        ("late", PASSWORD),
        ("Not A Handle", PASSWORD),
        ("x" * 500, PASSWORD),
    ):
        response = log_in(stranger(pages.app, pages.workspace), handle, password)
        assert "not right" in response.text
        shown = re.sub(r'value="[^"]*"', "", response.text)
        told.add((response.status_code, shown, tuple(response.headers.keys())))
    assert len(told) == 1


def test_a_handle_comes_back_and_a_password_never_does(visitor: Person) -> None:
    """Escaped, as everything."""
    response = log_in(visitor, '"><script>x', "my secret words")
    assert "&#34;&gt;&lt;script&gt;x" in response.text
    assert "my secret words" not in response.text


def test_a_wrong_password_and_an_unknown_handle_cost_the_same(
    pages: Orchard, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One argon2id each, with the same parameters, so a watch tells nobody which it was."""
    checked: list[str] = []
    verify = PasswordHasher.verify

    def watched(hasher: PasswordHasher, kept: str, password: bytes) -> bool:
        checked.append(kept)
        return verify(hasher, kept, password)

    monkeypatch.setattr(PasswordHasher, "verify", watched)
    for handle in ("ada", "nobody"):
        log_in(stranger(pages.app, pages.workspace), handle, "wrong")
    known, unknown = checked
    assert known != unknown
    assert extract_parameters(known) == extract_parameters(unknown)


def test_passwords_tried_one_after_the_other_are_held_up(pages: Orchard, visitor: Person) -> None:
    """Five at one handle in a quarter of an hour; then the right one waits too, and is let in."""
    for _ in range(5):
        assert log_in(visitor, password="wrong").status_code == 403
    response = log_in(visitor)
    assert (response.status_code, response.headers["Retry-After"]) == (429, "900")
    assert "wait 900 seconds" in response.text
    assert 'name="password"' in response.text
    pages.clock.now += timedelta(minutes=15)
    assert log_in(visitor).status_code == 303


def test_unknown_handles_are_counted_like_known_ones(visitor: Person) -> None:
    """Else the limit would tell who has an account."""
    told = [log_in(visitor, "nobody", "wrong").status_code for _ in range(6)]
    assert told == [403] * 5 + [429]


def test_one_client_cannot_try_many_handles(pages: Orchard) -> None:
    """Thirty tries in all, whatever the handles; others are not held up by it."""
    told = []
    for number in range(31):
        who = stranger(pages.app, pages.workspace)
        told.append(log_in(who, f"x@{number}", "").status_code)
    assert told == [403] * 30 + [429]
    other = stranger(pages.app, pages.workspace)
    other.client.environ_base["REMOTE_ADDR"] = "192.0.2.1"
    assert log_in(other).status_code == 303


def test_a_right_password_starts_the_count_anew(visitor: Person) -> None:
    """Whoever logs in and out all day is not held up."""
    for _ in range(2):
        for _ in range(4):
            assert log_in(visitor, password="wrong").status_code == 403
        assert log_in(visitor).status_code == 303


def test_a_hash_of_weaker_parameters_is_replaced_at_login(pages: Orchard, visitor: Person) -> None:
    """With the same password; a wrong one changes nothing."""
    weak = PasswordHasher(time_cost=1, memory_cost=8_192, parallelism=1).hash(PASSWORD)
    private = pages.workspace.private
    acc.set_password(private, "ada", weak, one_time=False)
    log_in(visitor, password="wrong")
    kept = acc.account_named(private, "ada")
    assert kept is not None
    assert kept.password == weak
    assert log_in(visitor).status_code == 303
    kept = acc.account_named(private, "ada")
    assert kept is not None
    assert not passwords.is_outdated(kept.password)
    assert passwords.matches(kept.password, PASSWORD)


# --- onward -----------------------------------------------------------------------------------


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


# --- one's own password -----------------------------------------------------------------------


def changed(who: Person, now: str, new: str, again: str | None = None) -> TestResponse:
    fields = {"password": now, "new_password": new, "password_again": again or new}
    return who.post("/password", fields)


def test_a_one_time_password_has_to_be_changed_before_anything_else(
    pages: Orchard, visitor: Person
) -> None:
    """Nothing is open until then; afterwards one goes on to where one wanted to."""
    add_account(pages, "mira", "reviewer", one_time=True)
    response = log_in(visitor, "mira", next="/inside")
    assert (response.status_code, response.location) == (303, "/password?next=/inside")
    mira = after_login(visitor)
    assert mira.get("/inside").location == "/login?next=/inside"
    assert mira.get("/login?next=/inside").location == "/password?next=/inside"
    assert "Your password was for one time" in mira.get("/password?next=/inside").text
    fields = {"password": PASSWORD, "new_password": OTHER, "password_again": OTHER}
    done = mira.post("/password", {**fields, "next": "/inside"})
    assert (done.status_code, done.location) == (303, "/inside")
    assert after_login(visitor).get("/inside").text == "inside"
    assert log_in(stranger(pages.app, pages.workspace), "mira").status_code == 403
    assert log_in(stranger(pages.app, pages.workspace), "mira", OTHER).status_code == 303


@pytest.mark.parametrize(
    ("now", "new", "again", "why", "status"),
    [
        ("wrong", OTHER, OTHER, "is not right", 403),
        (PASSWORD, OTHER, f"{OTHER}.", "type the same one twice", 400),
        (PASSWORD, "short", "short", "12 or more", 400),
        (PASSWORD, PASSWORD, PASSWORD, "choose another", 400),
    ],
)
def test_a_change_that_will_not_do_says_why_and_changes_nothing(
    visitor: Person, now: str, new: str, again: str, why: str, status: int
) -> None:
    """No password stands in the answer."""
    log_in(visitor)
    ada = after_login(visitor)
    response = changed(ada, now, new, again)
    assert (response.status_code, why in response.text) == (status, True)
    assert OTHER not in response.text
    assert log_in(ada).status_code == 303


def test_another_password_ends_every_other_session(pages: Orchard, visitor: Person) -> None:
    """Whoever had got in with the old one is out."""
    other = stranger(pages.app, pages.workspace)
    log_in(other)
    log_in(visitor)
    assert changed(after_login(visitor), PASSWORD, OTHER).status_code == 303
    assert after_login(visitor).get("/inside").text == "inside"
    assert other.get("/inside").status_code == 303


def test_the_password_page_is_for_whoever_is_logged_in(visitor: Person) -> None:
    """Anybody else is sent to log in."""
    assert visitor.get("/password").location == "/login?next=/password"
    assert changed(visitor, "", OTHER).location == "/login?next=/password"


def test_present_passwords_are_not_tried_out_on_the_password_page(visitor: Person) -> None:
    """Ten tries; a session that was left open is no way to the password."""
    log_in(visitor)
    ada = after_login(visitor)
    told = [changed(ada, "wrong", OTHER).status_code for _ in range(11)]
    assert told == [403] * 10 + [429]


# --- on the command line ----------------------------------------------------------------------


def one_time_of(corrigenda: Corrigenda, *words: str) -> str:
    password = corrigenda.done("user", *words, "--one-time").strip()
    assert re.fullmatch(r"([a-z2-9]{5}-){4}[a-z2-9]{5}", password)
    return password


def test_accounts_are_managed_on_the_command_line(corrigenda: Corrigenda) -> None:
    """Add, list, change roles, give another password, disable, enable."""
    assert "No account yet" in corrigenda.run("user", "list").stderr
    one_time_of(corrigenda, "add", "root", "--role", "administrator")
    first = one_time_of(corrigenda, "add", "mira", "--role", "reviewer", "--role", "curator")
    assert one_time_of(corrigenda, "passwd", "mira") != first
    corrigenda.done("user", "roles", "mira", "--role", "auditor")
    corrigenda.done("user", "disable", "mira")
    told = {one["handle"]: one for one in corrigenda.json("user", "list")["accounts"]}
    assert (told["mira"]["roles"], told["mira"]["state"]) == (["auditor"], "disabled")
    assert told["root"]["state"] == "one-time password"
    assert "enable it first" in corrigenda.refused("user", "passwd", "mira", "--one-time")
    corrigenda.done("user", "enable", "mira")
    assert "mira" in corrigenda.done("user", "list")


def test_a_password_is_asked_for_and_never_an_argument(corrigenda: Corrigenda) -> None:
    """It is not printed, and one that is easily guessed is refused."""
    add = ("user", "add", "mira", "--role", "reviewer")
    told = run(corrigenda, f"{OTHER}\n{OTHER}\n", *add)
    assert told.exit_code == 0
    assert told.stdout == ""
    assert OTHER not in told.output
    refused = run(corrigenda, "short\nshort\n", "user", "passwd", "mira")
    assert (refused.exit_code, "12 or more" in refused.stderr) == (1, True)


def run(corrigenda: Corrigenda, typed: str, *words: str) -> Any:
    return CliRunner().invoke(main, ["--home", str(corrigenda.home), *words], input=typed)


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("add", "dana@example.org", "--role", "reviewer"), "choose a handle such as dana"),
        (("add", "mira", "--role", "boss"), "reviewer, curator, auditor, administrator"),
        (("add", "root", "--role", "reviewer"), "an account root already"),
        (("disable", "root"), "the last administrator"),
        (("roles", "root", "--role", "reviewer"), "the last administrator"),
        (("disable", "nobody"), "no account called nobody"),
        (("passwd", "nobody"), "no account called nobody"),
        (("enable", "nobody"), "no account called nobody"),
    ],
)
def test_what_is_refused_on_the_command_line_says_why(
    corrigenda: Corrigenda, words: tuple[str, ...], why: str
) -> None:
    """Before any password is asked for or made."""
    one_time_of(corrigenda, "add", "root", "--role", "administrator")
    assert why in corrigenda.refused("user", *words)
    assert [one["handle"] for one in corrigenda.json("user", "list")["accounts"]] == ["root"]


# --- in a real browser, on both engines -------------------------------------------------------


@pytest.fixture(params=["sqlite", "postgres"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Pages served on loopback; mira has a one-time password."""
    database = request.getfixturevalue("postgres_url") if request.param == "postgres" else None
    settings = Settings(home=tmp_path / "home", database_url=database)
    make_home(settings)
    with closing(open_workspace(settings, clock=Hand())) as workspace:
        workspace.follower.catch_up()
        acc.add_account(workspace.private, "mira", ["reviewer"], HASHED, one_time=True)
        with served(create_app(workspace)) as address:
            yield address


@pytest.mark.parametrize("scripts", [True, False])
def test_a_reviewer_logs_in_with_the_keyboard_alone(
    browser: Any, address: str, scripts: bool
) -> None:
    """Through the login page, the new password, and out again; with scripts and without."""
    context = browser.new_context(
        java_script_enabled=scripts, viewport={"width": 360, "height": 740}
    )
    page: Page = context.new_page()
    page.goto(f"{address}/login?next=/corrections")
    for text in ("mira", PASSWORD):
        page.keyboard.press("Tab") if text == PASSWORD else page.focus("#handle")
        page.keyboard.type(text)
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"/password\?next="))
    if scripts:
        assert Axe().run(page).violations_count == 0
    page.focus("#password")
    for text in (PASSWORD, OTHER, OTHER):
        page.keyboard.type(text)
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_url(f"{address}/corrections")
    page.goto(f"{address}/password")
    page.get_by_role("button", name="Log out").press("Enter")
    page.wait_for_url(f"{address}/")
    page.goto(f"{address}/password")
    page.wait_for_url(re.compile(r"/login\?next="))
    width = page.locator("html").bounding_box()
    assert width is not None
    assert width["width"] <= 360
    if scripts:
        assert Axe().run(page).violations_count == 0
    context.close()
