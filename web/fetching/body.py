"""What an answer brings, no more of it than is allowed: as received, and unpacked."""

import http.client
import zlib

from web.fetching.failure import NotFetched

PIECE = 1 << 16
PACKED = {"gzip": zlib.MAX_WBITS + 16, "x-gzip": zlib.MAX_WBITS + 16, "deflate": zlib.MAX_WBITS}
MOST_LAYERS = 2


def received(answer: http.client.HTTPResponse, most: int) -> bytes:
    """The body as it comes, of at most ``most`` bytes and one more, which says that it is too
    long. Raises ``IncompleteRead`` for one that ends before its stated length.
    """
    promised, found = answer.length, bytearray()
    while len(found) <= most and (piece := answer.read1(PIECE)):
        found += piece
    if len(found) <= most and promised is not None and len(found) < promised:
        raise http.client.IncompleteRead(b"", promised - len(found))
    return bytes(found[: most + 1])


def unpacked(address: str, body: bytes, coding: str, most: int) -> bytes:
    """A body without the coding that it came in, of at most ``most`` bytes.

    It is unpacked in pieces, so what would become too long is never held.
    """
    layers = [one.strip().lower() for one in coding.split(",") if one.strip()]
    layers = [one for one in layers if one != "identity"]
    if len(layers) > MOST_LAYERS:
        raise NotFetched(address, "coding", f"it is packed {len(layers)} times over")
    for layer in reversed(layers):
        if layer not in PACKED:
            shown = ascii(layer[:40])
            raise NotFetched(address, "coding", f"it is packed as {shown}, which nobody asked for")
        body = _without(address, body, layer, most)
    return body


def _without(address: str, body: bytes, layer: str, most: int) -> bytes:
    try:
        return inflated(body, PACKED[layer], most)
    except zlib.error:
        if layer != "deflate":
            raise NotFetched(address, "coding", f"it is no {layer}") from None
    except TooLong:
        raise _bomb(address, most) from None
    except EOFError:
        raise NotFetched(address, "truncated", f"its {layer} ends before it is over") from None
    try:  # what some servers call deflate has no header
        return inflated(body, -zlib.MAX_WBITS, most)
    except TooLong:
        raise _bomb(address, most) from None
    except (zlib.error, EOFError):
        raise NotFetched(address, "coding", f"it is no {layer}") from None


def _bomb(address: str, most: int) -> NotFetched:
    return NotFetched(address, "too-large", f"unpacked it has more than {most:,} bytes")


class TooLong(Exception):
    """What is unpacked has more bytes than are allowed."""


def inflated(body: bytes, window: int, most: int) -> bytes:
    """Packed bytes, unpacked; one gzip member may follow the other.

    Raises ``zlib.error``, ``EOFError`` where they end too early, and :class:`TooLong`.
    """
    found, place = bytearray(), 0
    while place < len(body):
        one, piece = zlib.decompressobj(window), b""
        while not one.eof:
            if not piece:
                piece = body[place : place + PIECE]
                place += len(piece)
            grown = one.decompress(piece, PIECE)
            piece = one.unconsumed_tail
            found += grown
            if len(found) > most:
                raise TooLong
            if not (grown or piece or one.eof) and place == len(body):
                raise EOFError
        place -= len(one.unused_data)
        if window <= zlib.MAX_WBITS:
            break
    return bytes(found)
