"""Frozen PDFs as text and as pictures of their pages, from a process of its own.

A file that PDFium cannot read, or not within its limits, has no pages to show; its bytes can still
be downloaded.
"""

import json
import subprocess
import sys
from functools import lru_cache
from threading import BoundedSemaphore
from typing import Any

import attrs

from ledger.archive import Archive
from ledger.errors import Refused
from ledger.values import Digest
from web.frozen.passage import Quoted, name_spans, number_spans

LARGEST = 50_000_000
PATIENCE = 30.0
"""Seconds that one file may take, waiting included."""
AT_ONCE = 2
_TURN = BoundedSemaphore(AT_ONCE)


class NoPages(Refused):
    """The pages of this PDF cannot be shown ({why}); download it to look at it."""


@attrs.frozen
class Pages:
    """The text of a PDF page by page; ``count`` may be more than were read."""

    count: int
    texts: tuple[str, ...]

    def marks(self, page: int, quoted: Quoted) -> list[tuple[int, int]]:
        """Where on a page (from 0) the quoted number and name stand: place and length."""
        text = self.texts[page] if page < len(self.texts) else ""
        spans = sorted(number_spans(text, quoted.score) + name_spans(text, quoted.name))
        return [(start, end - start) for start, end in spans]

    def with_passage(self, quoted: Quoted) -> list[int]:
        """The pages (from 0) that have both number and name, else those that have the number."""
        numbers = [page for page, text in enumerate(self.texts) if number_spans(text, quoted.score)]
        both = [page for page in numbers if name_spans(self.texts[page], quoted.name)]
        return both or numbers


@lru_cache(maxsize=16)
def pages_of(archive: Archive, digest: Digest) -> Pages:
    """The pages of an archived PDF. Raises :class:`NoPages`."""
    told = json.loads(_worker(archive.get(digest), {"do": "text"}))
    return Pages(told["pages"], tuple(told["texts"]))


@lru_cache(maxsize=16)
def picture_of(
    archive: Archive, digest: Digest, page: int, marks: tuple[tuple[int, int], ...]
) -> bytes:
    """The picture of a page (from 0) as PNG, with places in its text marked."""
    return _worker(archive.get(digest), {"do": "page", "page": page, "marks": marks})


def _worker(data: bytes, order: dict[str, Any]) -> bytes:
    if len(data) > LARGEST:
        raise NoPages(why=f"it has more than {LARGEST:,} bytes")
    if not _TURN.acquire(timeout=PATIENCE):
        raise NoPages(why="others are being read; try again in a moment")
    try:
        done = subprocess.run(  # noqa: S603 -- our own module, and the order is data
            [sys.executable, "-m", "web.frozen.pdf_worker", json.dumps(order)],
            input=data,
            capture_output=True,
            timeout=PATIENCE,
            check=True,
        )
    except subprocess.TimeoutExpired:
        raise NoPages(why="reading it takes too long") from None
    except subprocess.CalledProcessError:
        raise NoPages(why="it cannot be read as a PDF") from None
    finally:
        _TURN.release()
    return done.stdout
