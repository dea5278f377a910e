"""Pages that are pinned to a position, kept whole and given out before anything else is looked at.

Such a page never changes again (the second promise) and is the same for everybody, so the process
that made it once may give it to whoever asks next. Only what says by itself that anybody may keep
it for ever is kept, by its whole address, the server's name and the coding; what was asked for
longest ago goes first.
"""

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

import attrs

from web.headers import FOR_EVER
from web.seen import seen_in
from web.whole_pages import LARGEST, Headers, WholePage, WholePages

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

MOST_BYTES = 64 * 1024 * 1024
PINNED = "recorded_through="
READING = "GET"

Key = tuple[str, ...]

_TAGS = re.compile(r'(?:W/)?"([^"]*)"')


@attrs.define
class PinnedPages:
    """The application with what it gave out for ever in front of it; threads share it."""

    app: "WSGIApplication"
    pages: WholePages = attrs.field(factory=lambda: WholePages(MOST_BYTES))

    @property
    def given(self) -> int:
        """How many pages were given out of here."""
        return self.pages.given

    def __call__(
        self, environ: "WSGIEnvironment", start_response: "StartResponse"
    ) -> Iterable[bytes]:
        """Answer from here, or from the application and keep what it says may be kept."""
        query = environ.get("QUERY_STRING", "")
        if PINNED not in query or environ["REQUEST_METHOD"] != READING:
            return self.app(environ, start_response)
        key = _key(environ)
        page = self.pages.find(key)
        if page is None:
            return self._made(key, environ, start_response)
        seen_in(environ).given(page.route)
        if page.tag and page.tag in _TAGS.findall(environ.get("HTTP_IF_NONE_MATCH", "")):
            start_response("304 NOT MODIFIED", _without_body(page.headers))
            return []
        start_response("200 OK", list(page.headers))
        return [page.body]

    def _made(
        self, key: Key, environ: "WSGIEnvironment", start_response: "StartResponse"
    ) -> Iterable[bytes]:
        told: list[tuple[str, Headers]] = []

        def start(status: str, headers: list[tuple[str, str]], failed: object = None) -> object:
            told.append((status, tuple(headers)))
            return start_response(status, headers, *([failed] if failed else []))  # type: ignore[arg-type]

        parts = self.app(environ, start)  # type: ignore[arg-type]
        if not told or not _may_be_kept(*told[-1]):
            return parts
        body = b"".join(parts)
        getattr(parts, "close", bool)()
        headers, route = told[-1][1], seen_in(environ).route
        self.pages.keep(key, WholePage(headers, _tag_in(headers), body, route))
        return [body]


def _key(environ: "WSGIEnvironment") -> Key:
    """Whose address it is, the address, and what coding may be sent."""
    named = ("wsgi.url_scheme", "HTTP_HOST", "SERVER_NAME", "SERVER_PORT", "SCRIPT_NAME")
    whose = (str(environ.get(name, "")) for name in named)
    asked = (environ.get("PATH_INFO", ""), environ.get("QUERY_STRING", ""))
    return (*whose, *asked, environ.get("HTTP_ACCEPT_ENCODING", ""), environ.get("HTTP_ACCEPT", ""))


def _may_be_kept(status: str, headers: Headers) -> bool:
    """Whether it says that anybody may keep it for ever; it may differ by its coding alone."""
    named = {name.lower(): value for name, value in headers}
    return (
        status.startswith("200")
        and named.get("cache-control") == FOR_EVER
        and named.get("vary", "Accept-Encoding") == "Accept-Encoding"
        and "set-cookie" not in named
        and int(named.get("content-length", LARGEST + 1)) <= LARGEST
    )


def _tag_in(headers: Headers) -> str:
    found = next((value for name, value in headers if name.lower() == "etag"), "")
    return "".join(_TAGS.findall(found))


def _without_body(headers: Headers) -> list[tuple[str, str]]:
    return [
        (name, value)
        for name, value in headers
        if name.lower() not in ("content-length", "content-type", "content-encoding")
    ]
