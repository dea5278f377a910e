"""Five ways to decide, one rule: the queue, the page, JSON, the command line, and overruling a
colleague's proposal all leave the same single event (case P046)."""

from collections.abc import Callable

import orjson
import pytest

from ledger import events as ev
from ledger.events import Terms
from tests.web.corrigenda import Corrigenda
from tests.web.desk import HERON, Office
from tests.web.people import Person
from tests.web.reviewing import picked, press, ready, typed
from web.forged import HEADER

STATEMENT = "The source says what the board says."
Way = Callable[[Office, int, str], bool]
"""Decline a report with a reason, as boris; whether that was taken."""


def by_the_queue(office: Office, number: int, reason: str) -> bool:
    """Ticked in the queue, as one of many."""
    boris = office.reviewer()
    fields = picked(boris, [number]) | {
        "outcome": ["declined"],
        "reason": [reason],
        "statement": [STATEMENT],
        "checked": ["yes"],
    }
    return boris.post("/review", {**fields, "do": "decide"}).status_code == 303


def by_the_page(office: Office, number: int, reason: str) -> bool:
    """The button of its own page."""
    boris = office.reviewer()
    return (
        press(boris, number, "decide", declined(boris, office, number, reason)).status_code == 303
    )


def declined(
    boris: Person, office: Office, number: int, reason: str, **said: str | list[str]
) -> dict[str, list[str]]:
    """The page's form, filled in to decline the report."""
    told: dict[str, str | list[str]] = {
        "outcome": "declined",
        "does": [],
        "reason": reason,
        "statement": STATEMENT,
        "snapshot": str(office.desk.snapshot()),
    }
    return typed(boris, number, **(told | said))


def by_json(office: Office, number: int, reason: str) -> bool:
    """A program with a session."""
    boris, address = office.reviewer(), f"/api/reports/{number}"
    told = boris.get(address).json
    assert told is not None
    document = {
        "version": told["version"],
        "outcome": "declined",
        "reason": reason,
        "statement": STATEMENT,
        "snapshot": told["claim"]["snapshots"][0],
    }
    return send(boris, number, document, told["csrf"])[0] == 201


def send(
    person: Person, number: int, document: object, token: str
) -> tuple[int, dict[str, object]]:
    """Send a document; the status, and the answer."""
    response = person.client.post(
        f"/api/reports/{number}/decisions",
        data=orjson.dumps(document),
        content_type="application/json",
        headers={HEADER: token},
    )
    found = response.json
    assert isinstance(found, dict)
    return response.status_code, found


def by_the_command(office: Office, number: int, reason: str) -> bool:
    """On the command line."""
    corrigenda = Corrigenda(office.desk.workspace.settings.home, by="boris")
    words = ("report", "decide", str(number), "--outcome", "declined", "--reason", reason)
    snapshot = ("--snapshot", office.desk.snapshot())
    return corrigenda.run(*words, "--statement", STATEMENT, *snapshot).exit_code == 0


def by_overruling(office: Office, number: int, reason: str) -> bool:
    """A second person decides otherwise than a colleague had proposed, and says so."""
    clara, boris = office.reviewer("clara"), office.reviewer()
    if not office.desk.workspace.ledger.report(number).proposed:
        held = ready(clara, office.desk, number, propose="yes")
        assert press(clara, number, "decide", held).status_code == 303
    held_one = next(iter(office.desk.workspace.ledger.report(number).proposed))
    fields = declined(boris, office, number, reason, replaces=held_one)
    return press(boris, number, "decide", fields).status_code == 303


WAYS: dict[str, Way] = {
    "queue": by_the_queue,
    "page": by_the_page,
    "json": by_json,
    "command": by_the_command,
    "overruling": by_overruling,
}
each_way = pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)


def made_on(office: Office, number: int) -> list[ev.Recorded]:
    """The decisions on a report."""
    stream = office.desk.workspace.ledger.store.stream(f"report:{number}")
    return [record for record in stream if isinstance(record.event, ev.DecisionMade)]


@each_way
def test_every_way_leaves_one_decision_with_who_why_and_on_what(office: Office, way: Way) -> None:
    """One event, the same words in it, named after the version it was based on; one log entry."""
    number = office.desk.file()
    assert way(office, number, "other")
    (record,) = made_on(office, number)
    assert isinstance(record.event, ev.DecisionMade)
    terms = record.event.terms
    held = way is by_overruling
    assert record.envelope.recorded_by == "boris"
    assert record.event.decision == f"{number}.{2 if held else 1}"
    assert terms == Terms(
        outcome="declined",
        reason="other",
        statement=STATEMENT,
        snapshot=office.desk.snapshot(),
        replaces=f"{number}.1" if held else None,
    )
    (entry,) = office.desk.log()
    assert (entry.report, entry.decided_by, entry.reason) == (number, "boris", "other")


@each_way
def test_no_way_goes_without_a_reason(office: Office, way: Way) -> None:
    """It is refused, and nothing is decided."""
    number = office.desk.file()
    assert not way(office, number, " ")
    assert made_on(office, number) == []


@each_way
def test_no_way_lets_anybody_decide_their_own_report(office: Office, way: Way) -> None:
    """Whatever it is sent through."""
    number = office.desk.file(by="boris")
    assert not way(office, number, "other")
    assert made_on(office, number) == []


def test_five_decided_five_ways_are_five_entries(office: Office) -> None:
    """The count is the number of decisions, and the proposal that was overruled stays readable."""
    numbers = [office.desk.file() for _ in WAYS]
    for number, way in zip(numbers, WAYS.values(), strict=True):
        assert way(office, number, "other")
    assert [entry.report for entry in office.desk.log()] == numbers[::-1]
    page = office.reviewer().get(f"/review/{numbers[-1]}").text
    assert "decision 5.1 proposed: accepted: Table 3 says so." in page
    assert f"proposed decision 5.1 sent back: overruled: {STATEMENT}" in page


