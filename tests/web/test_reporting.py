"""Reporting without an account: the form, its drafts and files, and who never sees any of it."""

import io
import logging
import re
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import attrs
import orjson
import pytest
from sqlalchemy import update
from werkzeug.test import TestResponse

from ledger import commands as orders
from ledger import events as ev
from ledger.claim import claim_id
from ledger.errors import SelfReview
from ledger.report import stream_of
from projections.review.queue import reports
from tests.web.orchard import ATTRIBUTE, BIRCH, BOARD, HOSTILE, WRONG, Orchard
from tests.web.people import Person, signed_in, stranger
from tests.web.test_pages import Page
from web.cookies import DRAFT, FORM
from web.private import drafts, reporters, uploads
from web.private.store import digest_of
from web.reporting.pages import LARGEST_FIELDS, LARGEST_POST, REPORTS, TRAP

TARGET = f"claims/{BIRCH}"
PNG = b"\x89PNG\r\n\x1a\n" + b"\x00" * 20
GOOD = {"target": TARGET, "reason": "wrong-value", "wish": "change", "set-score": "70.1"}
WORDS = "Table 4 says 70.1, and I am Dana Q."
CONTACT = "dana@example.org"


@pytest.fixture
def dana(orchard: Orchard) -> Person:
    """Somebody who opened the form."""
    return stranger(orchard.app, orchard.workspace)


def secret_of(response: TestResponse) -> str:
    """The secret of the page that a report leads to."""
    assert response.status_code == 303, response.text
    found = re.fullmatch(r"/reports/([A-Za-z0-9_-]{43})", response.headers["Location"])
    assert found, response.headers["Location"]
    return found[1]


def sent(person: Person, **fields: Any) -> str:
    """Send the form and get the secret."""
    said = {name.replace("__", "-"): text for name, text in fields.items()}
    return secret_of(person.post("/report", {**GOOD, **said}))


def number_of(orchard: Orchard, secret: str) -> int:
    """The report that a secret leads to."""
    number = reporters.number_of(orchard.workspace.private, secret)
    assert number is not None
    return number


def events_of(orchard: Orchard, number: int) -> list[ev.Event]:
    """What is recorded of a report."""
    return [one.event for one in orchard.workspace.ledger.store.stream(stream_of(number))]


# --- the form ---------------------------------------------------------------------------------


def test_the_form_arrives_filled_in_with_what_it_is_about(orchard: Orchard) -> None:
    """Model, board, number and source; what the claim says now stands beside each field."""
    html = orchard.page(f"/report?target={TARGET}")
    text = Page.of(html).text
    for said in ("Birch on Orchard: 69%", "Orchard board (Official leaderboard)", "Now: 69"):
        assert said in text
    assert f'name="target" value="{TARGET}"' in html
    assert 'value="change" checked' in html


@pytest.mark.parametrize(
    ("target", "said"),
    [
        ("site", "the site as a whole"),
        ("benchmarks/orchard", "The board of Orchard"),
        ("benchmarks/orchard#caveat-weather", "Other years had other weather"),
        ("benchmarks/orchard#evaluation-changes", "evaluation changes"),
        ("benchmarks/orchard#row-birch", "Birch"),
        ("sources/birch-post", "Birch launch post"),
        ("models/alder-may", "Alder 7B May 2025"),
        ("corrections/1", "Correction 1"),
    ],
)
def test_every_kind_of_target_has_its_form(orchard: Orchard, target: str, said: str) -> None:
    """The form says what it is about, whatever that is."""
    assert said in Page.of(orchard.page(f"/report?target={target.replace('#', '%23')}")).text


@pytest.mark.parametrize(
    ("target", "status"),
    [
        ("claims/c" + "0" * 23, 404),
        ("benchmarks/nowhere", 404),
        ("benchmarks/orchard%23caveat-nowhere", 404),
        ("models/nobody", 404),
        ("sources/nothing", 404),
        ("snapshots/" + "0" * 64, 404),
        ("corrections/77", 404),
        ("reports/1", 400),
        ("javascript:alert(1)", 400),
        ("//evil.example", 400),
        ("", 400),
        ("x" * 900, 400),
    ],
)
def test_what_is_not_there_has_no_form(orchard: Orchard, target: str, status: int) -> None:
    """It is refused with a word on what to do, and never becomes a report."""
    head = orchard.head
    assert orchard.get(f"/report?target={target}").status_code == status
    assert orchard.head == head


