"""Reports and decisions that programs send: the form's own rules, and safe to send twice."""

from datetime import timedelta
from typing import Any

import pytest
from werkzeug.test import TestResponse

from ledger.events import Change
from projections.review.queue import reports as filed_reports
from tests.web.desk import HERON, START, Office
from tests.web.programs import Program, nobody, program
from tests.web.test_api_tokens import declining
from web.api.paging import Cursor, _digest
from web.private import accounts, answered

KEY = "3f1c09ab-77de-4a39-9d0c-5f2f6f0f0a11"
REPORT: dict[str, Any] = {
    "target": f"claims/{HERON}",
    "reason": "wrong-value",
    "wish": "change",
    "set-score": "70.1",
    "words": "Table 2 says 70.1.",
    "addresses": ["https://example.org/table-2"],
    "contact": "dana@example.org",
}


def send(who: Program, key: str | None = None, **more: Any) -> TestResponse:
    """Send the report, with some fields said differently."""
    return who.post("/api/reports", REPORT | more, key)


def reports(office: Office) -> list[int]:
    """The numbers of the reports that there are."""
    office.desk.workspace.catch_up()
    with office.desk.workspace.views.read() as reader:
        return [one.number for one in filed_reports(reader)]


# --- filing -----------------------------------------------------------------------------------


def test_a_program_files_a_report_as_anybody_may(office: Office) -> None:
    """It is the very report that the form would have made, and gets a secret link."""
    response = send(nobody(office.app))
    assert response.status_code == 201
    told = response.get_json()
    assert told["target"] == REPORT["target"]
    letter = office.stranger().get(told["letter"])
    assert letter.status_code == 200
    assert "Table 2 says 70.1." in letter.text
    boris = program(office.app, office.desk.workspace, "boris")
    (filed,) = boris.get("/api/reports").get_json()["reports"]
    assert filed["proposes"] == [{"field": "score", "from": "72.5", "to": "70.1"}]
    assert filed["filed_by"].startswith("reporter-")


def test_a_token_files_under_its_account(office: Office) -> None:
    """So its holder does not decide it, whoever they are."""
    noor = program(office.app, office.desk.workspace, "noor", "report", roles=("curator",))
    assert send(noor).status_code == 201
    boris = program(office.app, office.desk.workspace, "boris")
    assert boris.get("/api/reports").get_json()["reports"][0]["filed_by"] == "noor"


def test_a_cursor_that_was_made_up_is_refused(office: Office) -> None:
    """Reports go on behind a number, whatever else somebody writes into a cursor."""
    boris = program(office.app, office.desk.workspace, "boris")
    with office.app.test_request_context("/api/reports"):
        query = _digest({})
    for after, status in (("abc", 400), ("1", 400), ("", 400), (0, 200), (2**63, 200)):
        made = Cursor(query=query, time={"recorded_through": "1"}, after=after)
        told = boris.get(f"/api/reports?cursor={made}")
        assert told.status_code == status, after
        assert told.get_json().get("kind") == ("NotOurs" if status == 400 else None)


def test_no_session_files_a_report_here(office: Office) -> None:
    """A browser's cookie counts for nothing, so no other page can report in somebody's name; and a
    page of another site sends nothing at all."""
    boris = office.reviewer("boris")
    assert boris.client.post("/api/reports", json=REPORT).status_code == 201
    clara = program(office.app, office.desk.workspace, "clara")
    (filed,) = clara.get("/api/reports").get_json()["reports"]
    assert filed["filed_by"].startswith("reporter-")
    elsewhere = {"Origin": "https://example.com"}
    refused = boris.client.post("/api/reports", json=REPORT, headers=elsewhere)
    assert (refused.status_code, refused.get_json()["kind"]) == (403, "FromElsewhere")


