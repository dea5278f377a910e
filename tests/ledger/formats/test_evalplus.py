"""EvalPlus and BigCodeBench: the object keyed by model, in all its spellings."""

import json
from itertools import chain

import pytest

from ledger.importing.formats.evalplus import EVALPLUS
from ledger.importing.formats.turns import instant_in
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

TEXT = """{
  "Heron-Déjà-7B": {
    "link": "https://herons.example/7b",
    "open-data": "NONE",
    "pass@1": {"humaneval": 72.50, "humaneval+": 61.0, "mbpp": 70.1, "mbpp+": null},
    "prompted": true,
    "size": 7.0
  },
  "Egret-1B": {
    "link": null,
    "open-data": "Full",
    "pass@1": {"humaneval": 9.8, "humaneval+": 8.0, "mbpp": null, "mbpp+": null},
    "prompted": false,
    "size": null
  }
}
"""
BIG = """{
  "Heron-7B": {
    "link": "https://herons.example/7b", "prompted": true, "moe": false, "size": 7, "act_param": 7,
    "pass@1": {"instruct": 38.80, "complete": null}, "elo_mle": 1042
  }
}
"""


class TestBroken(HoldsWhenBroken, HoldsWhenMixedUp):
    """The contract of all formats."""

    sample = Sample(
        form=EVALPLUS,
        name="results.json",
        text=TEXT,
        score="72.50",
        twice=TEXT.replace("Egret-1B", "Heron-Déjà-7B"),
    )


def test_each_model_makes_four_claims_and_null_none() -> None:
    """The metrics are those of the file, in percent; the link is the claim's address."""
    read = stated(EVALPLUS, candidate("results.json", TEXT))
    assert read.digits == sorted(["72.50", "61.0", "70.1", "9.8", "8.0"])
    plus = read.one(key="Heron-Déjà-7B", metric="humaneval-plus")
    assert (str(plus.score), plus.unit, plus.url) == ("61.0", "%", "https://herons.example/7b")
    assert dict(plus.extra) == {"open-data": "NONE", "prompted": "true", "size": "7.0"}
    (sheet,) = read.sheets
    assert (sheet.source, sheet.benchmark) == ("evalplus", "evalplus")
    assert dict(sheet.metric_names)["humaneval-plus"] == "humaneval+ pass@1"
    assert sheet.whole


def test_the_older_spelling_names_the_same_four_metrics() -> None:
    """So that a board goes on when its file changes its fields."""
    older = """{"Heron-7B": {"link": "x", "pass@1_base": {"humaneval": 56.1, "mbpp": 52.9},
        "pass@1_plus": {"humaneval": 51.80, "mbpp": null}}}"""
    file = candidate("results.json", older)
    assert EVALPLUS.known_by(file) == 'it is an object keyed by model, with "pass@1_base"'
    read = stated(EVALPLUS, file)
    assert {(m, str(s.score)) for (_, _, _, m, _), s in read.says.items()} == {
        ("humaneval", "56.1"),
        ("mbpp", "52.9"),
        ("humaneval-plus", "51.80"),
    }
    assert dict(read.one(metric="mbpp").extra) == {"link": "x"}


def test_bigcodebench_is_one_metric_in_two_splits_and_an_elo() -> None:
    """What counts in Elo never stands beside percents as if it were one."""
    read = stated(EVALPLUS, candidate("results-hard.json", BIG))
    one = read.one(split="instruct")
    elo = read.one(metric="elo-mle")
    assert (one.metric, str(one.score), one.unit) == ("pass-1", "38.80", "%")
    assert (str(elo.score), elo.unit) == ("1042", "elo")
    assert read.sheets[0].benchmark == "bigcodebench-hard"
    assert dict(read.sheets[0].metric_names) == {"pass-1": "pass@1", "elo-mle": "elo_mle"}


def test_a_model_that_is_no_object_is_refused_and_the_others_stand() -> None:
    """With its name, and what is there instead."""
    for bad in ("[1]", "3", '{"pass@1": 72.5}'):
        text = TEXT.replace('"Egret-1B": {', f'"Odd": {bad}, "Egret-1B": {{')
        why, still = refused_somehow(EVALPLUS, candidate("results.json", text))
        assert "Odd" in why
        assert still is not None
        assert len(still.says) == 5


def test_numbers_from_nought_to_one_stay_the_percents_that_the_format_counts() -> None:
    """The unit follows from the format, never from how large a number is."""
    read = stated(EVALPLUS, candidate("results.json", TEXT.replace("72.50", "0.57")))
    low, high = (read.one(key=key, metric="humaneval") for key in ("Heron-Déjà-7B", "Egret-1B"))
    assert (str(low.score), low.unit, high.unit) == ("0.57", "%", "%")


def test_half_a_character_is_refused() -> None:
    """No store could keep it."""
    why = refusal(EVALPLUS, candidate("results.json", TEXT.replace("NONE", "\\ud83d")))
    assert "surrogate" in why


def test_every_number_of_the_real_file_is_read() -> None:
    """Digit by digit, nulls left out, nothing refused."""
    file = real("formats", "evalplus", "results.json")
    assert EVALPLUS.known_by(file)
    models = json.loads(file.data(), parse_float=str, parse_int=str)
    numbers = chain.from_iterable(row["pass@1"].values() for row in models.values())
    read = stated(EVALPLUS, file)
    assert read.digits == sorted(digits for digits in numbers if digits is not None)
    assert not read.refused


def test_every_version_of_the_real_history_is_read() -> None:
    """Both spellings, each file whole."""
    folder = REAL / "histories" / "evalplus"
    if not folder.is_dir():
        pytest.skip("the real history is not beside the checkout")
    for path in sorted(folder.iterdir())[::6]:
        assert instant_in(path.name)
        models = json.loads(path.read_bytes(), parse_float=str, parse_int=str)
        numbers = [
            digits
            for row in models.values()
            for field in ("pass@1", "pass@1_base", "pass@1_plus")
            for digits in row.get(field, {}).values()
            if digits is not None
        ]
        read = stated(EVALPLUS, real("histories", "evalplus", path.name))
        assert read.digits == sorted(numbers)
        assert not read.refused
