"""The part of ``docs/formats.md`` that follows from the formats themselves.

``python -m tests.web.formats_page`` writes it anew, after a format came or changed.
"""

import inspect
import re
import sys
from pathlib import Path

import attrs

from ledger.importing.formats.every import FORMATS
from ledger.importing.formats.format import Format
from web.cli.show_receipts import PLACED

PAGE = Path(__file__).parents[2] / "docs" / "formats.md"
START = "<!-- What follows is made from the formats (tests/web/formats_page.py). -->\n"
END = "<!-- Here it ends. -->\n"


def made() -> str:
    """A section for each format."""
    return "\n".join(map(_section, FORMATS))


def _section(one: Format) -> str:
    lines = [f"### {one.name}", "", f"{one.title}. Files: {_listed(one.endings)}.", ""]
    about = inspect.getdoc(sys.modules[type(one).__module__]) or ""
    lines += [
        _plain(paragraph) for paragraph in about.split("\n\n")[1:] for paragraph in (paragraph, "")
    ]
    lines += ["| what | where it is said |", "|---|---|"]
    lines += [f"| {PLACED[what]} | {said} |" for what, said in attrs.asdict(one.placing).items()]
    return "\n".join([*lines, ""])


def _listed(endings: tuple[str, ...]) -> str:
    return ", ".join(f"`{ending}`" for ending in endings)


def _plain(paragraph: str) -> str:
    """A paragraph of a docstring as Markdown, on one line (a list keeps its lines)."""
    text = re.sub(r":[a-z]+:`~?(?:[a-z_]+[.])*([^`]+)`", r"`\1`", paragraph).replace("``", "`")
    return text if re.search(r"^[-*] ", text, re.MULTILINE) else " ".join(text.split())


def page_with(section: str) -> str:
    """The page as it should be."""
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(START)
    _, _, after = rest.partition(END)
    return f"{before}{START}\n{section}\n{END}{after}"


if __name__ == "__main__":
    PAGE.write_text(page_with(made()), encoding="utf-8")