def test_every_page_row_claim_source_and_caveat_leads_to_its_form(orchard: Orchard) -> None:
    """The links are those of the form, and each of them opens it."""
    post = claim_id("birch-report", "orchard", "Birch", "grown", None)
    wanted = {
        "/": {"site"},
        BOARD: {
            "benchmarks/orchard",
            "benchmarks/orchard#caveat-weather",
            "benchmarks/orchard#evaluation-changes",
            f"claims/{WRONG}",
            f"claims/{post}",
        },
        f"/claims/{BIRCH}": {TARGET},
        "/models/birch": {"models/birch", TARGET, f"claims/{WRONG}"},
        "/sources/orchard-board": {"sources/orchard-board", TARGET},
        "/corrections": {"site"},
        "/corrections/1": {"corrections/1"},
        "/nothing/here": {"site"},
    }
    for address, targets in wanted.items():
        links = Page.of(orchard.get(address).text).values("href")
        found = [one for one in links if one.startswith("/report?target=")]
        told = {one.partition("=")[2].replace("%23", "#").replace("%2F", "/") for one in found}
        assert targets <= told, address
        for link in found:
            assert orchard.get(link).status_code == 200, link


# --- what is recorded and what is not ---------------------------------------------------------


def test_a_report_needs_no_account_and_leads_to_a_secret_page(
    orchard: Orchard, dana: Person
) -> None:
    """The event holds what is strictly formed; the words are behind a digest."""
    secret = sent(dana, words=WORDS, contact=CONTACT, credit="Dana Q.")
    number = number_of(orchard, secret)
    (filed,) = events_of(orchard, number)
    assert isinstance(filed, ev.ReportFiled)
    assert (filed.target, filed.reason) == (TARGET, "wrong-value")
    assert filed.proposes == (ev.Change("score", "69", "70.1"),)
    assert filed.received_at == orchard.clock.now
    private = orchard.workspace.private
    assert filed.words is not None
    assert private.words(filed.words) == WORDS.encode()
    assert reporters.contact_of(private, number) == CONTACT
    assert reporters.credit_of(private, number) == "Dana Q."
    (record,) = orchard.workspace.ledger.store.stream(stream_of(number))
    assert re.fullmatch(r"reporter-[0-9a-f]{8}", record.envelope.recorded_by)
    assert WORDS in Page.of(dana.get(f"/reports/{secret}").text).text


def test_nothing_that_a_reporter_wrote_is_in_an_event_or_a_log(
    orchard: Orchard, dana: Person, caplog: pytest.LogCaptureFixture
) -> None:
    """Not the words, the contact, the name, an address, a file, nor the secret."""
    caplog.set_level(logging.DEBUG)
    marks = ("Wordmark", "contact-mark", "Creditmark", "address-mark", "filemark", "settingmark")
    secret = sent(
        dana,
        words=marks[0],
        contact=f"{marks[1]}@example.org",
        credit=marks[2],
        addresses=f"https://example.org/{marks[3]}",
        files=(io.BytesIO(marks[4].encode()), f"{marks[4]}.txt"),
        set__setting=marks[5],
    )
    page = dana.get(f"/reports/{secret}").text
    stored = b"".join(one.stored for one in orchard.workspace.ledger.store.after(0, 10_000))
    orchard.workspace.ledger.store.close()
    home = orchard.workspace.settings.home
    files = [one for one in home.rglob("*") if one.is_file() and "private" not in one.name]
    elsewhere = stored + b"".join(one.read_bytes() for one in files)
    for told in (*marks, secret):
        assert told.encode() not in elsewhere
        assert told not in caplog.text
        if told not in (secret, "filemark"):
            assert told in page