# --- JSON -------------------------------------------------------------------------------------


def document_for(office: Office, number: int, **said: object) -> dict[str, object]:
    """A correction of Heron-7B as a program would send it."""
    ledger = office.desk.workspace.ledger
    effect = {
        "claim": HERON,
        "version": ledger.claim(HERON).version,
        "does": "correct",
        "applies_from": "start",
        "set": {"score": "70.1"},
    }
    told = {
        "version": ledger.report(number).version,
        "outcome": "accepted",
        "reason": "wrong-value",
        "statement": "As the table says.",
        "snapshot": office.desk.snapshot(),
        "effects": [effect],
    }
    return told | said


def posted(office: Office, number: int, document: object, by: str = "boris") -> tuple[int, object]:
    """Send a document with the token of the report's address."""
    person = office.reviewer(by)
    told = person.get(f"/api/reports/{number}").json
    assert told is not None
    return send(person, number, document, told["csrf"])


def test_a_program_gets_the_entry_of_the_log(office: Office) -> None:
    """201 the first time, 200 with the same answer when it sends the same again."""
    number = office.desk.file()
    document = document_for(office, number)
    status, entry = posted(office, number, document)
    assert (status, posted(office, number, document)) == (201, (200, entry))
    (listed,) = office.stranger().get("/corrections.json").json["corrections"]  # type: ignore[index]
    assert listed == entry


def test_a_program_is_told_what_changed_since(office: Office) -> None:
    """409 as RFC 9457, with each change."""
    number = office.desk.file()
    document = document_for(office, number)
    office.desk.decide(office.desk.order(number), by="clara")
    status, told = posted(office, number, document)
    assert status == 409
    assert isinstance(told, dict)
    (change,) = told["changes"]
    assert (change["by"], change["about"]) == ("clara", f"Report {number}")
    assert told["kind"] == "ChangedSince"


def test_a_program_proposes_approves_returns_and_reverses(office: Office) -> None:
    """The whole life of a decision that takes two."""
    number = office.desk.file()
    status, held = posted(office, number, document_for(office, number, propose=True))
    assert (status, held["proposed"]) == (201, True)  # type: ignore[index]
    version = office.desk.version(number)
    back = {"returns": f"{number}.1", "version": version, "why": "Look again."}
    assert posted(office, number, back, by="clara")[0] == 201
    status, held = posted(office, number, document_for(office, number, propose=True))
    name = held["decision"]  # type: ignore[index]
    yes = {"approves": name, "version": office.desk.version(number)}
    assert posted(office, number, yes)[0] == 403
    assert posted(office, number, yes, by="clara")[0] == 201
    undo = {"reverses": name, "version": office.desk.version(number), "statement": "Wrong row."}
    assert posted(office, number, undo, by="clara")[0] == 201
    assert office.desk.scores()["Heron-7B"] == "72.5"


WRONG: list[object] = [
    [],
    "text",
    {},
    {"outcome": "accepted", "approves": "1.1", "version": 1},
    {"outcome": "declined", "reason": "other", "statement": "x"},
    {"outcome": "declined", "version": True, "reason": "other", "statement": "x"},
    {"outcome": "declined", "version": "1", "reason": "other", "statement": "x"},
    {"outcome": "declined", "version": 1, "reason": ["other"], "statement": "x"},
    {"outcome": "declined", "version": 1, "reason": "other", "statement": "x", "colour": "red"},
    {"outcome": "declined", "version": 1, "reason": "o", "statement": "x", "effects": {}},
    {"outcome": "accepted", "version": 1, "reason": "o", "statement": "x", "effects": [{}]},
    {"outcome": "accepted", "version": 1, "reason": "o", "statement": "x", "remainder": "yes"},
    {"approves": "1.1"},
    {"returns": "1.1", "version": 1},
    {"reverses": "1.1", "version": 1, "statement": "x", "snapshot": "zz"},
]


@pytest.mark.parametrize("document", WRONG)
def test_a_document_that_is_not_understood_is_refused(office: Office, document: object) -> None:
    """Nothing is guessed, and nothing is recorded."""
    number = office.desk.file()
    status, told = posted(office, number, document)
    assert status == 400, told
    assert office.desk.events(number) == ["report-filed"]


EFFECTS: list[dict[str, object]] = [
    {"does": "correct", "set": {"score": 70.1}},
    {"does": "correct"},
    {"does": "reidentify"},
    {"does": "retract", "upstream_on": "June"},
    {"does": "dispute"},
    {"does": "explode"},
    {"does": "clear", "about": "x"},
    {"does": "retract", "applies_from": "soon"},
    {"does": "retract", "applies_from": "2030-01-01"},
]


@pytest.mark.parametrize("effect", EFFECTS)
def test_an_effect_that_is_not_understood_is_refused(
    office: Office, effect: dict[str, object]
) -> None:
    """A score is text, digit by digit, and what an effect needs is said."""
    number = office.desk.file()
    version = office.desk.workspace.ledger.claim(HERON).version
    whole = {"claim": HERON, "version": version, "applies_from": "start"} | effect
    status, told = posted(office, number, document_for(office, number, effects=[whole]))
    assert status == 400, told
    assert office.desk.events(number) == ["report-filed"]


def test_a_program_without_our_token_decides_nothing(office: Office) -> None:
    """A session alone is not enough: another site could send that."""
    number = office.desk.file()
    status, _ = send(office.reviewer(), number, document_for(office, number), "0" * 64)
    assert status == 403
    assert office.desk.events(number) == ["report-filed"]
