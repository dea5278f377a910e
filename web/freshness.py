"""Keeping the read model behind the pages fresh, and the log sealed, without keeping a reader
waiting.

Every request lets it catch up with the ledger first, for :data:`PATIENCE` seconds at most: one
thread of this process does the work and all requests wait for that one. Whoever runs out of time is
served what is there. A page never claims a position that the read model has not reached.
"""

import logging
import time
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures import TimeoutError as TooSlow
from threading import Lock, Thread

import attrs

from ledger.errors import BeyondHead, Busy
from ledger.store import Store
from ledger.values import Instant
from projections.keeping.follow import Follower
from projections.keeping.views import Views

PATIENCE = 2.0
"""Seconds that a request waits for the read model."""

LOG = logging.getLogger("corrigenda.web")


class NotShownYet(Busy):
    """Position {asked} is recorded, but these pages have come to position {reached} so far; try
    again in a moment."""


@attrs.frozen
class Reached:
    """How far the read model has come, which is all that pages may speak of.

    Answers what :class:`projections.moment.Positions` asks. ``views`` is where that read model is,
    if it is not the one that the ledger is followed into.
    """

    store: Store
    position: int
    ledger_head: int
    views: Views | None = None

    @property
    def lag(self) -> int:
        """How many positions the ledger is ahead."""
        return self.ledger_head - self.position

    def head(self) -> int:
        """The last position that can be shown."""
        return self.position

    def recorded_at(self, position: int) -> Instant | None:
        """When the last event at or before a position was recorded."""
        return self.store.recorded_at(position)

    def position_at(self, instant: Instant) -> int:
        """The last position recorded by an instant; refused while it cannot be shown."""
        found = self.store.position_at(instant)
        if found > self.position:
            raise NotShownYet(asked=found, reached=self.position)
        return found

    def explain(self, refusal: BeyondHead) -> Busy | BeyondHead:
        """What to say instead when the ledger does hold what was asked for."""
        asked = int(refusal.fields["asked"])
        if asked <= self.ledger_head:
            return NotShownYet(asked=asked, reached=self.position)
        return refusal


def nothing_to_seal() -> None:
    """What seals where no log is kept."""


def nobody(_position: int) -> None:
    """Who is told where nobody listens."""


@attrs.define
class Freshness:
    """One of these in each process; threads share it.

    ``seal`` is called behind each catching up, by the same thread; ``told`` with the position that
    each request is served at, by the thread that serves it.
    """

    store: Store
    follower: Follower
    patience: float = attrs.field(factory=lambda: PATIENCE)
    seal: Callable[[], None] = nothing_to_seal
    told: Callable[[int], None] = nobody
    failing: bool = attrs.field(default=False, init=False)
    _turn: Lock = attrs.field(factory=Lock, init=False)
    _running: "Future[None] | None" = attrs.field(default=None, init=False)

    def reached(self) -> Reached:
        """Catch up as far as patience allows, and say how far that is."""
        head, position = self.store.head(), self.follower.position()
        end = time.monotonic() + self.patience
        while position < head:
            left = end - time.monotonic()
            if left <= 0 or not self._wait(left):
                position = self.follower.position()
                break
            position = self.follower.position()
        self.told(position)
        return Reached(self.store, position, head)

    def sealed(self) -> None:
        """Let all that is recorded be sealed, as far as patience allows."""
        self._wait(self.patience)

    def _wait(self, seconds: float) -> bool:
        """Wait for the one who catches up; ``False`` when that failed or takes longer."""
        try:
            self._one_at_work().result(seconds)
        except TooSlow:
            return False
        except Exception:  # noqa: BLE001 -- logged where it happened; what is there is served
            return False
        return True

    def _one_at_work(self) -> "Future[None]":
        with self._turn:
            if self._running is None or self._running.done():
                self._running = Future()
                Thread(target=self._catch_up, args=(self._running,), daemon=True).start()
            return self._running

    def _catch_up(self, done: "Future[None]") -> None:
        try:
            self.follower.catch_up()
            self.seal()
        except Exception as why:
            self.failing = True
            LOG.exception("the read model could not catch up")
            done.set_exception(why)
        else:
            self.failing = False
            done.set_result(None)