def test_evidence_is_frozen_by_a_digest_over_a_nonce_and_the_bytes(
    orchard: Orchard, dana: Person
) -> None:
    """The ledger holds the digest, the private store the bytes; the same file gives another one."""
    files = [(io.BytesIO(b"a,b\n1,2\n"), "../../etc/table.csv"), (io.BytesIO(PNG), "shot.png")]
    secret = sent(dana, files=files, addresses="https://example.org/birch")
    number = number_of(orchard, secret)
    added = [one for one in events_of(orchard, number) if isinstance(one, ev.EvidenceAdded)]
    assert len(added) == 3
    assert all(one.private and one.address is None for one in added)
    private = orchard.workspace.private
    kept = [uploads.evidence(private, str(one.digest)) for one in added]
    told = {(one.upload.kind, one.upload.media_type, one.content) for one in kept if one}
    assert told == {
        ("file", "text/plain", b"a,b\n1,2\n"),
        ("file", "image/png", PNG),
        ("address", "text/uri-list", b"https://example.org/birch"),
    }
    assert str(added[0].digest) != digest_of(b"", b"a,b\n1,2\n")
    for one in kept:
        assert one is not None
        download = dana.get(f"/reports/{secret}/files/{one.upload.digest}")
        assert download.data == one.content
        assert "attachment" in download.headers["Content-Disposition"]
        assert "etc" not in download.headers["Content-Disposition"]
        assert "sandbox" in download.headers["Content-Security-Policy"]
        assert download.mimetype == "application/octet-stream"


def test_sending_the_same_form_twice_files_it_once(orchard: Orchard, dana: Person) -> None:
    """A second click leads to the same page; another text in the same form is another report."""
    fields = {**GOOD, "words": WORDS, "once": "a" * 32}
    head = orchard.head
    first = secret_of(dana.post("/report", fields))
    assert orchard.head == head + 1
    for wanted in ("send", "anyway", "join"):
        again = dana.post("/report", {**fields, "do": wanted})
        assert secret_of(again) == first
    assert orchard.head == head + 1
    other = dana.post("/report", {**fields, "do": "anyway", "words": "Table 5, I mean."})
    assert secret_of(other) != first


def test_a_form_from_elsewhere_files_nothing_and_gives_the_text_back(
    orchard: Orchard, dana: Person
) -> None:
    """Without its token a form is refused with 403, and all that was typed is there."""
    head = orchard.head
    refused = dana.post("/report", {**GOOD, "words": WORDS}, forged=True)
    assert refused.status_code == 403
    assert WORDS in refused.text
    assert orchard.head == head
    cross = dana.post("/report", GOOD, headers={"Origin": "https://evil.example"})
    assert cross.status_code == 403
    assert dana.get(f"/report?target={TARGET}&words=x&do=send").status_code == 200
    assert orchard.head == head


def test_whoever_is_logged_in_reports_under_their_handle_and_does_not_decide_it(
    orchard: Orchard,
) -> None:
    """Nobody decides their own report, also when it came through the form (P046)."""
    ada = signed_in(orchard.app, orchard.workspace, "ada")
    assert "bears your handle, ada" in ada.get(f"/report?target={TARGET}").text
    secret = sent(ada, words=WORDS)
    number, ledger = number_of(orchard, secret), orchard.workspace.ledger
    assert ledger.report(number).filed_by == "ada"
    order = orders.Decide(number=number, outcome="declined", reason="no", statement="No.")
    with pytest.raises(SelfReview):
        ledger.do(order, "ada")
    other = sent(ada, words="Another matter", set__score="70.2")
    assert number_of(orchard, other) == number + 1
    amended = {"wish": "remark", "words": "Never mind."}
    assert ada.post(f"/reports/{secret}/amend", amended).status_code == 303


def test_what_fails_is_logged_without_the_secret(
    orchard: Orchard, dana: Person, caplog: pytest.LogCaptureFixture
) -> None:
    """Not even an error of ours gives a reporter's link away."""
    secret = sent(dana, words=WORDS)
    with orchard.workspace.private.write() as connection:
        connection.execute(update(reporters.letters).values(typed=b"{"))
    assert dana.get(f"/reports/{secret}").status_code == 500
    assert "/reports/" in caplog.text
    assert secret not in caplog.text


def test_a_double_click_files_one_report(orchard: Orchard) -> None:
    """Also when both requests are under way at once."""
    head = orchard.head
    for count in range(5):
        fields = {**GOOD, "words": f"{WORDS} {count}", "once": "b" * 32, "do": "anyway"}
        browser = stranger(orchard.app, orchard.workspace)
        twins = [attrs.evolve(browser, client=orchard.client) for _ in range(2)]
        for one in twins:
            one.client.set_cookie(FORM, browser.secret)
        base = {"REMOTE_ADDR": f"192.0.2.{count}"}
        with ThreadPoolExecutor(2) as pool:
            sending = [pool.submit(one.post, "/report", fields, environ_base=base) for one in twins]
            both = [one.result() for one in sending]
        assert len({secret_of(one) for one in both}) == 1
    assert orchard.head == head + 5


