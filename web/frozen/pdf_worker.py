"""Reads a PDF in a process of its own: its text, or the picture of one page. Run as a module.

PDFium is given other people's files, so it works under limits of time and memory, and takes down
nobody but itself. The file comes on standard input; the first argument is the order as JSON.
"""

import json
import resource
import sys
from typing import Any

import pypdfium2 as pdfium
from PIL import Image, ImageChops, ImageDraw

SECONDS = 20
MEMORY = 2 * 1024**3
MOST_PAGES = 400
MOST_TEXT = 2_000_000
WIDTH = 1000
"""Pixels; enough to read, on paper of any size."""
TALLEST = 3000
MARK = (255, 226, 92)
MOST_MARKS = 200


def main() -> None:
    """Do what the order says, and write it to standard output."""
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    order = json.loads(sys.argv[1])
    document = pdfium.PdfDocument(sys.stdin.buffer.read())
    if order["do"] == "text":
        sys.stdout.buffer.write(json.dumps(text_of(document)).encode())
    else:
        picture = page_of(document, order["page"], order["marks"])
        picture.save(sys.stdout.buffer, "PNG")


def text_of(document: Any) -> dict[str, Any]:
    """How many pages there are, and the text of each (of the first ones, up to a limit)."""
    texts: list[str] = []
    room = MOST_TEXT
    for number in range(min(len(document), MOST_PAGES)):
        if room <= 0:
            break
        text = document[number].get_textpage().get_text_range()[:room]
        room -= len(text)
        texts.append(text)
    return {"pages": len(document), "texts": texts}


def page_of(document: Any, number: int, marks: list[list[int]]) -> Image.Image:
    """The picture of a page (counted from 0); ``marks`` are places in its text, with lengths."""
    page = document[number]
    width, height = page.get_size()
    scale = min(WIDTH / width, TALLEST / height)
    picture = page.render(scale=scale).to_pil().convert("RGB")
    marker = Image.new("RGB", picture.size, "white")
    draw = ImageDraw.Draw(marker)
    text = page.get_textpage()
    for start, length in marks[:MOST_MARKS]:
        for rectangle in range(text.count_rects(start, length)):
            left, bottom, right, top = text.get_rect(rectangle)
            box = (left * scale - 2, (height - top) * scale - 2)
            draw.rectangle((*box, right * scale + 2, (height - bottom) * scale + 2), fill=MARK)
    return ImageChops.multiply(picture, marker)


if __name__ == "__main__":
    main()
