"""Files come in through the command: receipts, refusals, dry runs, and taking one back."""

import hashlib
from pathlib import Path

import orjson

from tests.web.corrigenda import ABOUT, Corrigenda, Toy

RECORDS = """\
{"record": "file", "format": "corrigenda-records/1", "read_at": "2025-02-01", "why": "a test"}
{"record": "benchmark", "slug": "toy", "name": "Toy"}
{"record": "ranking-rule", "benchmark": "toy", "metric": "accuracy", "name": "accuracy", \
"unit": "%", "splits": null}
"""
COUNTS = ("recorded", "restated", "delisted", "relisted", "unchanged")


def write(folder: Path, name: str, content: str) -> Path:
    """A file with this content."""
    file = folder / name
    file.write_text(content, encoding="utf-8")
    return file


def test_the_receipt_keeps_its_shape(corrigenda: Corrigenda, tmp_path: Path) -> None:
    """One entry a file, with the counts and every refused row and its reason."""
    content = "model,score\nAlpha,72.50\nBeta,NaN\n"
    file = write(tmp_path, "2025-02-07T191510Z.csv", content)
    (entry,) = corrigenda.json("import", *ABOUT, str(file))["files"]
    names = {"file", "read_at", "rows", *COUNTS, "refused"}
    assert names <= set(entry)
    assert (entry["file"], entry["read_at"]) == (file.name, "2025-02-07T19:15:10Z")
    assert (entry["rows"], entry["recorded"]) == (2, 1)
    assert entry["digest"] == hashlib.sha256(content.encode()).hexdigest()
    (refused,) = entry["refused"]
    assert (refused["row"], refused["key"], refused["field"]) == (2, "Beta", "score")
    assert refused["why"]


def test_a_refused_row_is_no_failure(corrigenda: Corrigenda, tmp_path: Path) -> None:
    """The rest of its file went on, and the receipt says which row did not, and why."""
    file = write(tmp_path, "board.csv", "model,score\nAlpha,1\nBeta,Infinity\n")
    text = corrigenda.done("import", *ABOUT, str(file))
    assert "2 rows: 1 recorded, 1 refused." in text
    assert "refused: row 2 (Beta), score:" in text


def test_a_refused_file_lets_the_others_go_on(corrigenda: Corrigenda, tmp_path: Path) -> None:
    """Status 1, the reason on standard error and in the receipt, and the good file recorded."""
    write(tmp_path, "2025-02-01T000000Z.json", "{")
    write(tmp_path, "2025-02-02T000000Z.csv", "model,score\nAlpha,1\n")
    write(tmp_path, "notes.txt", "not a board")
    result = corrigenda.run("import", *ABOUT, str(tmp_path), "--json")
    assert result.exit_code == 1
    assert result.stderr.startswith("2025-02-01T000000Z.json: not JSON")
    broken, good = orjson.loads(result.stdout)["files"]
    assert {"file", "read_at", "rows", *COUNTS, "refused"} <= set(broken)
    assert broken["file_refused"] in result.stderr
    assert good["recorded"] == 1
    assert len(corrigenda.json("board", "toy")["rows"]) == 1


def test_a_dry_run_records_nothing(corrigenda: Corrigenda, tmp_path: Path) -> None:
    """It says what would happen, for boards and for records, and the ledger stays empty."""
    board = write(tmp_path, "board.csv", "model,score\nAlpha,1\n")
    records = write(tmp_path, "facts.jsonl", RECORDS)
    result = corrigenda.run("import", *ABOUT, "--dry-run", str(board), str(records))
    assert result.exit_code == 0
    assert "1 recorded" in result.stdout
    assert "Nothing was recorded" in result.stderr
    assert corrigenda.json("events") == {"events": []}
    assert not any((corrigenda.home / "archive").iterdir())


def test_the_same_file_twice_is_once(toy: Toy) -> None:
    """The same bytes, source and instant again record nothing and are no failure."""
    before = toy.corrigenda.json("events")
    (entry,) = toy.corrigenda.json("import", *ABOUT, str(toy.january))["files"]
    assert entry["known_already"]
    assert [entry[name] for name in COUNTS] == [0, 0, 0, 0, 4]
    assert toy.corrigenda.json("events") == before


def test_files_are_taken_in_the_order_of_their_names(
    corrigenda: Corrigenda, tmp_path: Path
) -> None:
    """Also within one instant, where a number after it says the order."""
    names = [f"2025-02-07T000000Z-{n:03d}.csv" for n in (1, 2, 3)]
    files = [
        write(tmp_path, name, f"model,score\nAlpha,{n}\n")
        for n, name in reversed(list(enumerate(names, 1)))
    ]
    receipt = corrigenda.json("import", *ABOUT, *map(str, files))
    assert [entry["file"] for entry in receipt["files"]] == names
    assert corrigenda.json("board", "toy")["rows"][0]["score"] == "3"


def test_records_come_before_the_boards_that_stand_on_them(
    corrigenda: Corrigenda, tmp_path: Path
) -> None:
    """A folder with both needs no particular names."""
    write(tmp_path, "a.csv", "model,score\nAlpha,1\n")
    write(tmp_path, "z.jsonl", RECORDS)
    receipt = corrigenda.json("import", "--source", "s", "--benchmark", "toy", str(tmp_path))
    assert [entry["file"] for entry in receipt["files"]] == ["z.jsonl", "a.csv"]
    board = corrigenda.json("board", "toy")
    assert board["benchmark"]["name"] == "Toy"
    assert board["rows"][0]["unit"] == "%"


