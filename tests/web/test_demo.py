"""Demo on real data: four rows as read, a correction, three rows now, and four as read before."""

import shutil
from pathlib import Path

import pytest

from tests.web.corrigenda import Corrigenda

AS_READ = ("--as-read-on", "2026-11-12")
FOUR = [
    ("Qwen-14B", "81.7"),
    ("Qwen1.5-72B", "73.1"),
    ("Qwen-7B", "70.2"),
    ("Qwen-1_8B", "26.8"),
]
THREE = [FOUR[0], FOUR[2], FOUR[3]]
BY_ACCURACY = [
    ("Qwen1.5-72B", "73.1"),
    ("Qwen-14B", "58.4"),
    ("Qwen-7B", "41.9"),
    ("Qwen-1_8B", "14.7"),
]


@pytest.fixture(scope="module")
def told_once(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A home in which the demo was run, and what it printed."""
    home = tmp_path_factory.mktemp("demo") / "home"
    return home, Corrigenda(home).done("demo", "--no-serve")


@pytest.fixture
def demo(told_once: tuple[Path, str], tmp_path: Path) -> Corrigenda:
    """The home of the demo, as the test's own."""
    shutil.copytree(told_once[0], tmp_path / "home")
    return Corrigenda(tmp_path / "home")


def rows(corrigenda: Corrigenda, *options: str) -> list[tuple[str, str]]:
    """The board of Code Interpreter: models and scores, best first."""
    board = corrigenda.json("board", "code-interpreter", *options)
    return [(row["model"]["name"], row["score"]) for row in board["rows"]]


def test_the_correction_shows_now_and_not_in_the_board_as_read_before(demo: Corrigenda) -> None:
    """Four rows as read, three now, four still as read, three as that day is known today."""
    assert rows(demo, *AS_READ) == FOUR
    assert rows(demo) == THREE
    assert rows(demo, "--metric", "accuracy") == BY_ACCURACY
    assert rows(demo, *AS_READ, "--corrected", "then") == FOUR
    assert rows(demo, *AS_READ, "--corrected", "since") == THREE


def test_the_demo_is_decided_by_another_person_who_checked_the_source(demo: Corrigenda) -> None:
    """The decision names its reason, both fields, and the snapshot that the claim rests on."""
    (entry,) = demo.json("corrections")["corrections"]
    assert (entry["outcome"], entry["type"]) == ("accepted", "correction")
    assert (entry["reason"], entry["decided_by"]) == ("wrong-metric-or-split", "demo-reviewer")
    (touched,) = entry["claims"]
    assert touched["before"] == {"metric": "executable-code-rate", "split": "All"}
    assert touched["after"] == {"metric": "accuracy", "split": "Math"}
    assert touched["applies_from"] == "start"
    story = demo.json("claim", touched["claim_id"])
    assert entry["snapshot"] == story["readings"][0]["digest"]
    (report,) = demo.json("report", "list")["reports"]
    assert (report["filed_by"], report["state"]) == ("demo-reader", "decided")


def test_the_demo_tells_its_story_with_the_commands_that_show_the_same(
    told_once: tuple[Path, str],
) -> None:
    """Every command that it prints can be run, and prints the table that follows it."""
    home, text = told_once
    lines = [one.strip() for one in text.splitlines() if one.strip().startswith("$ corrigenda")]
    commands = [one.removeprefix(f"$ corrigenda --home {home} ").split() for one in lines]
    boards = [one for one in commands if one[0] == "board"]
    assert len(boards) == 3 + 5
    assert [one[1] for one in boards].count("bigcodebench") == 3
    for words in commands:
        shown = Corrigenda(home).done(*words).splitlines()
        assert shown[0] in text
    assert "still has the 4 rows" in text
    assert "3 rows rank now" in text


def test_the_demo_told_twice_is_recorded_once(demo: Corrigenda) -> None:
    """The second time it tells the same story and records nothing."""
    before = demo.json("events")
    again = demo.done("demo", "--no-serve")
    assert demo.json("events") == before
    assert "still has the 4 rows" in again
    assert rows(demo) == THREE


def test_a_demo_that_broke_off_is_finished(demo: Corrigenda) -> None:
    """A home with the records alone gets the report and the decision."""
    fresh = Corrigenda(demo.home.parent / "fresh", by="demo-curator")
    fresh.done("init")
    fresh.done("import", str(Path(__file__).parents[2] / "web" / "demo"))
    assert rows(fresh) == FOUR
    fresh.done("demo", "--no-serve")
    assert rows(fresh) == THREE


def test_the_demo_does_not_mix_with_a_ledger_of_your_own(
    corrigenda: Corrigenda, tmp_path: Path
) -> None:
    """In a home with other data it refuses, and records nothing."""
    file = tmp_path / "board.csv"
    file.write_text("model,score\nAlpha,1\n", encoding="utf-8")
    corrigenda.done("import", "--source", "s", "--benchmark", "b", str(file))
    before = corrigenda.json("events")
    assert "a home of its own" in corrigenda.refused("demo", "--no-serve")
    assert corrigenda.json("events") == before


def test_the_demo_is_the_same_on_postgresql(
    postgres_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The three stores are schemas there; the story, told twice, does not change."""
    monkeypatch.setenv("CORRIGENDA_DATABASE_URL", postgres_url)
    corrigenda = Corrigenda(tmp_path / "home")
    corrigenda.done("demo", "--no-serve")
    corrigenda.done("demo", "--no-serve")
    assert rows(corrigenda, *AS_READ) == FOUR
    assert rows(corrigenda) == THREE
    assert rows(corrigenda, *AS_READ, "--corrected", "since") == THREE
    assert len(corrigenda.json("corrections")["corrections"]) == 1
    assert corrigenda.done("rebuild", "--check") == ""
    assert all(line.startswith("ok ") for line in corrigenda.done("doctor").splitlines())
    assert sorted(one.name for one in corrigenda.home.iterdir()) == ["archive"]
