"""How a JSON file begins: the dotted names of what is there, as far as its beginning goes.

This is for telling formats apart and nothing else. Whatever the bytes are, looking never raises.
"""

from collections.abc import Iterator
from functools import lru_cache
from io import BytesIO

import attrs
import ijson

from ledger.importing.formats.json_stream import ENDS, STARTS, without_endless_number
from ledger.importing.limits import BOM, DEEPEST

DEEPEST_LOOKED_AT = 5
MOST_LOOKED_AT = 20_000


@attrs.frozen
class Opening:
    """The paths at the beginning of a JSON file (``results.gsm8k.alias``; ``item`` for an array's
    members), with the plain values at some of them. Nothing for what is no JSON."""

    paths: frozenset[str]
    values: frozenset[tuple[str, str]]

    def has(self, *paths: str) -> bool:
        """Whether all these are there."""
        return self.paths.issuperset(paths)

    def says(self, path: str) -> str | None:
        """The first plain value at a path, as text."""
        return next((text for where, text in self.values if where == path), None)

    def below(self, path: str) -> list[str]:
        """The paths that lie anywhere below one."""
        return [one for one in self.paths if one.startswith(f"{path}.")]


def opening_of(start: bytes) -> Opening:
    """What the first bytes of a file show."""
    text = start.removeprefix(BOM).lstrip()
    return _seen(text) if text[:1] in {b"{", b"["} else Opening(frozenset(), frozenset())


@lru_cache(maxsize=4)
def _seen(text: bytes) -> Opening:
    paths: dict[str, None] = {}
    values: dict[str, str] = {}
    for prefix, kind, value in _events(text):
        if not prefix or prefix.count(".") >= DEEPEST_LOOKED_AT:
            continue
        paths[prefix] = None
        if kind in {"string", "number", "boolean"}:
            values.setdefault(prefix, str(value))
        if len(paths) > MOST_LOOKED_AT:
            break
    return Opening(frozenset(paths), frozenset(values.items()))


def _events(text: bytes) -> Iterator[tuple[str, str, object]]:
    """All that can be told before the text ends or turns out to be no JSON."""
    depth = 0
    try:
        # Some at a time: each event bears its whole path, so deep nesting would fill the memory.
        for event in ijson.parse(BytesIO(without_endless_number(text)), buf_size=1024):
            depth += (event[1] in STARTS) - (event[1] in ENDS)
            if depth > DEEPEST:
                return
            yield event
    except (ijson.JSONError, UnicodeDecodeError, ValueError, RecursionError):
        return