# --- what is not taken ------------------------------------------------------------------------


def test_what_does_not_fit_comes_back_with_all_that_was_typed(
    orchard: Orchard, dana: Person
) -> None:
    """The message stands beside the field and at the top, and nothing was recorded."""
    head = orchard.head
    typed = {**GOOD, "set-score": "7O.1", "words": WORDS, "contact": "dana", "credit": "Dana Q."}
    response = dana.post("/report", typed)
    assert response.status_code == 400
    page = Page.of(response.text)
    assert "not a plain decimal number" in page.text
    assert "it is no e-mail address" in page.text
    for text in ("7O.1", "dana", "Dana Q."):
        assert text in page.values("value")
    assert WORDS in page.text
    assert "<title>Error: " in response.text
    assert page.values("aria-invalid") == ["true", "true"]
    assert orchard.head == head


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ([(b"\x7fELF" + b"\x00" * 9, "run.me")], "send a PDF"),
        ([(b"PK\x03\x04\xff\xfe", "many.zip")], "send a PDF"),
        ([(bytes([97 + n]), f"{n}.txt") for n in range(4)], "more than 3"),
    ],
)
def test_files_that_nobody_could_look_at_are_refused(
    orchard: Orchard, dana: Person, files: list[tuple[bytes, str]], said: str
) -> None:
    """Too many, or of a kind that a machine would run."""
    chosen = [(io.BytesIO(content), name) for content, name in files]
    response = dana.post("/report", {**GOOD, "words": WORDS, "files": chosen})
    assert response.status_code == 400
    assert said in response.text
    assert WORDS in response.text
    with orchard.workspace.views.read() as reader:
        assert [one.number for one in reports(reader)] == [1]


def test_a_large_file_is_refused_and_its_form_comes_back(orchard: Orchard, dana: Person) -> None:
    """The message says how large it may be."""
    file = b'Content-Disposition: form-data; name="files"; filename="a.txt"\r\n\r\n'
    words = b'Content-Disposition: form-data; name="words"\r\n\r\n'
    body, kind = multipart(dana, file + b"x" * 1_000_001, words + WORDS.encode())
    response = dana.client.post("/report", data=body, content_type=kind)
    assert response.status_code == 400
    assert "1,000,000" in response.text
    assert WORDS in response.text
    assert uploads.kept_bytes(orchard.workspace.private) == 0


def multipart(person: Person, *parts: bytes) -> tuple[bytes, str]:
    """A body made by hand, with its token, and its content type."""
    token = (
        b'Content-Disposition: form-data; name="csrf"\r\n\r\n' + person.token("/report").encode()
    )
    body = b"".join(b"--line\r\n" + part + b"\r\n" for part in (token, *parts))
    return body + b"--line--\r\n", "multipart/form-data; boundary=line"


def test_size_limits_come_before_anything_else(orchard: Orchard, dana: Person) -> None:
    """Too large a body, too large a field, too many fields: 413, at once, and nothing kept."""
    head = orchard.head
    field = b'Content-Disposition: form-data; name="words"\r\n\r\n'
    file = b'Content-Disposition: form-data; name="files"; filename="a.txt"\r\n\r\n'
    for parts in (
        [field + b"x" * (LARGEST_FIELDS + 1)],
        [file + b"x" * LARGEST_POST],
        [field + b"x"] * 200,
    ):
        body, kind = multipart(dana, *parts)
        response = dana.client.post("/report", data=body, content_type=kind)
        assert response.status_code == 413
    assert orchard.head == head


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    "text",
    ["a-" * 50_000, "a" * 40 + "!", "[[" + " " * 200 + "|" + " " * 200 + "]", "(a+)+$" * 3_000],
    ids=["long", "almost", "brackets", "pattern"],
)
@pytest.mark.parametrize("field", ["words", "set-model", "set-score", "addresses", "contact"])
def test_hostile_text_is_answered_at_once(dana: Person, field: str, text: str) -> None:
    """A form with it is taken or refused like any other (P044), and no pattern hangs on it."""
    dana.post("/report", GOOD | {"do": "save"})  # what is made once is made
    response = dana.post("/report", {**GOOD, field: text})
    assert response.status_code in (303, 400)
    if len(text) > 20_000:
        assert "At most" in response.text
        assert text in response.text


