"""The review page: who may see it, what is on it, and what is kept beside a report."""

from pathlib import Path

import pytest

from ledger import commands as orders
from ledger import events as ev
from tests.web.desk import BENCHMARK, COPIED, LOON, Office, Ticking, fill, open_desk
from tests.web.flat_page import Page
from tests.web.people import signed_in
from tests.web.reviewing import (
    HOSTILE,
    PDF,
    filed_with_words,
    frozen,
    pdf_with,
    press,
    ready,
    typed,
)
from tests.web.sent import form_of
from web.app import create_app
from web.private import notes, uploads
from web.private.reporters import erase_report
from web.reporting.filing import file_numbered
from web.settings import Settings

# --- who may ----------------------------------------------------------------------------------


INSIDE = [
    "/review/{}",
    "/review/{}?view=x",
    "/review/{}/evidence/" + "0" * 64,
    "/review/{}/pages/" + "0" * 64 + "/1.png",
    "/api/reports/{}",
]


@pytest.mark.parametrize("address", INSIDE)
def test_strangers_cannot_tell_a_report_that_is_there_from_one_that_is_not(
    office: Office, address: str
) -> None:
    """Every address of a report gives them the very same 404."""
    number = office.desk.file()
    there, nowhere = (office.stranger().get(address.format(one)) for one in (number, 99))
    assert (there.status_code, nowhere.status_code) == (404, 404)
    assert there.data.replace(b"/1", b"/99") == nowhere.data.replace(b"/1", b"/99")


@pytest.mark.parametrize("address", ["/review", "/review/1", "/api/reports/1/decisions"])
def test_strangers_decide_nothing(office: Office, address: str) -> None:
    """What they send is refused, and nothing is recorded."""
    number = office.desk.file()
    head = office.desk.workspace.ledger.store.head()
    response = office.stranger().post(address, {"do": "decide", "version": "1"})
    assert response.status_code == 403
    assert office.desk.workspace.ledger.store.head() == head
    assert office.desk.events(number) == ["report-filed"]


def test_the_queue_leads_strangers_to_the_login(office: Office) -> None:
    """It is about nothing in particular, so it may."""
    response = office.stranger().get("/review?benchmark=kitebench")
    assert response.status_code == 303
    assert response.headers["Location"].startswith("/login?next=")


@pytest.mark.parametrize("role", ["curator", "auditor", "administrator"])
def test_other_roles_do_not_review(office: Office, role: str) -> None:
    """Deny by default: an account is not enough."""
    number = office.desk.file()
    person = signed_in(office.app, office.desk.workspace, f"a-{role}", role)
    assert person.get(f"/review/{number}").status_code == 404
    assert person.get("/review").status_code == 403
    assert person.post(f"/review/{number}", {"do": "decide"}).status_code == 403


def test_a_form_sent_from_elsewhere_decides_nothing(office: Office) -> None:
    """Without our token, or with the word of another site, it is refused; what was typed is shown
    again."""
    number, boris = office.desk.file(), office.reviewer()
    fields = ready(boris, office.desk, number)
    del fields["csrf"]
    forged = boris.post(f"/review/{number}", {**fields, "do": "decide"}, forged=True)
    elsewhere = boris.post(
        f"/review/{number}",
        {**fields, "do": "decide"},
        headers={"Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"},
    )
    assert (forged.status_code, elsewhere.status_code) == (403, 403)
    assert "Table 3 says so." in forged.text
    assert office.desk.events(number) == ["report-filed"]


def test_looking_records_nothing(office: Office) -> None:
    """No GET decides, takes or screens anything, whatever its address says."""
    number, boris = office.desk.file(), office.reviewer()
    head = office.desk.workspace.ledger.store.head()
    for address in ("/review", f"/review/{number}", f"/review/{number}?done=decided"):
        assert boris.get(address).status_code == 200
    assert boris.get(f"/review/{number}?do=decide").status_code == 400
    assert office.desk.workspace.ledger.store.head() == head


def test_the_pages_run_our_own_script_alone(office: Office) -> None:
    """One file of ours, nothing inline, and no cache keeps them."""
    number, boris = office.desk.file(), office.reviewer()
    for address in ("/review", f"/review/{number}"):
        response = boris.get(address)
        policy = response.headers["Content-Security-Policy"]
        assert "script-src 'self'" in policy
        assert "unsafe" not in policy
        assert response.headers["Cache-Control"] == "no-store"
        page = Page.of(response.text)
        assert page.tags["script"] == 1
        assert page.tags["style"] == 0
        assert not [name for _, name, _ in page.attributes if name.startswith("on")]
    assert office.reviewer().get("/static/review.js").mimetype in (
        "text/javascript",
        "application/javascript",
    )


