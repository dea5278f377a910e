"""Packed logs of Inspect (``.eval``): the same claims as in JSON, and nothing that fills memory."""

import io
import tracemalloc
import zipfile
from pathlib import Path
from typing import Any

import pytest

from ledger.errors import FileRefused
from ledger.importing.formats import packed_log
from ledger.importing.formats.every import chosen
from ledger.importing.formats.format import Candidate
from ledger.importing.formats.inspect_log import INSPECT_LOG
from ledger.importing.limits import MIB
from tests.ledger.formats.broken import asked, candidate, real, refusal, refused_somehow, stated
from tests.ledger.formats.packed import as_packed, marked, members_of, packed
from tests.ledger.formats.test_inspect_log import SAID, TEXT

NAME = "2025-07-03_orchard.eval"
LOG = as_packed(TEXT)
HEADER = dict(members_of(TEXT))["header.json"]


def file(data: bytes = LOG) -> Candidate:
    """A packed log."""
    return candidate(NAME, data)


def refused(data: bytes, **said: Any) -> str:
    """Why it is refused."""
    return refusal(INSPECT_LOG, file(data), **{**SAID, **said})


def with_member(*more: tuple[str, bytes]) -> bytes:
    """The log with more in it."""
    return packed([*members_of(TEXT), *more])


# --- the same as in JSON ----------------------------------------------------------------------


def test_a_packed_log_states_what_the_same_log_states_in_json() -> None:
    """Every claim with its digits, its setting and what stands beside it; the same keys."""
    assert stated(INSPECT_LOG, file(), **SAID) == stated(
        INSPECT_LOG, candidate("log.json", TEXT), **SAID
    )


def test_the_real_log_packed_states_what_it_states_in_json() -> None:
    """With its samples and its reductions in members of their own."""
    plain = real("formats", "inspect_ai", "data_pubmedqa_gpt4o_mini.json")
    data = as_packed(plain.data().decode())
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        names = archive.namelist()
    assert sum(name.startswith("samples/") for name in names) > 0
    found = stated(INSPECT_LOG, file(data), **SAID)
    assert found.digits
    assert found == stated(INSPECT_LOG, plain, **SAID)


def test_it_is_found_by_its_first_member_whatever_it_is_called() -> None:
    """And other archives are not."""
    for name in (NAME, "log.bin"):
        choice = chosen(candidate(name, LOG))
        assert choice.format is INSPECT_LOG
        assert "_journal/start.json" in choice.why
    for other in (
        packed([("word/document.xml", b"")]),
        packed([]),
        b"PK\x03\x04",
        b"PK\x03\x04" * 9,
    ):
        assert INSPECT_LOG.known_by(file(other)) is None


def test_one_that_is_too_large_to_hold_is_read_where_it_lies(tmp_path: Path) -> None:
    """Its samples are passed over, however large they are."""
    path = tmp_path / NAME
    with zipfile.ZipFile(path, "w") as into:
        for name, content in members_of(TEXT):
            into.writestr(name, content)
            if name == "_journal/start.json":
                with into.open("samples/1_epoch_1.json", "w", force_zip64=True) as sample:
                    for _ in range(70):
                        sample.write(b" " * MIB)
    tracemalloc.start()
    try:
        found = stated_without_bytes(Candidate.at(path))
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < 24 * MIB
    assert found == [row.cells for row in stated(INSPECT_LOG, file(), **SAID).sheets[0].rows]


def stated_without_bytes(log: Candidate) -> list[Any]:
    """The rows of a log, read from where it lies."""
    (sheet,) = INSPECT_LOG.sheets(log, asked(**SAID))
    return [row.cells for row in sheet.rows]


def test_stored_without_packing_is_read_too() -> None:
    """An archive may hold its members as they are."""
    assert stated(
        INSPECT_LOG, file(packed(members_of(TEXT), zipfile.ZIP_STORED)), **SAID
    ) == stated(INSPECT_LOG, file(), **SAID)


def test_a_run_that_was_not_finished_is_refused_and_one_that_was_stopped_too() -> None:
    """The first has no header, the second says its status there."""
    journal = [one for one in members_of(TEXT) if one[0] != "header.json"]
    assert "not finished" in refused(packed(journal))
    stopped = as_packed(TEXT.replace('"status": "success"', '"status": "cancelled"'))
    why, still = refused_somehow(INSPECT_LOG, file(stopped), **SAID)
    assert "cancelled" in why
    assert still is not None
    assert not still.says
    assert "no log of Inspect" in refused(packed([("start.json", b"{}"), ("results.json", b"{}")]))


