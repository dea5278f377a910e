"""The page behind the secret link: each step, amending, more evidence, and taking a report back."""

import io
import re
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

import attrs
import pytest
from sqlalchemy import func, select, update

from ledger import commands as orders
from ledger import events as ev
from ledger.errors import Conflict, ReportClosed
from ledger.report import stream_of
from ledger.seal import Seals
from ledger.store import open_store
from ledger.values import Digest
from projections.keeping.follow import Follower
from tests.web.flat_page import Page
from tests.web.orchard import BIRCH, Orchard
from tests.web.people import Person, stranger
from tests.web.reports_sent import CONTACT, GOOD, WORDS, events_of, number_of, sent
from web.app import create_app
from web.private import reporters, uploads, words
from web.reporting.filing import private_digests, words_digests
from web.reporting.letters import CHANGES
from web.wiring import key_file, random_salt


def steps(person: Person, secret: str) -> list[str]:
    """The steps that the page tells, without their times."""
    html = person.get(f"/reports/{secret}").text
    listed = html.partition('<ol class="steps">')[2].partition("</ol>")[0]
    found = re.findall(r"</time>(.*?)</li>", listed, flags=re.DOTALL)
    return [Page.of(one).text for one in found]


def say(orchard: Orchard, order: orders.Command, by: str = "reviewer") -> None:
    """Something happens, an hour later."""
    orchard.clock.now += timedelta(hours=1)
    orchard.workspace.ledger.do(order, by)


def decide(orchard: Orchard, number: int) -> str:
    """A reviewer accepts 70.1; gives the decision's name."""
    ledger = orchard.workspace.ledger
    order = orders.Decide(
        number=number,
        outcome="accepted",
        type="correction",
        reason="wrong-value",
        statement="The table says 70.1.",
        snapshot=Digest(ledger.claim(BIRCH).readings[-1].digest),
        effects=(orders.Correct(claim=BIRCH, applies_from="start", to=(("score", "70.1"),)),),
    )
    say(orchard, order)
    return next(iter(ledger.report(number).decided))


# --- the steps --------------------------------------------------------------------------------


def test_each_step_shows_with_its_time_and_the_public_notice(
    orchard: Orchard, dana: Person
) -> None:
    """Received, taken on, in review, decided, undone; who reviews it is not told."""
    secret = sent(dana, words=WORDS)
    number = number_of(orchard, secret)
    assert steps(dana, secret) == ["Received"]
    say(orchard, orders.ScreenReport(number=number, passed=True), by="screener")
    say(orchard, orders.AssignReport(number=number, to="reviewer"))
    say(orchard, orders.StartReview(number=number))
    decision = decide(orchard, number)
    reverse = orders.ReverseDecision(number=number, decision=decision, statement="No, it was 69.")
    say(orchard, reverse, by="second")
    assert steps(dana, secret) == [
        "Received",
        "Looked at, and put into the queue",
        "A reviewer took it on",
        "In review",
        "Decided: accepted: correction 2",
        "The decision was undone: correction 3",
    ]
    html = dana.get(f"/reports/{secret}").text
    assert 'href="/corrections/2"' in html
    assert dana.get("/corrections/2").status_code == 200
    for handle in ("screener", "second", "reviewer"):
        assert handle not in html.replace("A reviewer took", "")


def test_what_was_set_apart_says_why(orchard: Orchard, dana: Person) -> None:
    """It is not decided, and may still be changed."""
    secret = sent(dana, words=WORDS)
    order = orders.ScreenReport(number=number_of(orchard, secret), passed=False, reason="unclear")
    say(orchard, order)
    assert steps(dana, secret)[-1] == "Set apart, without a decision: unclear"
    assert "Change what you said" in dana.get(f"/reports/{secret}").text


# --- amending ---------------------------------------------------------------------------------


def test_a_report_is_amended_by_whoever_has_the_link(orchard: Orchard, dana: Person) -> None:
    """The form has what was said; what is asked for is replaced, and nothing recorded is lost."""
    secret = sent(dana, words=WORDS, contact=CONTACT)
    number = number_of(orchard, secret)
    form = dana.get(f"/reports/{secret}/amend").text
    assert WORDS in form
    assert 'value="70.1"' in form
    amended = {"wish": "change", "set-score": "70.2", "words": "Table 5, sorry.", "contact": ""}
    elsewhere = stranger(orchard.app, orchard.workspace)
    response = elsewhere.post(f"/reports/{secret}/amend", amended)
    assert response.headers["Location"] == f"/reports/{secret}"
    filed, changed = events_of(orchard, number)
    assert isinstance(filed, ev.ReportFiled)
    assert isinstance(changed, ev.ReportAmended)
    assert changed.proposes == (ev.Change("score", "69", "70.2"),)
    assert changed.words is not None
    private = orchard.workspace.private
    assert private.words(changed.words) == b"Table 5, sorry."
    assert words_digests(orchard.workspace, number) == [filed.words, changed.words]
    assert reporters.contact_of(private, number) is None
    assert steps(dana, secret) == ["Received", "You changed what you said"]
    page = dana.get(f"/reports/{secret}").text
    assert "Table 5, sorry." in page
    assert "The number is wrong" in page


