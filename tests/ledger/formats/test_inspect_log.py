"""Logs of Inspect: one run of one task."""

import json
from typing import Any

from ledger.importing.formats.inspect_log import INSPECT_LOG
from tests.ledger.formats.broken import (
    HoldsWhenBroken,
    Sample,
    candidate,
    real,
    refusal,
    refused_somehow,
    stated,
)

TEXT = """{
 "version": 2,
 "status": "success",
 "eval": {
  "eval_id": "Ev1", "run_id": "Run1", "task_id": "Task1",
  "created": "2025-07-03T16:44:30+02:00",
  "task": "garden/orchard",
  "task_version": 1,
  "task_args": {"subset": "apples"},
  "dataset": {"name": "orchard", "samples": 500},
  "model": "birds/Héron-7B",
  "model_args": {},
  "config": {"limit": 40, "epochs": 2, "epochs_reducer": ["mean"]},
  "packages": {"inspect_ai": "0.3.108"}
 },
 "plan": {"config": {"temperature": 0.0}},
 "results": {
  "total_samples": 40,
  "completed_samples": 40,
  "scores": [
   {"name": "choice", "scorer": "choice", "params": {"cot": true}, "metrics": {
     "accuracy": {"name": "accuracy", "value": 0.7250},
     "stderr": {"name": "stderr", "value": 0.07}}},
   {"name": "judge", "scorer": "model_graded", "reducer": "mode", "params": {}, "metrics": {
     "mean": {"name": "mean", "value": 3.5}}}
  ]
 },
 "samples": []
}
"""
SAID = {"source": "our-runs"}
ACCURACY = '"accuracy": {"name": "accuracy", "value": 0.7250},'


class TestBroken(HoldsWhenBroken):
    """The contract of all formats."""

    sample = Sample(
        form=INSPECT_LOG,
        name="2025-07-03_orchard.json",
        text=TEXT,
        score="0.7250",
        twice=TEXT.replace(ACCURACY, ACCURACY + ACCURACY.replace("0.7250", "0.8")),
        said=SAID,
    )


def read(text: str = TEXT) -> Any:
    """What the sample states."""
    return stated(INSPECT_LOG, candidate("log.json", text), **SAID)


def test_a_scorer_and_its_metric_make_a_claim() -> None:
    """The run is the row; how it was set up, its setting."""
    found = read()
    says = found.one(unit="fraction", key="Ev1")
    assert (says.name, str(says.score)) == ("birds/Héron-7B", "0.7250")
    assert (says.completed, says.total, says.passed) == (40, 40, None)
    assert says.setting == (
        "subset=apples, limit=40, epochs=2, epochs_reducer=mean, temperature=0.0"
    )
    (sheet,) = found.sheets
    assert sheet.benchmark_name == "garden/orchard"
    assert sheet.read_at.isoformat() == "2025-07-03T14:44:30+00:00"
    assert [row.cells["metric"] for row in sheet.rows] == ["choice/accuracy", "judge[mode]/mean"]


def test_an_error_stands_beside_its_number_and_a_unit_is_not_guessed() -> None:
    """A mean may be of anything."""
    found = read()
    extra = dict(found.one(unit="fraction").extra)
    assert (extra["stderr"], extra["scorer.cot"]) == ("0.07", "true")
    assert extra["dataset.samples"] == "500"
    assert "stderr" not in dict(found.one(unit=None).extra)


def test_a_run_that_was_stopped_gives_no_numbers() -> None:
    """They would be of a part of its samples; and one that failed early has none."""
    stopped = TEXT.replace('"status": "success"', '"status": "cancelled"')
    why, still = refused_somehow(INSPECT_LOG, candidate("log.json", stopped), **SAID)
    assert "cancelled" in why
    assert still is not None
    assert not still.says
    failed = json.loads(TEXT) | {"status": "error", "results": None}
    assert "error" in refusal(INSPECT_LOG, candidate("log.json", json.dumps(failed)), **SAID)


def test_other_versions_and_runs_without_a_name_are_refused() -> None:
    """With the field that says so."""
    other = candidate("log.json", TEXT.replace('"version": 2', '"version": 1'))
    assert "version 2" in refusal(INSPECT_LOG, other, **SAID)
    nameless = json.loads(TEXT)
    for part in ("eval_id", "run_id", "task_id"):
        del nameless["eval"][part]
    assert "eval_id" in refusal(INSPECT_LOG, candidate("l.json", json.dumps(nameless)), **SAID)
    assert "--source" in refusal(INSPECT_LOG, candidate("log.json", TEXT))
    when = candidate("log.json", TEXT.replace("2025-07-03T16:44:30+02:00", "2025-07-03T16:44"))
    assert "offset" in refusal(INSPECT_LOG, when, **SAID)


def test_the_real_log_is_read_number_by_number() -> None:
    """Its accuracy, with the error beside it."""
    file = real("formats", "inspect_ai", "data_pubmedqa_gpt4o_mini.json")
    assert INSPECT_LOG.known_by(file)
    found = stated(INSPECT_LOG, file, **SAID)
    metrics = json.loads(file.data(), parse_float=str)["results"]["scores"][0]["metrics"]
    assert found.digits == [metrics["accuracy"]["value"]]
    assert dict(found.one().extra)["stderr"] == metrics["stderr"]["value"]
    assert not found.refused
