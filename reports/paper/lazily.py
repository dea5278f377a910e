"""A large bundle read piece by piece: where its long lists lie is found once, and of them only what
is asked for is ever turned into Python.

The bytes are in their one form (no white space), as bundles are. They are scanned, not judged; what
is cut out is read as JSON, and refused there if it is none.
"""

import mmap
import re
from array import array
from collections.abc import Container, Iterator, Sequence
from pathlib import Path
from typing import Any, overload

import orjson

from reports.paper.document import NotABundle

LISTS = frozenset({"claims", "events"})
LISTS_SHOWN = frozenset({"rows", "unranked", "corrections"})
"""The long lists of a bundle, and those of what it shows."""

_STRING = rb'"[^"\\]*(?:\\.[^"\\]*)*"'
_NAME = re.compile(_STRING + rb":", re.DOTALL)
_PLAIN = re.compile(_STRING + rb"|[^][{},\"]+", re.DOTALL)
_NESTING = re.compile(_STRING + rb"|[][{}]", re.DOTALL)

Bytes = mmap.mmap | bytes


class Lazy(Sequence[Any]):
    """A list whose elements are read when they are asked for."""

    def __init__(self, data: Bytes, starts: Sequence[int], ends: Sequence[int]) -> None:
        self._data, self._starts, self._ends = data, starts, ends

    def __len__(self) -> int:
        return len(self._starts)

    @overload
    def __getitem__(self, at: int) -> Any: ...
    @overload
    def __getitem__(self, at: slice) -> "Lazy": ...
    def __getitem__(self, at: int | slice) -> Any:
        if isinstance(at, slice):
            return Lazy(self._data, self._starts[at], self._ends[at])
        return orjson.loads(self._data[self._starts[at] : self._ends[at]])


def document_in(path: Path) -> dict[str, Any]:
    """A bundle's document with lazy lists. Raises :class:`NotABundle`."""
    with path.open("rb") as file:
        data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    document: dict[str, Any] = {}
    for name, start, end in _members(data, 0):
        if name in LISTS:
            document[name] = _list(data, start)
        elif name == "shows":
            document[name] = dict(_shown(data, start, LISTS_SHOWN))
        else:
            document[name] = _read(data, start, end)
    return document


def _shown(data: Bytes, start: int, lists: Container[str]) -> Iterator[tuple[str, Any]]:
    for name, at, end in _members(data, start):
        yield name, _list(data, at) if name in lists else _read(data, at, end)


def _read(data: Bytes, start: int, end: int) -> Any:
    try:
        return orjson.loads(data[start:end])
    except orjson.JSONDecodeError:
        raise NotABundle(why="it is not JSON") from None


def _members(data: Bytes, start: int) -> Iterator[tuple[str, int, int]]:
    """Name, start and end of each member of the object at a place."""
    at = start
    while data[at : at + 1] in (b"{", b","):
        name = _NAME.match(data, at + 1)
        if name is None:
            if data[at : at + 2] == b"{}":
                return
            break
        end = _end(data, name.end())
        yield str(_read(data, at + 1, name.end() - 1)), name.end(), end
        at = end
    if data[at : at + 1] != b"}":
        raise NotABundle(why="it is not JSON in its one form")


def _list(data: Bytes, start: int) -> Lazy:
    """Where each element of the list at a place begins and ends."""
    starts, ends, at = array("Q"), array("Q"), start
    if data[start : start + 1] != b"[":
        raise NotABundle(why="a list is missing")
    while data[at : at + 1] in (b"[", b",") and data[at + 1 : at + 2] != b"]":
        starts.append(at + 1)
        at = _end(data, at + 1)
        ends.append(at)
    return Lazy(data, starts, ends)


def _end(data: Bytes, start: int) -> int:
    """Where the value at a place ends."""
    if data[start : start + 1] not in (b"{", b"["):
        plain = _PLAIN.match(data, start)
        if plain is None:
            raise NotABundle(why="it is not JSON in its one form")
        return plain.end()
    depth = 0
    for found in _NESTING.finditer(data, start):
        if found[0] in (b"{", b"["):
            depth += 1
        elif found[0] in (b"}", b"]"):
            depth -= 1
            if depth == 0:
                return found.end()
    raise NotABundle(why="it ends too early")
