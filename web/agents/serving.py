"""Serving the tools: over standard input and output, or over HTTP beside the pages.

Over HTTP each request stands by itself (no sessions), a body is bounded, and the names that a
request may ask for are listed, so that no page of a browser can reach a server on its own machine
by a name that leads there (DNS rebinding).
"""

import signal
from collections.abc import Callable
from socket import socket
from urllib.parse import urlsplit

import anyio
import attrs
import uvicorn
from mcp.server.transport_security import TransportSecuritySettings
from starlette.applications import Starlette
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from web.agents.asking import Pages
from web.agents.server import server_on
from web.reporting.pages import LARGEST_FIELDS
from web.settings import Settings

PATH = "/mcp"
LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
MOST_AT_ONCE = 64
"""Requests under way; who comes after them is told to come again (503)."""
LONGEST_REQUEST = 60
"""Seconds that a request may take, its body included."""
PATIENCE = 5
"""Seconds that requests under way get to finish when the server is stopped."""


def over_stdio(pages: Pages) -> None:
    """Serve one program, until it closes its end."""
    server_on(pages).run("stdio")


def over_http(pages: Pages, host: str, port: int, ready: Callable[[], None]) -> None:
    """Serve at an address until stopped; ``ready`` is called once it can be reached."""
    config = uvicorn.Config(
        http_app(pages, host),
        host=host,
        port=port,
        log_level="warning",
        access_log=False,
        # Whom to believe is our own setting, not what the machine's environment says.
        proxy_headers=False,
        server_header=False,
        limit_concurrency=MOST_AT_ONCE,
        timeout_graceful_shutdown=PATIENCE,
    )
    for one in (signal.SIGINT, signal.SIGTERM):
        # Uvicorn stops at these by itself, and raises them again once it has stopped.
        signal.signal(one, _stopped)
    Serving(config, ready).run()


def _stopped(*_: object) -> None:
    raise SystemExit(0)


class Serving(uvicorn.Server):
    """Uvicorn, which says when it can be reached."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self.ready = ready

    async def startup(self, sockets: list[socket] | None = None) -> None:
        """Listen, then say so."""
        await super().startup(sockets)
        if self.started:
            self.ready()


def http_app(pages: Pages, host: str) -> Starlette:
    """The tools as an ASGI app, at :data:`PATH`."""
    settings = pages.site.workspace.settings
    app = server_on(pages, settings.proxies).streamable_http_app(
        streamable_http_path=PATH,
        json_response=True,
        stateless_http=True,
        max_request_body_size=LARGEST_FIELDS,
        transport_security=allowed(settings, host),
        host=host,
    )
    app.add_middleware(Bounded)
    return app


@attrs.frozen
class Bounded:
    """An app whose requests end: a stream of messages that never come is not opened, as the
    protocol allows, and whoever is too slow is cut off."""

    app: ASGIApp

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or listen to what the server says of its life."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
        elif scope["method"] == "GET":
            await Response(status_code=405, headers={"Allow": "POST"})(scope, receive, send)
        else:
            with anyio.move_on_after(LONGEST_REQUEST):
                await self.app(scope, receive, send)


def allowed(settings: Settings, host: str) -> TransportSecuritySettings:
    """The names that requests may ask for, and the pages that may ask: this machine's, the address
    that is listened at, and where people reach the pages."""
    named = f"[{host}]" if ":" in host else host
    names = [f"{one}:*" for one in dict.fromkeys((*LOOPBACK, named))]
    origins = [f"http://{one}" for one in names]
    if settings.address:
        own = urlsplit(settings.address).netloc
        names += [own, f"{own}:*"]
        origins.append(settings.address)
    return TransportSecuritySettings(allowed_hosts=names, allowed_origins=origins)
