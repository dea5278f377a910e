"""Probing the links of a window: politely, one after the other, each result recorded at once.

So whoever stops in between loses nothing, and the next run goes on with what was not probed. A
probe says reachable or unreachable only where it knows: what may pass (a slow server, an error of
its own), what keeps us out, and what robots.txt does not allow, it could not tell.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import PurePosixPath
from types import MappingProxyType
from urllib.parse import urlsplit

import attrs

from ledger import commands as orders
from ledger import events as ev
from ledger.errors import BadValue, Conflict, NotFound, OutsideWindow, WindowClosed
from ledger.ledger import Ledger
from ledger.probe import Window, link_key, stream_of, window_of
from ledger.values import Instant, Slug, parse_address, short_instant
from web.fetching.addresses import Place, place_of
from web.fetching.failure import NotFetched
from web.fetching.get import Fetched, Limits
from web.fetching.manners import Manners

REACHABLE, UNREACHABLE, COULD_NOT_TELL = "reachable", "unreachable", "could-not-tell"
PROBE_LIMITS = Limits(bytes_received=1 << 20, seconds=30.0, whole=False)
ATTEMPTS = 5

# What went wrong before there was an answer, where it tells that a link leads nowhere.
GONE = frozenset({"dns", "refused", "tls", "redirect-loop", "too-many-redirects"})

STATUSES: Mapping[int, tuple[str, str]] = MappingProxyType(
    {
        401: (COULD_NOT_TELL, "login-needed"),
        403: (COULD_NOT_TELL, "forbidden"),
        404: (UNREACHABLE, "not-found"),
        410: (UNREACHABLE, "gone"),
        429: (COULD_NOT_TELL, "too-many-requests"),
        451: (COULD_NOT_TELL, "legal-reasons"),
    }
)
# What a link that ends so has to give; a web page in its place says that it is gone, and no more.
EXPECTED: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        ".pdf": frozenset({"application/pdf", "application/octet-stream"}),
        ".json": frozenset({"application/json", "text/plain", "application/octet-stream"}),
        ".csv": frozenset({"text/csv", "text/plain", "application/octet-stream"}),
        ".zip": frozenset({"application/zip", "application/octet-stream"}),
        ".gz": frozenset({"application/gzip", "application/x-gzip", "application/octet-stream"}),
    }
)
PAGES = frozenset({"text/html", "application/xhtml+xml"})


# --- what an answer says of a link ------------------------------------------------------------


@attrs.frozen
class Found:
    """What a probe found; ``leave_alone`` says that the server asked for a rest."""

    result: str
    cause: str | None = None
    status: int | None = None
    found_at: str | None = None
    leave_alone: bool = False


def found_in(link: str, fetched: Fetched) -> Found:
    """What an answer says of a link."""
    status, onward = fetched.status, None
    if link_key(fetched.found_at) != link_key(link):
        onward = fetched.found_at
    if 200 <= status < 300:
        wrong = _is_wrong_type(link, fetched)
        result, cause = (COULD_NOT_TELL, "wrong-type") if wrong else (REACHABLE, None)
        return Found(result, cause, status, onward)
    default = (COULD_NOT_TELL, "server-error" if status >= 500 else f"status-{status}")
    result, cause = STATUSES.get(status, default)
    resting = status == 429 or (status == 503 and fetched.header("retry-after") is not None)
    return Found(result, cause, status, onward, resting)


def found_instead(why: NotFetched) -> Found:
    """What a failure says of a link."""
    result = UNREACHABLE if why.cause in GONE else COULD_NOT_TELL
    return Found(result, why.cause, why.status)


def _is_wrong_type(link: str, fetched: Fetched) -> bool:
    ending = PurePosixPath(urlsplit(link).path).suffix.lower()
    return ending in EXPECTED and fetched.media_type in PAGES - EXPECTED[ending]


# --- a run ------------------------------------------------------------------------------------


@attrs.frozen(kw_only=True)
class Prober:
    """Probes the links of a window and records each result."""

    ledger: Ledger
    by: str
    slug: str
    manners: Manners

    def window(self) -> Window:
        """The window as it is now; refused when there is none."""
        return window_now(self.ledger, self.slug)

    def run(self, links: Iterable[str]) -> Iterator[tuple[str, Found | None]]:
        """Probe links, hosts in turn; yields each with what was recorded of it.

        ``None`` says that a link was left for another run, since its host asked for a rest. Raises
        ``OutsideWindow`` when the window's days are over meanwhile.
        """
        waiting: dict[str, deque[tuple[Place, str]]] = {}
        for link in links:
            try:
                place = place_of(link)
            except NotFetched as why:
                yield link, self._record(link, found_instead(why))
            else:
                waiting.setdefault(place.host, deque()).append((place, link))
        while waiting:
            host = min(waiting, key=lambda one: self.manners.ready_in(waiting[one][0][0]))
            place, link = waiting[host].popleft()
            if not waiting[host]:
                del waiting[host]
            yield link, None if self.manners.rests(place) else self._probe(place, link)

    def _probe(self, place: Place, link: str) -> Found:
        try:
            found = found_in(link, self.manners.fetcher.get(link, self.manners.pass_by))
        except NotFetched as why:
            found = found_instead(why)
        finally:
            self.manners.answered(place)
        if found.leave_alone:
            self.manners.let_rest(place_of(found.found_at or link))
        return self._record(link, found)

    def _record(self, link: str, found: Found) -> Found:
        """Record what was found. If we die before this, the link counts as not probed."""
        read_at = self.ledger.clock()
        fact = ev.LinkProbed(
            link=link,
            result=found.result,
            cause=None if found.cause is None else Slug(found.cause),
            status=found.status,
            found_at=found.found_at,
            read_at=read_at,
        )
        record(self.ledger, self.by, self.slug, fact)
        return found


def record(ledger: Ledger, by: str, slug: str, fact: ev.ProbeEvent) -> None:
    """Record a fact of a window, made anew when another writer got in between."""
    order = orders.Assert(stream=stream_of(slug), fact=fact)
    for _ in range(ATTEMPTS - 1):
        with suppress(Conflict):
            ledger.do(order, by)
            return
    ledger.do(order, by)


def window_now(ledger: Ledger, slug: str) -> Window:
    """A window with all that is recorded of it; refused when there is none."""
    found = window_of(ledger.store.stream(stream_of(slug)), ledger.clock())
    if found is None:
        raise NotFound(what="probe window", name=slug)
    return found


def must_be_open(window: Window, now: Instant) -> None:
    """Refuse a window whose days have not come or are over, before anything is asked."""
    opened = window.opened
    if window.closed is not None:
        closed_at = short_instant(window.closed.read_at)
        raise WindowClosed(window=opened.slug, closed_at=closed_at)
    if window.state != "open":
        raise OutsideWindow(
            when=short_instant(now),
            window=opened.slug,
            first_day=opened.first_day,
            last_day=opened.last_day,
        )
    if not opened.links:
        why = "it names no links, so there is nothing to go through; open one that does"
        raise BadValue(what="window", shown=opened.slug, why=why)


def unsure(window: Window) -> list[str]:
    """The links of which the last probe could not tell."""
    return [
        link
        for link in window.opened.links
        if (probe := window.found.get(link_key(link))) and probe.fact.result == COULD_NOT_TELL
    ]


def links_to_probe(stated: Iterable[str | None]) -> tuple[str, ...]:
    """Links of which each is named once, in order; what bears credentials is refused."""
    found: dict[str, str] = {}
    for link in stated:
        if link is None:
            continue
        try:
            place = place_of(parse_address(link.strip(), "link"))
        except NotFetched as no:
            raise BadValue(what="link", shown=repr(no.address[:80]), why=no.fields["why"]) from None
        found.setdefault(link_key(place.address), place.address)
    return tuple(found.values())
