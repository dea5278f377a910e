"""The four kinds of paper, as other people's programs read them."""

import hashlib
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from ledger.proof.merkle import leaf_hash
from ledger.proof.note import verifier_key
from ledger.proof.receipt import check_receipt, receipt_in
from reports.bundle.schema import schema_bytes
from reports.pdf import Failed, pdf_of
from tests.reports.papers import (
    KINDS,
    Printed,
    bundle_of,
    catalog,
    outside,
    resolved,
    run_together,
    structure,
    texts,
)
from tests.reports.shop import Shop
from web.cli.demo import CLAIM


@pytest.fixture(scope="module")
def papers(shop: Shop) -> dict[str, Printed]:
    """One paper of each kind, printed once."""
    bundles = {kind: bundle_of(shop, kind).data for kind in KINDS}
    return {kind: Printed(bundle, pdf_of(bundle)) for kind, bundle in bundles.items()}


@pytest.fixture(params=KINDS)
def paper(request: pytest.FixtureRequest, papers: dict[str, Printed]) -> Printed:
    """Each kind in turn."""
    return papers[request.param]


@pytest.fixture
def file(paper: Printed, tmp_path: Path) -> Path:
    """The same as a file."""
    path = tmp_path / "paper.pdf"
    path.write_bytes(paper.pdf)
    return path


