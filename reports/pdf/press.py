"""Prints one bundle in a process of its own. Run as a module: BUNDLE OUT PROGRESS.

The bundle is read from a file, the PDF is written to another under its final name once it is whole,
and how far it has come is in the third. Small papers are printed in one go. Of a large one each
piece is printed by a child that ends with it, so what a piece takes is given back; the pieces are
joined at the end. Nothing but the bundle, our release and the fonts decides about the bytes.
"""

import hashlib
import os
import sys
import tempfile
from collections.abc import Sequence
from multiprocessing import get_context
from pathlib import Path

import attrs
import orjson

from ledger.errors import Refused
from reports.fonts import letters
from reports.paper.checking import BUNDLE, RECEIPT, receipt_of
from reports.paper.document import NotABundle, Paper, paper_of
from reports.paper.lazily import document_in
from reports.paper.sections import (
    COVER,
    LARGE,
    LETTERS,
    PIECE,
    Section,
    pieces_of,
    sections_of,
    starts_of,
)
from reports.pdf.joining import join
from reports.pdf.printing import REFUSED
from reports.pdf.weasy import File, printed
from reports.render import Part, Printer

SMALL = 8_000_000
"""Bytes of a bundle up to which all of it is read at once."""


class PieceFailed(Refused):
    """Part {number} of {of} could not be printed (status {status}), so there is no PDF; what went
    wrong is in the log of the one who asked."""


def main() -> None:
    """Print what the arguments name."""
    bundle, out, progress = map(Path, sys.argv[1:4])
    try:
        press(bundle, out, progress)
    except Refused as no:
        sys.stderr.write(str(no))
        sys.exit(REFUSED)


def press(bundle: Path, out: Path, progress: Path, piece: int = PIECE, large: int = LARGE) -> None:
    """Print a bundle; above ``large`` rows in pieces of ``piece`` lines."""
    paper = _paper(bundle)
    # The fonts that are embedded bear a date, which must not be today's.
    os.environ["SOURCE_DATE_EPOCH"] = str(int(paper.recorded_at.timestamp()))
    sheet = Sheet(paper, Printer(paper, letters()), bundle)
    sections = [COVER, *sections_of(paper)]
    if paper.rows <= large:
        tell(progress, 0, 1)
        out.write_bytes(sheet.print(sections, attached=True, last=True))
        return
    pieces = [[COVER], *pieces_of(sections[1:], piece)]
    with tempfile.TemporaryDirectory(dir=out.parent) as folder:
        paths = [Path(folder) / f"{number}.pdf" for number in range(1, len(pieces) + 1)]
        starts = starts_of(pieces)
        tell(progress, 0, len(pieces))
        for number, (sections, path) in enumerate(zip(pieces, paths, strict=True), 1):
            apart(sheet, sections, Part(number, len(pieces), paper.rows, starts), path)
            tell(progress, number, len(pieces))
        join(paths, out, paper.digest[:32])


def _paper(bundle: Path) -> Paper:
    with bundle.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    size = bundle.stat().st_size
    if size > SMALL:
        return paper_of(document_in(bundle), digest, size)
    try:
        return paper_of(orjson.loads(bundle.read_bytes()), digest, size)
    except orjson.JSONDecodeError:
        raise NotABundle(why="it is not JSON") from None


@attrs.frozen
class Sheet:
    """What any part of a paper is printed from."""

    paper: Paper
    printer: Printer
    bundle: Path

    def print(
        self, sections: Sequence[Section], part: Part | None = None, *, attached: bool, last: bool
    ) -> bytes:
        """The PDF of some sections; ``attached`` with the files, ``last`` with the note on letters
        that no font has, which are known once all else was turned into HTML."""
        html = self.printer.html(sections, part)
        if last and self.printer.letters.missing:
            html = self.printer.html([*sections, LETTERS], part)
        return printed(html, self.paper.recorded_at, self._files() if attached else ())

    def _files(self) -> list[File]:
        about = "All that this paper was worked out from: a provenance bundle of Corrigenda"
        data = self.bundle.read_bytes()
        found = [File(BUNDLE, "application/json", data, about, "Source")]
        receipt = receipt_of(self.paper)
        if receipt is not None:
            about = "The receipt of the newest event behind this paper: its inclusion in the log"
            found.append(File(RECEIPT, "text/plain", receipt.encode(), about, "Supplement"))
        return found


def apart(sheet: Sheet, sections: Sequence[Section], part: Part, path: Path) -> None:
    """Print a piece in a child, and take over which letters it lacked."""
    lacking = path.with_suffix(".lacking")
    child = get_context("fork").Process(target=_child, args=(sheet, sections, part, path, lacking))
    child.start()
    child.join()
    if child.exitcode != 0:
        raise PieceFailed(number=part.number, of=part.of, status=child.exitcode)
    sheet.printer.letters.missing |= set(lacking.read_text("utf-8"))


def _child(
    sheet: Sheet, sections: Sequence[Section], part: Part, path: Path, lacking: Path
) -> None:
    first, last = part.number == 1, part.number == part.of
    path.write_bytes(sheet.print(sections, part, attached=first, last=last))
    lacking.write_text("".join(sorted(sheet.printer.letters.missing)), "utf-8")


def tell(progress: Path, done: int, of: int) -> None:
    """Say how many pieces are done; whoever reads meanwhile finds old words or new ones."""
    temporary = progress.with_suffix(".new")
    temporary.write_bytes(orjson.dumps({"done": done, "of": of}))
    temporary.replace(progress)


if __name__ == "__main__":
    main()
