"""Reads a paper in a process of its own: the bundle attached to it, or its text. Run as a module.

PDFium is given other people's files, so it works under limits and takes down nobody but itself. The
file comes on standard input; the argument says what is wanted, ``bundle`` or ``text``.
"""

import json
import resource
import sys
from typing import Any

import pypdfium2 as pdfium

SECONDS = 300
MEMORY = 4 * 1024**3
MOST_FILES = 20
MOST_TEXT = 500_000_000


def main() -> None:
    """Write what is wanted to standard output."""
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    wanted, name = sys.argv[1:]
    document = pdfium.PdfDocument(sys.stdin.buffer.read())
    if wanted == "bundle":
        sys.stdout.buffer.write(_attached(document, name))
    else:
        sys.stdout.buffer.write(json.dumps(_texts(document)).encode())


def _attached(document: Any, name: str) -> bytes:
    """The attached file of a name; nothing where there is none, or more than one."""
    count = min(document.count_attachments(), MOST_FILES)
    files = [document.get_attachment(number) for number in range(count)]
    found = [file for file in files if file.get_name() == name]
    return bytes(found[0].get_data()) if len(found) == 1 else b""


def _texts(document: Any) -> list[str]:
    texts: list[str] = []
    room = MOST_TEXT
    for page in document:
        text = page.get_textpage().get_text_range()
        room -= len(text)
        if room < 0:
            break
        texts.append(text)
    return texts


if __name__ == "__main__":
    main()
