"""Freezing: what goes into the archive and the ledger, and WARC in and out."""

import gzip
import hashlib
import io
import tracemalloc
from pathlib import Path
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st
from warcio.archiveiterator import ArchiveIterator
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from ledger.archive import Archive
from ledger.errors import FileRefused
from ledger.values import Digest, parse_instant
from tests.web.corrigenda import Toy
from tests.web.failing_server import PAGE, SECRET, FailingServer
from web.fetching.get import Fetched, kept, printable
from web.fetching.warc import MOST_UNPACKED, LeftOut, Response, response_record, responses_in

ABOUT = ("--source", "toy-board")
DIGEST = hashlib.sha256(PAGE).hexdigest()


def archive(toy: Toy) -> Archive:
    return Archive(toy.corrigenda.home / "archive")


def readings(toy: Toy) -> list[dict[str, Any]]:
    return list(toy.corrigenda.json("source", "toy-board")["readings"])


def test_an_address_is_frozen_with_its_bytes_headers_and_digest(
    toy: Toy, server: FailingServer
) -> None:
    """The bytes are in the archive, a reading is on the source, and beside it a WARC of headers."""
    receipt = toy.corrigenda.json("freeze", server.url("fine"), *ABOUT, "--allow-private")
    (frozen,) = receipt["frozen"]
    assert (frozen["sha256"], frozen["media_type"]) == (DIGEST, "text/html")
    assert archive(toy).get(Digest(DIGEST)) == PAGE
    assert readings(toy)[-1]["digest"] == DIGEST
    kept_beside = archive(toy).get(Digest(frozen["warc_sha256"]))
    (found,) = responses_in("kept.warc", kept_beside)
    assert isinstance(found, Response)
    assert found.fetched.content == PAGE
    assert found.fetched.header("content-type") == "text/html; charset=utf-8"
    assert SECRET.encode() not in kept_beside


def test_freezing_changes_no_board_and_the_home_verifies(toy: Toy, server: FailingServer) -> None:
    """A reading of bytes claims nothing, also when it says which benchmark it is about."""
    before = toy.corrigenda.json("board", "toy", "--every-claim")["rows"]
    toy.corrigenda.done(
        "freeze", server.url("fine"), *ABOUT, "--benchmark", "toy", "--allow-private"
    )
    assert toy.corrigenda.json("board", "toy", "--every-claim")["rows"] == before
    verified = toy.corrigenda.json("verify")
    assert (verified["holds"], verified["findings"]) == (True, [])
    assert not any("no event names" in note for note in verified["notes"])
    toy.corrigenda.done("rebuild", "--check")


def test_a_file_is_frozen_as_of_the_instant_that_is_given(toy: Toy) -> None:
    """Twice is once; and what was frozen can still be imported as a board of that instant."""
    told = ("freeze", str(toy.february), *ABOUT, "--read-at", "2025-02-20T10:00:00Z")
    (first,) = toy.corrigenda.json(*told)["frozen"]
    assert (first["media_type"], first["read_at"]) == ("text/csv", "2025-02-20T10:00:00Z")
    assert first["known_already"] is False
    assert toy.corrigenda.json(*told)["frozen"][0]["known_already"] is True
    receipt = toy.corrigenda.json(
        "import", str(toy.january), *ABOUT, "--benchmark", "toy", "--read-at", first["read_at"]
    )
    assert receipt["files"][0]["rows"] == 4


def test_what_was_frozen_can_be_imported_at_the_same_instant(toy: Toy, tmp_path: Path) -> None:
    """Freezing first takes nothing from the import that comes after it."""
    file = tmp_path / "march.csv"
    file.write_text("model,score,metric\nEpsilon,80,accuracy\n", encoding="utf-8")
    at = ("--read-at", "2025-03-01T00:00:00Z")
    toy.corrigenda.done("freeze", str(file), *ABOUT, "--benchmark", "toy", *at)
    toy.corrigenda.done("import", str(file), *ABOUT, "--benchmark", "toy", "--unit", "%", *at)
    assert toy.scores() == [("Epsilon", "80")]