def test_a_bad_line_refuses_a_whole_records_file(corrigenda: Corrigenda, tmp_path: Path) -> None:
    """Its line and reason are in the receipt, and nothing of the file is recorded."""
    file = write(tmp_path, "facts.jsonl", RECORDS + '{"record": "lab", "slug": "NO"}\n')
    result = corrigenda.run("import", str(file), "--json")
    assert result.exit_code == 1
    (entry,) = orjson.loads(result.stdout)["files"]
    assert {one["row"] for one in entry["refused"]} == {4}
    assert corrigenda.json("events") == {"events": []}


def test_an_import_taken_back_leaves_what_was_read_before(toy: Toy) -> None:
    """The board before it stands again, and the snapshot stays marked."""
    assert toy.scores() == [("Beta", "73.1"), ("Alpha", "72.50"), ("Delta", "12")]
    receipt = toy.corrigenda.json("import", "--withdraw", toy.snapshot())
    (entry,) = receipt["files"]
    assert (entry["restated"], entry["delisted"], entry["relisted"]) == (1, 1, 2)
    assert toy.scores() == toy.scores("--as-read-on", "2025-02-07")
    readings = toy.corrigenda.json("source", "toy-board")["readings"]
    assert [one["withdrawn"] for one in readings] == [False, True]


def test_the_only_reading_of_a_claim_can_be_taken_back(toy: Toy) -> None:
    """The claim is stated by nobody then; the ledger still follows, and still tells its story."""
    delta = toy.claim("Delta")
    toy.corrigenda.done("import", "--withdraw", toy.snapshot())
    assert toy.corrigenda.json("claim", delta)["shows"] is None
    assert "does not state it" in toy.corrigenda.done("claim", delta)
    assert toy.corrigenda.done("rebuild", "--check") == ""


def test_a_dry_withdrawal_records_nothing(toy: Toy) -> None:
    """What would be restored is counted, and the reading stands."""
    before = toy.scores()
    toy.corrigenda.done("import", "--withdraw", toy.snapshot(), "--dry-run")
    assert toy.scores() == before


def test_what_was_never_read_cannot_be_taken_back(toy: Toy) -> None:
    """An unknown digest, or what is none, is refused."""
    assert toy.corrigenda.refused("import", "--withdraw", "0" * 64, "--json").endswith(
        f"{'0' * 64}."
    )
    assert "64 hexadecimal" in toy.corrigenda.refused("import", "--withdraw", "abc", "--json")


def test_a_snapshot_needs_to_know_what_it_is_about(corrigenda: Corrigenda, tmp_path: Path) -> None:
    """Source and benchmark are never guessed from a file's name."""
    file = str(write(tmp_path, "board.csv", "model,score\nAlpha,1\n"))
    for words in ([], ["--source", "s"], ["--benchmark", "b"]):
        result = corrigenda.run("import", *words, file)
        assert result.exit_code == 2
    assert "source" in corrigenda.refused("import", "--source", "S", "--benchmark", "b", file)


def test_records_say_themselves_what_they_are_about(corrigenda: Corrigenda, tmp_path: Path) -> None:
    """An option that would be ignored is wrong usage."""
    file = str(write(tmp_path, "facts.jsonl", RECORDS))
    assert corrigenda.run("import", "--source", "s", file).exit_code == 2


def test_an_unknown_unit_is_refused_before_any_file(corrigenda: Corrigenda, tmp_path: Path) -> None:
    """Nothing is half done."""
    file = str(write(tmp_path, "board.csv", "model,score\nAlpha,1\n"))
    words = ("import", "--source", "s", "--benchmark", "b", "--unit", "furlongs", file)
    assert "furlongs" in corrigenda.refused(*words)


def test_options_about_new_metrics_and_models_are_heeded(
    corrigenda: Corrigenda, tmp_path: Path
) -> None:
    """Less is better where one says so, and --only-tracked registers no model."""
    file = str(write(tmp_path, "board.csv", "model,score,metric\nAlpha,9,time\nBeta,3,time\n"))
    words = ("--source", "s", "--kind", "independent-run", "--benchmark", "b", "--unit", "s")
    corrigenda.done("import", *words, "--lower-is-better", "time", file)
    board = corrigenda.json("board", "b")
    assert [row["as_written"] for row in board["rows"]] == ["Beta", "Alpha"]
    assert board["rows"][0]["source"]["kind"] == "independent-run"
    other = ("--source", "t", "--benchmark", "b", "--only-tracked", "--read-at", "2025-02-01")
    unknown = str(write(tmp_path, "other.csv", "model,score,metric\nGamma,1,time\n"))
    corrigenda.done("import", *other, unknown)
    board = corrigenda.json("board", "b")
    assert [row["as_written"] for row in board["rows"]] == ["Beta", "Alpha"]
    assert board["untracked"] == 1


def test_a_folder_without_boards_is_refused(corrigenda: Corrigenda, tmp_path: Path) -> None:
    """Importing nothing by mistake is not a success."""
    folder = tmp_path / "empty"
    folder.mkdir()
    assert "no file in it" in corrigenda.refused("import", *ABOUT, str(folder))


def test_a_file_too_large_is_refused_before_it_is_read(
    corrigenda: Corrigenda, tmp_path: Path
) -> None:
    """The size is asked for first; a sparse file costs nothing here."""
    file = tmp_path / "2025-02-07T000000Z.csv"
    with file.open("wb") as sparse:
        sparse.truncate(65 * 1024 * 1024)
    result = corrigenda.run("import", *ABOUT, str(file))
    assert (result.exit_code, result.stdout) == (1, "")
    assert "split it" in result.stderr
