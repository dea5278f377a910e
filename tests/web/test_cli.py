"""The command keeps its outside contract: statuses, streams, and the shape of every document."""

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import orjson
import pytest

from tests.web.corrigenda import ABOUT, Corrigenda, Toy
from web.cli.session import NoHandle, Session
from web.settings import Settings

# What is no day at all, in every way that people and scripts get it wrong.
IMPOSSIBLE = ["2025-02-30", "28/07/2025", "", "2025-2-3", "yesterday", "2025-02-07T10:00:00"]


def meddle(home: Path, statement: str, table: str = "claim_version") -> None:
    """Change a table of the live read model behind its back."""
    with closing(sqlite3.connect(home / "views.db")) as connection, connection:
        connection.execute(statement.format(table=f"g1_{table}"))


# --- statuses and streams ---------------------------------------------------------------------


def test_a_real_process_prints_results_and_messages_apart(tmp_path: Path) -> None:
    """The installed command: JSON alone on standard output, messages on standard error."""
    command = Path(sys.executable).parent / "corrigenda"
    environment = {**os.environ, "CORRIGENDA_HOME": str(tmp_path / "home"), "CORRIGENDA_BY": "ada"}

    def run(*words: str) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(
            [str(command), *words], env=environment, capture_output=True, check=False, timeout=60
        )

    refused = run("corrections")
    assert (refused.returncode, refused.stdout) == (1, b"")
    assert b"corrigenda init" in refused.stderr
    made = run("init")
    assert (made.returncode, made.stdout) == (0, b"")
    done = run("corrections", "--json")
    assert (done.returncode, done.stderr) == (0, b"")
    assert orjson.loads(done.stdout) == {"corrections": []}
    wrong = run("board")
    assert (wrong.returncode, wrong.stdout) == (2, b"")


