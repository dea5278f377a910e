"""Freezing what a source says: bytes into the archive, and the fact that they were read.

Freezing makes no claim: what the bytes state is entered by an import, or by a person. An answer
from the web is kept twice: its bytes, which reviewers look at, and beside them a WARC of one record
with the headers that are kept, which the same import names.
"""

import re
from collections.abc import Sequence
from contextlib import suppress
from hashlib import sha256

import attrs

from ledger import events as ev
from ledger import faults, source
from ledger.benchmark import stream_of as benchmark_stream
from ledger.errors import BadValue, Conflict, NotFound
from ledger.ledger import Ledger, check_not_future
from ledger.store import NewEvents
from ledger.values import Digest, Instant, Slug
from web.fetching.failure import NotFetched
from web.fetching.warc import Response, response_record

FORMAT, WARC = "frozen", "warc"
MEDIA_TYPE = re.compile(r"[a-z0-9][a-z0-9.+_-]{0,60}/[a-z0-9][a-z0-9.+_-]{0,60}")
ATTEMPTS = 5
OK = 200


@attrs.frozen(kw_only=True)
class Capture:
    """What is to be frozen. ``warc`` is the answer that it came in; a plain file has none."""

    data: bytes = attrs.field(repr=False)
    media_type: str
    read_at: Instant
    name: str
    warc: bytes | None = attrs.field(default=None, repr=False)
    headers: tuple[tuple[str, str], ...] = ()

    @property
    def digest(self) -> Digest:
        """The SHA-256 of the bytes."""
        return Digest(sha256(self.data).hexdigest())

    @property
    def warc_digest(self) -> Digest | None:
        """The SHA-256 of the WARC with its headers."""
        return None if self.warc is None else Digest(sha256(self.warc).hexdigest())


def capture_of(one: Response, media_type: str | None) -> Capture:
    """An answer as a capture; only one with status 200 says what a source says."""
    fetched = one.fetched
    if fetched.status != OK:
        why = f"it answers {fetched.status}"
        raise NotFetched(fetched.found_at, "status", why, status=fetched.status)
    return Capture(
        data=fetched.content,
        media_type=media_type_of(media_type or fetched.media_type),
        read_at=one.read_at,
        name=fetched.found_at,
        warc=response_record(one),
        headers=fetched.headers,
    )


def media_type_of(stated: str | None) -> str:
    """A media type as it is recorded; what is none, as a server may say, is plain bytes."""
    found = (stated or "").strip().lower()
    return found if MEDIA_TYPE.fullmatch(found) else "application/octet-stream"


def parse_media_type(text: str) -> str:
    """A media type that a person gives."""
    if not MEDIA_TYPE.fullmatch(text):
        raise BadValue(what="media type", shown=repr(text[:80]), why="write it as text/csv")
    return text


@attrs.frozen(kw_only=True)
class Frozen:
    """What became of a capture; ``known_already`` when it had been frozen before."""

    capture: Capture
    order: str
    known_already: bool


@attrs.frozen(kw_only=True)
class Freezer:
    """Freezes readings of one source; ``benchmark`` is what they are about, and decides nothing."""

    ledger: Ledger
    by: str
    source: Slug
    benchmark: Slug | None = None
    dry_run: bool = False

    def must_be_known(self) -> None:
        """Refuse a source or benchmark that is not registered, before anything is fetched."""
        if not self.ledger.facts(source.stream_of(self.source)):
            raise NotFound(what="source", name=f"{self.source}; bring it in by records first")
        if self.benchmark and not self.ledger.facts(benchmark_stream(self.benchmark)):
            raise NotFound(what="benchmark", name=self.benchmark)

    def freeze(self, capture: Capture) -> Frozen:
        """Keep the bytes and record the reading, made anew when another writer got in between."""
        for _ in range(ATTEMPTS - 1):
            with suppress(Conflict):
                return self._freeze(capture)
        return self._freeze(capture)

    def _freeze(self, capture: Capture) -> Frozen:
        known = self.ledger.facts(source.stream_of(self.source))
        before = _same_bytes(known, capture)
        if before is not None:
            return Frozen(capture=capture, order=before.order, known_already=True)
        order = _free_order(known, capture.read_at)
        new = self._events(known, capture, order)
        if not self.dry_run:
            self.ledger.archive.put(capture.data)
            if capture.warc is not None:
                self.ledger.archive.put(capture.warc)
            # Crash here: bytes without an event, which freezing them again picks up.
            faults.here("freeze:archived")
            self.ledger.store.append(new, by=self.by, cause=f"import:{capture.digest}")
        return Frozen(capture=capture, order=order, known_already=False)

    def _events(self, known: Sequence[ev.Event], capture: Capture, order: str) -> list[NewEvents]:
        fact = ev.SourceFrozen(
            digest=capture.digest,
            media_type=capture.media_type,
            size=len(capture.data),
            read_at=capture.read_at,
            order=order,
            file=capture.name,
        )
        check_not_future(fact, self.ledger.clock())
        events = tuple(source.decide(known, fact))
        new = [NewEvents(source.stream_of(self.source), len(known), events)]
        new.append(self._received(capture, capture.digest, FORMAT, order))
        if capture.warc_digest is not None:
            new.append(self._received(capture, capture.warc_digest, WARC, order))
        return new

    def _received(self, capture: Capture, digest: Digest, form: str, order: str) -> NewEvents:
        """The receipt by which ``import --withdraw`` finds the reading, and that names the WARC."""
        received = ev.ImportReceived(
            digest=digest,
            file=capture.name,
            format=form,
            source=self.source,
            benchmark=self.benchmark,
            read_at=capture.read_at,
            order=order,
            counts={},
        )
        stream = f"import:{digest}"
        return NewEvents(stream, len(self.ledger.facts(stream)), (received,))


def _same_bytes(known: Sequence[ev.Event], capture: Capture) -> ev.SourceFrozen | None:
    """The reading that stands with these bytes at this instant, whoever brought it in."""
    return next(
        (
            one
            for one in source.readings(known)
            if (one.digest, one.read_at) == (capture.digest, capture.read_at)
        ),
        None,
    )


def _free_order(known: Sequence[ev.Event], read_at: Instant) -> str:
    """The next order among the readings of one instant."""
    taken = {
        one.order for one in known if isinstance(one, ev.SourceFrozen) and one.read_at == read_at
    }
    order, count = "", 1
    while order in taken:
        count += 1
        order = f"!{count:04d}"
    return order
