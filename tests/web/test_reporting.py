"""Reporting without an account: the form, what is recorded of it, and what never is."""

import io
import logging
import re
from concurrent.futures import ThreadPoolExecutor

import attrs
import pytest
from sqlalchemy import update

from ledger import commands as orders
from ledger import events as ev
from ledger.claim import claim_id
from ledger.errors import SelfReview
from ledger.report import stream_of
from tests.web.flat_page import Page
from tests.web.orchard import BIRCH, BOARD, WRONG, Orchard
from tests.web.people import Person, signed_in, stranger
from tests.web.reports_sent import (
    CONTACT,
    GOOD,
    PNG,
    TARGET,
    WORDS,
    events_of,
    number_of,
    secret_of,
    sent,
)
from web.cookies import FORM
from web.private import reporters, uploads
from web.private.store import digest_of

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