def test_an_amendment_that_makes_no_sense_comes_back(orchard: Orchard, dana: Person) -> None:
    """With what was typed, and without any trace."""
    secret = sent(dana, words=WORDS)
    head = orchard.head
    typed = {"wish": "change", "set-score": "x", "words": "Half a thought"}
    response = dana.post(f"/reports/{secret}/amend", typed)
    assert response.status_code == 400
    assert "Half a thought" in response.text
    assert orchard.head == head


def test_a_decision_on_what_was_amended_meanwhile_is_refused(
    orchard: Orchard, dana: Person
) -> None:
    """The reviewer saw the report as it was before, and looks again."""
    secret = sent(dana, words=WORDS)
    number = number_of(orchard, secret)
    seen = orchard.workspace.ledger.report(number).version
    dana.post(f"/reports/{secret}/amend", {"wish": "remark", "words": "Never mind the number."})
    order = orders.Decide(
        number=number, version=seen, outcome="declined", reason="no", statement="No."
    )
    with pytest.raises(Conflict):
        orchard.workspace.ledger.do(order, "reviewer")


# --- more evidence ----------------------------------------------------------------------------


def test_evidence_can_be_added_later(orchard: Orchard, dana: Person) -> None:
    """Addresses and files; each is a digest in the ledger."""
    secret = sent(dana, words=WORDS)
    number = number_of(orchard, secret)
    fields = {
        "addresses": "https://example.org/a\nhttps://example.org/b",
        "files": (io.BytesIO(b"a table"), "table.txt"),
    }
    response = dana.post(f"/reports/{secret}/evidence", fields)
    assert response.status_code == 303
    added = [one for one in events_of(orchard, number) if isinstance(one, ev.EvidenceAdded)]
    assert len(added) == 3
    page = dana.get(f"/reports/{secret}").text
    for told in ("https://example.org/a", "https://example.org/b", "table.txt"):
        assert told in page
    assert steps(dana, secret)[0] == "Received"
    assert len(private_digests(orchard.workspace, number)) == 4


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({}, "Give an address"),
        ({"addresses": "javascript:alert(1)"}, "https://"),
        ({"addresses": "x" * 30_000}, "At most"),
        ({"files": (b"\x7fELF\x00", "run.me")}, "send a PDF"),
    ],
)
def test_evidence_that_is_none_is_refused(
    orchard: Orchard, dana: Person, fields: dict[str, object], said: str
) -> None:
    """With the reason beside the field, and what was typed."""
    secret = sent(dana, words=WORDS)
    head = orchard.head
    given = {
        name: (io.BytesIO(value[0]), value[1]) if isinstance(value, tuple) else value
        for name, value in fields.items()
    }
    response = dana.post(f"/reports/{secret}/evidence", given)
    assert response.status_code == 400
    assert said.lower() in response.text.lower()
    assert orchard.head == head


def test_one_report_is_not_amended_without_end(orchard: Orchard, dana: Person) -> None:
    """Each change is an event for good; after twenty in a day the next one waits."""
    secret = sent(dana, words=WORDS)
    typed = [{"wish": "remark", "words": f"No, row {n}."} for n in range(CHANGES[0] + 1)]
    codes = [dana.post(f"/reports/{secret}/amend", one).status_code for one in typed]
    assert codes == [303] * CHANGES[0] + [429]
    orchard.clock.now += timedelta(days=1, seconds=1)
    assert dana.post(f"/reports/{secret}/amend", typed[-1]).status_code == 303


# --- taking it back (P006) --------------------------------------------------------------------


