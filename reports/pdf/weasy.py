"""The only door to WeasyPrint: HTML of ours becomes PDF/A-3u, tagged, with files attached.

Nothing is fetched: style sheet and attachments are handed over, and whatever else a page asks for
stops the printing. The same input gives the same bytes, as every date is given.
"""

import logging
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

import attrs
from weasyprint import CSS, HTML, Attachment
from weasyprint.text.fonts import FontConfiguration
from weasyprint.urls import FatalURLFetchingError, URLFetcher, URLFetcherResponse

from ledger.errors import Refused

STYLE = Path(__file__).parents[1] / "static" / "paper.css"
VARIANT = "pdf/a-3u"
ATTACHED = "attached:"


class AskedForMore(Refused):
    """Nothing was printed, as the paper asked for {url}; paper is made of a bundle and of our own
    style sheet alone."""


class LeftOut(Refused):
    """Nothing was printed, as something would have been left out of the paper: {what}."""


@attrs.frozen
class File:
    """A file to attach: its name, media type, bytes, and what it is."""

    name: str
    media_type: str
    data: bytes = attrs.field(repr=False)
    description: str
    relationship: str


def printed(html: str, recorded: datetime, files: Sequence[File] = ()) -> bytes:
    """The PDF of a page; ``recorded`` is the date of the attached files.

    Raises :class:`AskedForMore` when the page wants anything from elsewhere, :class:`LeftOut` for
    whatever else could not be printed as it stands.
    """
    fetcher = Nothing({f"{ATTACHED}{file.name}": file for file in files})
    fonts = FontConfiguration()
    style = CSS(string=STYLE.read_text("utf-8"), url_fetcher=fetcher, font_config=fonts)
    try:
        with _nothing_left_out():
            document = HTML(string=html, base_url=None, url_fetcher=fetcher).render(
                font_config=fonts, stylesheets=[style], **_OPTIONS
            )
        with _nothing_left_out():
            data: bytes = document.write_pdf(
                attachments=[_attachment(file, fetcher, recorded) for file in files],
                finisher=_finish,
                **_OPTIONS,
            )
    except FatalURLFetchingError as no:
        raise AskedForMore(url=no) from None
    return data


class _Complaints(logging.Handler):
    """What WeasyPrint had to say; it leaves out what it cannot print, and goes on."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.said: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep it."""
        self.said.append(record.getMessage())


@contextmanager
def _nothing_left_out() -> Iterator[None]:
    """Refuse what came with a warning: every page is our own, and ought to come without."""
    log, complaints = logging.getLogger("weasyprint"), _Complaints()
    log.addHandler(complaints)
    try:
        yield
    finally:
        log.removeHandler(complaints)
    if complaints.said:
        raise LeftOut(what=complaints.said[0][:300])


_OPTIONS: Mapping[str, Any] = {"pdf_variant": VARIANT, "pdf_tags": True}


class Nothing(URLFetcher):  # type: ignore[misc]
    """Fetches the files that are attached, and nothing else from anywhere."""

    def __init__(self, files: Mapping[str, File]) -> None:
        super().__init__(allowed_protocols=())
        self.files = files

    def fetch(self, url: str, headers: object = None) -> URLFetcherResponse:
        """An attached file; fatal for any other address, as a softer error only drops it."""
        del headers
        file = self.files.get(url)
        if file is None:
            raise FatalURLFetchingError(url[:200])
        return URLFetcherResponse(url, file.data, {"Content-Type": file.media_type})


def _attachment(file: File, fetcher: Nothing, recorded: datetime) -> Attachment:
    return Attachment(
        url=f"{ATTACHED}{file.name}",
        url_fetcher=fetcher,
        name=file.name,
        description=file.description,
        created=recorded,
        modified=recorded,
        relationship=file.relationship,
    )


def _finish(_document: object, pdf: Any) -> None:
    """What WeasyPrint leaves open: files are named once, and header cells say of what they are."""
    if "AF" in pdf.catalog:
        pdf.catalog["AF"][:] = list(dict.fromkeys(pdf.catalog["AF"]))
    cells = (one for one in pdf.objects if isinstance(one, dict) and one.get("S") == "/TH")
    for cell in cells:
        head = _above(pdf, _above(pdf, cell))["S"] == "/THead"
        if "A" in cell:
            cell["A"]["Scope"] = "/Column" if head else "/Row"


def _above(pdf: Any, element: Any) -> Any:
    """The structure element that one hangs in."""
    return pdf.objects[int(element["P"].split()[0])]
