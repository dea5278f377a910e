"""A paper as PROV and on paper: the same as its page and its bundle say."""

import hashlib
import subprocess
from pathlib import Path

import orjson
import pytest
from prov.model import ProvDocument

from reports.bundle import Bundle, correction_bundle
from reports.fonts import letters
from reports.paper.document import paper_of
from reports.paper.sections import COVER, sections_of
from reports.pdf import pdf_of
from reports.prov import prov_bytes, prov_document
from reports.render import Printer
from tests.reports.greenhouse import (
    ABSTRACT,
    DAYS,
    FAR_LINK,
    OTHER_LINK,
    OWN_LINK,
    Greenhouse,
)
from tests.reports.paper_pages import greenhouse, read_back
from tests.reports.papers import outside, run_together
from tests.shelf import FULL, LABEL, PAPER, TWIN

__all__ = ["greenhouse"]


# --- the same as PROV -------------------------------------------------------------------------


def test_prov_tells_what_was_read_and_decided_of_code(greenhouse: Greenhouse) -> None:
    """Labels and samples are entities; each reading is from a snapshot, each correction by a
    decision, and a retraction ends what was said."""
    document = read_back(greenhouse)
    told = prov_document(document).get_provn()
    assert f"entity(here:papers/{PAPER}, [prov:type='term:Paper', prov:label=\"Grafting\"])" in told
    assert f"entity(here:labels/{LABEL}, [prov:type='term:Label'" in told
    assert f"specializationOf(here:samples/{FULL}/as-of/" in told
    assert f"here:snapshots/{greenhouse.record}" in told
    assert "here:corrections/1" in told
    assert "wasInvalidatedBy(here:relations/invalidated/" in told
    assert OWN_LINK in told
    assert FAR_LINK not in told
    assert 'prov:label="Paper 2603.01234, as read on' in told


@pytest.mark.parametrize("day", ["2025-07-28", None])
def test_prov_of_a_paper_can_be_read_again(greenhouse: Greenhouse, day: str | None) -> None:
    """By the library that others use; equal bundles give equal bytes."""
    document = read_back(greenhouse, day)
    first, second = (prov_bytes(document, "json") for _ in range(2))
    assert first == second
    assert ProvDocument.deserialize(content=first.decode(), format="json").get_records()


# --- the same on paper ------------------------------------------------------------------------


@pytest.fixture(scope="module")
def printed(greenhouse: Greenhouse) -> tuple[bytes, bytes]:
    """Its bundle and its PDF."""
    data = greenhouse.bundle().data
    return data, pdf_of(data)


def test_paper_says_what_the_page_says(
    greenhouse: Greenhouse, printed: tuple[bytes, bytes], tmp_path: Path
) -> None:
    """Abstract, licence, repositories with who asserts what, samples with outcome and blame,
    reasons, counts, dates, decisions, digests; a probe of what is not its own is not there."""
    text = run_together(printed[1])
    assert outside(printed[1]) == []
    for said in (
        ABSTRACT,
        "licence: CC0-1.0",
        "AdaWren, BoFinch",
        OTHER_LINK,
        "probed 17 Sep 2026",
        "markedofficial, recorded as mentioned in the paper",
        "communitycorrected",
        "ran·violated contract",
        "blames the instrument",
        "pointer only: the licence is outside the list under which text is served",
        "had no leaderboard rows for this paper when frozen, 28 Jul 2025.",
        "2task tags of Archive of papers without a page, not shown.",
        "when the record was read, not when samples ran",
        "Correction1: accepted",
        "the label of Wren/grafts of Grafting",
        FULL,
        TWIN,
        greenhouse.archive,
        hashlib.sha256(printed[0]).hexdigest(),
    ):
        assert "".join(said.split()) in text, said
    assert FAR_LINK not in text
    path = tmp_path / "paper.pdf"
    path.write_bytes(printed[1])
    done = subprocess.run(["qpdf", "--check", str(path)], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


def test_paper_of_a_day_before_everything_says_so(greenhouse: Greenhouse) -> None:
    """And why; there is nothing else to be said of it."""
    text = html_of(greenhouse.bundle(DAYS[0]))
    assert "Nothing shows: nothing of it had been read by then" in text
    assert "Sample by sample" not in text
    assert "How to check this paper" in text


def test_notices_say_what_became_of_labels_and_samples(greenhouse: Greenhouse) -> None:
    """Before and after, by the repository's name."""
    bundle = correction_bundle(greenhouse.records, greenhouse.shelf.moment(), 1)
    text = html_of(bundle)
    assert "What it changed of labels and samples" in text
    assert (
        f'the label of Wren/grafts</b> of Grafting<br><span class="mono faint">labels/{LABEL}'
        in text
    )
    assert 'label <span class="was">official</span> → <strong>community</strong>' in text


def html_of(bundle: Bundle) -> str:
    """A paper just before it is printed."""
    paper = paper_of(orjson.loads(bundle.data), "0" * 64, len(bundle.data))
    return Printer(paper, letters()).html([COVER, *sections_of(paper)])
