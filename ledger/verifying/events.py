"""The stored bytes of every event, one after the other in the order of their positions.

What is checked of each (the rest is the tree's, :mod:`ledger.verifying.tree`):

1. its bytes are JSON in the one canonical form, with an envelope of exactly the known fields, and
   of a type that this release knows;
2. the columns that the database finds it by say what its bytes say;
3. positions grow;
4. it has the version that is due in its stream: 1, 2, 3 … without holes;
5. ``recorded_at`` does not fall.

Memory: one number a stream, and one for each digest of frozen bytes that an event names.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import orjson

from ledger import events as ev
from ledger.errors import BadValue
from ledger.values import Digest, instant_text, parse_instant
from ledger.verifying.finding import Finding, Place, finding
from ledger.wire import CLASSES, UPCASTS, decode, encode, lift

Row = tuple[int, str, int, str, bytes]
"""Position, stream, version, lasting name and bytes, as the database keeps them."""

FIELDS = frozenset(
    {"stream", "version", "type", "recorded_at", "recorded_by", "cause", "salt", "event"}
)
COLUMNS = ("stream", "version", "type")
CANONICAL = orjson.OPT_SORT_KEYS
LONGEST = 300


def _today(name: str) -> type | None:
    """The class that an event of a stored name is read as."""
    while name in UPCASTS:
        name = UPCASTS[name][0]
    return CLASSES.get(name)


KNOWN: Mapping[str, type] = {
    name: cls for name in (*CLASSES, *UPCASTS) if (cls := _today(name)) is not None
}
KEEPING = frozenset(
    name for name, cls in KNOWN.items() if cls in {ev.SourceFrozen, ev.ImportReceived}
)
"""The events that name bytes which the archive keeps."""

NAMING = KEEPING | {
    name for name, cls in KNOWN.items() if cls in {ev.EvidenceAdded, ev.SourceFoundChanged}
}
"""These, and the events that name bytes which may be in the archive and need not."""


class EventCheck:
    """Feed it rows in the order of their positions; it yields what is wrong."""

    def __init__(self) -> None:
        self.count = 0
        self.kept: dict[Digest, int] = {}
        """Digests that the archive must have, and the first position that names each."""
        self.named: set[str] = set()
        """Digests that it may have as well."""
        self._position = 0
        self._recorded_at = ""
        self._versions: dict[str, int] = {}

    @property
    def streams(self) -> int:
        """How many streams there are."""
        return len(self._versions)

    def add(self, rows: Sequence[Row]) -> Iterator[Finding]:
        """Check the next rows. This loop is what a check of a whole ledger spends its time in."""
        versions, loads, dumps, canonical = self._versions, orjson.loads, orjson.dumps, CANONICAL
        known, fields = KNOWN, len(FIELDS)
        before, recorded_at = self._position, self._recorded_at
        for row in rows:
            position, stream, version, name, stored = row
            try:
                record = loads(stored)
                odd = (
                    dumps(record, option=canonical) != stored
                    or record["stream"] != stream
                    or record["version"] != version
                    or record["type"] != name
                    or name not in known
                    or len(record) != fields
                )
                stamp = record["recorded_at"]
            except (ValueError, TypeError, KeyError):
                odd, stamp = True, recorded_at
            if odd:
                yield from _odd(row)
            elif name in NAMING:
                self._name(position, name, record["event"])
            if stamp != recorded_at:
                yield from _moved_on(position, recorded_at, stamp)
                recorded_at = stamp if _is_stored_instant(stamp) else recorded_at
            due = versions.get(stream, 0) + 1
            versions[stream] = version
            if version != due:
                place: Place = {"position": position, "stream": stream}
                yield finding("version-out-of-turn", place, expected=due, found=version)
            if position <= before:
                yield finding("position-fell", {"position": position}, expected=before)
            before = position
        self.count += len(rows)
        self._position, self._recorded_at = before, recorded_at

    def _name(self, position: int, name: str, event: dict[str, Any]) -> None:
        """Take note of the digests that an event names."""
        _, today = lift(name, event)
        for field in ("digest", "found"):
            digest = today.get(field)
            if digest is None:
                continue
            if name in KEEPING:
                self.kept.setdefault(digest, position)
            else:
                self.named.add(digest)


def _odd(row: Row) -> Iterator[Finding]:
    """What is odd about a row of which something is."""
    position, stream, version, name, stored = row
    try:
        record = orjson.loads(stored)
        told: tuple[Any, ...] = (record["stream"], record["version"], record["type"])
        if record.keys() != FIELDS or type(record["event"]) is not dict:
            raise ValueError("its envelope has other fields")  # noqa: TRY301 -- said just below
        if record["type"] not in KNOWN:
            raise ValueError(f"{record['type']} is of a later release")  # noqa: TRY301
    except (ValueError, TypeError, KeyError, AttributeError) as why:
        yield _unreadable(position, why)
        return
    if orjson.dumps(record, option=CANONICAL) != stored:
        yield _not_canonical(row)
    columns: tuple[Any, ...] = (stream, version, name)
    for column, says, bytes_say in zip(COLUMNS, columns, told, strict=True):
        if says != bytes_say:
            place: Place = {"position": position, "column": column}
            yield finding("event-misfiled", place, expected=bytes_say, found=says)


def _moved_on(position: int, before: str, stamp: Any) -> Iterator[Finding]:
    """The clock shows another time: an instant, and not an earlier one.

    Stored instants are all of one length, so their order is that of their text.
    """
    if not _is_stored_instant(stamp):
        why = f"{stamp!r} is not an instant as they are stored"
        yield finding("event-unreadable", {"position": position, "why": why[:LONGEST]})
    elif stamp < before:
        yield finding("clock-fell", {"position": position}, expected=before, found=stamp)


def _is_stored_instant(stamp: Any) -> bool:
    try:
        return instant_text(parse_instant(stamp)) == str(stamp)
    except (BadValue, TypeError, AttributeError):
        return False


def understood(rows: Iterable[Row]) -> Iterator[Finding]:
    """Read each event as the fact that it is, and write it again: nothing may be lost by it.

    This is slower than all the rest of the check of an event, and finds what a hash does not: bytes
    that were sealed as they are, and that this release cannot read, or reads only in part.
    """
    for row in rows:
        position, _, _, name, stored = row
        try:
            record = decode(position, stored)
            again = encode(record.envelope, record.event)
        except (ValueError, TypeError, KeyError, AttributeError, BadValue) as why:
            yield _unreadable(position, why)
            continue
        if again != stored and name not in UPCASTS:
            yield _not_canonical(row)


def _unreadable(position: int, why: Exception) -> Finding:
    said = f"it has no {why}" if isinstance(why, KeyError) else str(why)
    return finding("event-unreadable", {"position": position, "why": said[:LONGEST]})


def _not_canonical(row: Row) -> Finding:
    place: Place = {"position": row[0], "stream": row[1], "version": row[2]}
    return finding("event-not-canonical", place)
