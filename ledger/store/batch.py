"""One call of append: many streams, one transaction, one time stamp.

What must stay true:

- nothing is stamped before the write lock is held, so ``recorded_at`` never falls;
- every stream stands at the version that its writer saw, or nothing of the batch is saved;
- a repeated try meets its own events and says so, instead of calling them a conflict.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice

import attrs

from ledger import faults
from ledger.errors import BadValue, Conflict
from ledger.events import Envelope, Event
from ledger.store.engine import Row, Stored, Table, Unavailable, recorded_at
from ledger.values import Instant
from ledger.wire import encode, name_of

ROWS = 2_000
"""The most rows in one statement: this is what one of them holds in memory."""

SALT_BYTES = 16


def _printable(_: object, __: object, stream: str) -> None:
    if not (stream and stream.isascii() and stream.isprintable()):
        raise BadValue(what="stream", shown=ascii(stream[:80]), why="use printable ASCII")


@attrs.frozen
class NewEvents:
    """What a command wants to append to one stream.

    ``expected_version`` is the version that the stream had when the command looked; 0 means that
    it must not exist yet. Without events this only insists on the version.
    """

    stream: str = attrs.field(validator=_printable)
    expected_version: int
    events: tuple[Event, ...]


@attrs.frozen
class Appended:
    """What one append did: positions from ``first`` to ``last``, all recorded at one instant."""

    first: int
    last: int
    recorded_at: Instant
    count: int


class Batch:
    """The work of one append call, which may be tried again after a broken connection.

    ``secret`` is drawn once per call (128 bits); every salt follows from it, so each try makes the
    same ones. It is forgotten with the call, so one event's salt says nothing about another's.
    """

    def __init__(
        self,
        batch: Iterable[NewEvents],
        *,
        by: str,
        cause: str | None,
        clock: Callable[[], Instant],
        secret: bytes,
    ) -> None:
        if len(secret) != SALT_BYTES:
            raise ValueError(f"a salt has {SALT_BYTES} bytes, not {len(secret)}")
        self._batch = _prefetched(batch)
        self._by = by
        self._cause = cause
        self._clock = clock
        self._secret = secret
        self._begun = False
        self._own: Stored | None = None
        self.appended: Appended | None = None

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to do at all."""
        return not isinstance(self._batch, Iterator) and next(iter(self._batch), None) is None

    def write(self, table: Table) -> None:
        """Stamp and add everything; the caller holds the lock and commits.

        If the process dies in here, the database rolls back and nothing was recorded. If it dies
        after the commit and before the caller hears of it, all of it was.
        """
        if self._is_recorded(table):
            return
        self._own = self.appended = None
        newest = table.last()
        now = self._clock()
        stamp = now if newest is None else max(recorded_at(newest[1]), now)
        before = newest[0] if newest else 0
        count, last_bytes = 0, b""
        for number, chunk in enumerate(_chunks(self._from_the_start())):
            _refuse_conflict(chunk, table.versions({new.stream for new in chunk}))
            rows = self._rows(chunk, stamp, number)
            if rows:
                table.insert(rows)
                count, last_bytes = count + len(rows), rows[-1][3]
        if count:
            first, last = table.first_after(before), table.head()
            self._own = (last, last_bytes)
            self.appended = Appended(first, last, stamp, count)
        faults.here("append:written")

    def _is_recorded(self, table: Table) -> bool:
        """Whether an earlier try of this very call was saved after all.

        The lock is held, so that try has ended. It was one transaction: its last event, salt and
        all, is there exactly if everything is.
        """
        return self._own is not None and table.last(upto=self._own[0]) == self._own

    def _from_the_start(self) -> Iterable[NewEvents]:
        if self._begun and isinstance(self._batch, Iterator):
            raise Unavailable(why="the connection broke during a long import; nothing was recorded")
        self._begun = True
        return self._batch

    def _rows(self, chunk: Sequence[NewEvents], stamp: Instant, number: int) -> list[Row]:
        count = sum(len(new.events) for new in chunk)
        salts = _salts(self._secret, number, count)
        rows = []
        for new in chunk:
            for version, event in enumerate(new.events, new.expected_version + 1):
                envelope = Envelope(
                    stream=new.stream,
                    version=version,
                    type=name_of(event),
                    recorded_at=stamp,
                    recorded_by=self._by,
                    cause=self._cause,
                    salt=next(salts),
                )
                rows.append((new.stream, version, envelope.type, encode(envelope, event)))
        return rows


def _prefetched(batch: Iterable[NewEvents]) -> Iterable[NewEvents]:
    """A short generator as a list (it can be repeated then), a long one begun.

    What a generator raises at its beginning is thus raised before the lock is taken.
    """
    if not isinstance(batch, Iterator):
        return batch
    begun = list(islice(batch, ROWS))
    return begun if len(begun) < ROWS else chain(begun, batch)


def _chunks(batch: Iterable[NewEvents]) -> Iterator[list[NewEvents]]:
    """The batch in pieces of at most ``ROWS`` events; a longer stream is cut."""
    chunk: list[NewEvents] = []
    room = ROWS
    for whole in batch:
        new = whole
        while len(new.events) > room:
            piece, new = _cut(new, room)
            yield [*chunk, piece]
            chunk, room = [], ROWS
        chunk.append(new)
        room -= max(1, len(new.events))
        if room <= 0:
            yield chunk
            chunk, room = [], ROWS
    if chunk:
        yield chunk


def _cut(new: NewEvents, size: int) -> tuple[NewEvents, NewEvents]:
    return (
        NewEvents(new.stream, new.expected_version, new.events[:size]),
        NewEvents(new.stream, new.expected_version + size, new.events[size:]),
    )


def _refuse_conflict(chunk: Iterable[NewEvents], versions: Mapping[str, int]) -> None:
    """Every stream where its writer expects it, also one that occurs again in this batch."""
    reached = dict(versions)
    for new in chunk:
        actual = reached[new.stream]
        if actual != new.expected_version:
            raise Conflict(stream=new.stream, actual=actual, expected=new.expected_version)
        reached[new.stream] = actual + len(new.events)


def _salts(secret: bytes, chunk: int, count: int) -> Iterator[str]:
    """As many salts of 32 hexadecimal digits; without the secret none follows from the others."""
    size = 2 * SALT_BYTES
    digits = hashlib.shake_256(secret + chunk.to_bytes(8, "big")).hexdigest(SALT_BYTES * count)
    return (digits[start : start + size] for start in range(0, len(digits), size))
