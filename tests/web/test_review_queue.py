"""The queue: its order and filters, and what can be done to many at once."""

from datetime import timedelta

import pytest

from ledger import commands as orders
from ledger.events import Change
from tests.web.desk import (
    COPIED,
    HERON,
    LOON,
    Office,
)
from tests.web.flat_page import Page
from tests.web.reviewing import picked, proposed
from tests.web.sent import form_of, opened


def test_the_queue_shows_the_oldest_first_with_who_holds_what(office: Office) -> None:
    """Three reports, one held, one waiting for a second person; counts beside the filters."""
    first, second = office.desk.file(), office.desk.file(LOON)
    third = proposed(office)
    office.desk.workspace.ledger.do(orders.AssignReport(number=second, to="clara"), "clara")
    page = Page.of(office.reviewer().get("/review").text)
    places = [page.text.index(f"Report {number}:") for number in (first, second, third)]
    assert places == sorted(places)
    for said in (
        "3 reports wait",
        "held by clara",
        "awaits a second person, proposed by boris",
        "KiteBench v1 (3)",
        "nobody (2)",
        "0 suspected",
        "score 72.5 → 70.1",
    ):
        assert said in page.text


FILTERS = [
    ("benchmark=kitebench", {1, 2, 3}),
    ("benchmark=other", set()),
    ("source=kite-copy", {2}),
    ("reason=run-invalid", {3}),
    ("assignee=clara", {3}),
    ("assignee=-", {1, 2}),
    ("older_than=3", {1}),
    ("older_than=3&assignee=clara", set()),
    ("awaiting=yes", set()),
    ("benchmark=&source=&reason=&assignee=&older_than=&awaiting=", {1, 2, 3}),
]


@pytest.mark.parametrize(("query", "expected"), FILTERS)
def test_the_queue_is_narrowed_by_its_address(
    office: Office, query: str, expected: set[int]
) -> None:
    """By benchmark, source, reason, holder and age; an empty filter asks for nothing."""
    desk = office.desk
    desk.file()
    desk.clock.now += timedelta(days=4)
    desk.file(COPIED)
    third = desk.file(LOON, reason="run-invalid")
    desk.workspace.ledger.do(orders.AssignReport(number=third, to="clara"), "clara")
    text = office.reviewer().get(f"/review?{query}").text
    assert {number for number in (1, 2, 3) if f'href="/review/{number}"' in text} == expected


@pytest.mark.parametrize("query", ["benchmark=A B", "older_than=x", "state=all", "other=1"])
def test_a_filter_that_means_nothing_is_refused(office: Office, query: str) -> None:
    """A misspelt one must not show the whole queue."""
    assert office.reviewer().get(f"/review?{query}").status_code == 400


@pytest.mark.parametrize("text", ["(a+)+$", "[[" + " " * 100, "a" * 100, "%" * 40])
def test_filters_are_plain_text(office: Office, text: str) -> None:
    """No pattern is made of what a reviewer types (case P044)."""
    for name in ("benchmark", "source", "reason", "assignee"):
        assert office.reviewer().get("/review", query_string={name: text}).status_code in (200, 400)


def test_one_is_taken_from_the_queue(office: Office) -> None:
    """The filters stay."""
    number, boris = office.desk.file(), office.reviewer()
    fields = opened(boris, "/review?assignee=-")
    response = boris.post("/review?assignee=-", {**fields, "do": f"take:{number}"})
    assert response.status_code == 303
    assert "assignee=-" in response.headers["Location"]
    assert office.desk.workspace.ledger.report(number).held_by == "boris"


def test_many_are_decided_at_once_each_with_one_decision(office: Office) -> None:
    """One outcome, one reason, one statement; the count is said."""
    numbers, boris = [office.desk.file() for _ in range(3)], office.reviewer()
    fields = picked(boris, numbers) | {
        "outcome": ["declined"],
        "reason": ["other"],
        "statement": ["The source says what the board says."],
        "checked": ["yes"],
    }
    response = boris.post("/review", {**fields, "do": "decide"})
    assert response.status_code == 303
    assert "3 decided." in boris.get(response.headers["Location"]).text
    assert [entry.report for entry in office.desk.log()] == numbers[::-1]
    assert all(entry.snapshot == office.desk.snapshot() for entry in office.desk.log())


def test_many_are_accepted_as_they_were_asked(office: Office) -> None:
    """From when it applies is said for all; one that asks for nothing has to be opened."""
    first = office.desk.file()
    second = office.desk.file(LOON, (Change("score", "40", "41"),))
    boris = office.reviewer()
    fields = picked(boris, [first, second]) | {
        "outcome": ["accepted"],
        "reason": ["wrong-value"],
        "statement": ["As the table says."],
        "checked": ["yes"],
    }
    left_open = boris.post("/review", {**fields, "do": "decide"})
    assert left_open.status_code == 400
    assert "it is not guessed" in left_open.text
    assert form_of(left_open.text)["statement"] == ["As the table says."]
    done = boris.post("/review", {**fields, "applies": ["start"], "do": "decide"})
    assert done.status_code == 303
    assert office.desk.scores() == {"Ibis-13B": "80.0", "Heron-7B": "70.1", "Loon-3B": "41"}
    bare = office.desk.file(HERON, ())
    chosen = picked(boris, [bare])["chosen"]
    refused = boris.post("/review", {**fields, "chosen": chosen, "do": "decide"})
    assert "open it" in refused.text


def test_of_many_those_that_are_refused_say_why(office: Office) -> None:
    """Without the snapshot a decision about a claim does not go; the others stand."""
    own, other = office.desk.file(by="boris"), office.desk.file()
    boris = office.reviewer()
    fields = picked(boris, [own, other]) | {
        "outcome": ["declined"],
        "reason": ["other"],
        "statement": ["It is right."],
        "checked": ["yes"],
    }
    response = boris.post("/review", {**fields, "do": "decide"})
    assert response.status_code == 403
    assert "1 of 2 decided" in response.text
    assert "nobody decides their own report" in response.text
    assert [entry.report for entry in office.desk.log()] == [other]


def test_rubbish_is_set_apart_and_can_be_brought_back(office: Office) -> None:
    """It leaves the queue and no trace in the log, and comes back with the time it came in."""
    numbers, boris = [office.desk.file(), office.desk.file()], office.reviewer()
    response = boris.post(
        "/review", {**picked(boris, numbers), "do": "apart", "why_apart": "advertising"}
    )
    assert "2-apart" in response.headers["Location"]
    assert "Nothing waits." in boris.get("/review").text
    assert office.desk.log() == []
    apart = boris.get("/review?state=apart").text
    assert f'value="let-in:{numbers[0]}"' in apart
    fields = form_of(apart)
    boris.post("/review?state=apart", {**fields, "do": f"let-in:{numbers[0]}"})
    assert f"Report {numbers[0]}:" in boris.get("/review").text


def test_claims_to_look_at_again_stand_below_the_queue(office: Office) -> None:
    """The source moved on from what a decision corrected."""
    office.desk.accept("70.1")
    office.desk.read_again("model,score\nHeron-7B,71.9\nIbis-13B,80.0\nLoon-3B,40\n")
    text = Page.of(office.reviewer().get("/review").text).text
    assert "1 claim to look at again" in text
    assert "the source no longer says what decision 1.1 corrected" in text