NONSENSE: list[tuple[Any, str]] = [
    ([], "give an object"),
    ("report", "give an object"),
    ({"reason": "other"}, "target left out"),
    ({"target": "site"}, "reason left out"),
    ({**REPORT, "target": "claims/none"}, "claims/none"),
    ({**REPORT, "target": ""}, "nothing that can be reported"),
    ({**REPORT, "score": "70"}, "known are"),
    ({**REPORT, "words": 7}, "give text"),
    ({**REPORT, "addresses": "https://example.org"}, "give a list"),
    ({**REPORT, "addresses": ["https://example.org/a\nb"]}, "one line"),
    ({**REPORT, "addresses": ["https://example.org"] * 6}, "at most 5"),
    ({**REPORT, "said_already": "perhaps"}, "refuse, join, anyway"),
]


def test_what_makes_no_sense_is_refused_by_name(office: Office) -> None:
    """With the problem of the one shape; nothing is filed."""
    for document, says in NONSENSE:
        response = nobody(office.app).post("/api/reports", document)
        assert response.mimetype == "application/problem+json"
        assert response.status_code in (400, 404)
        assert says in response.get_json()["detail"]
    assert reports(office) == []


def test_what_the_form_would_ask_again_is_told_field_by_field(office: Office) -> None:
    """The same words as beside the fields of the form."""
    told = send(nobody(office.app), reason="bad", contact="dana", **{"set-score": "lots"})
    assert (told.status_code, told.get_json()["kind"]) == (400, "NotFiled")
    assert told.get_json()["fields"].keys() == {"reason", "contact", "set-score"}


def test_only_json_is_read(office: Office) -> None:
    """Neither a form, which any page could send, nor half a document."""
    client = office.app.test_client()
    for data, media in ((b"{", "application/json"), (b"{}", "text/plain"), (b"target=site", "")):
        response = client.post("/api/reports", data=data, content_type=media)
        assert (response.status_code, response.get_json()["kind"]) == (400, "BadValue")


def test_the_size_of_a_report_is_bounded(office: Office) -> None:
    """As that of the form's fields."""
    response = send(nobody(office.app), words="x" * 300_000)
    assert (response.status_code, response.get_json()["status"]) == (413, 413)
    refused = send(nobody(office.app), words="x" * 20_001)
    assert refused.get_json()["fields"].keys() == {"words"}


def test_what_is_said_already_is_joined_when_asked_for(office: Office) -> None:
    """409 first; then the sender says which."""
    who = nobody(office.app)
    assert send(who).status_code == 201
    refused = send(who)
    assert (refused.status_code, refused.get_json()["kind"]) == (409, "SaidAlready")
    assert send(who, said_already="join").status_code == 201
    assert len(reports(office)) == 1
    assert send(who, said_already="anyway").status_code == 201
    assert len(reports(office)) == 2


def test_what_is_suspected_gets_the_answer_of_a_report(office: Office) -> None:
    """It waits apart, and whoever sent it cannot tell."""
    links = "https://spam.example/a https://spam.example/b"
    sent = {"target": "site", "reason": "other", "words": links}
    response = nobody(office.app).post("/api/reports", sent)
    assert (response.status_code, reports(office)) == (201, [])
    assert response.get_json().keys() == {"letter", "target", "received_at"}
    assert office.stranger().get(response.get_json()["letter"]).status_code == 200


def test_how_often_anybody_files_is_limited_and_stated(office: Office) -> None:
    """Ten reports in a quarter of an hour, counted with those by the form."""
    who = nobody(office.app)
    policy = '"sending";q=60;w=900, "reports";q=10;w=900'
    for left in range(9, -1, -1):
        response = send(who, said_already="anyway", addresses=[])
        assert response.status_code == 201
        assert response.headers["RateLimit-Policy"] == policy
        assert f'"reports";r={left};t=' in response.headers["RateLimit"]
    late = send(who, said_already="anyway")
    assert (late.status_code, late.get_json()["kind"]) == (429, "TooMany")
    assert 0 < int(late.headers["Retry-After"]) <= 900
    assert len(reports(office)) == 10


# --- the same again ---------------------------------------------------------------------------


def test_a_report_that_is_sent_twice_is_filed_once(office: Office) -> None:
    """The same key and document give the same answer: the same secret link, at the same time."""
    who = nobody(office.app)
    first, again = send(who, KEY), send(who, KEY)
    assert (first.status_code, again.status_code) == (201, 201)
    assert first.get_data() == again.get_data()
    assert len(reports(office)) == 1


