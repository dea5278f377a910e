"""WARC (ISO 28500) in and out: one response record for each answer.

Out: the answer as received, with the headers that are kept, under an id that follows from what it
holds, so the same answer is the same bytes. In: what is packed is unpacked here first, in pieces,
so no record can become longer than is allowed.
"""

import io
import uuid
import zlib
from contextlib import redirect_stderr
from hashlib import sha256

import attrs
from warcio.archiveiterator import ArchiveIterator
from warcio.bufferedreaders import ChunkedDataException, ChunkedDataReader
from warcio.exceptions import ArchiveLoadFailed
from warcio.recordloader import ArcWarcRecord
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from ledger.errors import FileRefused, Refused
from ledger.importing.limits import MIB, MOST_BYTES
from ledger.values import LONGEST_ADDRESS, Instant, instant_text, parse_instant
from web.fetching.addresses import place_of
from web.fetching.body import PACKED, PIECE, TooLong, inflated, unpacked
from web.fetching.failure import NotFetched
from web.fetching.get import Fetched, kept, printable

MOST_UNPACKED = 4 * MOST_BYTES
MOST_RECORDS = 10_000
ENDINGS = (".warc", ".warc.gz")
GZIP = b"\x1f\x8b"
VERSION = "WARC/1.1"
BESIDE = ("warcinfo", "request", "metadata")
"""Records that say something beside the answers, and are passed over."""


@attrs.frozen
class Response:
    """An answer, and when it was given; ``number`` counts the records of a file from 1."""

    fetched: Fetched
    read_at: Instant
    number: int = 1


@attrs.frozen
class LeftOut:
    """A record that was not taken, and why; ``number`` counts the records of a file from 1."""

    number: int
    address: str
    why: str


# --- out --------------------------------------------------------------------------------------


def response_record(one: Response, *, packed: bool = False) -> bytes:
    """An answer as a WARC of one record; ``packed`` with gzip, as ``.warc.gz`` has it."""
    fetched, instant = one.fetched, instant_text(one.read_at)
    headers = [(name, value) for name, value in fetched.headers if name != "content-length"]
    headers.append(("content-length", str(len(fetched.body))))
    status = StatusAndHeaders(f"{fetched.status} {fetched.reason}", headers, protocol="HTTP/1.1")
    out = io.BytesIO()
    writer = WARCWriter(out, gzip=packed, warc_version=VERSION)
    # The id follows from what the record holds: address, instant, status and bytes.
    name = f"{fetched.found_at} {instant} {fetched.status} {sha256(fetched.body).hexdigest()}"
    about = {
        "WARC-Record-ID": f"<urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, name)}>",
        "WARC-Date": instant,
    }
    record = writer.create_warc_record(
        fetched.found_at,
        "response",
        payload=io.BytesIO(fetched.body),
        length=len(fetched.body),
        http_headers=status,
        warc_headers_dict=about,
    )
    writer.write_record(record)
    return out.getvalue()


# --- in ---------------------------------------------------------------------------------------


def is_warc(name: str) -> bool:
    """Whether a file is a WARC, by its name."""
    return name.lower().endswith(ENDINGS)


def responses_in(name: str, data: bytes) -> list[Response | LeftOut]:
    """The answers that a WARC holds, and what of it is no answer that can be frozen.

    Raises ``FileRefused`` for what is no WARC, is damaged, or is too large.
    """
    records = ArchiveIterator(io.BytesIO(_plain(name, data)))
    found: list[Response | LeftOut] = []
    try:
        # The library says there what it then guesses; a file of which any is guessed is refused.
        with redirect_stderr(io.StringIO()):
            for number, record in enumerate(records, 1):
                if number > MOST_RECORDS:
                    raise FileRefused(file=name, why=f"it has more than {MOST_RECORDS} records")
                if record.format != "warc":
                    raise FileRefused(file=name, why="it is no WARC")
                if record.rec_type not in BESIDE:
                    found.append(_read(number, record))
    except (ArchiveLoadFailed, ValueError, EOFError, AttributeError, TypeError) as why:
        said = f"it cannot be read as WARC ({type(why).__name__})"
        raise FileRefused(file=name, why=said) from None
    if records.err_count:
        raise FileRefused(file=name, why="its records have other lengths than they state")
    return found


def _plain(name: str, data: bytes) -> bytes:
    if not data.startswith(GZIP):
        return data
    try:
        return inflated(data, PACKED["gzip"], MOST_UNPACKED)
    except TooLong:
        why = f"unpacked it has more than {MOST_UNPACKED // MIB} MiB; split it"
    except EOFError:
        why = "its gzip ends before it is over"
    except zlib.error:
        why = "it is no gzip"
    raise FileRefused(file=name, why=why)


def _read(number: int, record: ArcWarcRecord) -> Response | LeftOut:
    """One record as an answer, or why it is none."""
    address = str(record.rec_headers.get_header("WARC-Target-URI") or "")[: LONGEST_ADDRESS + 1]
    if record.rec_type != "response" or record.http_headers is None:
        return LeftOut(number, address, f"it is a record of type {printable(record.rec_type)}")
    if record.rec_headers.get_header("WARC-Truncated"):
        return LeftOut(number, address, "it was cut off when it was recorded")
    try:
        place_of(address)
        read_at = parse_instant(record.rec_headers.get_header("WARC-Date") or "")
        return Response(_fetched(address, record), read_at, number)
    except NotFetched as no:
        return LeftOut(number, address, str(no.fields["why"]))
    except Refused as no:
        return LeftOut(number, address, str(no))


def _fetched(address: str, record: ArcWarcRecord) -> Fetched:
    http = record.http_headers
    body = _body(address, record)
    coding = http.get_header("Content-Encoding") or ""
    status, _, reason = http.statusline.partition(" ")
    return Fetched(
        asked=address,
        found_at=address,
        status=int(status),
        reason=printable(reason),
        headers=kept(http.headers),
        body=body,
        content=unpacked(address, body, coding, MOST_BYTES),
    )


def _body(address: str, record: ArcWarcRecord) -> bytes:
    """What the server sent as the body, put together where it came in chunks."""
    chunked = (record.http_headers.get_header("Transfer-Encoding") or "").lower() == "chunked"
    raw = record.raw_stream
    stream = ChunkedDataReader(raw, raise_exceptions=True, decomp_type=None) if chunked else raw
    body, cut_off = bytearray(), False
    try:
        while len(body) <= MOST_BYTES and (piece := stream.read(PIECE)):
            body += piece
    except ChunkedDataException:
        cut_off = True
    if len(body) > MOST_BYTES:
        raise NotFetched(address, "too-large", f"it has more than {MOST_BYTES:,} bytes")
    if cut_off or not (chunked or len(body) == max(0, record.payload_length)):
        raise NotFetched(address, "truncated", "it ends before the length that it states")
    return bytes(body)
