"""Append events and read them back: one interface, two engines.

Positions grow in the order of commit and ``recorded_at`` grows with them; what was read once is
read the same for ever. Several threads may use one store. A store belongs to the process that
opened it: open it after a fork, not before.
"""

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path

from eventsourcing.persistence import DataError, IntegrityError

from ledger import faults
from ledger.errors import BadValue
from ledger.events import Recorded
from ledger.store.batch import Appended, Batch, NewEvents
from ledger.store.engine import (
    LAST,
    PATIENCE,
    DiskFull,
    Engine,
    Stored,
    Unavailable,
    Unconfirmed,
    recorded_at,
)
from ledger.store.filling import DoesNotFit, Filling
from ledger.store.postgres import open_postgres
from ledger.store.seals import SealTable
from ledger.store.sqlite import open_sqlite
from ledger.store.whole import Whole
from ledger.values import Instant
from ledger.wire import decode

PAUSES = (0.1, 0.5)
"""Seconds before the second and the third try of an append whose connection broke."""

STREAMS = 500
"""How many streams one query reads."""

POSTGRES = ("postgresql://", "postgres://")


class Store:
    """The recorded events of one ledger."""

    def __init__(
        self, engine: Engine, *, clock: Callable[[], Instant], salt: Callable[[], str]
    ) -> None:
        self._engine = engine
        self._clock = clock
        self._salt = salt
        self._hearers: list[Callable[[Appended], None]] = []
        self._last_asked: tuple[int, Instant | None] = (0, None)

    def tell(self, hearer: Callable[[Appended], None]) -> None:
        """Tell somebody of each append that is saved, in the thread that appended; they refuse
        nothing."""
        self._hearers.append(hearer)

    def append(
        self, batch: Iterable[NewEvents], *, by: str, cause: str | None = None
    ) -> Appended | None:
        """Record a batch in one transaction; ``None`` when it holds no events.

        Each stream has to be at its expected version; one stream may occur several times, with
        rising versions. A generator may give a million events: they are written in chunks, while
        the lock is held. Raises ``Conflict`` (nothing saved), ``Busy`` (another writer kept the
        lock; nothing saved), ``Unavailable`` (nothing saved) or ``Unconfirmed`` (nobody knows).
        """
        work = Batch(
            batch, by=by, cause=cause, clock=self._clock, secret=bytes.fromhex(self._salt())
        )
        if work.is_empty:
            return None
        for pause in PAUSES:
            try:
                return self._try(work)
            except DiskFull:
                raise
            except Unavailable:
                time.sleep(pause)
        try:
            return self._try(work)
        except Unavailable as why:
            if work.appended is None or isinstance(why, DiskFull):
                raise
            # The last words we sent may have been COMMIT.
            raise Unconfirmed(**why.fields) from why

    def _try(self, work: Batch) -> Appended | None:
        with self._engine.refusals():
            self._engine.insert_events((), work=work)
        # Committed: it is on disk, whether or not anybody ever hears of it.
        faults.here("append:committed")
        if work.appended is not None:
            for hear in self._hearers:
                hear(work.appended)
        return work.appended

    def stream(self, stream: str) -> list[Recorded]:
        """All events of one stream, first version first; empty when it does not exist."""
        return list(self.streams((stream,)))

    def streams(self, streams: Iterable[str]) -> Iterator[Recorded]:
        """All events of many streams, each stream once and in the order of its versions.

        Read in chunks of 500 streams; within a chunk in position order, over all chunks not.
        """
        names = iter(dict.fromkeys(streams))
        while chunk := list(islice(names, STREAMS)):
            with self._engine.refusals(), self._engine.reading() as table:
                found = table.events(chunk)
            for position, stored in found:
                yield decode(position, stored)

    def after(self, position: int, limit: int, upto: int | None = None) -> list[Recorded]:
        """At most ``limit`` events after a position (and not after ``upto``), in position order.

        Whoever goes on from the last position returned misses nothing: a position is visible only
        when all before it are, though PostgreSQL may leave gaps where something was rolled back.
        """
        if limit < 1:
            return []
        with self._engine.refusals():
            found = self._engine.select_notifications(
                min(position, LAST),
                limit,
                LAST if upto is None else min(upto, LAST),
                inclusive_of_start=False,
            )
        return [decode(notification.id, notification.state) for notification in found]

    def stored_after(self, position: int, limit: int) -> list[Stored]:
        """As :meth:`after`, but the bytes as they are stored, which nobody has looked into."""
        if limit < 1:
            return []
        with self._engine.refusals(), self._engine.reading() as table:
            return table.after(position, limit)

    def stored_of_stream(self, stream: str, low: int, high: int, limit: int) -> list[Stored]:
        """At most ``limit`` events of a stream from position ``low`` to ``high``, the last first,
        as they are stored."""
        if limit < 1:
            return []
        with self._engine.refusals(), self._engine.reading() as table:
            return table.of_stream(stream, low, high, limit)

    @contextmanager
    def seals(self) -> Iterator[SealTable]:
        """The sealed log for readers. Raises ``Unavailable`` or ``Busy``, as all below does."""
        with self._engine.refusals(), self._engine.seals() as table:
            yield table

    @contextmanager
    def sealing(self) -> Iterator[SealTable]:
        """The sealed log for the one who adds to it: one transaction, committed at the end, under
        a lock that readers do not feel. Whatever is raised inside rolls everything back."""
        with self._engine.refusals(), self._engine.sealing() as table:
            yield table

    @contextmanager
    def whole(self) -> Iterator[Whole]:
        """All that is stored, columns and all, as it stands at one moment."""
        with self._engine.refusals(), self._engine.whole() as whole:
            yield whole

    @contextmanager
    def filling(self) -> Iterator[Filling]:
        """This store, which has to be empty, for the one who brings in what another one held.

        One transaction, committed at the end; whatever is raised inside leaves it empty. Raises
        ``NotEmpty`` and ``DoesNotFit``.
        """
        try:
            with self._engine.refusals(), self._engine.filling() as filling:
                yield filling
        except (DataError, IntegrityError) as why:
            raise DoesNotFit(why=" ".join(str(why).split())[:300]) from why

    def head(self) -> int:
        """The last position, 0 when nothing was recorded yet."""
        with self._engine.refusals(), self._engine.reading() as table:
            return table.head()

    def recorded_at(self, position: int) -> Instant | None:
        """When the last event at or before a position was recorded (UTC); ``None`` before any."""
        known, at = self._last_asked
        if known == position:
            return at
        with self._engine.refusals(), self._engine.reading() as table:
            found = table.last(upto=min(position, LAST))
        if found is None:
            return None
        at = recorded_at(found[1])
        if found[0] == position:
            # What is recorded stays, and the head is asked for again and again.
            self._last_asked = (position, at)
        return at

    def position_at(self, instant: Instant) -> int:
        """The last position recorded at or before an instant, 0 when there is none.

        A binary search: ``recorded_at`` never falls. ``instant`` has an offset.
        """
        with self._engine.refusals(), self._engine.reading() as table:
            # Up to `low` all was recorded by then; after `high` nothing was.
            low, high = 0, table.head()
            while low < high:
                middle = (low + high + 1) // 2
                found = table.last(upto=middle)
                if found is None or recorded_at(found[1]) <= instant:
                    low = middle
                else:
                    high = found[0] - 1
            found = table.last(upto=low)
        return found[0] if found else 0

    def wait(self, position: int, timeout: float) -> bool:
        """Wait until something lies after a position: ``True``, or ``False`` after ``timeout`` s.

        Both engines look again at short intervals; on PostgreSQL a notice usually comes sooner,
        and a lost one only delays.
        """
        end = time.monotonic() + timeout
        while self.head() <= position:
            left = end - time.monotonic()
            if left <= 0:
                return False
            self._engine.await_news(left)
        return True

    def close(self) -> None:
        """Let go of the database; the store is of no use afterwards."""
        self._engine.close()


def open_store(
    where: str | Path,
    *,
    clock: Callable[[], Instant],
    salt: Callable[[], str],
    patience: float = PATIENCE,
) -> Store:
    """Open a ledger's events, and make the table if there is none yet.

    ``where`` is a PostgreSQL address (``postgresql://…``; the schema is ``ledger``) or the path of
    an SQLite file whose folder exists. ``clock`` gives now with an offset; ``salt`` gives 32 random
    hexadecimal digits and is asked once per append. A writer waits ``patience`` seconds for
    another one. Raises ``BadValue`` for an address of neither kind and ``Unavailable``.
    """
    text = str(where)
    if text.startswith(POSTGRES):
        return Store(open_postgres(text, patience=patience), clock=clock, salt=salt)
    if "://" in text:
        raise BadValue(
            what="ledger address",
            shown=repr(text.partition("://")[0] + "://…"),
            why="give postgresql://… or the path of an SQLite file",
        )
    return Store(open_sqlite(Path(text), patience=patience), clock=clock, salt=salt)
