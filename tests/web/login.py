"""The login page, who has an account, and how somebody logs in."""

import pytest
from werkzeug.test import TestResponse

from tests.web.orchard import Orchard
from tests.web.people import Person, stranger
from web import passwords
from web.access import needs
from web.cookies import SESSION
from web.private import accounts as acc

PASSWORD = "seven grafted apple trees"
OTHER = "nine pruned cherry hedges"
HASHED = passwords.hashed(PASSWORD)


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