def test_qpdf_finds_nothing_wrong(file: Path) -> None:
    """An outside program reads all of the file without a complaint."""
    done = subprocess.run(["qpdf", "--check", str(file)], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


def test_the_bundle_comes_back_byte_for_byte(paper: Printed, file: Path, tmp_path: Path) -> None:
    """What is attached is what the pages give as .bundle.json."""
    subprocess.run(
        ["pdfdetach", "-saveall", "-o", str(tmp_path), str(file)], check=True, capture_output=True
    )
    assert (tmp_path / "bundle.json").read_bytes() == paper.bundle


def test_the_receipt_proves_the_newest_event(paper: Printed, file: Path, tmp_path: Path) -> None:
    """The second file is a receipt that anybody can check against the log's key."""
    subprocess.run(
        ["pdfdetach", "-saveall", "-o", str(tmp_path), str(file)], check=True, capture_output=True
    )
    receipt = receipt_in((tmp_path / "newest-event.tlog-proof").read_text("utf-8"))
    newest = paper.document["events"][-1]
    entry = hashlib.sha256(newest["stored"].encode()).digest()
    keys = [verifier_key(one) for one in paper.document["log"]["keys"]]
    assert len(leaf_hash(entry)) == 32
    assert check_receipt(receipt, entry, keys).size > newest["index"]


def test_attached_files_say_what_they_are(file: Path) -> None:
    """Media type, relationship and fixed dates of both files, each named once by the document."""
    objects = structure(file)
    named = catalog(objects)["/AF"]
    specs = [resolved(objects, one) for one in named]
    told = {one["/UF"]: one["/AFRelationship"] for one in specs}
    assert told == {"u:bundle.json": "/Source", "u:newest-event.tlog-proof": "/Supplement"}
    streams = [resolved(objects, one["/EF"]["/F"])["dict"] for one in specs]
    assert [one["/Subtype"] for one in streams] == ["/application/json", "/text/plain"]
    dates = {one["/Params"][name] for one in streams for name in ("/CreationDate", "/ModDate")}
    assert len(dates) == 1


def test_it_is_tagged_and_says_what_it_is(file: Path) -> None:
    """Structure, language, title and the conformance that it claims."""
    objects = structure(file)
    top = catalog(objects)
    assert top["/MarkInfo"] == {"/Marked": True}
    assert top["/Lang"] == "u:en"
    assert "/StructTreeRoot" in top
    assert resolved(objects, objects["trailer"]["/Info"])["/Title"].startswith("u:")
    xmp = subprocess.run(["pdfinfo", "-meta", str(file)], capture_output=True, check=True).stdout
    assert re.search(rb'part="?>?3', xmp)
    assert re.search(rb'conformance="?>?U', xmp)


def test_headings_are_bookmarks(paper: Printed, file: Path) -> None:
    """Whoever opens it finds the sections beside the page."""
    told = subprocess.run(["pdfinfo", "-struct", str(file)], capture_output=True, check=True)
    assert b"H1" in told.stdout
    assert b"H2" in told.stdout
    objects = structure(file)
    assert resolved(objects, catalog(objects)["/Outlines"])["/Count"] > 4
    assert "How to check this paper" in "\n".join(texts(paper.pdf))


def test_drawings_have_alternative_text(file: Path) -> None:
    """Whoever cannot see the QR code is told its address."""
    figures = [
        one
        for one in structure(file).values()
        if isinstance(one, dict) and one.get("/S") == "/Figure"
    ]
    assert figures
    assert all(one["/Alt"].startswith("u:") for one in figures)


def test_every_font_is_embedded(file: Path) -> None:
    """Nothing depends on the fonts of whoever reads it."""
    told = subprocess.run(["pdffonts", str(file)], capture_output=True, text=True, check=True)
    assert len(told.stdout.splitlines()) > 3
    assert all(
        line.split()[-5:-2] == ["yes", "yes", "yes"] for line in told.stdout.splitlines()[2:]
    )


def test_it_says_which_bytes_it_was_worked_out_from(paper: Printed) -> None:
    """The content digest stands in it, on the cover, under every page and in the instructions."""
    digest = hashlib.sha256(paper.bundle).hexdigest()
    assert all(digest in page.replace("\n", "") for page in texts(paper.pdf))


def test_every_claim_and_its_leaf_can_be_found(paper: Printed) -> None:
    """Ids, digests of snapshots and entries of the log are text, and whole."""
    text, document = run_together(paper.pdf), paper.document
    entries = {one["position"]: one["stored"] for one in document["events"]}
    for claim in document["claims"]:
        assert claim["claim_id"] in text
        for position in claim["events"]:
            assert hashlib.sha256(entries[position].encode()).hexdigest() in text
    for snapshot in document["snapshots"]:
        assert snapshot["sha256"] in text


def test_nothing_is_printed_beyond_the_page(paper: Printed) -> None:
    """Every glyph lies on its page."""
    assert outside(paper.pdf) == []


def test_every_page_says_which_it_is_of_how_many(paper: Printed) -> None:
    """A page that got lost is missed."""
    pages = texts(paper.pdf)
    assert all(f"{number} of {len(pages)}" in page for number, page in enumerate(pages, 1))


def test_a_cover_tells_of_corrections_since_then(papers: dict[str, Printed]) -> None:
    """The board as read before the correction says that there is one; the later claim has it."""
    assert "1 correction since then" in texts(papers["board"].pdf)[0]
    assert "since then." not in texts(papers["claim"].pdf)[0]


def test_a_notice_has_the_decision_and_its_effect(papers: dict[str, Printed]) -> None:
    """What was decided, in full, and which rows moved."""
    paper = papers["correction"]
    text = run_together(paper.pdf)
    assert "".join(paper.document["shows"]["statement"].split()) in text
    assert "notranked→1" in text
    assert text.count(CLAIM) == 1


OUTSIDE = """
import locale, os, sys
sys.path.insert(0, sys.argv[1])
os.chdir("/")
from reports.pdf import pdf_of
sys.stdout.buffer.write(pdf_of(open(sys.argv[2], "rb").read()))
"""


def test_another_process_prints_the_same_bytes(papers: dict[str, Printed], tmp_path: Path) -> None:
    """Folder, time zone, language, hash seed and an own SOURCE_DATE_EPOCH make no difference."""
    bundle = tmp_path / "bundle.json"
    bundle.write_bytes(papers["board"].bundle)
    elsewhere = {
        **os.environ,
        "TZ": "Pacific/Kiritimati",
        "LC_ALL": "de_DE.UTF-8",
        "LANGUAGE": "de",
        "PYTHONHASHSEED": "4711",
        "SOURCE_DATE_EPOCH": "1",
        "HOME": str(tmp_path),
    }
    root = Path(__file__).parents[2]
    again = subprocess.run(
        [sys.executable, "-c", OUTSIDE, str(root), str(bundle)],
        env=elsewhere,
        capture_output=True,
        check=True,
    )
    assert again.stdout == papers["board"].pdf


def test_what_is_no_bundle_is_refused() -> None:
    """The refusal says so, in its own words."""
    with pytest.raises(Failed, match="not JSON"):
        pdf_of(b"not a bundle")
    with pytest.raises(Failed, match="format is not"):
        pdf_of(schema_bytes())