# --- what is on the page ----------------------------------------------------------------------


def test_one_screen_has_all_that_a_reviewer_needs(office: Office) -> None:
    """Words, diff, story, the frozen row with its marks, what else rests on it, and the checks."""
    number = filed_with_words(office.desk)
    page = Page.of(office.reviewer().get(f"/review/{number}").text)
    for said in (
        "Table 3 says 70.1.",
        HOSTILE,
        "72.5 → 70.1",
        "Its whole story, oldest first",
        "The name and the number are marked.",
        "The same number for this model elsewhere: 1 claim",
        "On the same snapshot: 2 claims",
        "Which snapshot did you check?",
        "It is the right row",
    ):
        assert said in page.text
    assert page.tags["script"] == 1
    assert page.tags["mark"] == 2
    assert COPIED in office.reviewer().get(f"/review/{number}").text


def test_the_chain_of_decisions_stands_beside_the_claim(office: Office) -> None:
    """Which took the place of which, and which is in force."""
    office.desk.accept("70.1")
    second = office.desk.accept("71.0")
    page = f"/review/{office.desk.file()}"
    text = Page.of(office.reviewer().get(page).text).text
    assert "in the place of correction 1; in force" in text
    office.desk.reverse(second, by="mira")
    text = Page.of(office.reviewer().get(page).text).text
    assert "Correction 1, decision 1.1: accepted; in force" in text


def test_a_picture_that_came_along_shows_and_a_file_is_downloaded(office: Office) -> None:
    """Private either way: no cache keeps it, and nothing in it may run."""
    number, boris = office.desk.file(), office.reviewer()
    png = b"\x89PNG\r\n\x1a\n" + b"0" * 20
    files = {"table.png": png, "notes.txt": b"<script>alert(1)</script>"}
    for name, content in files.items():
        digest = uploads.keep_file(office.desk.workspace.private, f"of {number}", name, content)
        order = orders.AddEvidence(number=number, digest=digest, private=True)
        office.desk.workspace.ledger.do(order, "dana")
    page = boris.get(f"/review/{number}").text
    picture, text = (
        boris.get(f"/review/{number}/evidence/{one.digest}")
        for one in sorted(
            uploads.uploads_of(office.desk.workspace.private, f"of {number}"),
            key=lambda one: one.media_type,
        )
    )
    assert page.count('<img class="sent"') == 1
    assert (picture.mimetype, picture.data) == ("image/png", png)
    assert text.headers["Content-Disposition"].startswith("attachment")
    for response in (picture, text):
        assert "sandbox" in response.headers["Content-Security-Policy"]
        assert response.headers["Cache-Control"] == "no-store"
    other = office.desk.file(LOON)
    address = page.partition('class="sent" src="')[2].partition('"')[0]
    assert boris.get(address.replace(f"/{number}/", f"/{other}/")).status_code == 404


def test_a_report_that_is_not_there_has_no_page(office: Office) -> None:
    """Also for reviewers, and also when they send something."""
    boris = office.reviewer()
    assert boris.get("/review/99").status_code == 404
    assert boris.post("/review/99", {"do": "decide", "version": "1"}).status_code == 404


@pytest.mark.parametrize(
    "target", [f"benchmarks/{BENCHMARK}", "sources/kite-board", "models/heron-7b-1", "site"]
)
def test_a_report_about_no_claim_can_be_decided_too(office: Office, target: str) -> None:
    """There is no snapshot to check then, unless the decision changes a claim."""
    number = file_numbered(
        office.desk.workspace,
        "dana",
        lambda number: orders.FileReport(
            number=number, target=target, reason="other", received_at=office.desk.clock()
        ),
    )
    boris = office.reviewer()
    fields = typed(boris, number, outcome="declined", statement="It is fine as it is.")
    assert press(boris, number, "decide", fields).status_code == 303
    assert office.desk.workspace.ledger.report(number).state == "decided"


