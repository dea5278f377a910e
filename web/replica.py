"""Public pages from a PostgreSQL server that follows the ledger's own, as long as it is near.

What it misses is bounded: when something that was recorded :data:`MOST_BEHIND` ago or earlier is
not there yet, and when it does not answer, pages are read from the primary as if there was none.
Writing, the review desk, and whoever brings a cookie or a token never come here, so everybody finds
what they just did.
"""

import logging
import time
from collections.abc import Callable
from datetime import timedelta
from threading import Lock

import attrs

from ledger.errors import Refused
from ledger.store import Store, open_store
from ledger.values import Instant
from projections.keeping.views import Views, open_following
from web.freshness import Reached

MOST_BEHIND = timedelta(seconds=5)
"""How long what is recorded may be missing on pages that are read here."""

RESTING = 10.0
"""Seconds for which nobody asks a server again that did not answer."""

LOG = logging.getLogger("corrigenda.web")


@attrs.frozen
class Lag:
    """How far the replica has come. ``position`` is ``None`` when it does not answer."""

    position: int | None
    behind: int | None
    read: bool


@attrs.define
class Replica:
    """One of these in each process; threads share it. Nothing is opened before it is asked, and
    after it did not answer it is not asked before ``asked_again_at`` (monotonic seconds)."""

    url: str = attrs.field(repr=False)
    clock: Callable[[], Instant]
    _views: Views = attrs.field(init=False, repr=False)
    _store: Store | None = attrs.field(default=None, init=False, repr=False)
    _opening: Lock = attrs.field(factory=Lock, init=False, repr=False)
    asked_again_at: float = attrs.field(default=0.0, init=False)

    @_views.default
    def _(self) -> Views:
        return open_following(self.url)

    def near(self, primary: Reached) -> Reached | None:
        """How far the replica has come; ``None`` when that is too little, or it does not answer."""
        if time.monotonic() < self.asked_again_at:
            return None
        try:
            with self._views.read() as reader:
                position = reader.position
            store = self._opened()
        except Refused as why:
            self.rest(why)
            return None
        if position < primary.position and self._misses_old(primary.store, position):
            return None
        head = max(primary.ledger_head, position)
        return Reached(store, position, head, self._views)

    def rest(self, why: Refused) -> None:
        """Leave it alone for a while: each request would wait for it again."""
        LOG.warning("pages are read from the primary, the replica does not answer: %s", why)
        self.asked_again_at = time.monotonic() + RESTING

    def lag(self, primary: Reached) -> Lag:
        """How far it has come, for whoever watches, and whether pages are read from it."""
        near = self.near(primary)
        if near is not None:
            return Lag(near.position, near.lag, read=True)
        if time.monotonic() < self.asked_again_at:
            return Lag(None, None, read=False)
        try:
            with self._views.read() as reader:
                position = reader.position
        except Refused as why:
            self.rest(why)
            return Lag(None, None, read=False)
        return Lag(position, primary.ledger_head - position, read=False)

    def close(self) -> None:
        """Give the connections back."""
        self._views.close()
        if self._store is not None:
            self._store.close()

    def _misses_old(self, store: Store, position: int) -> bool:
        """Whether the first event that is missing was recorded too long ago."""
        missing = store.after(position, 1)
        return bool(missing) and missing[0].envelope.recorded_at < self.clock() - MOST_BEHIND

    def _opened(self) -> Store:
        with self._opening:
            if self._store is None:
                self._store = open_store(self.url, clock=self.clock, salt=_nobody_appends)
            return self._store


def _nobody_appends() -> str:
    raise AssertionError
