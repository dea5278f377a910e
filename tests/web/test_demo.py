"""Demo on real data: four rows as read, a correction, three rows now, and four as read before."""

import re
import shutil
from contextlib import closing
from pathlib import Path

import pytest

from tests.web.corrigenda import Corrigenda
from web import passwords
from web.app import create_app
from web.cli.demo import ON_PAPER
from web.private.accounts import account_named
from web.settings import Settings
from web.wiring import open_workspace

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
    assert entry["reason"] == "wrong-metric-or-split"
    assert (entry["proposed_by"], entry["decided_by"]) == ("demo-reviewer", "demo-second-reviewer")
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
        if words[0] in ("export", "verify"):
            continue
        shown = Corrigenda(home).done(*words).splitlines()
        assert shown[0] in text
    assert "still has the 4 rows" in text
    assert "3 rows rank now" in text


def test_the_demo_shows_a_paper_as_read_on_four_days(told_once: tuple[Path, str]) -> None:
    """An archive alone, a window that is open, one that is closed, and what ran."""
    days = re.split(r"^  \$ corrigenda .*paper 2402\.14658 ", told_once[1], flags=re.MULTILINE)[1:]
    assert [day.split()[1] for day in days] == [
        "2025-08-01",
        "2026-09-17",
        "2026-09-20",
        "2026-09-24",
    ]
    assert [re.findall(r"Probe window: .*\((\w+)\)", day) for day in days] == [
        [],
        ["open"],
        ["closed"],
        ["closed"],
    ]
    ran = "3 of 3 samples from 1 repository ran; 0 without a recorded run."
    assert [ran in day for day in days] == [False, False, False, True]


def test_the_demo_makes_a_pdf_and_says_how_to_check_it(told_once: tuple[Path, str]) -> None:
    """The command that it prints finds that the PDF holds; so does the one that makes it."""
    home, text = told_once
    lines = re.findall(r"^ +\$ corrigenda --home \S+ ((?:export|verify) .+)$", text, re.MULTILINE)
    export, verify = (line.split() for line in lines)
    file = Path(verify[-1])
    printed = file.read_bytes()
    assert "holds" in Corrigenda(home).done(*verify)
    Corrigenda(home).done(*export)
    assert Path(export[-1]) == file
    assert file.read_bytes() == printed


def test_the_demo_told_twice_is_recorded_once(demo: Corrigenda) -> None:
    """The second time it tells the same story and records nothing."""
    before = demo.json("events")
    again = demo.done("demo", "--no-serve")
    assert demo.json("events") == before
    assert "still has the 4 rows" in again
    assert rows(demo) == THREE


def test_the_demo_ends_with_its_addresses_and_two_reviewers_who_can_log_in(
    demo: Corrigenda,
) -> None:
    """Each has a one-time password, a new one each time; the passwords of before are void."""
    told = [
        dict(
            re.findall(r"^  (demo-[a-z-]+) +((?:[a-z2-9]{5}-){4}[a-z2-9]{5})$", text, re.MULTILINE)
        )
        for text in (demo.done("demo", "--no-serve"), demo.done("demo", "--no-serve"))
    ]
    assert set(told[0]) == set(told[1]) == {"demo-reviewer", "demo-second-reviewer"}
    with closing(open_workspace(Settings(home=demo.home))) as workspace:
        for handle, password in told[1].items():
            account = account_named(workspace.private, handle)
            assert account is not None
            assert account.roles == {"reviewer"}
            assert account.one_time_until is not None
            assert passwords.matches(account.password, password)
            assert not passwords.matches(account.password, told[0][handle])


def test_the_addresses_that_the_demo_prints_are_there(demo: Corrigenda) -> None:
    """Each can be read by anyone, but the queue, which asks for a login."""
    paths = re.findall(
        r"http://127\.0\.0\.1:8000(/\S*)$", demo.done("demo", "--no-serve"), re.MULTILINE
    )
    assert len(paths) == 5
    with closing(open_workspace(Settings(home=demo.home))) as workspace:
        client = create_app(workspace).test_client()
        told = {path: client.get(path).status_code for path in paths}
    assert told == dict.fromkeys(paths, 200) | {"/review": 303}


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
    kept = sorted(one.name for one in corrigenda.home.iterdir())
    assert kept == ["archive", "checkpoint.key", ON_PAPER]
