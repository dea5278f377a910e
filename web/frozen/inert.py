"""Somebody else's web page as plain text: what a reader would see, and nothing that could run.

A scanner in one pass, linear in the length whatever the page holds; no parser builds anything.
"""

import html
import re

# What is between these is not for readers.
UNSEEN = ("script", "style", "noscript", "template", "svg", "math", "iframe", "object", "head")
# What begins or ends one of these begins a line.
BLOCKS = frozenset(
    {
        *("address", "article", "aside", "blockquote", "br", "caption", "dd", "div", "dl", "dt"),
        *("figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header"),
        *("hr", "li", "main", "nav", "ol", "option", "p", "pre", "section", "table", "tbody"),
        *("tfoot", "thead", "tr", "ul"),
    }
)
CELLS = frozenset({"td", "th"})
CELL_END = " | "

_TAG_NAME = re.compile(r"/?[a-zA-Z][a-zA-Z0-9-]*")
_ENDS = {name: re.compile(rf"</{name}\b", re.IGNORECASE) for name in UNSEEN}


def text_of(page: str) -> list[str]:
    """The lines of a page that hold anything, table rows one a line with ``|`` between cells."""
    told: list[str] = []
    place, end, kept = 0, len(page), False
    while place < end:
        opened = page.find("<", place)
        if opened < 0:
            break
        told.append(_said(page[place:opened], kept=kept))
        if page.startswith("<!--", opened):
            place = _after(page, "-->", opened + 4)
            continue
        name = _TAG_NAME.match(page, opened + 1)
        if name is None and page[opened + 1 : opened + 2] not in ("!", "?"):
            told.append("<")  # a bare sign, as in a < b
            place = opened + 1
            continue
        place = _after(page, ">", opened + 1)
        if name is not None:
            tag = name.group().lower()
            place, mark = _tag(page, tag, place)
            told.append(mark)
            kept = tag == "pre" or (kept and tag != "/pre")
    told.append(_said(page[place:end], kept=kept))
    return _lines("".join(told))


def _said(text: str, *, kept: bool) -> str:
    """Text between tags; only preformatted text keeps its lines."""
    return text if kept else text.replace("\n", " ").replace("\r", " ")


def _tag(page: str, name: str, place: int) -> tuple[int, str]:
    """Where to go on after a tag, and what stands in its place."""
    if name in _ENDS:
        closing = _ENDS[name].search(page, place)
        return (len(page) if closing is None else closing.start()), "\n"
    bare = name.removeprefix("/")
    if bare in CELLS:
        return place, CELL_END if name.startswith("/") else ""
    return place, "\n" if bare in BLOCKS else ""


def _after(page: str, wanted: str, place: int) -> int:
    """Just behind the next ``wanted``; the end where there is none: nothing is searched twice."""
    found = page.find(wanted, place)
    return len(page) if found < 0 else found + len(wanted)


def _lines(text: str) -> list[str]:
    lines = (" ".join(line.split()).removesuffix("|").rstrip() for line in text.splitlines())
    return [html.unescape(line) for line in lines if line]
