"""Logging in and out: nobody learns who has an account, and nobody can try many passwords."""

import re
from datetime import timedelta

import pytest
from argon2 import PasswordHasher, extract_parameters

from tests.web.login import PASSWORD, add_account, after_login, log_in, pages, visitor
from tests.web.orchard import Orchard
from tests.web.people import Person, stranger
from web import passwords
from web.cookies import FORM, SESSION
from web.private import accounts as acc

__all__ = ["pages", "visitor"]


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
