"""What came in, as auditors see it: imports row by row, frozen bytes, and the headers kept."""

import hashlib
from pathlib import Path

import pytest

from ledger.importing.formats.snapshot import Metrics, read_snapshot
from tests.web.corrigenda import Toy
from tests.web.failing_server import PAGE, FailingServer
from tests.web.orchard import TARGET, WRONG, Orchard, open_orchard
from tests.web.page import page_of

DIGEST = hashlib.sha256(PAGE).hexdigest()


def read_badly(orchard: Orchard) -> int:
    """Another reading of the board, with a row that cannot be read; the position of its import."""
    workspace = orchard.workspace
    metrics = Metrics.of(workspace.ledger.facts("benchmark:orchard"))
    text = "model,score\n<b>Elm</b>,many\nBirch,69\n"
    name, now = "2025-08-11T000000Z.csv", workspace.ledger.clock()
    board = read_snapshot(name, text.encode(), target=TARGET, metrics=metrics, now=now)
    workspace.importer("curator").read(board, TARGET)
    return orchard.head


# --- imports ----------------------------------------------------------------------------------


def test_imports_are_listed_with_what_they_did(orchard: Orchard) -> None:
    """The last first, each with its file and its counts; paged by position."""
    found = orchard.json("/audit/imports.json")
    assert [one["position"] for one in found["imports"]] == [37, 33, 30, 23, 19]
    assert found["imports"][0]["counts"]["delisted"] == 1
    page = orchard.json("/audit/imports.json?count=2&before=33")
    assert [one["position"] for one in page["imports"]] == [30, 23]
    assert page["next"] == "/audit/imports.json?count=2&before=23"
    newer = orchard.json("/audit/imports.json?count=2&after=23")
    assert [one["position"] for one in newer["imports"]] == [33, 30]
    rows = page_of(orchard.page("/audit/imports")).rows("imports")
    assert rows[0]["What it did"].text == "1 delisted, 1 restated, 2 rows, 1 unchanged"
    assert "1 recorded, 1 row" in {row["What it did"].text for row in rows}


def test_an_import_says_row_by_row_what_was_refused(orchard: Orchard) -> None:
    """With the reason, as text; and by its digest which file it was."""
    position = read_badly(orchard)
    told = orchard.json(f"/audit/imports/{position}.json")
    assert told["refused"]
    page = page_of(orchard.page(f"/audit/imports/{position}"))
    shown = [one.text for one in page.section("refused").all("li")]
    assert shown == [" ".join(one.split()) for one in told["refused"]]
    assert told["digest"] in page.main.text
    assert not page.main.all("b")


def test_an_import_leads_to_its_snapshot_and_to_its_event(orchard: Orchard) -> None:
    """Its reading is another event, recorded with it."""
    told = orchard.json("/audit/imports/37.json")
    assert told["reading"]["position"] == 34
    links = page_of(orchard.page("/audit/imports/37")).main.links()
    assert links["position 34"] == "/audit/events/34"
    assert f"/audit/snapshots/{told['reading']['digest']}" in links.values()
    assert links["event 37"] == "/audit/events/37"


def test_what_is_no_import_has_no_page(orchard: Orchard) -> None:
    """Neither another event nor a position that is not there, nor one behind what is asked of."""
    for address in ("/audit/imports/36", "/audit/imports/99", "/audit/imports/37.json?x=1"):
        assert orchard.get(address).status_code in (400, 404)
    assert orchard.get("/audit/imports/37?recorded_through=36").status_code == 404
    assert orchard.get("/audit/imports/37?recorded_through=37").status_code == 200


# --- snapshots --------------------------------------------------------------------------------


def test_a_snapshot_says_who_read_it_and_what_rests_on_it(orchard: Orchard) -> None:
    """Its bytes are a download as before; the claims that stand on them lead to their pages."""
    digest = orchard.workspace.ledger.claim(WRONG).readings[-1].digest
    page = page_of(orchard.page(f"/audit/snapshots/{digest}"))
    assert digest in page.main.text
    (reading,) = page.rows("readings-table")
    assert reading["Source"].text == "birch-post"
    (claim,) = page.rows("claims-table")
    assert claim["Name as written"].links() == {"Birch": f"/claims/{WRONG}"}
    assert f"/snapshots/{digest}" in page.main.links().values()
    told = orchard.json(f"/audit/snapshots/{digest}.json")
    assert (told["claims"], told["readings_in_all"]) == ([WRONG], 1)
    assert told["headers"] == []