def test_what_would_be_markup_is_text_on_every_page(dana: Person) -> None:
    """Stored scripts, attributes that break out, and javascript: links."""
    bad = f"{HOSTILE} {ATTRIBUTE} javascript:alert(1)"
    refused = dana.post("/report", {**GOOD, "set-score": bad, "words": bad, "credit": bad})
    secret = sent(dana, words=bad, credit=bad, set__setting=bad)
    for html in (refused.text, dana.get(f"/reports/{secret}").text):
        page = Page.of(html)
        assert page.tags["script"] == 0
        assert not [name for _, name, _ in page.attributes if name.startswith("on")]
        assert not [one for one in page.values("href") if one.startswith("javascript")]
        assert HOSTILE in page.text or HOSTILE in "".join(page.values("value"))
    html = dana.get(f"/reports/{secret}/amend").text
    assert Page.of(html).tags["script"] == 0
    policy = dana.get(f"/reports/{secret}").headers["Content-Security-Policy"]
    assert "script" not in policy
    assert "default-src 'none'" in policy


def test_bidirectional_tricks_in_words_are_shown_as_what_they_are(dana: Person) -> None:
    """Nobody reads 72.5 where 5.27 is written (P042)."""
    secret = sent(dana, words="It is \u202e5.27\u202c.")
    assert "It is <U+202E>5.27<U+202C>." in Page.of(dana.get(f"/reports/{secret}").text).text
    name = dana.post("/report", {**GOOD, "credit": "Da\u202ena"})
    assert name.status_code == 400
    assert "U+202E" in name.text


# --- limits -----------------------------------------------------------------------------------


def test_one_client_files_only_so_many_in_a_while(orchard: Orchard) -> None:
    """The eleventh within a quarter of an hour is told when to come back, with its text."""
    for count in range(REPORTS):
        person = stranger(orchard.app, orchard.workspace)
        sent(person, words=f"Row {count} is another matter.", do="anyway")
    last = stranger(orchard.app, orchard.workspace)
    refused = last.post("/report", {**GOOD, "words": WORDS, "do": "anyway"})
    assert refused.status_code == 429
    assert int(refused.headers["Retry-After"]) > 0
    assert WORDS in refused.text
    elsewhere = {"REMOTE_ADDR": "192.0.2.7"}
    other = last.post("/report", {**GOOD, "do": "anyway"}, environ_base=elsewhere)
    assert other.status_code == 303
    orchard.clock.now += timedelta(minutes=16)
    assert last.post("/report", {**GOOD, "words": WORDS, "do": "anyway"}).status_code == 303


def test_one_form_files_only_so_many_wherever_it_comes_from(dana: Person) -> None:
    """A program with many addresses and one cookie is bounded too."""
    codes = []
    for count in range(REPORTS + 1):
        base = {"REMOTE_ADDR": f"192.0.2.{count}"}
        fields = {**GOOD, "words": f"{count}", "do": "anyway"}
        codes.append(dana.post("/report", fields, environ_base=base).status_code)
    assert codes == [303] * REPORTS + [429]


# --- drafts -----------------------------------------------------------------------------------


def test_a_draft_is_saved_without_script_and_comes_back(orchard: Orchard, dana: Person) -> None:
    """It waits for this browser alone, also when the form's own cookie is gone."""
    typed = {**GOOD, "words": WORDS, "set-score": "7O.1", "do": "save"}
    response = dana.post("/report", typed)
    assert response.status_code == 303
    dana.client.delete_cookie("form")
    html = dana.get(response.headers["Location"]).text
    assert WORDS in html
    assert 'value="7O.1"' in html
    assert "This is your draft" in html
    assert WORDS not in orchard.page(f"/report?target={TARGET}")
    assert WORDS not in dana.get("/report?target=benchmarks/orchard").text


