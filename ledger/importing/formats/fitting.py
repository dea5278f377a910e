"""Parts of a document as cells, and whether one fits the column that it is meant for.

A score that is no number has to reach the row as it is written, so that the row is refused with its
field. An address, a setting or a lab that does not fit its column is no fault of the number: it is
kept beside, and the number stands.
"""

import json
from collections.abc import Callable, Mapping

from ledger.errors import BadValue
from ledger.importing.formats.beside import flat
from ledger.values import parse_address, parse_name

LONGEST_SHOWN = 200


def cell(value: object) -> str | None:
    """A part of a document as the text of a cell; a list or an object as the start of its JSON."""
    match value:
        case None:
            return None
        case bool():
            return "true" if value else "false"
        case str():
            return value
        case _:
            shown = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
            return shown[:LONGEST_SHOWN]


def name_or_none(value: object) -> str | None:
    """A text where it can be a name (of a setting, a split, a lab), else nothing."""
    return value if isinstance(value, str) and _fits(parse_name, value) else None


def address_or_none(value: object) -> str | None:
    """A web address where it is one, else nothing."""
    return value if isinstance(value, str) and _fits(parse_address, value.strip()) else None


def in_words(parts: Mapping[str, object]) -> str | None:
    """Settings in one line, such as ``temperature 0, max_tokens 2048``; nothing where none is."""
    return ", ".join(f"{name} {text}" for name, text in flat(parts)) or None


def _fits(read: Callable[[str], str], text: str) -> bool:
    try:
        read(text)
    except BadValue:
        return False
    return True


def without_percent(value: object) -> tuple[str | None, str | None]:
    """A number as it is written, and its unit where a percent sign says it."""
    text = cell(value)
    if text is not None and text.rstrip().endswith("%"):
        return text.rstrip()[:-1].rstrip(), "%"
    return text, None
