"""Who never sees a report that nobody decided yet, nor the page of its reporter."""

import io
import re

import orjson

from ledger import events as ev
from tests.web.orchard import BIRCH, BOARD, Orchard
from tests.web.people import Person
from tests.web.reports_sent import TARGET, events_of, number_of, sent
from web.reporting.pages import TRAP


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
