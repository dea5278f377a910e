"""What was typed is not lost: drafts and their files, and the offer to join who said it before."""

import io
import re
from datetime import timedelta

from ledger import events as ev
from tests.web.orchard import Orchard
from tests.web.people import Person, stranger
from tests.web.reports_sent import (
    CONTACT,
    GOOD,
    TARGET,
    WORDS,
    events_of,
    number_of,
    secret_of,
    sent,
)
from web.cookies import DRAFT
from web.private import drafts, reporters, uploads

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
