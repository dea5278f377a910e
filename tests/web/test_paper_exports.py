"""Taking a paper's page away: over HTTP and by the command, and on paper."""

import io
from contextlib import closing
from pathlib import Path

import attrs
import orjson
import pypdfium2 as pdfium
import pytest

from ledger.proof.bundle import check_bundle
from reports.rebuild import rebuild
from tests.web.corrigenda import Corrigenda
from tests.web.page import page_of
from tests.web.shelved import GRAFTS, RECORDS, Shelved, shelved
from web.printing import wanted
from web.wiring import make_key

__all__ = ["shelved"]

DAY = "as_read_on=2026-09-24"
PAPER = "2402.14658"


@pytest.fixture
def keyed(shelved: Shelved) -> Shelved:
    """The made-up paper, in a log that has a key."""
    make_key(shelved.shelf.desk.workspace, lambda: bytes(range(32)))
    return shelved


def test_a_paper_can_be_taken_away_as_a_bundle(keyed: Shelved) -> None:
    """By a stranger; it is proved, follows from its events, and says what it is called."""
    response = keyed.pages.get(f"{GRAFTS}.bundle.json?{DAY}")
    assert (response.status_code, response.content_type) == (200, "application/json")
    key = keyed.shelf.desk.workspace.seals.keys()[0]
    assert check_bundle(response.data, [key]).problems == ()
    document = orjson.loads(response.data)
    assert rebuild(document) == []
    assert document["shows"] == keyed.pages.get(document["address"].replace("?", ".json?")).json
    assert response.headers["Content-Disposition"] == (
        'attachment; filename="paper_2603.01234_as-read-on-2026-09-24_then_position-'
        f'{keyed.shelf.head}.bundle.json"'
    )
    for asked in ("view=all", "as_read_on=2025-02-30", "as_read_on="):
        assert keyed.pages.get(f"{GRAFTS}.bundle.json?{asked}").status_code == 400
    for ending in ("bundle.json", "prov.json", "provn", "ttl", "pdf"):
        assert keyed.pages.get(f"/papers/2603.99999.{ending}").status_code == 404


@pytest.mark.parametrize(
    ("ending", "media_type", "said"),
    [
        ("prov.json", "application/json", b'"prov:label": "Grafting"'),
        ("provn", "text/provenance-notation; charset=utf-8", b"as-of/"),
        ("ttl", "text/turtle; charset=utf-8", b"prov:wasDerivedFrom"),
    ],
)
def test_a_paper_can_be_taken_away_as_prov(
    keyed: Shelved, ending: str, media_type: str, said: bytes
) -> None:
    """In three forms, each of its media type."""
    response = keyed.pages.get(f"{GRAFTS}.{ending}?{DAY}")
    assert (response.status_code, response.content_type) == (200, media_type)
    assert said in response.data


def test_a_paper_is_printed_and_served_again_from_disk(keyed: Shelved) -> None:
    """The page leads to its bundle and to its PDF, which has the bundle in it."""
    links = page_of(keyed.pages.page(f"{GRAFTS}?{DAY}")).root.one("footer").links()
    bundle = keyed.pages.get(links["bundle with proofs"])
    with closing(keyed.pages.get(links["dossier as PDF"])) as first:
        assert first.mimetype == "application/pdf"
        with closing(pdfium.PdfDocument(io.BytesIO(first.data))) as printed:
            assert bytes(printed.get_attachment(0).get_data()) == bundle.data
        with closing(keyed.pages.get(links["dossier as PDF"])) as again:
            assert again.data == first.data


def test_a_paper_with_many_samples_takes_a_job(
    keyed: Shelved, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Following the link begins none; a button does."""
    monkeypatch.setattr(wanted, "LARGE", 1)
    page = page_of(keyed.pages.page(f"{GRAFTS}.pdf?{DAY}"))
    assert "takes some minutes" in page.main.text
    assert page.main.one("form").attributes["method"] == "post"


@attrs.frozen
class Files:
    """What the command writes."""

    bundle: Path
    prov: Path
    pdf: Path


def test_the_command_writes_all_of_one_bundle_and_verifies_it(
    corrigenda: Corrigenda, tmp_path: Path
) -> None:
    """``export paper`` writes bundle, PROV and PDF; ``verify`` finds that each holds, and what was
    altered."""
    corrigenda.done("import", str(RECORDS))
    files = Files(*(tmp_path / name for name in ("p.json", "p.provn", "p.pdf")))
    written = ("--bundle", str(files.bundle), "--prov", str(files.prov), "--pdf", str(files.pdf))
    asked = ("--as-read-on", "2026-09-24", "--prov-format", "provn")
    corrigenda.done("export", "paper", PAPER, *asked, *written)
    assert files.prov.read_text("utf-8").startswith("document\n")
    for path in (files.bundle, files.pdf):
        assert orjson.loads(corrigenda.run("verify", str(path), "--json").stdout)["holds"] is True
    document = orjson.loads(files.bundle.read_bytes())
    document["shows"]["records"][0]["ran"] = 2
    files.bundle.write_bytes(orjson.dumps(document, option=orjson.OPT_SORT_KEYS) + b"\n")
    found = orjson.loads(corrigenda.run("verify", str(files.bundle), "--json").stdout)
    assert found["holds"] is False
    assert "shows.records[0].ran: the bundle says 2, its events give 3" in str(found["findings"])
    assert "no paper called 1234.5" in corrigenda.refused(
        "export", "paper", "1234.5", "--bundle", str(files.bundle)
    )