def test_what_is_wrong_in_the_header_is_said_of_it() -> None:
    """With the line, or the field."""
    for header, why in (
        (HEADER[:-20], "header.json"),
        (b"[]", "an object belongs"),
        (HEADER.replace(b'"version":2', b'"version":3'), "version 2 is read"),
        (HEADER.decode().encode("latin-1"), "not UTF-8"),
        (b"[" * 5_000, "deep"),
    ):
        said = refused(packed([("_journal/start.json", b"{}"), ("header.json", header)]))
        assert why in said, said
        assert "header.json" in said


# --- what nobody should be able to do with it -------------------------------------------------


def test_one_that_breaks_off_or_was_altered_is_refused() -> None:
    """Wherever it was cut; and a byte of its header that was changed."""
    for part in range(1, 16):
        refused(LOG[: len(LOG) * part // 16])
    with zipfile.ZipFile(io.BytesIO(LOG)) as archive:
        at = archive.getinfo("header.json").header_offset + 60
    for change in (1, 64, 255):
        refused(LOG[:at] + bytes([LOG[at] ^ change]) + LOG[at + 1 :])


@pytest.mark.parametrize("flags", [0x1, 0x40, 0x2000])
def test_an_encrypted_one_is_refused(flags: int) -> None:
    """Whichever way its members say that they are."""
    assert "encrypted" in refused(marked(LOG, flags=flags))


@pytest.mark.parametrize(
    ("method", "called"), [(93, "zstd"), (12, "bzip2"), (14, "lzma"), (9, "deflate64"), (77, "77")]
)
def test_another_packing_than_deflate_is_refused_by_name(method: int, called: str) -> None:
    """With what to do instead."""
    why = refused(marked(LOG, method=method))
    assert called in why
    assert "inspect log convert" in why


@pytest.mark.parametrize(
    "name",
    [
        "../header.json",
        "samples/../../x.json",
        "/etc/passwd",
        "\\server\\x",
        "samples\\..\\x",
        "C:/x.json",
        "samples/a\x00b.json",
        "samples/\x1b[2Jb.json",
    ],
)
def test_a_member_whose_name_leads_elsewhere_is_refused(name: str) -> None:
    """Though nothing is unpacked; and its name is no order to a terminal."""
    stand_in = "Q" * len(name)
    why = refused(with_member((stand_in, b"{}")).replace(stand_in.encode(), name.encode()))
    assert "leads elsewhere" in why
    assert why.isprintable()


def test_odd_names_of_samples_are_no_harm() -> None:
    """What tests are called is up to whoever writes them."""
    odd = ("samples/math:1.. 2_epoch_1.json", "samples/a/b_epoch_1.json", "samples/ü\u202ex.json")
    data = with_member(*((name, b"{}") for name in odd))
    assert stated(INSPECT_LOG, file(data), **SAID) == stated(INSPECT_LOG, file(), **SAID)


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_two_headers_are_refused() -> None:
    """Of two numbers for one claim none is picked."""
    assert "2 times" in refused(with_member(("header.json", HEADER.replace(b"0.7250", b"0.9"))))


def test_a_header_that_unpacks_to_very_much_is_refused() -> None:
    """As it is read, whatever it says of its size; and no more is held than what is allowed."""
    blown = HEADER[:-1] + b" " * (50 * MIB) + HEADER[-1:]
    data = packed([("_journal/start.json", b"{}"), ("header.json", blown)])
    assert len(data) < MIB
    tracemalloc.start()
    try:
        for lying in (data, marked(data, size=100)):
            refused(lying)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < 40 * MIB
    assert "unpacks to more than" in refused(data)


def test_very_many_members_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """By their count, and before that by the size of their list."""
    monkeypatch.setattr(packed_log, "MOST_MEMBERS", 20)
    few = [(f"samples/{n}_epoch_1.json", b"") for n in range(17)]
    assert "at most 20 are read" in refused(with_member(*few))
    monkeypatch.setattr(packed_log, "MOST_AT_ONCE", 1_000)
    assert "list of members" in refused(with_member(*few))


def test_whatever_the_list_of_members_says_comes_of_it_but_a_refusal_or_the_same() -> None:
    """Every byte of it and of the end of the archive, changed in some ways."""
    whole = stated(INSPECT_LOG, file(), **SAID)
    start = LOG.index(b"PK\x01\x02")
    for at in range(start, len(LOG), 3):
        for value in (0x00, 0xFF):
            changed = LOG[:at] + bytes([value]) + LOG[at + 1 :]
            try:
                found = stated(INSPECT_LOG, file(changed), **SAID)
            except FileRefused as why:
                assert NAME in str(why)  # noqa: PT017 -- it may also be the same
            else:
                assert found == whole