def test_the_page_of_a_pdf_is_a_picture_with_its_text_beside_it(office: Office) -> None:
    """The page with the passage is found; whoever may not review does not get it."""
    number, digest = office.desk.file(), frozen(office.desk, pdf_with("Heron-7B 72.5"), PDF)
    boris = office.reviewer()
    page = boris.get(f"/review/{number}?view={digest}").text
    address = f"/review/{number}/pages/{digest}/1.png"
    assert f'src="{address}"' in page
    assert "The text of page 1" in page
    picture = boris.get(address)
    assert (picture.status_code, picture.mimetype) == (200, "image/png")
    assert picture.data.startswith(b"\x89PNG")
    assert boris.get(address.replace("/1.png", "/2.png")).status_code == 404
    other = office.desk.file(COPIED)
    assert boris.get(address.replace(f"/{number}/", f"/{other}/")).status_code == 404


# --- notes, private evidence, holding ---------------------------------------------------------


def test_notes_are_for_reviewers_alone(office: Office) -> None:
    """They are in no event, keep what else was typed, and are not doubled by a second click."""
    number, boris = office.desk.file(), office.reviewer()
    fields = typed(boris, number, note="Ask the authors.", statement="Half a statement")
    head = office.desk.workspace.ledger.store.head()
    for _ in range(2):
        response = press(boris, number, "note", fields)
        assert form_of(response.text)["statement"] == ["Half a statement"]
        assert form_of(response.text)["note"] == [""]
    assert response.text.count("Ask the authors.") == 1
    assert office.desk.workspace.ledger.store.head() == head


def test_private_evidence_is_a_type_of_its_own(office: Office) -> None:
    """The ledger has its digest; the words are with the reviewers, until they are erased."""
    desk, boris = office.desk, office.reviewer()
    number = filed_with_words(desk)
    fields = typed(boris, number, seen_in_private="Mail by A. Uthor: it was 3-shot.")
    response = press(boris, number, "evidence", fields)
    assert "Private communication, seen by boris" in Page.of(response.text).text
    assert "Mail by A. Uthor" in response.text
    event = desk.workspace.ledger.store.stream(f"report:{number}")[-1].event
    assert isinstance(event, ev.EvidenceAdded)
    assert (event.private, event.address) == (True, None)
    home = desk.workspace.settings.home
    assert b"A. Uthor" not in (home / "ledger.db").read_bytes()
    press(boris, number, "note", typed(boris, number, note="Dana is their colleague."))
    assert event.digest is not None
    erase_report(desk.workspace.private, number, [event.digest])
    assert [one.text for one in notes.notes_on(desk.workspace.private, number)] == []
    page = boris.get(f"/review/{number}").text
    assert "A. Uthor" not in page
    assert "Dana is their colleague" not in page


def test_a_report_is_taken_and_given(office: Office) -> None:
    """Who holds it shows, and what was typed stays; only reviewers can be given one."""
    number, boris = office.desk.file(), office.reviewer()
    office.reviewer("clara")
    response = press(boris, number, "take", typed(boris, number, statement="Half."))
    assert form_of(response.text)["statement"] == ["Half."]
    assert office.desk.workspace.ledger.report(number).held_by == "boris"
    press(boris, number, "assign", typed(boris, number, assign_to="clara"))
    assert office.desk.workspace.ledger.report(number).held_by == "clara"
    assert office.desk.events(number)[1:] == [
        "review-started",
        "report-assigned",
        "report-assigned",
    ]
    refused = press(boris, number, "assign", typed(boris, number, assign_to="nobody"))
    assert refused.status_code == 400


# --- on the other engine ----------------------------------------------------------------------


def test_reviewing_is_the_same_on_postgresql(postgres_url: str, tmp_path: Path) -> None:
    """Queue, page, note, private evidence, preview and decision, with all three stores there."""
    settings, clock = Settings(home=tmp_path / "home", database_url=postgres_url), Ticking()
    fill(settings, clock)
    with open_desk(settings, clock) as desk:
        office = Office(desk, create_app(desk.workspace))
        number, boris = filed_with_words(desk), office.reviewer()
        assert f"Report {number}:" in boris.get("/review?benchmark=kitebench").text
        press(boris, number, "note", typed(boris, number, note="Ask the authors."))
        press(boris, number, "evidence", typed(boris, number, seen_in_private="A mail."))
        fields = ready(boris, desk, number, set__score="79")
        page = press(boris, number, "preview", fields).text
        assert "Ask the authors." in page
        assert "A mail." in page
        assert "The same number for this model elsewhere: 1 claim" in page
        assert press(boris, number, "decide", fields).status_code == 303
        assert desk.scores()["Heron-7B"] == "79"
