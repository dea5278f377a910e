"""One GET over one connection, which ends by a moment that nothing on the other side can move.

Every read waits only for what is left of the time, so a server that sends a byte now and then is
as bounded as one that sends none.
"""

import http.client
import io
import socket
import ssl
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import cast

import attrs
from typing_extensions import Buffer

from web.fetching.addresses import Number, Place
from web.fetching.failure import NotFetched

MOST_TRIED = 3
"""How many of a host's numbers are tried."""


@attrs.frozen
class Deadline:
    """When all has to be over, by a clock that nobody sets."""

    end: float

    @classmethod
    def after(cls, seconds: float) -> "Deadline":
        """So many seconds from now."""
        return cls(time.monotonic() + seconds)

    def left(self) -> float:
        """The seconds that are left. Raises ``TimeoutError`` when none are."""
        left = self.end - time.monotonic()
        if left <= 0:
            raise TimeoutError
        return left


class _Timed(io.RawIOBase):
    """What comes over a socket, until the deadline."""

    def __init__(self, sock: socket.socket, deadline: Deadline) -> None:
        self._sock = sock
        self._deadline = deadline

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Buffer, /) -> int:
        self._sock.settimeout(self._deadline.left())
        return self._sock.recv_into(buffer)


@attrs.frozen
class _Readable:
    """As much of a socket as ``http.client`` needs of it to read an answer."""

    sock: socket.socket
    deadline: Deadline

    def makefile(self, _: str) -> io.BufferedReader:
        return io.BufferedReader(_Timed(self.sock, self.deadline))


@contextmanager
def answer_of(
    place: Place, numbers: Sequence[Number], headers: Mapping[str, str], deadline: Deadline
) -> Iterator[http.client.HTTPResponse]:
    """The answer to a GET, its body not read yet; what goes wrong meanwhile is a refusal."""
    try:
        sock = _connected(numbers, place.port, deadline)
        try:
            sock = _secured(sock, place, deadline)
            sock.settimeout(deadline.left())
            sock.sendall(_request(place, headers))
            readable = cast("socket.socket", _Readable(sock, deadline))
            with http.client.HTTPResponse(readable, method="GET") as answer:
                answer.begin()
                yield answer
        finally:
            sock.close()
    except (OSError, http.client.HTTPException) as why:
        raise failure_of(place, why) from None


def _connected(numbers: Sequence[Number], port: int, deadline: Deadline) -> socket.socket:
    """A connection to the first number that takes one; each has its share of the time."""
    last: OSError = ConnectionRefusedError()
    tried = numbers[:MOST_TRIED]
    for place, number in enumerate(tried):
        seconds = deadline.left() / (len(tried) - place)
        try:
            return socket.create_connection((str(number), port), timeout=seconds)
        except OSError as why:
            last = why
    raise last


def _secured(sock: socket.socket, place: Place, deadline: Deadline) -> socket.socket:
    """The connection under TLS, where the address asks for it: for that host alone."""
    if place.scheme != "https":
        return sock
    sock.settimeout(deadline.left())
    context = ssl.create_default_context()
    return context.wrap_socket(sock, server_hostname=place.host)


def _request(place: Place, headers: Mapping[str, str]) -> bytes:
    lines = [f"GET {place.target} HTTP/1.1", f"Host: {place.authority}"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    return "\r\n".join([*lines, "Connection: close", "", ""]).encode("ascii")


def failure_of(place: Place, why: OSError | http.client.HTTPException) -> NotFetched:
    """What went wrong on a connection, as a refusal with its cause."""
    address = place.address
    match why:
        case TimeoutError():
            return NotFetched(address, "timeout", "it takes too long")
        case ssl.SSLCertVerificationError():
            return NotFetched(address, "tls", f"its certificate is refused, {why.verify_message}")
        case ConnectionRefusedError():
            return NotFetched(address, "refused", "its host refuses the connection")
        case http.client.IncompleteRead():
            return NotFetched(address, "truncated", "its answer ends before it is over")
        case http.client.RemoteDisconnected() | ConnectionError() | ssl.SSLEOFError():
            return NotFetched(address, "hung-up", "its host hangs up")
        case ssl.SSLError():
            return NotFetched(address, "tls", "no safe connection comes about")
        case http.client.HTTPException():
            return NotFetched(address, "not-http", "its answer is not HTTP")
        case _:
            said = why.strerror or type(why).__name__
            return NotFetched(address, "no-connection", f"its host cannot be reached, {said}")
