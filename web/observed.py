"""The application with somebody in front of it who notes what it is asked, and what came of it.

Outermost of all, so that it sees what is given out before the application is asked as well. It is
counted (:mod:`web.counted`) and, where that is wanted, logged (:mod:`web.logged`) once the last
byte is out. Nothing in here keeps an answer from anybody.
"""

import re
import secrets
import time
from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING, Any

import attrs
from flask import Flask, has_request_context, request
from werkzeug.wsgi import ClosingIterator

from ledger.store import Appended
from web import logged
from web.counted import Counted
from web.seen import Seen, seen_in
from web.showing.kept import GIVEN
from web.site import Site

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{8,64}")


@attrs.define
class Observed:
    """The application, and who notes; threads share it."""

    app: "WSGIApplication"
    counted: Counted
    site: Site
    _views: int = attrs.field(default=0, init=False)
    _pages: int = attrs.field(default=0, init=False)

    def __call__(
        self, environ: "WSGIEnvironment", start_response: "StartResponse"
    ) -> Iterable[bytes]:
        """Answer, and note it when the answer has gone out."""
        begun, seen = time.monotonic(), seen_in(environ)
        seen.method = environ["REQUEST_METHOD"]
        done = partial(self._note, environ, seen, begun)

        def start(status: str, headers: Any, failed: Any = None) -> Any:
            seen.status = int(status[:3])
            return start_response(status, headers, *([failed] if failed else []))

        try:
            parts = self.app(environ, start)
        except BaseException:
            done()
            raise
        if isinstance(parts, list) or _is_file(environ, parts):
            done()
            return parts
        return ClosingIterator(parts, done)

    def _note(self, environ: "WSGIEnvironment", seen: Seen, begun: float) -> None:
        seconds = time.monotonic() - begun
        self.counted.request(seen.route, seen.method, seen.status, seconds)
        if seen.refused is not None:
            self.counted.refusals.labels(seen.refused).inc()
        self._count_hits(seen)
        if not logged.is_wanted():
            return
        seen.id = _id(environ, trusted=self.site.workspace.settings.proxies > 0)
        if seen.appended:
            logged.recorded(self.site.workspace.ledger.store, seen)
        logged.request(seen, seconds)

    def _count_hits(self, seen: Seen) -> None:
        """Count what was given out of a cache since the last look. Two threads that look at once
        may count one hit twice, or not at all: it is a rate, and proves nothing."""
        views, pages = GIVEN.count, self.site.whole.given
        found = {
            "pinned page": int(seen.is_pinned),
            "unchanged": int(seen.status == 304),
            "kept view": views - self._views,
            "whole page": pages - self._pages,
        }
        self._views, self._pages = views, pages
        for cache, hits in found.items():
            if hits > 0:
                self.counted.hits.labels(cache).inc(hits)


def _id(environ: "WSGIEnvironment", *, trusted: bool) -> str:
    """What the request is called in the log: as a proxy of ours called it, else as we do."""
    given = environ.get("HTTP_X_REQUEST_ID", "") if trusted else ""
    return given if REQUEST_ID.fullmatch(given) else secrets.token_hex(8)


def _is_file(environ: "WSGIEnvironment", parts: Iterable[bytes]) -> bool:
    """Whether it is a file, which the server sends by the kernel as long as nobody wraps it."""
    wrapper = environ.get("wsgi.file_wrapper")
    return isinstance(wrapper, type) and isinstance(parts, wrapper)


# --- what happens inside ----------------------------------------------------------------------


def observe(app: Flask, site: Site, counted: Counted) -> None:
    """Put an observer in front of the app; call it once all else stands in front of it."""
    app.before_request(_note_route)
    site.freshness.told = _note_position
    site.workspace.ledger.store.tell(_hearer(counted))
    app.wsgi_app = Observed(app.wsgi_app, counted, site)  # type: ignore[method-assign]


def _note_route() -> None:
    if request.url_rule is not None:
        seen_in(request.environ).route = request.url_rule.rule


def _note_position(position: int) -> None:
    if has_request_context():
        seen_in(request.environ).position = position


def _hearer(counted: Counted) -> Callable[[Appended], None]:
    def hear(appended: Appended) -> None:
        counted.appended.inc(appended.count)
        if has_request_context():
            seen_in(request.environ).recorded(appended)

    return hear
