"""Manners of whoever asks many addresses: robots.txt, a pause for each host, and rest if asked for.

One request is made at a time, so no host ever has two of ours at once.
"""

import time
from collections.abc import Callable

import attrs

from web.fetching.addresses import Place
from web.fetching.agent import NAME
from web.fetching.failure import NotFetched
from web.fetching.get import Fetcher
from web.fetching.robots import LARGEST, NOTHING, Robots, robots_of

NO_ORIGIN = frozenset(
    {
        "dns",
        "dns-failure",
        "hung-up",
        "no-connection",
        "not-http",
        "private-address",
        "refused",
        "timeout",
        "tls",
    }
)
"""Causes that are the whole origin's: where its robots.txt meets one, so would the link."""


@attrs.define(kw_only=True)
class Manners:
    """What stands before each request: robots.txt, and a pause since the last one to its host.

    ``clock`` counts seconds and ``wait`` lets them pass; hosts that asked for a rest are asked no
    more in this run.
    """

    fetcher: Fetcher
    pause: float
    clock: Callable[[], float] = time.monotonic
    wait: Callable[[float], None] = time.sleep
    _robots: dict[str, Robots | NotFetched] = attrs.field(factory=dict)
    _free_at: dict[str, float] = attrs.field(factory=dict)
    _resting: set[str] = attrs.field(factory=set)

    def pass_by(self, place: Place) -> None:
        """Let a request pass when its time has come. Raises ``NotFetched`` when it may not."""
        self._must_not_rest(place)
        rules = self._rules_of(place)
        if isinstance(rules, NotFetched):
            raise rules
        if not rules.allows(place.target):
            raise NotFetched(place.address, "robots", "its robots.txt does not allow it")
        self._must_not_rest(place)
        self.pause_before(place)

    def ready_in(self, place: Place) -> float:
        """The seconds until its host may be asked again."""
        return max(0.0, self._free_at.get(place.host, 0.0) - self.clock())

    def rests(self, place: Place) -> bool:
        """Whether its host asked to be left alone."""
        return place.host in self._resting

    def let_rest(self, place: Place) -> None:
        """Ask a host no more in this run."""
        self._resting.add(place.host)

    def pause_before(self, place: Place) -> None:
        """Let the pause pass that a request to its host still needs."""
        if (seconds := self.ready_in(place)) > 0:
            self.wait(seconds)
        self.answered(place)

    def answered(self, place: Place) -> None:
        """Count the pause from the end of an answer on."""
        self._free_at[place.host] = self.clock() + self.pause

    def _must_not_rest(self, place: Place) -> None:
        if self.rests(place):
            why = "its host asked to be left alone"
            raise NotFetched(place.address, "too-many-requests", why)

    def _rules_of(self, place: Place) -> Robots | NotFetched:
        """What an origin allows, asked once in a run; or the failure that is all its links'."""
        if place.origin not in self._robots:
            self._robots[place.origin] = self._ask(place)
        return self._robots[place.origin]

    def _ask(self, place: Place) -> Robots | NotFetched:
        limits = attrs.evolve(self.fetcher.limits, bytes_received=LARGEST, whole=False)
        asking = attrs.evolve(self.fetcher, limits=limits)
        try:
            found = asking.get(f"{place.origin}/robots.txt", self.pause_before)
        except NotFetched as why:
            return why if why.cause in NO_ORIGIN else NOTHING
        finally:
            self.answered(place)
        if found.status == 429:
            self.let_rest(place)
        if 200 <= found.status < 300:
            return robots_of(found.body, NAME)
        return Robots() if 400 <= found.status < 500 and found.status != 429 else NOTHING
