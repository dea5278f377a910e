"""Probe windows at a moment: what was probed, what was found, and how much of it is done.

Of a link that no window probed nothing is known, and nothing is said.
"""

from collections import Counter
from collections.abc import Iterable, Mapping

import attrs
from sqlalchemy import or_, select

from ledger import events as ev
from ledger.errors import NotFound
from ledger.probe import Probe, Window, link_key, stream_of, window_of
from ledger.store import Store
from ledger.vocabulary import PROBE_RESULTS
from projections.asserted import described
from projections.board.described import SourceOf
from projections.code.cited import known_by, sources_of
from projections.keeping.rectangles import CHUNK, chunks
from projections.keeping.views import Reader
from projections.moment import Moment


@attrs.frozen(kw_only=True)
class Coverage:
    """How much of a window is done. ``links`` and ``left`` are ``None`` where nobody stated how
    many links there are; ``results`` counts links, each by its last probe."""

    links: int | None
    probed: int
    probes: int
    results: Mapping[str, int]

    @property
    def left(self) -> int | None:
        """How many links were not probed."""
        return None if self.links is None else max(0, self.links - self.probed)


@attrs.frozen(kw_only=True)
class ProbeWindow:
    """A window at a moment. ``about_name`` names the page that its links belong to; ``names`` are
    those of repositories, by the key of their address."""

    window: Window
    source: SourceOf | None
    about_name: str | None
    names: Mapping[str, str]
    moment: Moment

    @property
    def slug(self) -> str:
        """What it is called by."""
        return self.window.opened.slug

    @property
    def coverage(self) -> Coverage:
        """How much of it is done."""
        found = Counter(probe.fact.result for probe in self.window.found.values())
        return Coverage(
            links=self.window.links,
            probed=len(self.window.found),
            probes=self.window.probes,
            results={result: found[result] for result in PROBE_RESULTS},
        )


def window_at(reader: Reader, store: Store, slug: str, moment: Moment) -> ProbeWindow:
    """The window with this slug; refused when it was not opened by the moment."""
    window = window_of(known_by(store, [stream_of(slug)], moment), moment.instant)
    if window is None:
        raise NotFound(what="probe window", name=slug)
    source = window.opened.source
    named = sources_of(reader, [source], moment) if source else {}
    return ProbeWindow(
        window=window,
        source=named[source] if source else None,
        about_name=_about_name(reader, window.opened.about, moment),
        names=repositories_by_link(reader, window.found, moment),
        moment=moment,
    )


def _about_name(reader: Reader, about: str | None, moment: Moment) -> str | None:
    if about is None:
        return None
    page, _, name = about.partition("/")
    stream = f"{page.removesuffix('s')}:{name}"
    content = described(reader, [stream], moment).get(stream, {})
    return content.get("title") or content.get("name") or about


def repositories_by_link(reader: Reader, links: Iterable[str], moment: Moment) -> dict[str, str]:
    """The names of the repositories that have these addresses (by their keys)."""
    table = reader.tables.code_fact
    found: dict[str, str] = {}
    for chunk in chunks(sorted(set(links)), CHUNK):
        query = select(table.c.link, table.c.stream).where(
            table.c.link.in_(chunk), table.c.position <= moment.position
        )
        streams = {row.stream: row.link for row in reader.connection.execute(query)}
        for stream, content in described(reader, streams, moment).items():
            found[streams[stream]] = str(content["name"])
    return found


def all_windows(reader: Reader, store: Store, moment: Moment) -> list[Window]:
    """Every window that was opened by the moment, the newest first."""
    table = reader.tables.probe
    query = select(table.c.window).where(
        table.c.opens, table.c.position <= moment.position, table.c.read_at <= moment.day
    )
    return windows(store, reader.connection.scalars(query), moment)


def windows_for(
    reader: Reader, store: Store, about: str, links: Iterable[str], moment: Moment
) -> list[Window]:
    """The windows that a page has to do with, the newest first: those about it or about nothing in
    particular, and those that probed one of its links."""
    table = reader.tables.probe
    by_then = (table.c.position <= moment.position, table.c.read_at <= moment.day)
    opened = select(table.c.window).where(
        table.c.opens, or_(table.c.about == about, table.c.about.is_(None)), *by_then
    )
    slugs = set(reader.connection.scalars(opened))
    for chunk in chunks(sorted({link_key(link) for link in links}), CHUNK):
        probed = select(table.c.window).distinct().where(table.c.link.in_(chunk), *by_then)
        slugs.update(reader.connection.scalars(probed))
    return windows(store, slugs, moment)


def windows(store: Store, slugs: Iterable[str], moment: Moment) -> list[Window]:
    """These windows as they were at a moment, the newest first."""
    records = known_by(store, [stream_of(slug) for slug in sorted(set(slugs))], moment)
    streams: dict[str, list[ev.Recorded]] = {}
    for record in records:
        streams.setdefault(record.envelope.stream, []).append(record)
    found = [window_of(own, moment.instant) for own in streams.values()]
    return sorted(
        (one for one in found if one is not None),
        key=lambda one: (one.opened.first_day.text, one.opened.slug),
        reverse=True,
    )


@attrs.frozen
class Reach:
    """What the last probe of a link found, and in which window."""

    probe: Probe
    window: Window


def reach_of(found: Iterable[Window], link: str | None) -> Reach | None:
    """What is known of a link from these windows; nothing where none of them probed it."""
    if link is None:
        return None
    probed = [
        Reach(window.found[link_key(link)], window)
        for window in found
        if link_key(link) in window.found
    ]
    return max(probed, key=lambda one: (one.probe.fact.read_at, one.probe.position), default=None)
