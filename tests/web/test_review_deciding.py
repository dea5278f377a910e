"""Deciding on the review page: preview, every outcome, what is left open, and what is outdated."""

from collections.abc import Callable

import pytest

from ledger import commands as orders
from ledger.events import Change
from tests.web.desk import (
    COPIED,
    HERON,
    IBIS,
    LOON,
    Office,
)
from tests.web.flat_page import Page
from tests.web.reviewing import press, ready
from tests.web.sent import Fields, form_of


def test_a_preview_shows_the_boards_and_records_nothing(office: Office) -> None:
    """The rows that move, number one lost, and that it takes two; what was typed stays."""
    number, boris = office.desk.file(IBIS, (Change("score", "80.0", "70"),)), office.reviewer()
    head = office.desk.workspace.ledger.store.head()
    response = press(boris, number, "preview", ready(boris, office.desk, number))
    assert response.status_code == 200
    text = Page.of(response.text).text
    for said in (
        "It takes a second person: a board gets another number one",
        "KiteBench v1, score, Independent runs: 2 rows move",
        "KiteBench v1, score, All, claims included: 2 rows move",
        "Number one: Ibis-13B → Heron-7B",
        "1 → 2",
    ):
        assert said in text
    assert form_of(response.text)["statement"] == ["Table 3 says so."]
    assert office.desk.workspace.ledger.store.head() == head


def test_a_decision_leads_to_the_page_that_says_so(office: Office) -> None:
    """The log has it, the board shows it, and the next report is a link away."""
    number, later, boris = office.desk.file(), office.desk.file(LOON), office.reviewer()
    response = press(boris, number, "decide", ready(boris, office.desk, number, check="row"))
    assert response.status_code == 303
    page = boris.get(response.headers["Location"])
    assert "The decision is recorded." in page.text
    assert f'rel="next" href="/review/{later}"' in page.text
    assert office.desk.scores()["Heron-7B"] == "70.1"
    assert office.desk.log()[0].decided_by == "boris"


OUTCOMES: list[tuple[str, Callable[[Fields], Fields]]] = [
    ("accepted", lambda fields: fields),
    ("accepted-with-changes", lambda fields: {**fields, "set-score": ["70.2"]}),
    ("accepted-in-part", lambda fields: {**fields, "remainder": ["yes"]}),
    ("declined", lambda fields: {**fields, "does": []}),
    ("cannot-be-verified", lambda fields: {**fields, "does": [], "snapshot": []}),
]


@pytest.mark.parametrize(("outcome", "change"), OUTCOMES)
def test_every_outcome_can_be_chosen(
    office: Office, outcome: str, change: Callable[[Fields], Fields]
) -> None:
    """Each is one decision in the log."""
    number, boris = office.desk.file(), office.reviewer()
    fields = change(ready(boris, office.desk, number, outcome=outcome))
    response = press(boris, number, "decide", fields)
    assert response.status_code == 303, response.text
    (entry,) = office.desk.log()
    assert entry.outcome == outcome


def test_a_duplicate_names_its_original(office: Office) -> None:
    """By its number."""
    one, two, boris = office.desk.file(), office.desk.file(), office.reviewer()
    fields = ready(boris, office.desk, two, outcome="duplicate", duplicate_of=str(one), does=[])
    assert press(boris, two, "decide", fields).status_code == 303
    assert office.desk.workspace.ledger.report(two).duplicate_of == one


LEFT_OPEN: list[tuple[dict[str, list[str]], str]] = [
    ({"snapshot": []}, "names the frozen snapshot"),
    ({"applies": []}, "it is not guessed"),
    ({"outcome": []}, "known are accepted"),
    ({"statement": [" "]}, "give a reason and a statement"),
    ({"reason": [""]}, "give a reason and a statement"),
    ({"claim": []}, "tick what it happens to"),
    ({"applies": ["instant"], "applies_at": ["28/07/2025"]}, "28/07/2025"),
    ({"set-score": ["many"]}, "not a plain decimal number"),
    ({"does": ["reidentify"], "model": ["nobody"]}, "no model called nobody"),
    ({"does": ["explode"]}, "known are correct"),
    ({"snapshot": ["0" * 64]}, "not a snapshot that any of these claims rests on"),
    ({"replaces": ["9.9"]}, "no decision called 9.9"),
    ({"version": [""]}, "open the page anew"),
]


