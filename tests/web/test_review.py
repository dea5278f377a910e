"""The queue and the review page: what a reviewer sees, what the buttons do, and who may."""

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from werkzeug.test import TestResponse

from ledger import commands as orders
from ledger import events as ev
from ledger.events import Change
from ledger.values import Digest
from tests.web.desk import (
    BENCHMARK,
    COPIED,
    HERON,
    IBIS,
    LOON,
    START,
    Desk,
    Office,
    Ticking,
    fill,
    open_desk,
)
from tests.web.people import Person, signed_in
from tests.web.sent import Fields, form_of, opened
from tests.web.test_pages import Page
from web.app import create_app
from web.private import notes, uploads
from web.private.reporters import erase_report
from web.reporting.filing import file_numbered
from web.settings import Settings

HOSTILE = "<script>alert('x')</script>"
PDF = "application/pdf"


def filed_with_words(desk: Desk, words: str = f"Table 3 says 70.1. {HOSTILE}") -> int:
    """A report on Heron-7B with something said in private."""
    digest = desk.workspace.private.keep_words(words)
    return file_numbered(
        desk.workspace,
        "dana",
        lambda number: orders.FileReport(
            number=number,
            target=f"claims/{HERON}",
            reason="wrong-value",
            proposes=(Change("score", "72.5", "70.1"),),
            words=digest,
            received_at=desk.clock(),
        ),
    )


def typed(person: Person, number: int, **said: str | list[str]) -> Fields:
    """The form of a report's page, with some of it said otherwise; nothing is pressed yet."""
    fields = opened(person, f"/review/{number}")
    for name, value in said.items():
        fields[name.replace("__", "-")] = [value] if isinstance(value, str) else value
    return fields


def ready(person: Person, desk: Desk, number: int, **said: str | list[str]) -> Fields:
    """A decision that has all it needs: what was asked for, checked, from the start."""
    told: dict[str, str | list[str]] = {
        "outcome": "accepted",
        "applies": "start",
        "snapshot": str(desk.snapshot()),
        "statement": "Table 3 says so.",
        "type": "correction",
    }
    return typed(person, number, **(told | said))


def press(person: Person, number: int, do: str, fields: Fields) -> TestResponse:
    """Press a button of the page."""
    return person.post(f"/review/{number}", {**fields, "do": do})


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


def frozen(desk: Desk, data: bytes, media_type: str) -> Digest:
    """Freeze another reading of the leaderboard."""
    digest = desk.workspace.ledger.archive.put(data)
    fact = ev.SourceFrozen(
        digest=digest,
        media_type=media_type,
        size=len(data),
        read_at=START + timedelta(days=1),
        benchmark=BENCHMARK,
    )
    desk.workspace.ledger.do(orders.Assert(stream="source:kite-board", fact=fact), "curator")
    desk.workspace.follower.catch_up()
    return digest


def pdf_with(text: str) -> bytes:
    """A PDF of one page, written by hand."""
    stream = f"BT /F1 12 Tf 20 100 Td ({text}) Tj ET".encode()
    parts = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Contents 4 0 R /Resources 6 0 R >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        b"<< /Font << /F1 5 0 R >> >>",
    ]
    body = b"%PDF-1.4\n"
    places = []
    for number, part in enumerate(parts, 1):
        places.append(len(body))
        body += b"%d 0 obj\n%s\nendobj\n" % (number, part)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    head = b"xref\n0 7\n0000000000 65535 f \n" + table
    return body + head + b"trailer\n<< /Size 7 /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF" % len(body)


# --- deciding on the page ---------------------------------------------------------------------


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


# --- the second person ------------------------------------------------------------------------


def proposed(office: Office) -> int:
    """A report of which a removal is proposed by boris."""
    number, boris = office.desk.file(LOON, (Change("standing", "stated", "retracted"),)), None
    boris = office.reviewer()
    fields = ready(boris, office.desk, number, type="retraction")
    response = press(boris, number, "decide", fields)
    assert response.headers["Location"].endswith("done=proposed")
    return number


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


# --- the queue --------------------------------------------------------------------------------


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
        "kitebench (3)",
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


def picked(person: Person, numbers: list[int]) -> Fields:
    """The queue's form with the lines of some reports ticked."""
    page = Page.of(person.get("/review").text)
    lines = [
        value or ""
        for tag, name, value in page.attributes
        if (tag, name) == ("input", "value") and value and value.count(":") == 3
    ]
    chosen = [line for line in lines if int(line.partition(":")[0]) in numbers]
    return form_of(person.get("/review").text) | {"chosen": chosen}


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
