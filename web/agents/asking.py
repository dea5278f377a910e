"""Asking our own pages from inside of this process, as somebody without an account.

So a tool answers what the page's JSON says, bounded and refused in the same way, and nothing that
pages do not show can get out by another door.
"""

import io
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, cast
from urllib.parse import urlencode, urlsplit

import attrs
import orjson
from flask import Flask, Response
from werkzeug.datastructures import MultiDict
from werkzeug.routing import MapAdapter

from ledger.errors import BeyondHead, Refused
from projections.board.benchmarks import benchmark_at
from projections.moment import moment_at
from reports.contract import Json
from web.asked import TIME, asked, time_of
from web.site import NAME, Look, Site

Given = Mapping[str, object]
"""Parameters as a tool was given them; ``None`` is one that was left out."""

CALLER: ContextVar[str] = ContextVar("caller", default="")
"""The network address of whoever calls; empty for a program of this machine's own user."""


class NotAnswered(Refused):
    """{why}"""


@attrs.frozen
class Pages:
    """The pages as tools see them."""

    app: Flask

    @property
    def site(self) -> Site:
        """The open ledger behind them."""
        return cast("Site", self.app.extensions[NAME])

    @property
    def origin(self) -> str | None:
        """Where people reach the pages, as far as the operator said so."""
        return self.site.workspace.settings.address

    def told(self, endpoint: str, values: Mapping[str, Any], given: Given) -> Json:
        """What a page says as JSON. Raises :class:`NotAnswered` with the sentence of its refusal.

        ``values`` fill its path and have to be checked before: a name with a slash in it would lead
        to another page.
        """
        environ = self._environ(self.path(endpoint, values), given)
        response = Response.from_app(self.app, environ, buffered=True)
        told = orjson.loads(response.get_data())
        if response.status_code != 200:
            raise NotAnswered(why=told["detail"])
        return cast("Json", told)

    @contextmanager
    def looking(self, given: Given, known: tuple[str, ...] = ()) -> Iterator[Look]:
        """The read model at the moment that the parameters ask for, as pages see it."""
        parameters = asked(MultiDict(_texts(given)), (*TIME, *known))
        reached, now = self.site.freshness.reached(), self.site.workspace.ledger.clock()
        try:
            moment = moment_at(reached, now, **time_of(parameters))
        except BeyondHead as refusal:
            raise reached.explain(refusal) from refusal
        with self.site.look(parameters, moment, reached, now.date()) as look:
            yield look

    def caveats_of(self, slug: str, given: Given) -> list[str]:
        """What stands above the board of a benchmark."""
        with self.looking(given) as look:
            return list(benchmark_at(look.reader, slug, look.moment).caveats)

    @contextmanager
    def called(self) -> Iterator[None]:
        """Be in a request of whoever calls, so that what counts tries knows whose they are."""
        with self.app.request_context(self._environ("/report", {})):
            yield

    def path(self, endpoint: str, values: Mapping[str, Any]) -> str:
        """The path of a page."""
        return self._routes().build(endpoint, dict(values))

    def link(self, endpoint: str, values: Mapping[str, Any], given: Given) -> str:
        """The address of a page, with the host where the operator named one."""
        query = urlencode(_texts(given))
        path = self.path(endpoint, values)
        return f"{self.origin or ''}{path}{'?' if query else ''}{query}"

    def _routes(self) -> MapAdapter:
        return self.app.url_map.bind(urlsplit(self.origin or "").netloc or "localhost")

    def _environ(self, path: str, given: Given) -> dict[str, Any]:
        """A request for reading, as WSGI (PEP 3333) has it."""
        parts = urlsplit(self.origin or "http://localhost")
        return {
            "REQUEST_METHOD": "GET",
            "SCRIPT_NAME": "",
            "PATH_INFO": path,
            "QUERY_STRING": urlencode(_texts(given)),
            "SERVER_NAME": parts.hostname or "localhost",
            "SERVER_PORT": str(parts.port or (443 if parts.scheme == "https" else 80)),
            "HTTP_HOST": parts.netloc,
            "SERVER_PROTOCOL": "HTTP/1.1",
            "REMOTE_ADDR": CALLER.get(),
            "wsgi.version": (1, 0),
            "wsgi.url_scheme": parts.scheme,
            "wsgi.input": io.BytesIO(),
            "wsgi.errors": sys.stderr,
            "wsgi.multithread": True,
            "wsgi.multiprocess": True,
            "wsgi.run_once": False,
        }


def _texts(given: Given) -> dict[str, str]:
    """The parameters that were given, as an address has them."""
    return {name: _text(value) for name, value in given.items() if value is not None}


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)