@pytest.mark.parametrize(("said", "why"), LEFT_OPEN)
def test_what_is_left_open_is_said_and_nothing_typed_is_lost(
    office: Office, said: Fields, why: str
) -> None:
    """Nothing is recorded; the page comes back with its reason and with all that was typed."""
    number, boris = office.desk.file(), office.reviewer()
    fields = ready(boris, office.desk, number, note="Not sent yet.") | said
    response = press(boris, number, "decide", fields)
    assert response.status_code in (400, 404)
    assert why in Page.of(response.text).text
    again = form_of(response.text)
    assert again["note"] == ["Not sent yet."]
    for name in ("statement", "set-score", "applies_at"):
        assert again[name][0].strip() == fields[name][0].strip()
    assert office.desk.events(number) == ["report-filed"]


def test_a_decision_on_an_outdated_page_comes_back_with_what_changed(office: Office) -> None:
    """409, the withdrawal in words, and all that was typed; pressing again meets the new state."""
    number, boris = office.desk.file(), office.reviewer()
    fields = ready(boris, office.desk, number, statement="I worked on this for an hour.")
    office.desk.read_again("model,score\nHeron-7B,71.9\nIbis-13B,80.0\nLoon-3B,40\n")
    office.desk.workspace.ledger.do(orders.AssignReport(number=number, to="clara"), "clara")
    response = press(boris, number, "decide", fields)
    assert response.status_code == 409
    text = Page.of(response.text).text
    assert "Changed since you opened this page" in text
    assert "its source was read to state 71.9" in text
    assert "given to clara" in text
    again = form_of(response.text)
    assert again["statement"] == ["I worked on this for an hour."]
    assert again["version"] == [str(office.desk.version(number))]
    assert press(boris, number, "decide", again).status_code == 303
    (entry,) = office.desk.log()
    assert dict(entry.claims[0].before)["score"] == "71.9"


def test_a_withdrawn_report_is_not_approved_from_an_old_page(office: Office) -> None:
    """The approval is refused and the withdrawal is shown (case P006)."""
    number, boris = office.desk.file(), office.reviewer()
    fields = ready(boris, office.desk, number)
    withdrawal = orders.WithdrawReport(number=number, reason="run-invalid")
    office.desk.workspace.ledger.do(withdrawal, "dana")
    response = press(boris, number, "decide", fields)
    assert response.status_code == 409
    assert "withdrawn by its reporter: run-invalid" in Page.of(response.text).text
    assert office.desk.scores()["Heron-7B"] == "72.5"


def test_a_second_click_gives_the_first_answer(office: Office) -> None:
    """The same form sent twice leads to the same page and records one decision."""
    number, boris = office.desk.file(), office.reviewer()
    fields = ready(boris, office.desk, number)
    first, second = (press(boris, number, "decide", fields) for _ in range(2))
    assert (first.status_code, second.status_code) == (303, 303)
    assert first.headers["Location"] == second.headers["Location"]
    assert office.desk.events(number) == ["report-filed", "decision-made"]


def test_several_claims_are_corrected_at_once(office: Office) -> None:
    """Those that are ticked, and those that are named by their addresses."""
    number, boris = office.desk.file(), office.reviewer()
    named = f"https://corrections.example/claims/{LOON}"
    fields = ready(
        boris,
        office.desk,
        number,
        claim=[HERON, COPIED],
        more_claims=named,
        set__score="70.1",
        outcome="accepted-with-changes",
    )
    assert press(boris, number, "decide", fields).status_code == 303
    (entry,) = office.desk.log()
    assert {touched.claim_id for touched in entry.claims} == {HERON, COPIED, LOON}


def test_nobody_decides_their_own_report_on_the_page(office: Office) -> None:
    """It has no form for that, and sending one is refused."""
    number = office.desk.file(by="boris")
    boris, clara = office.reviewer(), office.reviewer("clara")
    assert "somebody else has to decide it" in boris.get(f"/review/{number}").text
    fields = ready(clara, office.desk, number)
    del fields["csrf"]
    response = press(boris, number, "decide", fields)
    assert response.status_code == 403
    assert "nobody decides their own report" in response.text
    assert office.desk.events(number) == ["report-filed"]
