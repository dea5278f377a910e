"""Aider's leaderboards: a list of runs in YAML."""

import pytest
import yaml

from ledger.importing.formats.aider import AIDER
from tests.ledger.formats.broken import (
    REAL,
    HoldsWhenBroken,
    HoldsWhenMixedUp,
    Sample,
    candidate,
    real,
    refusal,
    refused_somehow,
    stated,
)

TEXT = """- dirname: 2025-02-25-20-23-07--polyglot-heron
  test_cases: 215
  model: Héron 2
  edit_format: diff
  pass_rate_1: 20.4
  pass_rate_2: 72.50
  pass_num_1: 46
  pass_num_2: 120
  percent_cases_well_formed: 99.5
  total_tests: 225
  date: 2025-02-25
  total_cost: 0.0000

- dirname: 2025-02-26-08-00-00--egret
  test_cases: 225
  model: Egret
  edit_format: architect
  editor_model: Héron 2
  thinking_tokens: 32000
  pass_rate_1: 3.1
  pass_rate_2: 8.9
  percent_cases_well_formed: 100.0
  date: 2025-02-26
"""


class TestBroken(HoldsWhenBroken, HoldsWhenMixedUp):
    """The contract of all formats."""

    sample = Sample(
        form=AIDER,
        name="polyglot_leaderboard.yml",
        text=TEXT,
        score="72.50",
        twice=TEXT + "\n" + TEXT.split("\n\n", maxsplit=1)[0].replace("72.50", "72.6"),
        cut_shows=False,
    )


def test_a_run_makes_a_claim_for_each_rate_with_its_counters() -> None:
    """The one that ranks comes first; what is no rate is kept beside."""
    read = stated(AIDER, candidate("polyglot_leaderboard.yml", TEXT))
    ranked = read.one(name="Héron 2", metric="pass-rate-2")
    assert (str(ranked.score), ranked.unit) == ("72.50", "%")
    assert (ranked.passed, ranked.completed, ranked.total) == (120, 215, 225)
    assert ranked.setting == "edit_format diff"
    assert ranked.published_on is None
    assert dict(ranked.extra) == {"run_date": "2025-02-25", "total_cost": "0.0000"}
    assert {says.metric for says in read.says.values()} == {
        "pass-rate-2",
        "pass-rate-1",
        "percent-cases-well-formed",
    }
    assert read.sheets[0].metric_names[0] == ("pass-rate-2", "pass_rate_2")
    assert (read.sheets[0].source, read.sheets[0].benchmark) == ("aider", "aider-polyglot")
    assert "total_cost" in read.notes


def test_the_setting_is_said_in_one_line() -> None:
    """Two runs of one model in different settings have two keys anyhow: their dirname."""
    read = stated(AIDER, candidate("polyglot_leaderboard.yml", TEXT))
    egret = read.one(name="Egret", metric="pass-rate-2", key="2025-02-26-08-00-00--egret")
    assert egret.setting == "edit_format architect, editor_model Héron 2, thinking_tokens 32000"
    assert egret.passed is None


def test_which_benchmark_it_is_about_is_read_or_asked() -> None:
    """From its name, its folder, what its runs are called; never guessed."""
    other = TEXT.replace("polyglot-", "")
    where = {
        ("edit_leaderboard.yml",): "aider-edit",
        ("2025.yml", "refactor"): "aider-refactor",
        ("2025.yml", "aider-polyglot"): "aider-polyglot",
    }
    for (name, *folders), slug in where.items():
        assert stated(AIDER, candidate(name, other, *folders)).sheets[0].benchmark == slug
    assert stated(AIDER, candidate("a.yml", TEXT)).sheets[0].benchmark == "aider-polyglot"
    assert "--benchmark" in refusal(AIDER, candidate("a.yml", other))
    assert stated(AIDER, candidate("a.yml", other), benchmark="herons").says


def test_a_run_that_is_none_is_refused_with_its_line() -> None:
    """The others stand, and what the file does not state stays as it was."""
    why, still = refused_somehow(AIDER, candidate("polyglot.yml", TEXT + "- just words\n"))
    assert "line 24" in why
    assert still is not None
    assert len(still.says) == 6


def test_an_alias_is_refused_with_its_line() -> None:
    """It could unfold to more than the file holds."""
    text = TEXT.replace("model: Egret", "model: *egret")
    assert "line 16" in refusal(AIDER, candidate("polyglot.yml", text))


def test_numbers_from_nought_to_one_stay_the_percents_that_the_format_counts() -> None:
    """The unit follows from the format, never from how large a number is."""
    read = stated(AIDER, candidate("polyglot.yml", TEXT.replace("72.50", "0.725")))
    assert {says.unit for says in read.says.values()} == {"%"}
    assert str(read.one(name="Héron 2", metric="pass-rate-2").score) == "0.725"


def test_every_rate_of_the_real_versions_is_read() -> None:
    """Digit by digit, by the key and the name of each run; nothing is refused."""
    folder = REAL / "histories" / "aider-polyglot"
    if not folder.is_dir():
        pytest.skip("the real history is not beside the checkout")
    for path in sorted(folder.iterdir())[::14]:
        runs = yaml.load(path.read_bytes(), Loader=yaml.CBaseLoader)  # noqa: S506 -- text alone
        file = real("histories", "aider-polyglot", path.name)
        read = stated(AIDER, file)
        assert AIDER.known_by(file)
        assert not read.refused
        for metric in ("pass_rate_2", "pass_rate_1", "percent_cases_well_formed"):
            assert {
                (key, says.name, str(says.score))
                for (_, _, key, _, _), says in read.says.items()
                if says.metric == metric.replace("_", "-")
            } == {(run["dirname"], run["model"], run[metric]) for run in runs}