def test_the_draft_cookie_outlives_the_browser_and_says_nothing(
    orchard: Orchard, dana: Person
) -> None:
    """A random id, of which only the digest is kept."""
    response = dana.post("/report", {**GOOD, "words": WORDS, "do": "save"})
    (cookie,) = [one for one in response.headers.getlist("Set-Cookie") if one.startswith(DRAFT)]
    for part in ("HttpOnly", "SameSite=Lax", "Max-Age=2592000"):
        assert part in cookie
    value = cookie.partition("=")[2].partition(";")[0]
    stored = (orchard.workspace.settings.home / "private.db").read_bytes()
    wal = orchard.workspace.settings.home / "private.db-wal"
    assert value.encode() not in stored + (wal.read_bytes() if wal.exists() else b"")


def test_what_was_not_taken_is_a_draft_too(dana: Person) -> None:
    """Whoever closes the window after an error finds all of it again."""
    dana.post("/report", {**GOOD, "set-score": "x", "words": WORDS})
    assert WORDS in dana.get(f"/report?target={TARGET}").text


def test_files_wait_with_the_draft_and_can_be_taken_out(orchard: Orchard, dana: Person) -> None:
    """They need not be chosen again after an error; nobody else gets at them."""
    file = (io.BytesIO(b"a table"), "table.txt")
    response = dana.post("/report", {**GOOD, "set-score": "x", "files": file})
    assert "table.txt" in response.text
    (digest,) = re.findall(r'name="remove" value="([0-9a-f]{64})"', response.text)
    other = stranger(orchard.app, orchard.workspace)
    other.post("/report", {**GOOD, "do": "save", "remove": digest})
    assert "table.txt" in dana.get(f"/report?target={TARGET}").text
    assert "table.txt" not in other.get(f"/report?target={TARGET}").text
    secret = sent(dana)
    assert "table.txt" in dana.get(f"/reports/{secret}").text
    assert "table.txt" not in dana.get(f"/report?target={TARGET}").text
    dana.post("/report", {**GOOD, "do": "save", "files": (io.BytesIO(b"b"), "b.txt")})
    html = dana.get(f"/report?target={TARGET}").text
    (digest,) = re.findall(r'name="remove" value="([0-9a-f]{64})"', html)
    dana.post("/report", {**GOOD, "do": "save", "remove": digest})
    assert uploads.evidence(orchard.workspace.private, digest) is None


def test_a_draft_is_gone_when_it_is_sent_or_discarded_or_old(
    orchard: Orchard, dana: Person
) -> None:
    """The form is empty again."""
    address = f"/report?target={TARGET}"
    dana.post("/report", {**GOOD, "words": WORDS, "do": "save"})
    dana.post("/report", {**GOOD, "do": "discard"})
    assert WORDS not in dana.get(address).text
    dana.post("/report", {**GOOD, "words": WORDS, "do": "save"})
    sent(dana, words=WORDS)
    assert WORDS not in dana.get(address).text
    dana.post("/report", {**GOOD, "words": WORDS, "do": "save"})
    orchard.clock.now += drafts.KEPT + timedelta(seconds=1)
    assert WORDS not in dana.get(address).text


# --- what was said before ---------------------------------------------------------------------


def test_whoever_says_the_same_is_offered_to_join(orchard: Orchard, dana: Person) -> None:
    """Nothing of the open report is shown; joined, one hears the outcome by a link of one's own."""
    first = sent(dana, words="The secret of Dana", contact=CONTACT)
    number, head = number_of(orchard, first), orchard.head
    eve = stranger(orchard.app, orchard.workspace)
    offered = eve.post("/report", {**GOOD, "words": WORDS})
    assert offered.status_code == 409
    assert "Somebody said this already" in offered.text
    assert WORDS in offered.text
    for told in ("The secret of Dana", CONTACT, "reporter-"):
        assert told not in offered.text
    assert orchard.head == head
    contact = {"contact": "eve@example.org"}
    joined = secret_of(eve.post("/report", {**GOOD, "words": WORDS, "do": "join", **contact}))
    assert number_of(orchard, joined) == number
    assert joined != first
    private = orchard.workspace.private
    assert reporters.contact_of(private, number) == CONTACT
    assert reporters.contacts_of(private, number) == [CONTACT, "eve@example.org"]
    page = eve.get(f"/reports/{joined}").text
    assert "added to an open report" in page
    assert "The secret of Dana" not in page
    assert WORDS not in dana.get(f"/reports/{first}").text
    assert "Evidence was added" in dana.get(f"/reports/{first}").text
    (evidence,) = [e for e in events_of(orchard, number) if isinstance(e, ev.EvidenceAdded)]
    kept = uploads.evidence(private, str(evidence.digest))
    assert kept is not None
    assert kept.content == WORDS.encode()
    assert eve.get(f"/reports/{joined}/amend").status_code == 400