def test_a_report_that_was_withdrawn_is_on_no_board_and_cannot_be_approved(
    orchard: Orchard, dana: Person
) -> None:
    """A submitter withdraws a pending number; whoever approves from an older page is refused, the
    evidence keeps its digest, and publishing it takes a new report."""
    submission = {
        "target": "benchmarks/orchard",
        "reason": "missing-claim",
        "wish": "missing",
        "missing-model": "Plover-Agent",
        "missing-score": "77.98",
        "words": "570 of 731, adaptively",
        "files": (io.BytesIO(b"570/731"), "run.txt"),
    }
    secret = dana.post("/report", submission).headers["Location"].rpartition("/")[2]
    number = number_of(orchard, secret)
    seen = orchard.workspace.ledger.report(number).version
    (evidence,) = [e for e in events_of(orchard, number) if isinstance(e, ev.EvidenceAdded)]
    refused = dana.post(f"/reports/{secret}/withdraw", {"reason": "I, Dana, was wrong"})
    assert refused.status_code == 400
    response = dana.post(f"/reports/{secret}/withdraw", {"reason": "not-to-publish"})
    assert response.status_code == 303
    *_, withdrawn = events_of(orchard, number)
    assert isinstance(withdrawn, ev.ReportWithdrawn)
    assert withdrawn.reason == "what was submitted is not to be published"
    approval = orders.Decide(
        number=number, version=seen, outcome="accepted", reason="missing-claim", statement="Yes."
    )
    with pytest.raises((Conflict, ReportClosed)):
        orchard.workspace.ledger.do(approval, "reviewer")
    assert "Plover" not in orchard.page("/benchmarks/orchard")
    kept = uploads.evidence(orchard.workspace.private, str(evidence.digest))
    assert kept is not None
    assert kept.content == b"570/731"
    page = dana.get(f"/reports/{secret}").text
    assert "It was withdrawn" in page
    assert "Change what you said" not in page


def test_what_is_decided_is_not_changed_any_more(orchard: Orchard, dana: Person) -> None:
    """A late send is refused with the decision, and gives the typed text back."""
    secret = sent(dana, words=WORDS)
    decide(orchard, number_of(orchard, secret))
    late = dana.post(f"/reports/{secret}/amend", {"wish": "remark", "words": "One more thing"})
    assert late.status_code == 409
    assert "One more thing" in late.text
    assert "decided already" in late.text
    for action in ("evidence", "withdraw"):
        fields = {"addresses": "https://example.org/late", "reason": "mistaken"}
        assert dana.post(f"/reports/{secret}/{action}", fields).status_code == 409
    assert "What you can do" not in dana.get(f"/reports/{secret}").text


# --- a crash in between -----------------------------------------------------------------------


def test_a_letter_finds_its_report_after_a_crash(orchard: Orchard, dana: Person) -> None:
    """The report is known by the handle that filed it, whatever was not written any more."""
    secret = sent(dana, words=WORDS)
    number, workspace = number_of(orchard, secret), orchard.workspace
    record = workspace.ledger.store.stream(stream_of(number))[0]
    letter = reporters.letter_of(workspace.private, secret)
    assert letter is not None
    assert letter.handle == record.envelope.recorded_by
    with workspace.private.write() as connection:
        connection.execute(update(reporters.letters).values(number=None))
    assert reporters.number_of(workspace.private, secret) is None
    assert steps(dana, secret) == ["Received"]
    assert reporters.number_of(workspace.private, secret) == number


@contextmanager
def locked(path: Path, seconds: float | None = None) -> Iterator[None]:
    """Somebody else writes into a database: for so long, or until the end."""
    other = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    timer = threading.Timer(seconds or 0, lambda: other.execute("ROLLBACK"))
    if seconds is not None:
        timer.start()
    try:
        yield
    finally:
        if seconds is not None:
            timer.join()
        other.close()


def test_a_report_waits_for_an_import_and_is_stored(orchard: Orchard, dana: Person) -> None:
    """While somebody else writes, nobody is sent away (P016)."""
    with locked(orchard.workspace.settings.home / "ledger.db", 1.5):
        secret = sent(dana, words=WORDS)
    assert steps(dana, secret) == ["Received"]


def test_a_ledger_that_stays_busy_gives_the_text_back_and_leaves_nothing(orchard: Orchard) -> None:
    """“Busy, try again” with all that was typed; no link to nothing, no words that nobody names."""
    old = orchard.workspace
    store = open_store(old.settings.ledger, clock=orchard.clock, salt=random_salt, patience=0.2)
    ledger = attrs.evolve(old.ledger, store=store)
    follower, seals = Follower(store, old.views), Seals(store, key_file(old.settings))
    impatient = attrs.evolve(old, ledger=ledger, follower=follower, seals=seals)
    dana = stranger(create_app(impatient), impatient)
    with locked(old.settings.home / "ledger.db"):
        response = dana.post("/report", {**GOOD, "words": WORDS})
        assert response.status_code == 503
        assert WORDS in response.text
        with old.private.read() as connection:
            assert connection.scalar(select(func.count()).select_from(reporters.letters)) == 0
            assert connection.scalar(select(func.count()).select_from(words)) == 0
    sent(dana, words=WORDS)
    store.close()
