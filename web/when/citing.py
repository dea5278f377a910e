"""How to cite a page: as text, BibTeX and CSL-JSON, always pinned to a day and a position.

What is cited can be read for ever at the address that the citation gives, and says the same for
ever. BibTeX is written for biblatex and natbib alike: UTF-8, and what TeX takes for commands is
escaped. CSL-JSON follows the schema of citationstyles.org, version 1.0.2.
"""

import re
from datetime import date
from typing import Any

import attrs

from ledger.values import Instant
from reports.words import MONTHS, date_words, instant_words

SITE = "Corrigenda"

_TEX = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    **{character: f"\\{character}" for character in "&%$#_{}"},
}


@attrs.frozen(kw_only=True)
class Citation:
    """One page at one moment.

    ``title`` is what it shows, ``read`` of when (in words), ``day`` the day that it is of,
    ``position`` and ``recorded_at`` how far the ledger had come, ``address`` the whole permalink,
    ``kind`` a type of CSL, ``key`` what a bibliography calls it.
    """

    key: str
    kind: str
    title: str
    read: str
    day: date
    position: int
    recorded_at: Instant | None
    address: str

    @property
    def note(self) -> str:
        """Of when it is, on both clocks."""
        recorded = f", recorded {instant_words(self.recorded_at)}" if self.recorded_at else ""
        return f"{self.read}; ledger position {self.position}{recorded}"

    @property
    def text(self) -> str:
        """For a list of references, without the address."""
        return f"{SITE}. “{self.title}.” {date_words(self.day.isoformat())}. {self.note}."


def bibtex(one: Citation) -> str:
    """A BibTeX entry of the kind ``@misc``."""
    fields = {
        "author": f"{{{{{tex(SITE)}}}}}",
        "title": f"{{{{{tex(one.title)}}}}}",
        "year": f"{{{one.day.year}}}",
        "month": MONTHS[one.day.month - 1].lower(),
        "day": f"{{{one.day.day}}}",
        "version": f"{{ledger position {one.position}}}",
        "note": f"{{{tex(one.note)}}}",
        "url": f"{{{one.address}}}",
    }
    width = max(map(len, fields))
    lines = (f"  {name:<{width}} = {value},\n" for name, value in fields.items())
    return f"@misc{{{one.key},\n{''.join(lines)}}}\n"


def tex(text: str) -> str:
    """Text in which TeX finds no command."""
    return "".join(_TEX.get(character, character) for character in text)


def csl_json(one: Citation) -> list[dict[str, Any]]:
    """The same as a list of one CSL-JSON item."""
    return [
        {
            "id": one.key,
            "type": one.kind,
            "title": one.title,
            "author": [{"literal": SITE}],
            "publisher": SITE,
            "issued": {"date-parts": [[one.day.year, one.day.month, one.day.day]]},
            "version": f"ledger position {one.position}",
            "note": one.note,
            "URL": one.address,
        }
    ]


def key_of(*parts: str) -> str:
    """What a bibliography calls a page: letters, digits and hyphens."""
    return "-".join(re.sub(r"[^A-Za-z0-9]+", "-", part).strip("-") for part in parts if part)