def test_a_key_that_came_with_another_document_is_refused(office: Office) -> None:
    """422, and nothing is done; what was refused frees its key."""
    who = nobody(office.app)
    assert send(who, KEY, reason="bad").status_code == 400
    assert send(who, KEY).status_code == 201
    refused = send(who, KEY, words="Something else.")
    assert (refused.status_code, refused.get_json()["kind"]) == (422, "KeyOfAnother")
    assert len(reports(office)) == 1


def test_a_key_is_its_senders_own(office: Office) -> None:
    """The same key of somebody else is another key: nobody is shown another's answer."""
    noor = program(office.app, office.desk.workspace, "noor", roles=("curator",))
    mine = send(nobody(office.app), KEY)
    theirs = send(noor, KEY, said_already="anyway")
    assert (mine.status_code, theirs.status_code) == (201, 201)
    assert mine.get_json()["letter"] != theirs.get_json()["letter"]


def test_a_key_that_somebody_else_could_take_is_refused(office: Office) -> None:
    """Sixteen letters, digits, hyphens or underscores at least."""
    for key in ("short", "x" * 65, "sixteen letters and spaces", "a/b/c/d/e/f/g/h/i"):
        assert send(nobody(office.app), key).get_json()["kind"] == "BadValue"
    assert reports(office) == []


def test_a_decision_that_is_sent_twice_gives_the_same_answer(office: Office) -> None:
    """To the byte, even when something happened since; without a key it is told as of now."""
    number = office.desk.file()
    boris = program(office.app, office.desk.workspace, "boris")
    address, order = f"/api/reports/{number}/decisions", declining(office)
    first = boris.post(address, order, KEY)
    office.desk.accept("70.1")
    again = boris.post(address, order, KEY)
    assert (first.status_code, again.status_code) == (201, 201)
    assert first.get_data() == again.get_data()
    assert boris.post(address, order).status_code == 200
    other = boris.post(address, {**order, "statement": "Another one."}, KEY)
    assert (other.status_code, other.get_json()["kind"]) == (422, "KeyOfAnother")


def test_a_decision_that_came_too_late_says_what_changed(office: Office) -> None:
    """409 with each thing that changed, as before; the key is free for the next try."""
    number = office.desk.file(HERON, (Change("score", None, "70.1"),))
    boris = program(office.app, office.desk.workspace, "boris")
    address = f"/api/reports/{number}/decisions"
    late = boris.post(address, {**declining(office), "version": 0}, KEY)
    assert (late.status_code, late.get_json()["kind"]) == (409, "ChangedSince")
    assert late.get_json()["changes"]
    assert boris.post(address, declining(office), KEY).status_code == 201


def test_keys_are_kept_for_a_day(office: Office) -> None:
    """And by their digests; then they are as new."""
    store = office.desk.workspace.private
    assert answered.begin(store, KEY, b"one", None) is None
    office.desk.clock.now += timedelta(hours=23)
    with pytest.raises(answered.KeyOfAnother):
        answered.begin(store, KEY, b"two", None)
    office.desk.clock.now += timedelta(hours=2)
    assert answered.begin(store, KEY, b"two", None) is None
    assert office.desk.clock.now > START
    kept = b"".join(
        path.read_bytes() for path in store_files(office) if path.name.startswith("private")
    )
    assert KEY.encode() not in kept


def store_files(office: Office) -> list[Any]:
    """The files of the home."""
    return [one for one in office.desk.workspace.settings.home.rglob("*") if one.is_file()]


def test_what_was_answered_goes_with_the_account(office: Office) -> None:
    """A disabled account leaves no answer behind."""
    number = office.desk.file()
    boris = program(office.app, office.desk.workspace, "boris")
    boris.post(f"/api/reports/{number}/decisions", declining(office), KEY)
    store = office.desk.workspace.private
    with store.read() as connection:
        assert connection.execute(answered.answered.select()).all()
    accounts.disable_account(store, "boris")
    with store.read() as connection:
        assert connection.execute(answered.answered.select()).all() == []
