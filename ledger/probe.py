"""The life of a probe window: a range of days in which links were probed.

A probe outside of the window's days is refused, and so is any after it was closed. Each probe says
reachable, unreachable, or could not tell; of a link that was not probed nothing is known, and so
nothing is said.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from types import MappingProxyType
from typing import assert_never
from urllib.parse import urlsplit

import attrs

from ledger import events as ev
from ledger.errors import AlreadyExists, BadValue, NotFound, OutsideWindow, WindowClosed
from ledger.events import Recorded
from ledger.values import (
    Instant,
    PartialDate,
    end_of_day,
    parse_address,
    parse_day,
    parse_digest,
    parse_name,
    parse_slug,
    parse_text,
    short_instant,
)
from ledger.vocabulary import PROBE_RESULTS

MOST_LINKS = 2_000
LONGEST_ABOUT = 300


def stream_of(slug: str) -> str:
    """The stream of a probe window."""
    return f"probe:{slug}"


def link_key(address: str) -> str:
    """Two addresses with the same key are one link: the host in small letters, no slash at the
    end, no fragment."""
    parts = urlsplit(address)
    query = f"?{parts.query}" if parts.query else ""
    return f"{parts.scheme.lower()}://{parts.netloc.lower()}{parts.path.rstrip('/')}{query}"


# --- what may be recorded ---------------------------------------------------------------------


def decide(known: Sequence[ev.Event], fact: ev.ProbeEvent) -> list[ev.Event]:
    """Whether the fact may be recorded after what is known; recorded already means nothing new."""
    if fact in known:
        return []
    if isinstance(fact, ev.ProbeWindowOpened):
        if known:
            raise AlreadyExists(what="probe window", name=fact.slug)
        _check_window(fact)
        return [fact]
    opened = known[0] if known else None
    if not isinstance(opened, ev.ProbeWindowOpened):
        raise NotFound(what="probe window", name="this; open it first")
    _must_be_open(opened, known)
    match fact:
        case ev.LinkProbed():
            _check_probe(opened, fact)
        case ev.ProbeWindowClosed():
            pass
        case _:
            assert_never(fact)
    return [fact]


def _must_be_open(opened: ev.ProbeWindowOpened, known: Sequence[ev.Event]) -> None:
    for event in known:
        if isinstance(event, ev.ProbeWindowClosed):
            raise WindowClosed(window=opened.slug, closed_at=short_instant(event.read_at))


def _check_window(fact: ev.ProbeWindowOpened) -> None:
    parse_slug(fact.slug)
    parse_name(fact.subject, "subject")
    if day_of(fact.last_day) < day_of(fact.first_day):
        shown = f"{fact.first_day} to {fact.last_day}"
        raise BadValue(what="window", shown=shown, why="it ends before it begins")
    if fact.about is not None and not 1 <= len(parse_text(fact.about, "about")) <= LONGEST_ABOUT:
        raise BadValue(what="about", shown=repr(fact.about[:80]), why="name a page of ours")
    if len(fact.links) > MOST_LINKS:
        why = f"at most {MOST_LINKS} are probed in one window; open several"
        raise BadValue(what="links", shown=f"{len(fact.links)} of them", why=why)
    if len({link_key(parse_address(link, "link")) for link in fact.links}) < len(fact.links):
        raise BadValue(what="links", shown="one of them twice", why="each is named once")
    if fact.links_stated is not None and fact.links_stated < len(fact.links):
        why = f"{len(fact.links)} are named"
        raise BadValue(what="links_stated", shown=str(fact.links_stated), why=why)


def day_of(stated: PartialDate) -> date:
    """The day that a window begins or ends on; refused when it is not known to the day."""
    return parse_day(stated.text)


def _check_probe(opened: ev.ProbeWindowOpened, fact: ev.LinkProbed) -> None:
    parse_address(fact.link, "link")
    if fact.result not in PROBE_RESULTS:
        why = f"known are {', '.join(PROBE_RESULTS)}"
        raise BadValue(what="result", shown=repr(fact.result[:40]), why=why)
    if not day_of(opened.first_day) <= fact.read_at.date() <= day_of(opened.last_day):
        raise OutsideWindow(
            when=short_instant(fact.read_at),
            window=opened.slug,
            first_day=opened.first_day,
            last_day=opened.last_day,
        )
    if opened.links and link_key(fact.link) not in map(link_key, opened.links):
        why = f"window {opened.slug} names its links, and this is none of them"
        raise BadValue(what="link", shown=repr(fact.link[:80]), why=why)
    if fact.cause is not None:
        parse_slug(fact.cause, "cause")
    if fact.status is not None and not 100 <= fact.status <= 999:
        raise BadValue(what="status", shown=str(fact.status), why="HTTP has three digits")
    if fact.found_at is not None:
        parse_address(fact.found_at, "found_at")
    if fact.digest is not None:
        parse_digest(fact.digest)


# --- the fold ---------------------------------------------------------------------------------


@attrs.frozen
class Probe:
    """What was found when a link was probed, and where that stands in the ledger."""

    fact: ev.LinkProbed
    position: int
    recorded_at: Instant
    recorded_by: str


@attrs.frozen(kw_only=True)
class Window:
    """A window as read on a day; ``found`` is the last probe of each link, by its key.

    ``state`` is ``to come``, ``open`` or ``closed``: a window whose last day is over is closed,
    whether or not anybody has said so. ``version`` counts all its events.
    """

    opened: ev.ProbeWindowOpened
    opened_at: Recorded
    closed: ev.ProbeWindowClosed | None
    state: str
    found: Mapping[str, Probe]
    probes: int
    version: int

    @property
    def links(self) -> int | None:
        """How many links there are to probe, where that is known."""
        if self.opened.links_stated is not None:
            return self.opened.links_stated
        return len(self.opened.links) or None

    @property
    def not_probed(self) -> list[str]:
        """The links that are named and were not probed yet."""
        return [link for link in self.opened.links if link_key(link) not in self.found]


def window_of(recorded: Iterable[Recorded], day: Instant) -> Window | None:
    """Fold a window's stream (any first part of it) as read by a day; ``None`` before it is."""
    opened: tuple[ev.ProbeWindowOpened, Recorded] | None = None
    closed: ev.ProbeWindowClosed | None = None
    probes: list[Probe] = []
    version = 0
    for record in recorded:
        event, envelope = record.event, record.envelope
        version = envelope.version
        if not isinstance(event, ev.ProbeEvent) or event.read_at > day:
            continue
        match event:
            case ev.ProbeWindowOpened():
                opened = (event, record)
            case ev.ProbeWindowClosed():
                closed = event
            case ev.LinkProbed():
                at, by = envelope.recorded_at, envelope.recorded_by
                probes.append(Probe(event, record.position, at, by))
            case _:
                assert_never(event)
    if opened is None:
        return None
    probes.sort(key=lambda probe: (probe.fact.read_at, probe.position))
    return Window(
        opened=opened[0],
        opened_at=opened[1],
        closed=closed,
        state=_state(opened[0], closed, day),
        found=MappingProxyType({link_key(probe.fact.link): probe for probe in probes}),
        probes=len(probes),
        version=version,
    )


def _state(opened: ev.ProbeWindowOpened, closed: ev.ProbeWindowClosed | None, day: Instant) -> str:
    if closed is not None or day > end_of_day(day_of(opened.last_day)):
        return "closed"
    return "open" if day.date() >= day_of(opened.first_day) else "to come"
