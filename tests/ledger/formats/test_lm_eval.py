"""Results of the lm-evaluation-harness: one run of one model on some tasks."""

import json
from decimal import Decimal
from typing import Any

from ledger.importing.formats.lm_eval import LM_EVAL
from ledger.values import micros
from tests.ledger.formats.broken import (
    NOW,
    HoldsWhenBroken,
    Sample,
    candidate,
    real,
    refusal,
    refused_somehow,
    stated,
)

TEXT = """{
 "results": {
  "orchard": {
   "alias": "orchard",
   "exact_match,strict": 0.7250,
   "exact_match_stderr,strict": 0.011,
   "word_perplexity,none": 12.25,
   "word_perplexity_stderr,none": "N/A"
  },
  "meadow": {"alias": " - meadow", "f1,none": 61.5, "f1_stderr,none": "N/A"}
 },
 "configs": {"orchard": {"task": "orchard", "num_fewshot": 5, "test_split": "test"}},
 "versions": {"orchard": 2.0},
 "n-shot": {"orchard": 5, "meadow": 0},
 "higher_is_better": {
  "orchard": {"exact_match": true, "word_perplexity": false},
  "meadow": {"f1": true}
 },
 "n-samples": {"orchard": {"original": 40, "effective": 40}},
 "config": {"model": "hf", "model_args": "pretrained=Héron-7B", "model_revision": "main"},
 "git_hash": "abc",
 "date": 1738955710.5,
 "model_name": "Héron-7B"
}
"""
SAID = {"source": "our-runs"}


class TestBroken(HoldsWhenBroken):
    """The contract of all formats."""

    sample = Sample(
        form=LM_EVAL,
        name="results_2025-02-07.json",
        text=TEXT,
        score="0.7250",
        twice=TEXT.replace('"alias": "orchard",', '"exact_match,strict": 0.8,'),
        said=SAID,
    )


def read(text: str = TEXT, **said: Any) -> Any:
    """What the sample states."""
    return stated(LM_EVAL, candidate("results.json", text), **(SAID | said))


def test_each_task_is_a_benchmark_and_the_filter_is_part_of_the_metric() -> None:
    """The model, its shots and when it was run stand in the file."""
    found = read()
    says = found.one(setting="5-shot", unit="fraction")
    assert (says.name, str(says.score)) == ("Héron-7B", "0.7250")
    assert [sheet.benchmark for sheet in found.sheets] == ["orchard", "meadow"]
    assert found.sheets[0].read_at.isoformat() == "2025-02-07T19:15:10.500000+00:00"
    metrics = [row.cells["metric"] for row in found.sheets[0].rows]
    assert metrics == ["exact_match,strict", "word_perplexity"]
    assert found.sheets[0].lower_is_better == {"word_perplexity"}
    assert found.sheets[1].lower_is_better == frozenset()


def test_an_error_is_no_claim_and_stands_beside_its_number() -> None:
    """So do the version of the task and how many samples there were."""
    found = read()
    extra = dict(found.one(unit="fraction").extra)
    assert (extra["stderr"], extra["version"]) == ("0.011", "2.0")
    assert extra["samples.effective"] == "40"
    assert extra["task_config.test_split"] == "test"
    assert len(found.says) == 3
    assert "stderr" not in dict(found.one(unit="perplexity").extra)
    assert "stderr" in found.notes


def test_a_unit_is_said_only_where_the_harness_defines_it() -> None:
    """An F1 may be of one or of a hundred; and an exact match above one is no share."""
    assert read().one(setting="0-shot").unit is None
    above = read(TEXT.replace("0.7250", "72.50"))
    assert above.one(setting="5-shot", unit=None).score.text == "72.50"


def test_told_one_benchmark_its_tasks_are_splits() -> None:
    """So two tasks never fall together on one board."""
    found = read(benchmark="garden")
    assert [sheet.benchmark for sheet in found.sheets] == ["garden"]
    assert {says.split for says in found.says.values()} == {"orchard", "meadow"}


def test_who_ran_it_has_to_be_said() -> None:
    """The file does not tell, and nobody is made up."""
    assert "--source" in refusal(LM_EVAL, candidate("results.json", TEXT))


def test_what_is_no_instant_is_refused_with_its_field() -> None:
    """A date beyond all calendars, or in words."""
    for wrong in ("1e30", "-1", '"yesterday"', "true", "[1]"):
        broken = candidate("results.json", TEXT.replace("1738955710.5", wrong))
        assert "date" in refusal(LM_EVAL, broken, **SAID)


def test_older_files_say_the_model_among_the_arguments() -> None:
    """And where it is said nowhere the file is refused."""
    without = TEXT.replace(',\n "model_name": "Héron-7B"', "")
    assert read(without).one(setting="0-shot").name == "Héron-7B"
    nobody = candidate("results.json", without.replace("pretrained=", "other="))
    assert "which model" in refusal(LM_EVAL, nobody, **SAID)


def test_a_task_that_is_no_object_is_refused_with_its_place() -> None:
    """Whatever else stands there."""
    broken = json.loads(TEXT)
    broken["results"]["meadow"] = [1]
    file = candidate("results.json", json.dumps(broken))
    why, still = refused_somehow(LM_EVAL, file, **SAID)
    assert "results.meadow" in why
    assert still is None


def test_the_real_file_is_read_number_by_number() -> None:
    """Each number that is no error is a claim with the digits of the file."""
    file = real("formats", "lm_eval", "results_2026-01-21T03-44-18.458309.json")
    assert LM_EVAL.known_by(file)
    found = stated(LM_EVAL, file, **SAID)
    content = json.loads(file.data(), parse_float=str)
    numbers = sorted(
        value
        for task in content["results"].values()
        for name, value in task.items()
        if "," in name and "_stderr" not in name
    )
    assert found.digits == numbers
    assert not found.refused
    assert micros(found.sheets[0].read_at or NOW) == int(Decimal(content["date"]) * 10**6)