def test_a_reading_that_was_frozen_can_be_taken_back(toy: Toy) -> None:
    """By its digest, as an import is."""
    told = toy.corrigenda.json("freeze", str(toy.february), *ABOUT, "--media-type", "text/plain")
    digest = told["frozen"][0]["sha256"]
    assert told["frozen"][0]["media_type"] == "text/plain"
    toy.corrigenda.done("import", "--withdraw", digest)
    assert all(one["withdrawn"] for one in readings(toy) if one["digest"] == digest)


def test_a_dry_run_keeps_and_records_nothing(toy: Toy, server: FailingServer) -> None:
    """It fetches and checks, and that is all."""
    before = toy.corrigenda.done("events")
    told = toy.corrigenda.run(
        "freeze", server.url("fine"), *ABOUT, "--allow-private", "--dry-run", "--json"
    )
    assert orjson.loads(told.stdout)["frozen"][0]["sha256"] == DIGEST
    assert toy.corrigenda.done("events") == before
    assert not archive(toy).has(Digest(DIGEST))


@pytest.mark.parametrize("path", ["404", "500", "loop", "truncated", "hangs-up"])
def test_what_says_nothing_is_refused_and_the_others_go_on(
    toy: Toy, server: FailingServer, path: str
) -> None:
    """One that fails is said so, with status 1; the next is frozen all the same."""
    result = toy.corrigenda.run(
        "freeze", server.url(path), server.url("fine"), *ABOUT, "--allow-private", "--json"
    )
    receipt = orjson.loads(result.stdout)
    assert result.exit_code == 1
    assert [one["sha256"] for one in receipt["frozen"]] == [DIGEST]
    assert [one["target"] for one in receipt["refused"]] == [server.url(path)]


def test_an_address_that_is_not_public_is_refused_unless_it_is_allowed(
    toy: Toy, server: FailingServer
) -> None:
    """Nothing is asked, and the refusal says what to do."""
    said = toy.corrigenda.refused("freeze", server.url("fine"), *ABOUT)
    assert "--allow-private" in said
    assert server.asked == []


def test_no_password_in_an_address_is_repeated(toy: Toy) -> None:
    """It is refused, and what stands on the screen may be copied into a report."""
    said = toy.corrigenda.refused("freeze", "http://ada:hunter2@127.0.0.1/", *ABOUT)
    assert "hunter2" not in said


@pytest.mark.parametrize(
    "words",
    [
        ("--source", "nobody"),
        ("--source", "toy-board", "--benchmark", "nothing"),
        ("--source", "toy-board", "--media-type", "text"),
    ],
)
def test_what_is_not_known_is_refused_before_anything_is_asked(
    toy: Toy, server: FailingServer, words: tuple[str, ...]
) -> None:
    """A misspelt source costs no request."""
    toy.corrigenda.refused("freeze", server.url("fine"), "--allow-private", *words)
    assert server.asked == []


def test_a_day_that_has_not_come_is_refused(toy: Toy) -> None:
    """Nobody read anything tomorrow."""
    said = toy.corrigenda.refused(
        "freeze", str(toy.february), *ABOUT, "--read-at", "2999-01-01T00:00:00Z"
    )
    assert "lies in the future" in said


# --- WARC -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["out.warc", "out.warc.gz"])
def test_a_warc_that_was_written_can_be_frozen_elsewhere(
    toy: Toy, server: FailingServer, tmp_path: Path, name: str
) -> None:
    """Out and in again: the same bytes, at the instant at which they were answered."""
    out = tmp_path / name
    (frozen,) = toy.corrigenda.json(
        "freeze", server.url("gzip"), *ABOUT, "--allow-private", "--warc", str(out), "--dry-run"
    )["frozen"]
    (again,) = toy.corrigenda.json("freeze", str(out), *ABOUT)["frozen"]
    same = ("sha256", "read_at", "media_type", "warc_sha256", "from")
    assert {key: again[key] for key in same} == {key: frozen[key] for key in same}
    assert toy.corrigenda.json("freeze", str(out), *ABOUT)["frozen"][0]["known_already"] is True


def record(kind: str, body: bytes, status: str = "200 OK", **http: str) -> bytes:
    """A record as another archive writes it."""
    out = io.BytesIO()
    headers = [(name.replace("_", "-"), value) for name, value in http.items()]
    writer = WARCWriter(out, gzip=False)
    made = writer.create_warc_record(
        "https://kites.example/",
        kind,
        payload=io.BytesIO(body),
        length=len(body),
        http_headers=StatusAndHeaders(status, headers, protocol="HTTP/1.1"),
        warc_headers_dict={"WARC-Date": "2025-02-20T10:00:00Z"},
    )
    writer.write_record(made)
    return out.getvalue()


