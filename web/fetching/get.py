"""Fetching one address: GET, redirects followed within limits, each hop looked up and allowed anew.

What comes back holds the bytes as received and unpacked, and those headers that say something of
them; cookies and whatever else a server sends are not kept.
"""

import http.client
import time
from collections.abc import Callable, Sequence
from urllib.parse import urljoin

import attrs

from ledger.importing.limits import MOST_BYTES
from web.fetching.addresses import (
    Lookup,
    Number,
    Place,
    anywhere,
    is_public,
    look_up,
    numbers_of,
    place_of,
)
from web.fetching.body import received, unpacked
from web.fetching.connection import Deadline, answer_of
from web.fetching.failure import NotFetched

KEPT_HEADERS = (
    "content-type",
    "content-length",
    "content-encoding",
    "content-language",
    "content-disposition",
    "date",
    "last-modified",
    "etag",
    "expires",
    "cache-control",
    "age",
    "retry-after",
)
LONGEST_VALUE = 1_000
REDIRECTS = (301, 302, 303, 307, 308)
Headers = tuple[tuple[str, str], ...]


@attrs.frozen(kw_only=True)
class Limits:
    """What one fetch may take: bytes as received and unpacked, seconds in all, redirects.

    ``whole`` says that a longer body is refused; otherwise what there is of it is enough.
    """

    bytes_received: int = MOST_BYTES
    bytes_unpacked: int = MOST_BYTES
    seconds: float = 120.0
    redirects: int = 5
    whole: bool = True


@attrs.frozen(kw_only=True)
class Fetched:
    """An answer: ``body`` as received, ``content`` unpacked; ``found_at`` after redirects."""

    asked: str
    found_at: str
    status: int
    reason: str
    headers: Headers
    body: bytes = attrs.field(repr=False)
    content: bytes = attrs.field(repr=False)

    def header(self, name: str) -> str | None:
        """The value of a header that was kept."""
        return next((value for known, value in self.headers if known == name), None)

    @property
    def media_type(self) -> str | None:
        """Its type as the server says it, without parameters."""
        stated = (self.header("content-type") or "").partition(";")[0].strip().lower()
        return stated or None


def pass_on(_: Place) -> None:
    """Nothing stands in the way of a hop."""


@attrs.frozen(kw_only=True)
class Fetcher:
    """How addresses are asked, and what is allowed.

    ``agent`` says who we are. ``gate`` is asked before every hop, and may refuse it or wait.
    """

    agent: str
    permits: Callable[[Number], bool] = is_public
    limits: Limits = Limits()
    lookup: Lookup = look_up

    def get(self, address: str, gate: Callable[[Place], None] = pass_on) -> Fetched:
        """The answer that an address leads to, whatever its status. Raises ``NotFetched``.

        The time of waiting at the gate is not the server's, and does not count.
        """
        place, seen = place_of(address), list[str]()
        seconds = self.limits.seconds
        while True:
            gate(place)
            began = time.monotonic()
            found = self._hop(address, place, seconds)
            seconds -= time.monotonic() - began
            if isinstance(found, Fetched):
                return found
            seen.append(place.address)
            place = self._onward(place, found, seen)

    def _hop(self, asked: str, place: Place, seconds: float) -> Fetched | str:
        """One request: the answer, or where it leads."""
        deadline = Deadline.after(seconds)
        try:
            left = deadline.left()
        except TimeoutError:
            raise NotFetched(place.address, "timeout", "it takes too long") from None
        numbers = numbers_of(place, self.lookup, self.permits, left)
        headers = {"User-Agent": self.agent, "Accept": "*/*", "Accept-Encoding": "identity"}
        with answer_of(place, numbers, headers, deadline) as answer:
            if answer.status in REDIRECTS:
                return answer.headers.get("location", "")
            body = received(answer, self.limits.bytes_received)
            return self._fetched(asked, place, answer, body)

    def _fetched(
        self, asked: str, place: Place, answer: http.client.HTTPResponse, body: bytes
    ) -> Fetched:
        limits, content = self.limits, body
        if limits.whole:
            if len(body) > limits.bytes_received:
                why = f"it has more than {limits.bytes_received:,} bytes"
                raise NotFetched(place.address, "too-large", why, status=answer.status)
            coding = ",".join(answer.headers.get_all("content-encoding", []))
            content = unpacked(place.address, body, coding, limits.bytes_unpacked)
        return Fetched(
            asked=asked,
            found_at=place.address,
            status=answer.status,
            reason=printable(answer.reason),
            headers=kept(answer.getheaders()),
            body=body,
            content=content,
        )

    def _onward(self, place: Place, location: str, seen: Sequence[str]) -> Place:
        """Where a redirect leads; each address is asked once, and never less safely."""
        if not location:
            raise NotFetched(place.address, "redirect-nowhere", "it redirects without an address")
        try:
            onward = place_of(urljoin(place.address, _spelled(location)))
        except ValueError:
            raise NotFetched(place.address, "bad-address", "it redirects to no address") from None
        if onward.address in seen:
            raise NotFetched(place.address, "redirect-loop", "its redirects lead in a circle")
        if len(seen) > self.limits.redirects:
            why = f"it redirects more than {self.limits.redirects} times"
            raise NotFetched(place.address, "too-many-redirects", why)
        if place.scheme == "https" and onward.scheme == "http":
            raise NotFetched(place.address, "downgrade", "it leads from https to plain http")
        return onward


def _spelled(location: str) -> str:
    """A Location as sent: bytes of UTF-8 that were read as Latin-1 are put right."""
    try:
        return location.strip().encode("latin-1").decode("utf-8")
    except UnicodeError:
        return location.strip()


def kept(headers: Sequence[tuple[str, str]]) -> Headers:
    """The headers that are kept, by their names in small letters."""
    return tuple(
        (name.lower(), printable(value)) for name, value in headers if name.lower() in KEPT_HEADERS
    )


def printable(text: str) -> str:
    """Text of a server as one line of ASCII, the rest spelled out, of a length that can be kept."""
    shown = "".join(letter if letter.isprintable() else " " for letter in text[:LONGEST_VALUE])
    return shown.encode("ascii", "backslashreplace").decode()[:LONGEST_VALUE].strip()


def fetcher(agent: str, *, allow_private: bool, limits: Limits | None = None) -> Fetcher:
    """A fetcher for this machine: of public addresses, or of any where that is allowed."""
    permits = anywhere if allow_private else is_public
    return Fetcher(agent=agent, permits=permits, limits=limits or Limits())
