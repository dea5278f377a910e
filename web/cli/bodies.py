"""A body that does not arrive as it was announced is the sender's error, and nothing is done with
the part that did.

Gunicorn raises what no page of ours knows when chunks are malformed, and says nothing at all when
fewer bytes come than were announced. Here both become one refusal, which every page and program
gets in its own form.
"""

from collections.abc import Callable, Iterable
from io import RawIOBase
from typing import IO, Any

from gunicorn.http.errors import ParseException  # type: ignore[import-untyped]  # it has no types
from werkzeug.exceptions import BadRequest

Pages = Callable[[dict[str, Any], Any], Iterable[bytes]]


class BrokenBody(BadRequest):
    """The body of a request is cut short, or its chunks are no chunks."""

    description = (
        "The body of this request did not arrive as it was announced: it was cut short, or its "
        "chunks are malformed. Nothing was done with it; send it again, whole."
    )


class Announced(RawIOBase):
    """A body of so many bytes as were announced (``None`` where it tells its end by itself).

    Reading it raises :class:`BrokenBody` where it breaks off, also the second time.
    """

    def __init__(self, body: IO[bytes], length: int | None) -> None:
        super().__init__()
        self._body = body
        self._left = length
        self._broken = False

    def readable(self) -> bool:
        """Always."""
        return True

    def readinto(self, into: Any) -> int:
        """The next bytes; 0 at the end."""
        piece = self._read(len(into))
        into[: len(piece)] = piece
        return len(piece)

    def _read(self, size: int) -> bytes:
        if self._broken:
            raise BrokenBody
        try:
            piece = self._body.read(size)
        except (ParseException, OSError):
            self._broken = True
            raise BrokenBody from None
        if self._left is not None:
            self._left -= len(piece)
            if self._left > 0 and size > len(piece):
                self._broken = True
                raise BrokenBody
        return piece


def whole_bodies(pages: Pages) -> Pages:
    """The same pages, which read bodies as they were announced or not at all."""

    def answer(environ: dict[str, Any], start: Any) -> Iterable[bytes]:
        length = environ.get("CONTENT_LENGTH")  # Gunicorn took it, so it is a number
        environ["wsgi.input"] = Announced(environ["wsgi.input"], int(length) if length else None)
        return pages(environ, start)

    return answer
