"""Erasing a reporter (P018): their words are in no file, and the ledger is as it was."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import attrs
import psycopg
import pytest

from ledger.report import stream_of
from tests.web.corrigenda import ABOUT, FEBRUARY, JANUARY, Corrigenda
from web.private import reporters
from web.private.notes import add_note
from web.reporting.filing import Posted, file_report, number_of_letter
from web.reporting.filled import Filled
from web.settings import Settings
from web.wiring import Workspace, open_workspace

DANA = "dana@example.org"
VENDOR = "vendor-contact@example.com"
WORDS = f"Dana Q. <{DANA}> says that row 7 is wrong."
TYPED = {"words": WORDS, "contact": DANA}


@pytest.fixture(params=["sqlite", "postgres"])
def corrigenda(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Corrigenda:
    """A ledger with one board, on each engine."""
    if request.param == "postgres":
        monkeypatch.setenv("CORRIGENDA_DATABASE_URL", request.getfixturevalue("postgres_url"))
    made = Corrigenda(tmp_path / "home")
    made.done("init")
    readings = tmp_path / "readings"
    readings.mkdir()
    (readings / "2025-02-07T191510Z.csv").write_text(JANUARY, encoding="utf-8")
    (readings / "2025-02-15T200039Z.csv").write_text(FEBRUARY, encoding="utf-8")
    made.done("import", *ABOUT, str(readings))
    return made


@contextmanager
def opened(corrigenda: Corrigenda) -> Iterator[Workspace]:
    settings = attrs.evolve(Settings.from_environment(), home=corrigenda.home)
    workspace = open_workspace(settings)
    try:
        yield workspace
    finally:
        workspace.close()


def reported(corrigenda: Corrigenda) -> tuple[int, str, str]:
    """Dana reports the second row with a file and a contact; the vendor stands behind it too.

    The number, and both secrets.
    """
    row = corrigenda.json("board", "toy")["rows"][1]
    filled = Filled(
        target=f"claims/{row['claim_id']}",
        reason="wrong-value",
        words=WORDS,
        addresses=(f"https://example.org/~{DANA}",),
        contact=DANA,
        credit="Dana Q.",
    )
    with opened(corrigenda) as workspace:
        now = workspace.ledger.clock()
        mine = file_report(workspace, Posted(typed=TYPED, received_at=now), filled)
        letter = reporters.letter_of(workspace.private, mine)
        assert letter is not None
        number = number_of_letter(workspace, letter)
        assert number is not None
        theirs = reporters.open_letter(workspace.private, number, VENDOR, joined=True)
        add_note(workspace.private, number, "boris", f"Asked {VENDOR}, who says the same.")
        return number, mine, theirs


def decided(corrigenda: Corrigenda, number: int) -> None:
    row = corrigenda.json("board", "toy")["rows"][1]
    snapshot = corrigenda.json("source", "toy-board")["readings"][-1]["digest"]
    words = ("--outcome", "accepted", "--reason", "wrong-value", "--statement", "It says 71.9.")
    change = ("--type", "correction", "--applies-from", "start", "--set", "score=71.9")
    claim = ("--claim", row["claim_id"], "--snapshot", snapshot)
    corrigenda.done("report", "decide", str(number), *words, *change, *claim, by="boris")


def everything(corrigenda: Corrigenda) -> bytes:
    """Every byte of the three stores: all files of the home, and all rows of all schemas."""
    files = [one.read_bytes() for one in sorted(corrigenda.home.rglob("*")) if one.is_file()]
    url = Settings.from_environment().database_url
    if url is None:
        return b"".join(files)
    with psycopg.connect(url) as connection:
        tables = connection.execute(
            "SELECT format('%I.%I', table_schema, table_name) FROM information_schema.tables"
            " WHERE table_schema NOT IN ('pg_catalog', 'information_schema')"
        ).fetchall()
        for (table,) in tables:
            rows = connection.execute(f"SELECT t::text FROM {table} t").fetchall()
            files += [_bytes_in(row[0]) for row in rows]
    return b"".join(files)


def _bytes_in(row: str) -> bytes:
    """A row as text, with what is written in hexadecimal as its bytes too."""
    found = row.encode()
    for part in row.split("\\\\x")[1:]:
        digits = part.partition('"')[0]
        found += bytes.fromhex(digits)
    return found


def ledger_of(corrigenda: Corrigenda) -> list[tuple[int, bytes]]:
    """Position and stored bytes of everything recorded."""
    with opened(corrigenda) as workspace:
        return [(one.position, one.stored) for one in workspace.ledger.store.after(0, 10_000)]


def test_an_erased_reporter_is_in_no_file_and_the_ledger_is_as_it_was(
    corrigenda: Corrigenda,
) -> None:
    """Words, contact, name, address and secret links are gone; boards and the log are the same."""
    number, mine, theirs = reported(corrigenda)
    decided(corrigenda, number)
    before = everything(corrigenda)
    for told in (DANA, VENDOR, "row 7 is wrong", "Dana Q."):
        assert told.encode() in before
    recorded, board = ledger_of(corrigenda), corrigenda.json("board", "toy")["rows"]
    log, report = corrigenda.json("corrections"), corrigenda.json("report", "show", str(number))

    corrigenda.done("private", "erase", str(number))

    after = everything(corrigenda)
    for told in (DANA, VENDOR, "row 7 is wrong", "Dana Q."):
        assert told.encode() not in after
    assert ledger_of(corrigenda) == recorded
    assert corrigenda.json("board", "toy")["rows"] == board
    assert corrigenda.json("corrections") == log
    assert corrigenda.json("report", "show", str(number)) == report
    assert corrigenda.done("rebuild", "--check") == ""
    with opened(corrigenda) as workspace:
        for secret in (mine, theirs):
            assert reporters.letter_of(workspace.private, secret) is None


def test_one_of_two_people_behind_a_report_can_be_erased(corrigenda: Corrigenda) -> None:
    """Dana is gone, and the vendor's contact is untouched."""
    number, _, theirs = reported(corrigenda)
    with opened(corrigenda) as workspace:
        filed_by = workspace.ledger.store.stream(stream_of(number))[0].envelope.recorded_by
    corrigenda.done("private", "erase", str(number), "--only", filed_by)
    after = everything(corrigenda)
    for told in (DANA, "row 7 is wrong", "Dana Q."):
        assert told.encode() not in after
    with opened(corrigenda) as workspace:
        kept = reporters.letter_of(workspace.private, theirs)
        assert kept is not None
        assert kept.contact == VENDOR


def test_erasing_again_or_what_never_was_says_so(corrigenda: Corrigenda) -> None:
    """A second time there is nothing left to do, which is no error; a wrong number is one."""
    number, _, _ = reported(corrigenda)
    corrigenda.done("private", "erase", str(number))
    corrigenda.done("private", "erase", str(number))
    assert "no report" in corrigenda.refused("private", "erase", "77").lower()
    assert "boris" in corrigenda.refused("private", "erase", str(number), "--only", "boris")
