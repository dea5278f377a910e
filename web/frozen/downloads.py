"""The frozen bytes of a reading as a download; however many there are, few are held at a time."""

from collections.abc import Iterator
from typing import BinaryIO

from flask import Response

from ledger.archive import PIECE, Archive
from ledger.importing.large import TOO_LARGE_TO_HOLD
from ledger.values import Digest


def frozen_bytes(archive: Archive, digest: Digest) -> Response:
    """The bytes, checked before the first one goes out. Raises ``NotFound`` or ``Damaged``."""
    if archive.size(digest) <= TOO_LARGE_TO_HOLD:
        response = Response(archive.get(digest), content_type="text/plain; charset=utf-8")
    else:
        size = archive.check(digest)
        stream = archive.open(digest)
        response = Response(_pieces(stream), content_type="text/plain; charset=utf-8")
        response.content_length = size
        response.call_on_close(stream.close)
    response.headers["Content-Disposition"] = f'attachment; filename="{digest}.txt"'
    return response


def _pieces(stream: BinaryIO) -> Iterator[bytes]:
    while piece := stream.read(PIECE):
        yield piece
