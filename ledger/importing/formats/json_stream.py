"""JSON read piece by piece, for files that are too large to hold.

Built on ijson's events. It holds what the JSON of our other formats holds to: numbers keep their
digits, no key stands twice in one object, nothing nests too deep, no single text is endless. What
is wrong is said with the byte near which it stands.
"""

import re
from collections.abc import Iterator
from typing import Any, BinaryIO, NoReturn

import attrs
import ijson

from ledger.errors import FileRefused
from ledger.importing.limits import BOM, DEEPEST

PIECE = 64 * 1024
LONGEST_TEXT = 4 * 1024 * 1024
"""How many bytes may follow each other without a quotation mark."""

LONGEST_NUMBER = 4_000
"""Digits in a row; the library that parses JSON dies of an integer with more than 4,300."""

_ENDLESS = re.compile(rb"[0-9]{%d}" % (LONGEST_NUMBER + 1))

STARTS = frozenset({"start_map", "start_array"})
ENDS = frozenset({"end_map", "end_array"})

PROBLEMS = (ijson.JSONError, UnicodeDecodeError, ValueError)

Event = tuple[str, Any]


@attrs.define
class _Source:
    """A stream of bytes without its byte-order mark, which counts and refuses what has no end."""

    name: str
    stream: BinaryIO
    count: int = 0
    without_quote: int = 0
    before: bytes = b""

    def read(self, size: int = PIECE) -> bytes:
        piece = self.stream.read(size)
        if not self.count:
            piece = piece.removeprefix(BOM)
        self.count += len(piece)
        last = piece.rfind(b'"')
        self.without_quote = self.without_quote + len(piece) if last < 0 else len(piece) - last
        if self.without_quote > LONGEST_TEXT:
            why = f"near byte {self.count}: no text has an end within {LONGEST_TEXT} bytes"
            raise FileRefused(file=self.name, why=why)
        if _ENDLESS.search(self.before + piece):
            why = f"near byte {self.count}: a number has more than {LONGEST_NUMBER} digits"
            raise FileRefused(file=self.name, why=why)
        self.before = (self.before + piece)[-LONGEST_NUMBER:]
        return piece


def without_endless_number(text: bytes) -> bytes:
    """JSON up to where digits begin that the parser would die of."""
    found = _ENDLESS.search(text)
    return text if found is None else text[: found.start()]


@attrs.define
class JsonStream:
    """The events of a JSON file, and the values in it, each taken once and in order."""

    name: str
    source: _Source
    events: Iterator[Event]
    depth: int = 0

    @classmethod
    def of(cls, name: str, stream: BinaryIO) -> "JsonStream":
        """From a stream of bytes in UTF-8."""
        source = _Source(name, stream)
        return cls(name, source, ijson.basic_parse(source, buf_size=PIECE))

    def refuse(self, why: str) -> NoReturn:
        """Refuse the file for what stands here."""
        raise FileRefused(file=self.name, why=f"near byte {self.source.count}: {why}")

    def next(self) -> Event:
        """The next event. Raises :class:`~ledger.errors.FileRefused` for what is no JSON."""
        try:
            kind, value = next(self.events)
        except StopIteration:
            self.refuse("it ends too early")
        except PROBLEMS as why:
            self.refuse(_said(why))
        if kind in STARTS:
            self.depth += 1
            if self.depth > DEEPEST:
                self.refuse(f"it nests more than {DEEPEST} levels deep")
        elif kind in ENDS:
            self.depth -= 1
        return kind, value

    def end(self) -> None:
        """Nothing may follow."""
        try:
            next(self.events)
        except StopIteration:
            return
        except PROBLEMS as why:
            self.refuse(_said(why))
        self.refuse("something follows its end")

    # --- one value after the other ------------------------------------------------------------

    def members(self, first: Event, what: str) -> Iterator[Event]:
        """The first event of each member of a list; nothing for null. Take each whole."""
        kind, _ = first
        if kind == "null":
            return
        if kind != "start_array":
            self.refuse(f"{what} is no list")
        while (event := self.next())[0] != "end_array":
            yield event

    def fields(self, first: Event, what: str) -> Iterator[tuple[str, Event]]:
        """Each name of an object with the first event of its value. Take each value whole."""
        if first[0] != "start_map":
            self.refuse(f"{what} is no object")
        names: set[str] = set()
        while (event := self.next())[0] != "end_map":
            name = str(event[1])
            if name in names:
                self.refuse(f"{name} stands twice in one object")
            names.add(name)
            yield name, self.next()

    def skip(self, first: Event) -> None:
        """Pass over a value; it has to be whole and right all the same."""
        if first[0] not in STARTS:
            return
        depth, until = self.depth, self.depth - 1
        names: list[set[str]] = [set()]
        try:
            for kind, value in self.events:
                if kind == "map_key":
                    if value in names[-1]:
                        self.refuse(f"{value} stands twice in one object")
                    names[-1].add(value)
                elif kind in STARTS:
                    depth += 1
                    names.append(set())
                    if depth > DEEPEST:
                        self.refuse(f"it nests more than {DEEPEST} levels deep")
                elif kind in ENDS:
                    depth -= 1
                    names.pop()
                    if depth == until:
                        self.depth = depth
                        return
        except PROBLEMS as why:
            self.refuse(_said(why))
        self.refuse("it ends too early")

    def value(self, first: Event) -> Any:
        """A value whole: numbers as the text of their digits."""
        kind, plain = first
        if kind == "start_map":
            return {name: self.value(event) for name, event in self.fields(first, "this")}
        if kind == "start_array":
            return [self.value(event) for event in self.members(first, "this")]
        return str(plain) if kind == "number" else plain


def _said(why: Exception) -> str:
    """What the parser says, without the picture that it draws."""
    text = str(why).removeprefix("b'").replace("\\n", "\n")
    if "UTF8" in text or isinstance(why, UnicodeDecodeError):
        return "it is not UTF-8; save the file in that encoding"
    return f"not JSON: {text.strip().splitlines()[0].strip()}" if text.strip() else "not JSON"
