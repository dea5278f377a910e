"""What may come after a decision was typed: a second person, and an undoing."""

from tests.web.desk import BENCHMARK, HERON, Office
from tests.web.flat_page import Page
from tests.web.people import Person
from tests.web.reviewing import press, proposed
from tests.web.sent import form_of, opened

# --- the second person ------------------------------------------------------------------------


def test_a_second_person_sees_the_effect_and_approves(office: Office) -> None:
    """What was proposed, with what it would do; one button, and it is in the log."""
    number, clara = proposed(office), office.reviewer("clara")
    text = Page.of(clara.get(f"/review/{number}").text).text
    assert "proposed by boris" in text
    assert "3 → not ranked" in text
    response = press(clara, number, "approve", opened(clara, f"/review/{number}"))
    assert response.headers["Location"].endswith("done=decided")
    assert "Loon-3B" not in office.desk.scores()
    (entry,) = office.desk.log()
    assert (entry.proposed_by, entry.decided_by) == ("boris", "clara")


def test_whoever_proposed_may_not_approve(office: Office) -> None:
    """There is no button for it, and sending it is refused; taking it back is allowed."""
    number, boris = proposed(office), office.reviewer()
    fields = opened(boris, f"/review/{number}")
    assert 'value="approve"' not in boris.get(f"/review/{number}").text
    assert press(boris, number, "approve", fields).status_code == 403
    response = press(boris, number, "return", {**fields, "why": ["I misread it."]})
    assert response.headers["Location"].endswith("done=sent-back")
    assert office.desk.workspace.ledger.report(number).proposed == {}


def test_sending_back_takes_a_reason(office: Office) -> None:
    """Without one the page comes back."""
    number, clara = proposed(office), office.reviewer("clara")
    response = press(clara, number, "return", opened(clara, f"/review/{number}"))
    assert response.status_code == 400
    assert "say why" in response.text


def test_a_proposal_on_a_claim_that_moved_on_says_so(office: Office) -> None:
    """It cannot be approved any more, and the page tells before anybody tries."""
    number, clara = proposed(office), office.reviewer("clara")
    office.desk.read_again("model,score\nHeron-7B,72.5\nIbis-13B,80.0\nLoon-3B,41\n")
    page = clara.get(f"/review/{number}").text
    assert "1 claim moved on since it was proposed" in page
    assert press(clara, number, "approve", form_of(page)).status_code == 409


# --- undoing ----------------------------------------------------------------------------------


def test_a_decision_is_undone_after_a_look_at_the_boards(office: Office) -> None:
    """Preview first; then one button, and the source shows again."""
    made, clara = office.desk.accept("70.1"), office.reviewer("clara")
    address = f"/review/{made.number}"
    fields = opened(clara, address) | {"undo": [made.name], "undo_statement": ["Wrong row."]}
    shown = press(clara, made.number, "preview-undo", fields)
    assert "What it would do to the boards" in shown.text
    assert office.desk.scores()["Heron-7B"] == "70.1"
    response = press(clara, made.number, "undo", form_of(shown.text))
    assert response.status_code == 303
    assert office.desk.scores()["Heron-7B"] == "72.5"


def test_the_claims_link_leads_to_the_decision_in_force(office: Office) -> None:
    """72.5, 70.1, 71.0, 70.1: board, claim, log, CSV and feed say the same in turn."""
    desk, reader = office.desk, office.stranger()
    first = desk.accept("70.1")
    assert seen(reader) == ("70.1", 1)
    second = desk.accept("71.0")
    assert seen(reader) == ("71.0", 2)
    desk.reverse(second, by="mira")
    assert seen(reader) == ("70.1", 1)
    assert first.entry is not None
    log = reader.get("/corrections.json").json
    assert log is not None
    assert [(one["number"], one["replaces"]) for one in log["corrections"]] == [
        (3, 2),
        (2, 1),
        (1, None),
    ]
    assert reader.get("/corrections.csv").text.count("\r\n") >= 4
    assert reader.get("/corrections.atom").text.count("<entry>") == 3


def seen(reader: Person) -> tuple[str, int]:
    """What the board and the claim's page show, and the correction that the claim leads to."""
    board = reader.get(f"/benchmarks/{BENCHMARK}.json?every_claim=yes").json
    claim = reader.get(f"/claims/{HERON}.json").json
    assert board is not None
    assert claim is not None
    (row,) = (row for row in board["rows"] if row["claim_id"] == HERON)
    assert row["score"] == claim["shows"]["score"]
    (decision,) = claim["corrected_by"]
    page = reader.get(f"/claims/{HERON}").text
    (number,) = (one["number"] for one in claim["corrections"] if one["decision"] == decision)
    assert f'<li class="corrected"><a href="/corrections/{number}">corrected</a>' in page
    return row["score"], number
