"""Who is logged in shows on the pages that no cache keeps, and on no other."""

import pytest

from tests.web.desk import HERON, Office
from tests.web.people import signed_in
from web.private.reporters import open_letter

PRIVATE = [
    "/review",
    "/review?state=apart",
    "/review/1",
    "/review/suspected",
    "/password",
    "/report",
]
PUBLIC = ["/", "/benchmarks/kitebench", f"/claims/{HERON}", "/corrections", "/no/such/page"]
LOG_IN = '<a href="/login">Log in</a>'


@pytest.mark.parametrize("address", PRIVATE)
def test_pages_that_are_not_kept_say_who_is_logged_in(office: Office, address: str) -> None:
    """With the way out, and without the way in."""
    office.desk.file()
    response = office.reviewer().get(address)
    assert response.headers["Cache-Control"] == "no-store"
    assert ">Log out</button>" in response.text
    assert "<strong>boris</strong>" in response.text
    assert LOG_IN not in response.text


def test_the_page_behind_a_secret_link_says_it_too(office: Office) -> None:
    """To whoever is logged in; to others it offers the way in."""
    secret = open_letter(office.desk.workspace.private, office.desk.file(), None)
    assert LOG_IN not in office.reviewer().get(f"/reports/{secret}").text
    assert LOG_IN in office.stranger().get(f"/reports/{secret}").text


@pytest.mark.parametrize("address", PUBLIC)
def test_public_pages_are_the_same_for_everybody(office: Office, address: str) -> None:
    """A cache may keep them: not a byte depends on who asks, and all of them lead to the login."""
    theirs, mine = office.stranger().get(address), office.reviewer().get(address)
    assert theirs.data == mine.data
    assert LOG_IN in mine.text


@pytest.mark.parametrize(
    ("role", "leads"), [("reviewer", "/review"), ("curator", "/password"), ("auditor", "/password")]
)
def test_that_link_leads_whoever_is_logged_in_to_their_own_page(
    office: Office, role: str, leads: str
) -> None:
    """A reviewer to the queue, others to their account; not back to where it stood."""
    person = signed_in(office.app, office.desk.workspace, f"a-{role}", role)
    response = person.get("/login", headers={"Referer": "http://localhost/corrections"})
    assert (response.status_code, response.location) == (303, leads)
    assert person.get(leads).status_code == 200
