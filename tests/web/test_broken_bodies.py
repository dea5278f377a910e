"""A body that is cut short or whose chunks are rubbish is refused as such, by the real server."""

import socket
from collections.abc import Iterator

import orjson
import pytest
from gunicorn.config import Config  # type: ignore[import-untyped]  # it ships no types
from gunicorn.http import RequestParser  # type: ignore[import-untyped]
from gunicorn.http.errors import ParseException  # type: ignore[import-untyped]
from hypothesis import event, given
from hypothesis import strategies as st

from tests.web.corrigenda import Corrigenda
from tests.web.served import served_home
from web.cli.bodies import BrokenBody
from web.cli.chunks import LONGEST_LINE, MOST
from web.cli.gathering import Coming

FORM = b"application/x-www-form-urlencoded"
FILES = b"multipart/form-data; boundary=b"
JSON = b"application/json"
RUBBISH = {
    "no size": b"zzz\r\nrubbish\r\n0\r\n\r\n",
    "no size and no end": b"zzz",
    "less than nothing": b"-5\r\nabcde\r\n0\r\n\r\n",
    "more than its size": b"2\r\na=b\r\n0\r\n\r\n",
    "an extension that is none": b"3;\x01\r\na=b\r\n0\r\n\r\n",
    "a trailer that is none": b"3\r\na=b\r\n0\r\nX\x00 y\r\n\r\n",
    "a size without an end": b"1;" + b"a" * 9_000,
}
CUT_SHORT = {
    "in a chunk": b"5\r\na=b",
    "between chunks": b"3\r\na=b\r\n",
    "in a size": b"3\r\na=b\r\n1",
    "before the last line": b"3\r\na=b\r\n0\r\n",
}


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """Where a real server listens, on an empty ledger."""
    home = tmp_path_factory.mktemp("bodies") / "home"
    Corrigenda(home).done("init")
    with served_home(home) as address:
        yield int(address.rpartition(":")[2])


def answer(port: int, head: bytes, body: bytes, *, cut: bool) -> tuple[int, bytes]:
    """Status and body of what is answered until the server hangs up; ``cut`` ends what is sent."""
    found = b""
    with socket.create_connection(("127.0.0.1", port), timeout=20) as connection:
        connection.sendall(b"POST " + head + b"\r\n\r\n" + body)
        if cut:
            connection.shutdown(socket.SHUT_WR)
        while more := connection.recv(65_536):
            found += more
    told, _, rest = found.partition(b"\r\n\r\n")
    return int(told.split(b" ", 2)[1]), rest


def head(path: bytes, kind: bytes, *more: bytes) -> bytes:
    """A request's head, without its first word."""
    return b"\r\n".join((path + b" HTTP/1.1", b"Host: x", b"Content-Type: " + kind, *more))


CHUNKED = b"Transfer-Encoding: chunked"


@pytest.mark.parametrize("kind", [FORM, FILES])
@pytest.mark.parametrize("body", RUBBISH.values(), ids=RUBBISH)
def test_chunks_that_are_rubbish_are_refused(port: int, kind: bytes, body: bytes) -> None:
    """At once, by a page with status 400 that says what is wrong, though no more is sent."""
    status, page = answer(port, head(b"/report", kind, CHUNKED), body, cut=False)
    assert (status, b"its chunks are malformed" in page) == (400, True)


@pytest.mark.parametrize("kind", [FORM, FILES])
@pytest.mark.parametrize("body", CUT_SHORT.values(), ids=CUT_SHORT)
def test_chunks_that_break_off_are_refused(port: int, kind: bytes, body: bytes) -> None:
    """Whoever sends no more, and still listens, is told so."""
    status, page = answer(port, head(b"/report", kind, CHUNKED), body, cut=True)
    assert (status, b"it was cut short" in page) == (400, True)