def test_a_poor_terminal_ends_no_command(toy: Toy) -> None:
    """What its encoding cannot write is spelled out."""
    command = Path(sys.executable).parent / "corrigenda"
    done = subprocess.run(
        [str(command), "--home", str(toy.corrigenda.home), "claim", toy.claim("Beta")],
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        capture_output=True,
        check=False,
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"\\u201cBeta\\u201d" in done.stdout


def test_a_refusal_is_its_message_alone(toy: Toy) -> None:
    """An unknown benchmark, metric, view, claim, source or report: status 1 and one sentence."""
    refused = toy.corrigenda.refused
    assert refused("board", "nope") == "There is no benchmark called nope."
    assert refused("changes", "nope", "--from", "2025-01-01", "--to", "2025-02-01", "--json")
    assert refused("leaders", "nope", "--json") == "There is no benchmark called nope."
    assert "accuracy" in refused("board", "toy", "--metric", "speed")
    assert "labs, independent, all" in refused("board", "toy", "--view", "mine", "--json")
    assert refused("claim", "c0", "--json") == "There is no claim called c0."
    assert refused("source", "nope", "--json") == "There is no source called nope."
    assert refused("report", "show", "7") == "There is no report called 7."


@pytest.mark.parametrize(
    "words",
    [
        ["board"],
        ["board", "toy", "--nope"],
        ["board", "toy", "--json", "--csv"],
        ["board", "toy", "--corrected", "now"],
        ["changes", "toy", "--from", "2025-01-01"],
        ["import"],
        ["import", "there-is-no-such-file.csv"],
        ["report", "decide", "1"],
        ["report", "list", "--state", "lost"],
        ["events", "--from", "-1"],
        ["prophesy"],
    ],
)
def test_wrong_usage_ends_with_two(toy: Toy, words: list[str]) -> None:
    """What cannot be understood is neither done nor refused."""
    result = toy.corrigenda.run(*words)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "Error:" in result.stderr


@pytest.mark.parametrize("day", IMPOSSIBLE)
@pytest.mark.parametrize("option", ["--as-read-on", "--recorded-through", "--published-by"])
def test_an_impossible_day_never_shows_todays_board(toy: Toy, option: str, day: str) -> None:
    """Each of the three dates of a board is refused with a reason when it is no day."""
    assert toy.corrigenda.refused("board", "toy", option, day, "--json")


@pytest.mark.parametrize("day", IMPOSSIBLE)
def test_an_impossible_day_is_refused_wherever_one_is_asked_for(toy: Toy, day: str) -> None:
    """Changes, claims, sources and imports take no other dates than boards do."""
    refused = toy.corrigenda.refused
    assert refused("changes", "toy", "--from", day, "--to", "2025-03-01", "--json")
    assert refused("changes", "toy", "--from", "2025-01-01", "--to", day, "--json")
    assert refused("claim", toy.claim("Beta"), "--as-read-on", day, "--json")
    assert refused("source", "toy-board", "--as-read-on", day, "--json")
    assert refused("import", *ABOUT, "--read-at", day, str(toy.january))


def test_the_future_cannot_be_asked_about(toy: Toy) -> None:
    """A day after today, an instant after now and a position beyond the head are refused."""
    refused = toy.corrigenda.refused
    assert "future" in refused("board", "toy", "--as-read-on", "2999-01-01", "--json")
    assert "future" in refused("board", "toy", "--as-read-on", "2999-01-01T00:00:00Z", "--json")
    assert "future" in refused("board", "toy", "--recorded-through", "2999-01-01", "--json")
    assert "future" in refused("board", "toy", "--published-by", "2999-01-01", "--json")
    assert "nothing beyond" in refused("board", "toy", "--recorded-through", "999999", "--json")
    assert refused("changes", "toy", "--from", "2025-02-01", "--to", "2999-01-01")
    undated = toy.january.rename(toy.january.with_name("undated.csv"))
    result = toy.corrigenda.run("import", *ABOUT, "--read-at", "2999-01-01", str(undated))
    assert (result.exit_code, result.stdout) == (1, "")
    assert "future" in result.stderr


def test_changes_end_before_they_begin_only_by_mistake(toy: Toy) -> None:
    """--from after --to is refused, not an empty list."""
    words = ("changes", "toy", "--from", "2025-03-01", "--to", "2025-02-01", "--json")
    assert "later than to" in toy.corrigenda.refused(*words)


# --- who is at the keyboard -------------------------------------------------------------------


def test_who_asks_is_recorded(toy: Toy) -> None:
    """--by is the handle in the envelope of what is recorded."""
    found = toy.corrigenda.json("events")["events"]
    assert {one["recorded_by"] for one in found} == {"ada"}


def test_a_handle_that_will_not_do_is_refused(toy: Toy) -> None:
    """A handle is a slug: it stands in addresses."""
    words = ("report", "file", "--target", "benchmarks/toy", "--reason", "other")
    assert "handle" in toy.corrigenda.refused(*words, by="Ada Lovelace")


def test_the_login_name_is_the_handle_where_it_will_do(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody has to say who they are on their own machine."""
    monkeypatch.setattr("getpass.getuser", lambda: "ada")
    assert Session(Settings(home=Path("var"))).by == "ada"


def test_another_login_name_is_not_bent_into_a_handle(monkeypatch: pytest.MonkeyPatch) -> None:
    """What to set is said instead."""
    monkeypatch.setattr("getpass.getuser", lambda: "DOMAIN\\Ada")
    with pytest.raises(NoHandle, match="CORRIGENDA_BY"):
        _ = Session(Settings(home=Path("var"))).by


# --- documents --------------------------------------------------------------------------------


def test_the_board_document_keeps_its_shape(toy: Toy) -> None:
    """Every name of the contract, with scores as text, digit by digit."""
    board = toy.corrigenda.json("board", "toy", "--as-read-on", "2025-02-07")
    assert board["benchmark"] == {"slug": "toy", "name": "Toy"}
    assert board["view"] == "all"
    assert {
        "slug": "accuracy",
        "name": "accuracy",
        "unit": "%",
        "higher_is_better": True,
    }.items() <= (board["metric"].items())
    assert board["as_read_on"] == "2025-02-07"
    assert board["corrected"] == "then"
    assert set(board["recorded_through"]) == {"position", "recorded_at"}
    assert board["untracked"] == 0
    assert board["headline"] == "2 models share the top score of 72.50% in all claims"
    assert board["caveats"] == []
    assert board["leader"]["model"]["name"] == "Alpha"
    assert [row["score"] for row in board["rows"]] == ["72.50", "72.5", "71.0", "-3"]
    assert [row["rank"] for row in board["rows"]] == [1, 2, 3, 4]


def test_a_row_of_a_board_keeps_its_shape(toy: Toy) -> None:
    """A model, a source, the digits as written, and what a reader has to be told."""
    second = toy.corrigenda.json("board", "toy", "--as-read-on", "2025-02-07")["rows"][1]
    assert second == {
        "rank": 2,
        "model": {"id": second["model"]["id"], "name": "Gamma", "version": None, "lab": "Lab B"},
        "score": "72.5",
        "unit": "%",
        "published_on": "2025-01-05",
        "source": {"slug": "toy-board", "kind": "official-leaderboard", "name": "toy-board"},
        "key": "Gamma",
        "as_written": "Gamma",
        "claim_id": toy.claim("Gamma", "--as-read-on", "2025-02-07"),
        "tied": True,
        "marks": [{"kind": "added-later", "text": "added to the ledger later"}],
    } | {name: second[name] for name in ("metric", "split", "setting", "wording")}


def test_a_board_of_a_day_before_any_reading_says_why_it_is_empty(toy: Toy) -> None:
    """Nothing read yet is not the same as nothing there."""
    board = toy.corrigenda.json("board", "toy", "--as-read-on", "2025-02-06")
    assert board["rows"] == []
    assert board["leader"] is None
    assert "the first reading is of 2025-02-07" in board["empty_because"]
    assert "the first reading is of 2025-02-07" in toy.corrigenda.done(
        "board", "toy", "--as-read-on", "2025-02-06"
    )


def test_a_board_pinned_to_a_position_never_changes(toy: Toy) -> None:
    """The same document, to the byte, after more was recorded."""
    position = toy.corrigenda.json("board", "toy")["recorded_through"]["position"]
    words = ("board", "toy", "--as-read-on", "2025-02-20", "--recorded-through", str(position))
    before = toy.corrigenda.done(*words, "--json")
    later = toy.january.with_name("2025-02-18T000000Z.csv")
    later.write_text("model,score,metric\nAlpha,99,accuracy\n", encoding="utf-8")
    toy.corrigenda.done("import", *ABOUT, str(later))
    assert toy.scores("--as-read-on", "2025-02-20") == [("Alpha", "99")]
    assert toy.corrigenda.done(*words, "--json") == before


def test_the_board_says_its_time_in_words(toy: Toy) -> None:
    """A day means to its end, and the position is part of what was asked."""
    text = toy.corrigenda.done("board", "toy", "--as-read-on", "2025-02-20")
    assert "As read on 2025-02-20, end of that day UTC; recorded through position" in text
    assert "Beta leads all claims with 73.1%." in text


def test_the_changes_document_keeps_its_shape(toy: Toy) -> None:
    """A list, oldest first, with both days included."""
    found = toy.corrigenda.json("changes", "toy", "--from", "2025-02-07", "--to", "2025-02-15")
    names = {"kind", "model", "metric", "old", "new", "read_at", "position", "claim_id", "decision"}
    assert all(names <= set(step) for step in found)
    second = [(step["kind"], step["name"], step["old"], step["new"]) for step in found[4:]]
    assert [step["kind"] for step in found[:4]] == ["recorded"] * 4
    assert sorted(second) == [
        ("delisted", "=SUM(A1)", "-3", None),
        ("delisted", "Gamma", "72.5", None),
        ("recorded", "Delta", None, "12"),
        ("restated", "Beta", "71.0", "73.1"),
    ]
    assert {step["read_at"] for step in found[4:]} == {"2025-02-15T20:00:39Z"}


def test_changes_after_the_instant_of_a_reading_leave_it_out(toy: Toy) -> None:
    """--from is the start of a day, or the instant that it names."""
    words = ("changes", "toy", "--from", "2025-02-07T19:15:11Z", "--to", "2025-02-14")
    assert toy.corrigenda.json(*words) == []
    assert "Nothing changed." in toy.corrigenda.done(*words)


def test_the_leaders_document_keeps_its_shape(toy: Toy) -> None:
    """Oldest first, each with its model, score, since when, and claim."""
    found = toy.corrigenda.json("leaders", "toy")
    assert set(found) == {"leaders"}
    assert [(one["model"]["name"], one["score"], one["since"]) for one in found["leaders"]] == [
        ("Alpha", "72.50", "2025-01"),
        ("Beta", "73.1", "2025-01-20"),
    ]
    assert {"model", "score", "since", "claim_id"} <= set(found["leaders"][0])
    assert "Beta" in toy.corrigenda.done("leaders", "toy")


def test_the_claim_document_tells_the_whole_story(toy: Toy) -> None:
    """What the source says, what shows, each change and each snapshot."""
    found = toy.corrigenda.json("claim", toy.claim("Beta"))
    assert found["says"]["score"] == found["shows"]["score"] == "73.1"
    assert [step["kind"] for step in found["history"]] == ["recorded", "restated"]
    assert len(found["readings"]) == 2
    assert found["corrections"] == []
    earlier = toy.corrigenda.json("claim", toy.claim("Beta"), "--as-read-on", "2025-02-07")
    assert earlier["shows"]["score"] == "71.0"
    text = toy.corrigenda.done("claim", toy.claim("Beta"))
    assert "71.0" in text
    assert "73.1" in text


def test_the_source_document_lists_readings_and_claims(toy: Toy) -> None:
    """What it is, when it was read, and what it states."""
    found = toy.corrigenda.json("source", "toy-board")
    assert (found["slug"], found["kind"]) == ("toy-board", "official-leaderboard")
    assert [one["read_at"] for one in found["readings"]] == [
        "2025-02-07T19:15:10Z",
        "2025-02-15T20:00:39Z",
    ]
    assert [one["name"] for one in found["claims"]] == ["Alpha", "Beta", "Delta"]
    assert "Delta" in toy.corrigenda.done("source", "toy-board")


# --- upkeep -----------------------------------------------------------------------------------


def test_a_home_is_made_once(corrigenda: Corrigenda) -> None:
    """A second init changes nothing and says so."""
    result = corrigenda.run("init")
    assert (result.exit_code, result.stdout) == (0, "")
    assert "already" in result.stderr


def test_a_home_that_cannot_be_made_is_refused(tmp_path: Path) -> None:
    """A file in the way is said, not thrown."""
    (tmp_path / "file").write_text("", encoding="utf-8")
    assert "cannot be made" in Corrigenda(tmp_path / "file" / "home").refused("init")


def test_events_are_listed_from_a_position(toy: Toy) -> None:
    """One document, in the order of positions, each event with its envelope."""
    found = toy.corrigenda.json("events", "--from", "3")["events"]
    positions = [one["position"] for one in found]
    assert positions == list(range(3, positions[-1] + 1))
    names = {
        "position",
        "stream",
        "version",
        "type",
        "recorded_at",
        "recorded_by",
        "cause",
        "event",
    }
    assert set(found[0]) == names
    assert toy.corrigenda.json("events", "--from", "100000") == {"events": []}
    assert len(toy.corrigenda.done("events").splitlines()) == positions[-1]


def test_a_rebuild_gives_the_same_and_a_check_finds_what_differs(toy: Toy) -> None:
    """Status 0 while they agree; status 1 and the rows once somebody meddled."""
    before = toy.corrigenda.done("board", "toy", "--as-read-on", "2025-02-20", "--json")
    assert toy.corrigenda.done("rebuild", "--check") == ""
    meddle(toy.corrigenda.home, "UPDATE {table} SET score = '99' WHERE score = '73.1'")
    result = toy.corrigenda.run("rebuild", "--check")
    assert result.exit_code == 1
    assert "73.1" in result.stdout
    assert toy.corrigenda.done("board", "toy", "--as-read-on", "2025-02-20", "--json") != before
    toy.corrigenda.done("rebuild")
    assert toy.corrigenda.done("board", "toy", "--as-read-on", "2025-02-20", "--json") == before
    assert toy.corrigenda.done("rebuild", "--check") == ""


def test_the_doctor_says_what_is_well_and_what_is_not(toy: Toy) -> None:
    """A missing snapshot is found; everything else stays well."""
    assert all(line.startswith("ok ") for line in toy.corrigenda.done("doctor").splitlines())
    digest = toy.snapshot()
    (toy.corrigenda.home / "archive" / digest[:2] / digest[2:4] / digest).unlink()
    result = toy.corrigenda.run("doctor")
    assert (result.exit_code, result.stderr) == (1, "")
    wrong = [line for line in result.stdout.splitlines() if line.startswith("error")]
    assert len(wrong) == 1
    assert digest in wrong[0]


def test_the_doctor_finds_a_read_model_that_lags(toy: Toy) -> None:
    """Events that nothing has followed yet are counted, and what helps is said."""
    meddle(toy.corrigenda.home, "UPDATE progress SET position = 3", "progress")
    (line,) = [
        one for one in toy.corrigenda.done("doctor").splitlines() if not one.startswith("ok")
    ]
    assert line.startswith("warning read model: it has reached position 3 of")
    assert "corrigenda rebuild" in line


def test_the_doctor_looks_even_where_there_is_no_ledger(tmp_path: Path) -> None:
    """Each check says what it misses, in a line of its own."""
    result = Corrigenda(tmp_path / "nowhere").run("doctor")
    assert result.exit_code == 1
    of_the_home = [one for one in result.stdout.splitlines() if "fonts:" not in one]
    assert all(line.startswith("error") for line in of_the_home)
    assert not (tmp_path / "nowhere").exists()
