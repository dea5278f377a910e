"""A line to PostgreSQL that can be cut at the worst moment: just before or just after COMMIT."""

import select
import socket
from contextlib import closing, suppress
from threading import Thread
from typing import Self
from urllib.parse import urlsplit, urlunsplit

COMMIT = b"COMMIT"


class CutLine:
    """A proxy on loopback. Armed, it cuts the next connection that sends COMMIT, once.

    ``before``: the server never hears of it. ``after``: the server has committed, and its answer
    is lost. ``for good``: as before, and nobody gets through afterwards.
    """

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        self._server = (parts.hostname or "", parts.port or 5432)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._clients: list[socket.socket] = []
        self._threads = [Thread(target=self._accept)]
        host = f"{parts.username}:{parts.password}@127.0.0.1:{self._listener.getsockname()[1]}"
        self.url = urlunsplit(parts._replace(netloc=host))
        self.armed: str | None = None

    def __enter__(self) -> Self:
        """Start to listen."""
        self._threads[0].start()
        return self

    def __exit__(self, *_: object) -> None:
        """Hang up on everybody."""
        self._hang_up()
        for thread in self._threads:
            thread.join()

    def _hang_up(self) -> None:
        # Closing alone would leave accept and select waiting.
        for one in (self._listener, *self._clients):
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                self._clients.append(client)
                thread = Thread(target=self._forward, args=(client,))
                self._threads.append(thread)
                thread.start()

    def _forward(self, client: socket.socket) -> None:
        with closing(client), socket.create_connection(self._server) as server, suppress(OSError):
            while True:
                for ready in select.select([client, server], [], [])[0]:
                    data = ready.recv(1 << 16)
                    if not data or (ready is client and self._is_cut(data, server)):
                        return
                    (server if ready is client else client).sendall(data)

    def _is_cut(self, data: bytes, server: socket.socket) -> bool:
        if not self.armed or COMMIT not in data:
            return False
        moment, self.armed = self.armed, None
        if moment == "for good":
            self._hang_up()
        if moment == "after":
            server.sendall(data)
            # The answer says that it is done; nobody will hear it.
            assert server.recv(1 << 16)
        return True