def test_whoever_means_something_else_sends_it_all_the_same(orchard: Orchard, dana: Person) -> None:
    """The offer is no refusal; and another proposal or reason meets none."""
    sent(dana, words=WORDS)
    eve = stranger(orchard.app, orchard.workspace)
    assert number_of(orchard, sent(eve, words=WORDS, do="anyway")) == 3
    assert number_of(orchard, sent(eve, set__score="70.2")) == 4
    assert number_of(orchard, sent(eve, reason="wrong-setting", words=WORDS)) == 5


# --- who may read it --------------------------------------------------------------------------


def test_an_undecided_report_is_nowhere_for_others(orchard: Orchard, dana: Person) -> None:
    """Pages, JSON, feeds, search, files: the same 404 as for what does not exist, and no trace."""
    secret = sent(
        dana,
        words="Undecided-mark",
        credit="Undecided-mark",
        files=(io.BytesIO(b"Undecided-mark"), "Undecided-mark.txt"),
    )
    number = number_of(orchard, secret)
    (digest,) = [e.digest for e in events_of(orchard, number) if isinstance(e, ev.EvidenceAdded)]
    for address, nothing in (
        (f"/reports/{number}", "/reports/77"),
        (f"/reports/{number}.json", "/reports/77.json"),
        (f"/reports/{secret[:-1]}_", f"/reports/{'A' * 43}"),
        (f"/reports/{secret}x", f"/reports/{'A' * 44}"),
        (f"/reports/{'A' * 43}/files/{digest}", f"/reports/{'A' * 43}/files/{'0' * 64}"),
        (f"/reports/{'A' * 43}/amend", "/nothing"),
        (f"/snapshots/{digest}", f"/snapshots/{'0' * 64}"),
        (f"/corrections/{number}", "/corrections/77"),
        (f"/corrections/{number}.json", "/corrections/77.json"),
        (f"/review/{number}", "/review/77"),
        (f"/review/{number}.json", "/review/77.json"),
    ):
        real, unreal = orchard.get(address), orchard.get(nothing)
        assert (real.status_code, unreal.status_code) == (404, 404), address
        told = real.text.replace(str(digest), "0" * 64).replace(f" {number}.", " 77.")
        assert told == unreal.text, address
    for address in (
        "/",
        BOARD,
        f"/claims/{BIRCH}",
        f"/claims/{BIRCH}.json",
        "/corrections",
        "/corrections.json",
        "/corrections.json?q=Undecided-mark",
        f"/report?target={TARGET}",
    ):
        assert "Undecided-mark" not in orchard.get(address).text
    assert "Undecided-mark" not in orjson.dumps(orchard.json(f"{BOARD}.json")).decode()


def test_the_form_and_the_secret_page_are_kept_by_no_cache(dana: Person) -> None:
    """And no search engine is to list the secret page."""
    secret = sent(dana)
    for address in (f"/report?target={TARGET}", f"/reports/{secret}", f"/reports/{secret}/amend"):
        response = dana.get(address)
        assert response.headers["Cache-Control"] == "no-store"
        assert response.headers["Referrer-Policy"] in ("no-referrer", "same-origin")
    assert "noindex" in dana.get(f"/reports/{secret}").headers["X-Robots-Tag"]


def test_the_field_that_nobody_sees_is_hidden_from_everybody(orchard: Orchard) -> None:
    """From the eye by style, from the keyboard and from screen readers by what is said of it."""
    html = orchard.page(f"/report?target={TARGET}")
    (trap,) = re.findall(rf'<input[^>]*name="{TRAP}"[^>]*>', html)
    assert 'tabindex="-1"' in trap
    assert 'autocomplete="off"' in trap
    assert re.search(rf'<div class="trap" aria-hidden="true">[^§]*?name="{TRAP}"', html)