def test_sources_and_claims_lead_to_their_snapshots(orchard: Orchard) -> None:
    """From each reading, and from the frozen source of a number."""
    digest = orchard.workspace.ledger.claim(WRONG).readings[-1].digest
    for address in ("/sources/birch-post", f"/claims/{WRONG}"):
        assert f'href="/audit/snapshots/{digest}"' in orchard.page(address), address


def test_only_what_was_read_from_a_source_has_a_page(orchard: Orchard) -> None:
    """Whatever else the archive may hold."""
    other = orchard.workspace.ledger.archive.put(b"not read from anywhere")
    for form in ("", ".json"):
        assert orchard.get(f"/audit/snapshots/{other}{form}").status_code == 404
    digest = orchard.workspace.ledger.claim(WRONG).readings[-1].digest
    assert orchard.get(f"/audit/snapshots/{digest}?recorded_through=16").status_code == 404


def test_a_snapshot_whose_file_is_gone_still_has_its_page(orchard: Orchard) -> None:
    """It says what is known of it; only the bytes cannot be had."""
    digest = orchard.workspace.ledger.claim(WRONG).readings[-1].digest
    archive = orchard.workspace.ledger.archive
    (archive.folder / digest[:2] / digest[2:4] / digest).unlink()
    assert "It is no text" in orchard.page(f"/audit/snapshots/{digest}")


# --- what was frozen from an address ----------------------------------------------------------


@pytest.fixture
def frozen(toy: Toy, server: FailingServer) -> Path:
    """A home in which a page of that server was frozen."""
    freeze = ("freeze", server.url("fine"), "--source", "toy-board", "--allow-private")
    toy.corrigenda.done(*freeze)
    return toy.corrigenda.home


def test_the_headers_that_were_kept_have_a_place_to_be_read(frozen: Path) -> None:
    """Those that are kept, with the WARC that holds them; no cookie is among them."""
    with open_orchard(frozen) as pages:
        page = page_of(pages.page(f"/audit/snapshots/{DIGEST}"))
        told = pages.json(f"/audit/snapshots/{DIGEST}.json")
    headers = {one["Header"].text: one["Value"].text for one in page.rows("headers-1")}
    assert headers["content-type"] == "text/html; charset=utf-8"
    assert "set-cookie" not in headers
    (kept,) = told["headers"]
    assert dict(kept["headers"]) == headers
    assert kept["warc"] in page.section("headers").text
    assert "No number on a board" in page.section("resting").text


def test_a_frozen_page_is_shown_as_its_source(frozen: Path) -> None:
    """Its markup is text here."""
    with open_orchard(frozen) as pages:
        page = page_of(pages.page(f"/audit/snapshots/{DIGEST}"))
    assert PAGE.decode() in ["".join(one.words()) for one in page.main.all("pre")]


def test_what_was_taken_back_says_so(toy: Toy, frozen: Path) -> None:
    """On the snapshot, on its import and in the list, with the event that took it back; through an
    earlier position it still counts."""
    before = toy.corrigenda.json("source", "toy-board")["readings"][-1]["position"]
    toy.corrigenda.done("import", "--withdraw", DIGEST)
    with open_orchard(frozen) as pages:
        head = pages.head
        address = f"/audit/snapshots/{DIGEST}"
        assert "Taken back" in pages.page(address)
        assert "Taken back" not in pages.page(f"{address}?recorded_through={before}")
        (listed,) = (
            one
            for one in pages.json("/audit/snapshots.json")["readings"]
            if one["digest"] == DIGEST
        )
        assert listed["withdrawn"]
        receipt = next(
            one
            for one in pages.json("/audit/imports.json")["imports"]
            if one["digest"] == DIGEST and one["format"] == "frozen"
        )
        told = pages.json(f"/audit/imports/{receipt['position']}.json")
        assert before < told["withdrawn_at"] <= head
        assert "Taken back" in pages.page(f"/audit/imports/{receipt['position']}")
        earlier = f"/audit/imports/{receipt['position']}?recorded_through={receipt['position']}"
        assert "Taken back" not in pages.page(earlier)
