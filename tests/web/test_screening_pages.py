"""The page of what is suspected: for reviewers alone, one press for all of a kind."""

import pytest

from tests.web.orchard import Orchard
from tests.web.people import Person, signed_in, stranger
from tests.web.suspects import ADVERT, apart, in_queue
from web.private import suspected
from web.reporting.screening import HIDDEN_FIELD


@pytest.fixture
def reviewer(orchard: Orchard) -> Person:
    """Somebody who may see it."""
    return signed_in(orchard.app, orchard.workspace, "ada", "reviewer")


def test_reviewers_see_what_is_suspected_and_nobody_else(
    orchard: Orchard, reviewer: Person
) -> None:
    """What was typed is text, whatever it is."""
    apart(orchard.workspace, words="<script>alert(1)</script> \u202e")
    page = reviewer.get("/review/suspected")
    assert page.status_code == 200
    assert "&lt;script&gt;alert(1)&lt;/script&gt; &lt;U+202E&gt;" in page.text
    curator = signed_in(orchard.app, orchard.workspace, "carl", "curator")
    assert curator.get("/review/suspected").status_code == 403
    assert "alert(1)" not in stranger(orchard.app, orchard.workspace).get("/review/suspected").text
    refused = stranger(orchard.app, orchard.workspace).post("/review/suspected", {"do": "purge"})
    assert refused.status_code == 403


def test_one_press_rejects_all_of_a_kind_and_another_purges_them(
    orchard: Orchard, reviewer: Person
) -> None:
    """With a count; what was not chosen stays."""
    workspace = orchard.workspace
    for count in range(3):
        apart(workspace, HIDDEN_FIELD, words=f"{ADVERT}/{count}")
    link = apart(workspace, words=ADVERT)
    fields = {"do": "reject", "why": HIDDEN_FIELD, "reason": "advertising", "state": "waiting"}
    response = reviewer.post("/review/suspected", fields)
    assert response.status_code == 303
    assert "3 rejected." in reviewer.get(response.headers["Location"]).text
    assert suspected.counts(workspace.private) == {"rejected": 3, "waiting": 1}
    keys = suspected.keys_of(workspace.private, "rejected")
    response = reviewer.post("/review/suspected", {"do": "purge", "key": keys, "state": "rejected"})
    assert "3 purged" in reviewer.get(response.headers["Location"]).text
    rescued = reviewer.post("/review/suspected", {"do": f"rescue:{link}", "state": "waiting"})
    assert "2 is the number" in reviewer.get(rescued.headers["Location"]).text
    assert in_queue(workspace) == [2]


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({"do": "reject", "reason": "x"}, 400),
        ({"do": "reject", "reason": "", "why": HIDDEN_FIELD}, 400),
        ({"do": "burn"}, 400),
        ({"do": "rescue:" + "0" * 64}, 404),
        ({"do": "purge", "state": "taken"}, 303),
    ],
)
def test_orders_that_make_no_sense_are_refused(
    orchard: Orchard, reviewer: Person, fields: dict[str, str], status: int
) -> None:
    """And nothing happens."""
    apart(orchard.workspace, HIDDEN_FIELD)
    assert reviewer.post("/review/suspected", fields).status_code == status
    assert suspected.counts(orchard.workspace.private) == {"waiting": 1}
