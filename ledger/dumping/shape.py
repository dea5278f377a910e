"""What a dump looks like: a tar, packed with gzip, whose files come in this order.

- ``events/00000001.jsonl`` …: the events in the order of their positions, one a line:
  ``{"position": 5, "stored": "…"}``, the stored bytes being UTF-8;
- ``log/00000001.jsonl`` …: the keys of the log, then its checkpoints, one a line;
- ``archive/<sha256>``: the frozen bytes, each by its digest, in the order of the digests;
- ``dump.json``: how much of all that there is, and the SHA-256 of each part. It comes last, so a
  dump that was cut off has none; and its own SHA-256 stands for the whole.

The same ledger gives the same bytes. Each file but those of the archive is small enough to be held.
"""

import hashlib
from base64 import b64decode, b64encode
from collections.abc import Iterable, Sequence
from typing import Any

import attrs
import orjson

from ledger.dumping.carried import LogLine
from ledger.errors import Refused
from ledger.store.seals import Sealed, StoredKey
from ledger.store.whole import WholeRow
from ledger.values import Digest

FORMAT = "corrigenda-dump/1"
ARCHIVE, EVENTS, LOG, MANIFEST = "archive", "events", "log", "dump.json"
FULL = 4 * 1024 * 1024
"""A file of events or of the log that has so many bytes is followed by another one."""

LARGEST = 256 * 1024 * 1024
"""The most bytes of one that are read; a single event never has as many."""

LARGEST_MANIFEST = 64 * 1024


class DumpRefused(Refused):
    """{file} cannot be restored ({why}); nothing was recorded. Take another copy of the dump."""


class OddLine(ValueError):
    """A line of a dump is not what it should be."""


@attrs.frozen(kw_only=True)
class Contents:
    """What stands in ``dump.json``: how much there is of each part, and its SHA-256.

    That of the events and of the log is over the bytes of their files, one after the other; that
    of the archive over a line ``<sha256> <size>`` for each of its files.
    """

    format: str = FORMAT
    release: str
    events: int
    last_position: int
    events_sha256: str
    keys: int
    checkpoints: int
    size: int
    root: str | None
    log_sha256: str
    files: int
    archive_bytes: int
    archive_sha256: str

    def encoded(self) -> bytes:
        """As the bytes of ``dump.json``."""
        return orjson.dumps(attrs.asdict(self), option=orjson.OPT_INDENT_2) + b"\n"

    @property
    def digest(self) -> str:
        """The SHA-256 that stands for the whole dump."""
        return hashlib.sha256(self.encoded()).hexdigest()


class Tally:
    """Counts what goes by, and digests it: the same for who writes a dump and who reads one."""

    def __init__(self) -> None:
        self.last_position = 0
        self._counts = dict.fromkeys(("events", "keys", "checkpoints", "files", "archive_bytes"), 0)
        self._sealed: Sealed | None = None
        self._parts = {name: hashlib.sha256() for name in (ARCHIVE, EVENTS, LOG)}

    def add_events(self, data: bytes, rows: Sequence[WholeRow]) -> None:
        """A file of events."""
        self._parts[EVENTS].update(data)
        self._counts["events"] += len(rows)
        self.last_position = rows[-1][0] if rows else self.last_position

    def add_log(self, data: bytes, lines: Sequence[LogLine]) -> None:
        """A file of the log."""
        self._parts[LOG].update(data)
        for line in lines:
            if isinstance(line, Sealed):
                self._sealed = line
            self._counts["checkpoints" if isinstance(line, Sealed) else "keys"] += 1

    def add_file(self, digest: Digest, size: int) -> None:
        """A file of the archive."""
        self._parts[ARCHIVE].update(f"{digest} {size}\n".encode())
        self._counts["files"] += 1
        self._counts["archive_bytes"] += size

    def contents(self, release: str) -> Contents:
        """What all of it comes to."""
        sealed = self._sealed
        known: dict[str, Any] = dict(self._counts)
        known |= {f"{name}_sha256": part.hexdigest() for name, part in self._parts.items()}
        return Contents(
            release=release,
            last_position=self.last_position,
            size=sealed.size if sealed else 0,
            root=sealed.root.hex() if sealed else None,
            **known,
        )


# --- lines ------------------------------------------------------------------------------------


def event_line(row: WholeRow) -> bytes:
    """An event: its position and its stored bytes, which hold all the rest."""
    return orjson.dumps({"position": row[0], "stored": row[4].decode()}) + b"\n"


def event_of(line: bytes, before: int) -> WholeRow:
    """The whole row of an event that lies behind a position. Raises ``OddLine``."""
    try:
        told = orjson.loads(line)
        position, stored = told["position"], told["stored"].encode()
        record = orjson.loads(stored)
        row = (position, record["stream"], record["version"], record["type"], stored)
    except (ValueError, TypeError, KeyError, AttributeError):
        raise OddLine("a line is no event") from None
    if tuple(map(type, row[:4])) != (int, str, int, str):
        raise OddLine("a line is no event")
    if not before < position < 2**63:
        raise OddLine(f"position {position} does not lie behind {before}")
    return row


def log_line(line: LogLine) -> bytes:
    """A key, or a checkpoint; bytes are Base64."""
    kind = "checkpoint" if isinstance(line, Sealed) else "key"
    told = {
        name: b64encode(value).decode() if isinstance(value, bytes) else value
        for name, value in attrs.asdict(line).items()
    }
    return orjson.dumps({kind: told}) + b"\n"


def log_line_of(line: bytes) -> LogLine:
    """The inverse. Raises ``OddLine``."""
    try:
        told: dict[str, Any] = orjson.loads(line)
        if "key" in told:
            return _key_of(told["key"])
        return _checkpoint_of(told["checkpoint"])
    except (ValueError, TypeError, KeyError, AttributeError):
        raise OddLine("a line is neither a key nor a checkpoint") from None


def _key_of(fields: dict[str, Any]) -> StoredKey:
    """A key; raises ``ValueError`` for what is none. Nothing signs where the first one begins, so
    that is known: at the beginning, and tied to none."""
    key = StoredKey(**fields)
    numbers = _is_number(key.number) and _is_number(key.size)
    if key.number == 1:
        fits = (key.size, key.tie, key.note) == (0, None, None)
    else:
        fits = isinstance(key.tie, str) and isinstance(key.note, str)
    if not (numbers and fits and isinstance(key.verifier, str)):
        raise ValueError(fields)
    return key


def _checkpoint_of(fields: dict[str, Any]) -> Sealed:
    """A checkpoint; raises ``ValueError`` for what is none."""
    decoded = {name: b64decode(fields[name], validate=True) for name in ("root", "entries")}
    found = Sealed(**{**fields, **decoded})
    if not (_is_number(found.size) and _is_number(found.position) and isinstance(found.note, str)):
        raise ValueError(fields)
    return found


def _is_number(value: object) -> bool:
    """Whether it is a number that databases keep: none below zero, and no truth value."""
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**63


def part_name(folder: str, number: int) -> str:
    """What the n-th file of a folder is called, counted from 1."""
    return f"{folder}/{number:08d}.jsonl"


def joined(lines: Iterable[bytes]) -> bytes:
    """The bytes of a file with these lines."""
    return b"".join(lines)
