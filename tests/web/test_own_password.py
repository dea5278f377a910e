"""A password of one's own: how it is changed, and what a one-time password is good for."""

import pytest
from werkzeug.test import TestResponse

from tests.web.login import OTHER, PASSWORD, add_account, after_login, log_in, pages, visitor
from tests.web.orchard import Orchard
from tests.web.people import Person, stranger

__all__ = ["pages", "visitor"]


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
