"""Papers as tests look at them: printed from the demo, read with other people's programs."""

import json
import re
import subprocess
from collections.abc import Iterator
from contextlib import closing
from datetime import date
from pathlib import Path
from typing import Any

import attrs
import orjson
import pypdfium2 as pdfium

from reports.bundle import (
    Bundle,
    board_bundle,
    claim_bundle,
    correction_bundle,
    corrections_bundle,
    paper_bundle,
)
from reports.pdf import pdf_of
from tests.reports.shop import READ_ON, Shop
from web.cli.demo import CLAIM, PAPER, SMALL

KINDS = ("board", "claim", "paper", "correction", "corrections")
SLACK = 0.5
"""Points by which a glyph's box may be wider than its ink."""


@attrs.frozen
class Printed:
    """A PDF, and what it was printed from."""

    bundle: bytes
    pdf: bytes

    @property
    def document(self) -> Any:
        """The bundle's document."""
        return orjson.loads(self.bundle)


def bundle_of(shop: Shop, kind: str) -> Bundle:
    """A bundle of each kind."""
    records = shop.records
    match kind:
        case "board":
            return board_bundle(records, shop.moment(READ_ON), SMALL)
        case "claim":
            return claim_bundle(records, shop.moment(), CLAIM)
        case "paper":
            return paper_bundle(records, shop.moment(), PAPER)
        case "correction":
            return correction_bundle(records, shop.moment(), 1)
        case _:
            return corrections_bundle(records, shop.moment(), date(2026, 1, 1), date(2026, 12, 31))


def printed(document: Any) -> Printed:
    """The paper of a document, whatever it says."""
    bundle = orjson.dumps(document, option=orjson.OPT_SORT_KEYS) + b"\n"
    return Printed(bundle, pdf_of(bundle))


# --- looking at one ---------------------------------------------------------------------------


def texts(pdf: bytes) -> list[str]:
    """The text of each page, without line ends within words, as PDFium extracts it."""
    with closing(pdfium.PdfDocument(pdf)) as document:
        return [page.get_textpage().get_text_range().replace("\r\n", "\n") for page in document]


def run_together(pdf: bytes) -> str:
    """All text with no white space: what was broken over lines is whole again."""
    return re.sub(r"\s|\ufffe|\u00ad", "", "".join(texts(pdf)))


def outside(pdf: bytes) -> list[str]:
    """Glyphs whose box is not within their page, with the page's number."""
    with closing(pdfium.PdfDocument(pdf)) as document:
        return [found for number, page in enumerate(document, 1) for found in _beyond(number, page)]


def _beyond(number: int, page: Any) -> Iterator[str]:
    width, height = page.get_size()
    text = page.get_textpage()
    for at in range(text.count_chars()):
        left, bottom, right, top = text.get_charbox(at)
        inside = left >= -SLACK and right <= width + SLACK
        if not (inside and bottom >= -SLACK and top <= height + SLACK):
            yield f"page {number}: {text.get_text_range(at, 1)!r} at {left:.0f}, {bottom:.0f}"


def structure(pdf: Path) -> dict[str, Any]:
    """The objects of a PDF as qpdf tells them."""
    told = subprocess.run(
        ["qpdf", "--json=2", "--json-key=qpdf", str(pdf)], capture_output=True, check=True
    )
    found: dict[str, Any] = json.loads(told.stdout)["qpdf"][1]
    return {name: one.get("value", one.get("stream", {})) for name, one in found.items()}


def catalog(objects: dict[str, Any]) -> Any:
    """The object that a document hangs on."""
    return resolved(objects, objects["trailer"]["/Root"])


def resolved(objects: dict[str, Any], value: Any) -> Any:
    """What a reference refers to."""
    return objects[f"obj:{value}"] if isinstance(value, str) and value.endswith(" R") else value