@pytest.mark.parametrize("path", [b"/report", b"/login"])
def test_a_body_shorter_than_announced_is_refused(port: int, path: bytes) -> None:
    """The part that is here is never taken for the whole."""
    told = head(path, FORM, b"Content-Length: 100")
    status, page = answer(port, told, b"statement=half+a+sen", cut=True)
    assert (status, b"it was cut short" in page) == (400, True)
    assert b"half a sen" not in page


@pytest.mark.parametrize(
    ("more", "body"),
    [(CHUNKED, b"zzz\r\n"), (CHUNKED, b"5\r\n{"), (b"Content-Length: 50", b'{"a":')],
)
def test_programs_are_told_in_json(port: int, more: bytes, body: bytes) -> None:
    """RFC 9457, with the status and the kind."""
    told = head(b"/api/reports", JSON, more, b"Idempotency-Key: " + b"k" * 20)
    status, text = answer(port, told, body, cut=True)
    problem = orjson.loads(text)
    assert (status, problem["status"], problem["kind"]) == (400, 400, "BrokenBody")
    assert problem["detail"] == BrokenBody.description


def test_a_chunk_larger_than_anything_taken_is_refused_unread(port: int) -> None:
    """413, by its announced size: no thread waits for it."""
    told = head(b"/report", FORM, CHUNKED)
    assert answer(port, told, b"ffffffffffffffff\r\na=b\r\n0\r\n\r\n", cut=False)[0] == 413


HEAD = b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"


@given(
    chunks=st.lists(st.binary(min_size=1, max_size=40), max_size=5),
    trailer=st.sampled_from([b"", b"X: y\r\n"]),
    extension=st.sampled_from([b"", b";a=b", b" ;a"]),
)
def test_a_body_in_chunks_is_whole_at_its_last_byte_and_not_before(
    chunks: list[bytes], trailer: bytes, extension: bytes
) -> None:
    """Whatever stands in it, also what looks like its end."""
    sent = b"".join(b"%x%s\r\n%s\r\n" % (len(one), extension, one) for one in chunks)
    coming = Coming(0.0)
    for byte in HEAD + sent + b"0\r\n" + trailer + b"\r\n":
        assert not coming.is_whole
        coming.data.append(byte)
    assert coming.is_whole
    assert not coming.is_broken


def test_a_body_has_so_many_chunks_and_no_more() -> None:
    """A byte each would keep the server at counting."""
    coming = Coming(0.0)
    coming.data += HEAD + b"1\r\na\r\n" * MOST
    assert not coming.is_whole
    coming.data += b"1\r\na\r\n"
    assert coming.is_whole
    assert coming.is_broken


PARTS = (
    b"0",
    b"3",
    b"a",
    b"\r\n",
    b"\r",
    b"\n",
    b";",
    b"=",
    b" ",
    b"\t",
    b"abc",
    b"X: y\r\n",
    b"\x00",
)
WHOLE = (b"3\r\nabc\r\n", b"0\r\n\r\n", b"0\r\nX: y\r\n\r\n", b"3;a=b\r\nabc\r\n")


@given(body=st.lists(st.sampled_from(PARTS + WHOLE), max_size=8).map(b"".join))
def test_what_is_handed_over_as_whole_lets_no_thread_wait_for_more(body: bytes) -> None:
    """Whoever reads it in earnest, Gunicorn, comes to its end or refuses it."""
    coming = Coming(0.0)
    coming.data += HEAD + body + WHOLE[1]
    if not coming.is_whole or coming.is_broken:
        return
    request = next(RequestParser(Config(), iter([bytes(coming.data)]), ("127.0.0.1", 1)))
    try:
        while request.body.read(64):
            pass
    except ParseException as why:
        event(type(why).__name__)


@given(body=st.binary(max_size=300))
def test_nothing_is_waited_for_that_was_not_announced(body: bytes) -> None:
    """What is no chunk is handed over as broken, and never gathered on and on."""
    coming = Coming(0.0)
    coming.data += HEAD + body + b"\x00" * 2 * LONGEST_LINE
    whole, chunks = coming.is_whole, coming.chunks
    assert chunks is not None
    assert whole or coming.is_too_large or chunks.needs > len(coming.data)
