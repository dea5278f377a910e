"""Reading a JSON document from a stranger: bounded in size and depth, exact, and read in one way.

A name that stands twice in one object would be read differently by different programs, and a float
loses digits; so both are refused, as is whatever is not UTF-8.
"""

import json
from typing import Any, NoReturn

from ledger.proof.errors import Malformed

LARGEST = 256 * 1024 * 1024
"""Bytes of a document."""

DEEPEST = 32
"""Lists and objects in one another."""


def document_in(data: bytes) -> dict[str, Any]:
    """The object that the bytes hold. Raises ``Malformed``."""
    if len(data) > LARGEST:
        raise Malformed(f"the document has more than {LARGEST // 1024**2} MiB")
    try:
        found = json.loads(
            data.decode("utf-8"),
            object_pairs_hook=_object,
            parse_float=_no_float,
            parse_constant=_no_float,
        )
    except RecursionError:
        raise Malformed("the document is nested too deeply") from None
    except UnicodeDecodeError as why:
        raise Malformed(f"the document is not UTF-8: byte {why.start}") from None
    except ValueError as why:
        raise Malformed(f"the document is not JSON: {why}") from None
    if not isinstance(found, dict):
        raise Malformed("the document is not a JSON object")
    _check_depth(found)
    return found


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise Malformed(f"{twice[:80]!r} stands twice in one object of the document")
    return found


def _no_float(text: str) -> NoReturn:
    raise Malformed(f"the document has the number {text[:80]}; only whole numbers are exact")


def _check_depth(found: dict[str, Any]) -> None:
    level: list[Any] = [found]
    for _ in range(DEEPEST):
        level = [
            part
            for whole in level
            for part in (whole.values() if isinstance(whole, dict) else whole)
            if isinstance(part, dict | list)
        ]
        if not level:
            return
    raise Malformed(f"the document is nested more than {DEEPEST} deep")


# --- its parts --------------------------------------------------------------------------------


def object_at(whole: dict[str, Any], name: str) -> dict[str, Any]:
    """The object under a name. Raises ``Malformed``, as all below do."""
    found = whole.get(name)
    if not isinstance(found, dict):
        raise Malformed(f"the document has no object {name!r} where one is due")
    return found


def objects_at(whole: dict[str, Any], name: str) -> list[dict[str, Any]]:
    """The list of objects under a name."""
    found = whole.get(name)
    if not isinstance(found, list) or not all(isinstance(one, dict) for one in found):
        raise Malformed(f"the document has no list of objects {name!r} where one is due")
    return found


def text_at(whole: dict[str, Any], name: str) -> str:
    """The text under a name."""
    found = whole.get(name)
    if not isinstance(found, str):
        raise Malformed(f"the document has no text {name!r} where one is due")
    return found


def texts_at(whole: dict[str, Any], name: str) -> list[str]:
    """The list of texts under a name."""
    found = whole.get(name)
    if not isinstance(found, list) or not all(isinstance(one, str) for one in found):
        raise Malformed(f"the document has no list of texts {name!r} where one is due")
    return found


def number_at(whole: dict[str, Any], name: str) -> int:
    """The whole number from 0 on under a name, that a position could be."""
    found = whole.get(name)
    if not isinstance(found, int) or isinstance(found, bool) or not 0 <= found < 1 << 63:
        raise Malformed(f"the document has no whole number {name!r} where one is due")
    return found


def numbers_at(whole: dict[str, Any], name: str) -> list[int]:
    """The list of such numbers under a name."""
    found = whole.get(name)
    if not isinstance(found, list):
        raise Malformed(f"the document has no list of numbers {name!r} where one is due")
    return [number_at({name: one}, name) for one in found]
