"""A request reaches a thread only when all of it is here: a client that sends a byte a second waits
by itself.

Gunicorn's threads read from the network, and as many slow clients as there are threads would stop
all others. Here its main loop gathers what comes in, without waiting, and hands it over whole. A
request has to be in within :data:`ARRIVAL` seconds and may have :data:`MOST` bytes; all that are
on their way have :data:`MOST_TOGETHER`. Who is over is told so, or just left. What breaks off in
its body is handed over too: the pages refuse it (:mod:`web.cli.bodies`).
"""

import selectors
import socket
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

import attrs
from gunicorn.workers.gthread import (  # type: ignore[import-untyped]  # it ships no types
    TConn,
    ThreadWorker,
)

from web.cli.chunks import Chunks

ARRIVAL = 30.0
"""Seconds from a request's first moment to its last byte."""

MOST = 4 * 1024 * 1024
"""Bytes of a request: more than the largest form with files that any view takes."""

MOST_TOGETHER = 64 * 1024 * 1024
"""Bytes of all requests that are on their way."""

SMALL = 64 * 1024
"""Bytes that a request may have even when too many others are on their way; and of a head."""

PIECE = 64 * 1024
END = b"\r\n\r\n"
TOO_LARGE = b"HTTP/1.1 413 Content Too Large\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"


@attrs.define(eq=False)
class Coming:
    """What has come of one request, and until when the rest may take."""

    until: float
    data: bytearray = attrs.field(factory=bytearray)
    watched: bool = False
    needs: int | None = None
    """How many bytes it will have; ``None`` until its head tells."""
    chunks: Chunks | None = None

    @property
    def is_whole(self) -> bool:
        """Whether all of it is here, or so much that there is nothing to wait for."""
        if self.needs is None:
            head = self.data.find(END)
            if head < 0:
                return len(self.data) > SMALL
            length = _body_of(bytes(self.data[:head]))
            self.needs = head + len(END) + (length or 0)
            if length is None:
                self.chunks = Chunks(self.needs)
        if self.chunks is not None:
            return self.chunks.look(self.data)
        return len(self.data) >= self.needs

    @property
    def is_broken(self) -> bool:
        """Whether its chunks are none, so that the rest of it cannot be read."""
        return self.chunks is not None and self.chunks.is_broken

    @property
    def is_too_large(self) -> bool:
        """Whether it is longer than anything that is taken here."""
        return max(len(self.data), self.needs or 0, self.chunks.needs if self.chunks else 0) > MOST


def _body_of(head: bytes) -> int | None:
    """How many bytes follow a head, ``None`` when they are chunks that tell by themselves; what is
    odd about it is for the real parser to refuse."""
    length = 0
    for line in head.split(b"\r\n")[1:]:
        name, _, value = line.partition(b":")
        match name.strip().lower():
            case b"transfer-encoding":
                return None
            case b"content-length" if value.strip().isdigit():
                length = int(value.strip()[:18])
    return length


class Gathering(ThreadWorker):  # type: ignore[misc]
    """Gunicorn's worker with threads, which get whole requests."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._coming: dict[TConn, Coming] = {}
        self._whole: dict[TConn, bytes] = {}

    def enqueue_req(self, conn: TConn) -> None:
        """A connection has something to say: listen until it is said. Called in the main loop."""
        coming = Coming(time.monotonic() + ARRIVAL)
        if conn.initialized:
            # What came with the request before is the beginning of this one.
            coming.data += conn.parser.unreader.take_buffered()
        conn.sock.setblocking(False)
        self._coming[conn] = coming
        self._listen(conn)

    def handle(self, conn: TConn) -> Any:
        """Answer a whole request; called in a thread."""
        conn.data_ready = True
        conn.sock.setblocking(True)
        conn.init()
        conn.parser.unreader.unread(self._whole.pop(conn))
        return super().handle(conn)

    def murder_pending(self) -> None:
        """Leave those whose time is over; when the server stops, also those who said nothing."""
        super().murder_pending()
        now = time.monotonic()
        for conn, coming in list(self._coming.items()):
            if coming.until < now or not (self.alive or coming.data):
                self._leave(conn)

    def _listen(self, conn: TConn) -> None:
        coming = self._coming[conn]
        while not coming.is_whole:
            if coming.is_too_large or self._is_crowded(coming):
                self._leave(conn, conn.sock.send)
                return
            try:
                piece = conn.sock.recv(PIECE)
            except BlockingIOError:
                self._watch(conn, coming)
                return
            except OSError:
                self._leave(conn)
                return
            if not piece:
                if coming.needs is not None:
                    break  # it was cut short: its sender may still listen, and is told so
                self._leave(conn)
                return
            coming.data += piece
        if coming.is_too_large:
            self._leave(conn, conn.sock.send)
            return
        if coming.is_broken:
            # So that no thread waits for more of it.
            with suppress(OSError):
                conn.sock.shutdown(socket.SHUT_RD)
        self._forget(conn)
        self._whole[conn] = bytes(coming.data)
        super().enqueue_req(conn)

    def _is_crowded(self, coming: Coming) -> bool:
        if len(coming.data) <= SMALL:
            return False
        return sum(len(one.data) for one in self._coming.values()) > MOST_TOGETHER

    def _watch(self, conn: TConn, coming: Coming) -> None:
        if not coming.watched:
            listen = partial(self._heard, conn)
            self.poller.register(conn.sock, selectors.EVENT_READ, listen)
            coming.watched = True

    def _heard(self, conn: TConn, _socket: object) -> None:
        self._listen(conn)

    def _leave(self, conn: TConn, send: Callable[[bytes], object] | None = None) -> None:
        """Close a connection of which nothing more is wanted; ``send`` says why first."""
        self._forget(conn)
        if send is not None:
            with suppress(OSError):
                send(TOO_LARGE)
        self.nr_conns -= 1
        conn.close()

    def _forget(self, conn: TConn) -> None:
        if self._coming.pop(conn).watched:
            self.poller.unregister(conn.sock)