def test_a_foreign_warc_gives_its_answers_and_says_what_it_leaves_out(
    toy: Toy, tmp_path: Path
) -> None:
    """Answers with status 200; a missing page and a cut-off one are left out and named."""
    chunks = b"%x\r\n%s\r\n0\r\n\r\n" % (len(PAGE), PAGE)
    whole = [
        record("response", PAGE, Content_Type="text/html", Set_Cookie=SECRET),
        record("response", b"gone", "404 Not Found"),
        record("response", chunks, Transfer_Encoding="chunked", Content_Type="text/plain"),
        record("response", chunks[:-10], Transfer_Encoding="chunked"),
        record("response", gzip.compress(b"packed"), Content_Encoding="gzip"),
        record("response", gzip.compress(bytes(70 << 20)), Content_Encoding="gzip"),
    ]
    file = tmp_path / "foreign.warc"
    file.write_bytes(b"".join(whole))
    result = toy.corrigenda.run("freeze", str(file), *ABOUT, "--json")
    receipt = orjson.loads(result.stdout)
    assert (result.exit_code, receipt["refused"]) == (0, [])
    assert [one["record"] for one in receipt["left_out"]] == [2, 4, 6]
    found = [archive(toy).get(Digest(one["sha256"])) for one in receipt["frozen"]]
    assert found == [PAGE, PAGE, b"packed"]
    # The same bytes at the same instant are one reading; others of that instant have their turn.
    assert [one["known_already"] for one in receipt["frozen"]] == [False, True, False]
    assert [one["order"] for one in receipt["frozen"]] == ["", "", "!0002"]


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"no WARC at all",
        b"WARC/1.0\r\n\r\n",
        b"\x1f\x8bno gzip",
        gzip.compress(record("response", PAGE))[:-9],
        record("response", PAGE)[:-40],
        record("request", PAGE),
        record("response", PAGE).replace(b"Content-Length: ", b"Content-Length: 9", 1),
        record("response", PAGE).replace(b"2025-02-20", b"yesterday!"),
        record("response", PAGE).replace(b"https://kites.example/", b"file:///etc/passwd    "),
    ],
)
def test_a_file_that_is_no_warc_is_refused_as_a_whole(
    toy: Toy, tmp_path: Path, data: bytes
) -> None:
    """Nothing of it is recorded, and nothing crashes."""
    file = tmp_path / "bad.warc"
    file.write_bytes(data)
    before = toy.corrigenda.done("events")
    result = toy.corrigenda.run("freeze", str(file), *ABOUT)
    assert (result.exit_code, result.stdout) == (1, "")
    assert "bad.warc" in result.stderr
    assert "Traceback" not in result.stderr
    assert toy.corrigenda.done("events") == before


def test_a_packed_warc_cannot_fill_the_memory() -> None:
    """It is unpacked in pieces, and no further than is allowed."""
    bomb = gzip.compress(bytes(1 << 20), 9) * (2 * MOST_UNPACKED >> 20)
    tracemalloc.start()
    try:
        with pytest.raises(FileRefused):
            responses_in("bomb.warc.gz", bomb)
        assert tracemalloc.get_traced_memory()[1] < 2 * MOST_UNPACKED
    finally:
        tracemalloc.stop()


@given(st.binary(max_size=200), st.text(max_size=40))
def test_what_is_written_as_warc_reads_back_the_same(body: bytes, reason: str) -> None:
    """Also for any body, and whatever a server says beside its status; always the same bytes."""
    fetched = Fetched(
        asked="https://kites.example/",
        found_at="https://kites.example/",
        status=200,
        reason=printable(reason),
        headers=kept([("Content-Type", "text/plain"), ("ETag", reason)]),
        body=body,
        content=body,
    )
    one = Response(fetched, parse_instant("2025-02-20T10:00:00.123456Z"))
    written = response_record(one)
    assert written == response_record(one)
    (found,) = responses_in("own.warc", written)
    assert not isinstance(found, LeftOut)
    assert (found.fetched.content, found.read_at) == (body, one.read_at)
    assert [one.rec_type for one in ArchiveIterator(io.BytesIO(written))] == ["response"]
