"""Other people's files through the command: which format, why, and what becomes of each board."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import attrs
import orjson
import pytest

from ledger.importing.formats.every import FORMATS, Choice
from ledger.importing.formats.format import Asked, Candidate, Placing, Sheet
from ledger.importing.formats.tables import RawRow
from tests.web.corrigenda import Corrigenda, opened
from web.cli.incoming import Incoming
from web.wiring import utc_now

AIDER = """\
- dirname: run-1
  model: Heron-7B
  edit_format: diff
  pass_rate_1: 20.4
  pass_rate_2: 72.50
- dirname: run-2
  model: Ibis-13B
  edit_format: whole
  pass_rate_1: 3.1
  pass_rate_2: 8.9
"""
TWO_BOARDS = """\
[{"task": "Reading", "datasets": [
  {"dataset": "Reeds", "sota": {"metrics": ["Accuracy"], "rows": [
    {"model_name": "Heron-7B", "paper_url": "http://a.example/1", "metrics": {"Accuracy": "0.57"}},
    {"model_name": "Ibis-13B", "paper_url": "http://a.example/2", "metrics": {"Accuracy": "57.0"}}
  ]}},
  {"dataset": "Ponds", "sota": {"metrics": ["F1"], "rows": [
    {"model_name": "Heron-7B", "paper_url": "http://example.org/1", "metrics": {"F1": "81.50%"}}
  ]}}
]}]
"""
BOARDS = 150
NEW = ("recorded", "restated", "delisted", "relisted")


def write(folder: Path, name: str, content: str | bytes) -> Path:
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content.encode() if isinstance(content, str) else content)
    return file


def test_the_receipt_says_which_format_was_chosen_and_why(
    corrigenda: Corrigenda, tmp_path: Path
) -> None:
    """And where this format says what, for people and for programs."""
    file = write(tmp_path, "polyglot.yml", AIDER)
    (entry,) = corrigenda.json("import", "--source", "aider", "--benchmark", "toy", str(file))[
        "files"
    ]
    assert (entry["format"], entry["source"], entry["benchmark"]) == ("aider", "aider", "toy")
    assert entry["why"]
    assert set(entry["placing"]) == {
        "published_on",
        "read_at",
        "setting",
        "split",
        "identity",
        "unit",
    }
    assert entry["recorded"] == 4
    text = corrigenda.done("import", "--source", "a", "--benchmark", "t", "--dry-run", str(file))
    assert f"format: aider, since {entry['why']}" in text
    assert f"one claim is: {entry['placing']['identity']}" in text


def test_a_file_that_is_brought_in_again_is_no_other_reading(
    corrigenda: Corrigenda, tmp_path: Path
) -> None:
    """Where nobody says when it was read, its bytes were read when they first came in."""
    words = ("import", "--source", "aider", "--benchmark", "toy")
    file = str(write(tmp_path, "polyglot.yml", AIDER))
    corrigenda.done(*words, file)
    before = corrigenda.json("events")
    (entry,) = corrigenda.json(*words, file)["files"]
    assert entry["known_already"]
    assert corrigenda.json("events") == before
    later = ("--read-at", "2025-07-01")
    (entry,) = corrigenda.json(*words, *later, file)["files"]
    assert not entry["known_already"]
    assert [entry[name] for name in NEW] == [4, 0, 0, 0], "an earlier reading of the same"


def test_each_board_of_a_file_is_recorded_or_refused_by_itself(
    corrigenda: Corrigenda, tmp_path: Path
) -> None:
    """Fractions beside percents are asked about; the other board goes on, and both are told."""
    file = str(write(tmp_path, "evaluation-tables.json", TWO_BOARDS))
    result = corrigenda.run("import", "--json", file)
    assert result.exit_code == 1
    refused, done = orjson.loads(result.stdout)["files"]
    assert "--unit fraction or --unit %" in refused["file_refused"]
    assert "Accuracy" in refused["file_refused"]
    assert (refused["rows"], done["recorded"]) == (0, 1)
    assert refused["benchmark"] != done["benchmark"]
    again = corrigenda.json("import", "--unit", "Accuracy=%", file)["files"]
    assert [entry["recorded"] for entry in again] == [2, 0]
    board = corrigenda.json("board", refused["benchmark"])
    assert [(row["score"], row["unit"]) for row in board["rows"]] == [("57.0", "%"), ("0.57", "%")]


def test_a_file_of_several_boards_is_taken_back_whole(
    corrigenda: Corrigenda, tmp_path: Path
) -> None:
    """By its digest, every board that was read of it."""
    file = str(write(tmp_path, "evaluation-tables.json", TWO_BOARDS))
    entries = corrigenda.json("import", "--unit", "%", file)["files"]
    gone = corrigenda.json("import", "--withdraw", entries[0]["digest"])["files"]
    assert [entry["delisted"] for entry in gone] == [2, 1]
    for entry in entries:
        assert corrigenda.json("board", entry["benchmark"])["rows"] == []


@pytest.mark.parametrize("unit", ["furlongs", "Accuracy=", "=furlongs"])
def test_a_unit_that_is_none_is_refused_before_any_file(
    corrigenda: Corrigenda, tmp_path: Path, unit: str
) -> None:
    """Of all metrics or of one."""
    file = str(write(tmp_path, "evaluation-tables.json", TWO_BOARDS))
    corrigenda.refused("import", "--unit", unit, file)
    assert corrigenda.json("events") == {"events": []}


def test_two_units_for_one_metric_are_wrong_usage(corrigenda: Corrigenda, tmp_path: Path) -> None:
    """Neither is preferred."""
    file = str(write(tmp_path, "evaluation-tables.json", TWO_BOARDS))
    result = corrigenda.run("import", "--unit", "%", "--unit", "fraction", file)
    assert result.exit_code == 2


def test_a_file_of_no_format_says_what_each_looks_for(
    corrigenda: Corrigenda, tmp_path: Path
) -> None:
    """And what to do about it; asked for by name, it is what that format cannot read."""
    file = str(write(tmp_path, "what.json", '{"colour": "green"}'))
    said = corrigenda.refused("import", file)
    for one in FORMATS:
        assert one.title in said
    assert "--format table" in said
    assert "what.json" in corrigenda.refused("import", "--format", "aider", file)


def test_folders_are_walked_with_those_in_them(corrigenda: Corrigenda, tmp_path: Path) -> None:
    """Hidden ones and links to elsewhere are not; what is of no format is counted."""
    write(tmp_path, "in/a/polyglot.yml", AIDER)
    write(tmp_path, "in/a/b/polyglot.yml", AIDER.replace("72.50", "73"))
    write(tmp_path, "in/.hidden/polyglot.yml", AIDER.replace("72.50", "74"))
    write(tmp_path, "in/README.md", "# Nothing to import")
    write(tmp_path, "elsewhere/polyglot.yml", AIDER.replace("72.50", "75"))
    (tmp_path / "in" / "link").symlink_to(tmp_path / "elsewhere")
    result = corrigenda.run(
        "import", "--source", "s", "--benchmark", "b", "--json", str(tmp_path / "in")
    )
    assert result.exit_code == 0, result.output
    assert len(orjson.loads(result.stdout)["files"]) == 2
    assert "no format that is known: 1" in result.stderr


def test_a_drafted_mapping_in_a_folder_is_no_board(corrigenda: Corrigenda, tmp_path: Path) -> None:
    """It says how to read the file beside it."""
    write(tmp_path, "in/polyglot.yml", AIDER)
    write(tmp_path, "in/polyglot.yml.mapping.yaml", "mapping: corrigenda-mapping/1")
    entries = corrigenda.json("import", *MAPPED, str(tmp_path / "in"))["files"]
    assert [entry["file"] for entry in entries] == ["polyglot.yml"]


def test_what_can_be_read_only_once_is_read_once(corrigenda: Corrigenda, tmp_path: Path) -> None:
    """A pipe, say from a program that makes the board."""
    pipe = tmp_path / "board.csv"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(b"model,score\nHeron-7B,72.50\n",))
    writer.start()
    (entry,) = corrigenda.json("import", *MAPPED, "--format", "snapshot", str(pipe))["files"]
    writer.join()
    assert entry["recorded"] == 1


@attrs.frozen
class InParts:
    """A format with two sheets of one board in a file."""

    name: str = "parts"
    title: str = "In parts"
    endings: tuple[str, ...] = (".txt",)
    placing: Placing = FORMATS[0].placing

    def known_by(self, file: Candidate) -> str | None:  # noqa: ARG002 -- as every format
        """Never."""
        return None

    def sheets(self, file: Candidate, asked: Asked) -> Iterator[Sheet]:  # noqa: ARG002
        """A row in each; the first says that it is all."""
        for n, score in enumerate(("70%", "80%")):
            row = RawRow(1, {"model": f"M{n}", "score": score.rstrip("%"), "unit": "%"})
            yield Sheet(source="s", benchmark="b", rows=(row,), whole=not n)


def test_a_board_in_two_parts_of_a_file_is_the_whole_of_both(
    corrigenda: Corrigenda, tmp_path: Path
) -> None:
    """The second part takes back nothing of the first, and both are known the next time."""
    file = Candidate.at(write(tmp_path, "parts.txt", "x"))
    with opened(corrigenda) as workspace:
        incoming = Incoming(workspace=workspace, by="ada", asked=Asked(now=utc_now()))
        for known in (False, True):
            receipts = list(incoming.boards(file, Choice(InParts(), "a test")))
            assert [getattr(one, "known_already", None) for one in receipts] == [known, known]
    rows = corrigenda.json("board", "b")["rows"]
    assert [row["as_written"] for row in rows] == ["M1", "M0"]


def test_folders_without_end_are_refused(corrigenda: Corrigenda, tmp_path: Path) -> None:
    """How deep is bounded, and said."""
    write(tmp_path, "/".join(["in"] * 20) + "/polyglot.yml", AIDER)
    assert "deep" in corrigenda.refused("import", str(tmp_path / "in"))


def test_formats_lists_every_format_with_its_placing(corrigenda: Corrigenda) -> None:
    """As text and as JSON."""
    text = corrigenda.done("formats")
    found = corrigenda.json("formats")["formats"]
    assert [one["name"] for one in found] == [one.name for one in FORMATS]
    for one in FORMATS:
        assert f"{one.name}: {one.title}" in text
        assert one.placing.identity in text


# --- tables with a mapping --------------------------------------------------------------------

TABLE = "Name,MMLU,Elo,Lab\nHeron-7B,0.57,1200,Lab A\nIbis-13B,0.600,-,Lab B\n"
MAPPED = ("--source", "s", "--benchmark", "b")


def test_a_first_run_drafts_a_mapping_and_imports_nothing(
    corrigenda: Corrigenda, tmp_path: Path
) -> None:
    """It says what was guessed and what to decide, and never writes over a draft."""
    file = write(tmp_path, "board.csv", TABLE)
    said = corrigenda.refused("import", "--format", "table", *MAPPED, str(file))
    draft = tmp_path / "board.csv.mapping.yaml"
    assert "guessed: the name is the column Name" in said
    assert "to decide: unit: what MMLU is counted in" in said
    assert str(draft) in said
    assert corrigenda.json("events") == {"events": []}
    undecided = corrigenda.refused("import", "--mapping", str(draft), *MAPPED, str(file))
    assert "line 9, whole" in undecided
    draft.write_text(draft.read_text().replace("Heron", "Ibis"))
    kept = draft.read_bytes()
    assert "there already" in corrigenda.refused("import", "--format", "table", str(file))
    assert draft.read_bytes() == kept


def test_a_draft_is_printed_where_nothing_is_to_be_written(
    corrigenda: Corrigenda, tmp_path: Path
) -> None:
    """A dry run leaves the folder as it is."""
    file = write(tmp_path, "board.csv", TABLE)
    result = corrigenda.run("import", "--format", "table", "--dry-run", str(file))
    assert result.exit_code == 1
    assert result.stdout.startswith("# How to read board.csv.")
    assert not (tmp_path / "board.csv.mapping.yaml").exists()


def test_a_decided_draft_imports_its_table(corrigenda: Corrigenda, tmp_path: Path) -> None:
    """A fraction ranks as the percents that it is, with the digits as written."""
    file = write(tmp_path, "board.csv", TABLE)
    corrigenda.refused("import", "--format", "table", *MAPPED, str(file))
    draft = tmp_path / "board.csv.mapping.yaml"
    decided = draft.read_text().replace('whole: "?"', "whole: true")
    decided = decided.replace('unit: "?"', "unit: fraction", 1).replace('unit: "?"', "unit: elo", 1)
    draft.write_text(decided)
    words = ("import", "--mapping", str(draft), *MAPPED, str(file))
    (entry,) = corrigenda.json(*words)["files"]
    assert (entry["format"], entry["rows"], entry["recorded"]) == ("table", 4, 3)
    board = corrigenda.json("board", "b", "--metric", "MMLU")
    assert [(row["score"], row["unit"]) for row in board["rows"]] == [
        ("0.600", "fraction"),
        ("0.57", "fraction"),
    ]
    (entry,) = corrigenda.json(*words)["files"]
    assert entry["known_already"]


@pytest.mark.parametrize(
    "words",
    [
        ("--format", "git-history", "x"),
        ("--path", "a.csv", "x"),
        ("--as", "aider", "x"),
        ("--format", "aider", "--mapping", "x", "x"),
        ("--format", "table", "x", "y"),
    ],
)
def test_options_that_do_not_go_together_are_wrong_usage(
    corrigenda: Corrigenda, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    """None of them is left out of account."""
    for name in ("x", "y"):
        write(tmp_path, name, TABLE)
    monkeypatch.chdir(tmp_path)
    assert corrigenda.run("import", *words).exit_code == 2


# --- stopping ---------------------------------------------------------------------------------


def test_ctrl_c_stops_between_boards_and_the_next_run_goes_on(
    corrigenda: Corrigenda, tmp_path: Path
) -> None:
    """What is done is said and stands; the same command does the rest, and nothing twice."""
    rows = [{"model_name": f"M{n}", "metrics": {"F1": f"8{n}%"}} for n in range(3)]
    sota = {"metrics": ["F1"], "rows": rows}
    tasks = [
        {"task": f"T{n}", "datasets": [{"dataset": f"D{n}", "sota": sota}]} for n in range(BOARDS)
    ]
    file = write(tmp_path, "evaluation-tables.json", orjson.dumps(tasks))
    command = [sys.executable, "-c", "from web.cli import main; main()"]
    command += ["--home", str(corrigenda.home), "--by", "ada", "import", "--json", str(file)]
    environment = {**os.environ, "XDG_STATE_HOME": str(corrigenda.state)}
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment
    )
    while not corrigenda.json("events")["events"]:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate()
    assert process.returncode == 130, err
    done = orjson.loads(out)
    assert done["stopped"]
    assert 0 < len(done["files"]) < BOARDS
    assert b"Stopped." in err
    entries = corrigenda.json("import", str(file))["files"]
    assert [entry["known_already"] for entry in entries] == [
        place < len(done["files"]) for place in range(BOARDS)
    ]
    assert len({entry["read_at"] for entry in entries}) == 1
