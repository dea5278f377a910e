"""Tables in Markdown text: rows between pipes, with a line of dashes under the first.

Marks of emphasis around a whole cell are left out, and of a link its text is kept: ``**72.5**`` is
72.5. What stands in a block of code is no table.
"""

import re
from collections.abc import Iterator, Sequence

from ledger.importing.limits import check_line, check_rows

_DASHES = re.compile(r"\|?[ ]*:?-+:?[ ]*(?:\|[ ]*:?-+:?[ ]*)*\|?[ ]*")
_PIPE = re.compile(r"(?<!\\)\|")
_LINK = re.compile(r"!?\[([^\[\]]*)\]\([^()\s]*\)")
_EMPHASIS = ("***", "**", "__", "~~", "*", "_", "`")
_FENCE = ("```", "~~~")

Numbered = tuple[int, Sequence[str | None]]


def markdown_tables(name: str, text: str) -> Iterator[Iterator[Numbered]]:
    """The tables one after the other: their rows with their numbers, the header being 0.

    Raises :class:`~ledger.errors.FileRefused` for a line or a table beyond the limits.
    """
    lines = _outside_code(name, text)
    at = 0
    while at + 1 < len(lines):
        header, dashes = lines[at], lines[at + 1]
        if "|" in header and "-" in dashes and _DASHES.fullmatch(dashes.strip()):
            end = at + 2
            while end < len(lines) and "|" in lines[end]:
                end += 1
            check_rows(name, end - at - 2)
            body = [header, *lines[at + 2 : end]]
            yield iter([(number, cells_of(line)) for number, line in enumerate(body)])
            at = end
        else:
            at += 1


def _outside_code(name: str, text: str) -> list[str]:
    """The lines of a text, those of code blocks empty."""
    found, fence = [], ""
    for number, line in enumerate(text.splitlines(), 1):
        check_line(name, number, len(line))
        bare = line.strip()
        opens = next((mark for mark in _FENCE if bare.startswith(mark)), "")
        if fence:
            found.append("")
            fence = "" if opens == fence else fence
        else:
            fence = opens
            found.append("" if opens else line)
    return found


def cells_of(line: str) -> list[str | None]:
    """The cells of one row."""
    bare = line.strip().removeprefix("|")
    if bare.endswith("|") and not bare.endswith("\\|"):
        bare = bare[:-1]
    return [_plain(cell) or None for cell in _PIPE.split(bare)]


def _plain(cell: str) -> str:
    """A cell without the marks around all of it."""
    text = _LINK.sub(r"\1", cell.strip()).replace("\\|", "|").strip()
    for mark in _EMPHASIS:
        inside = text.removeprefix(mark).removesuffix(mark)
        if len(inside) == len(text) - 2 * len(mark) and inside and mark not in inside:
            text = inside.strip()
    return text
