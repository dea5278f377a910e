"""Runs of HELM: three files in one folder."""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ledger.errors import FileRefused
from ledger.importing.formats.format import Candidate
from ledger.importing.formats.helm import HELM
from tests.ledger.formats.broken import JUNK, candidate, real, refusal, refused_somehow, stated

SAID = {"source": "our-runs"}
SPEC = {
    "name": "orchard:subject=apples,model=birds_heron",
    "scenario_spec": {"class_name": "Orchard", "args": {"subject": "apples"}},
    "adapter_spec": {
        "method": "multiple_choice_joint",
        "max_train_instances": 5,
        "max_eval_instances": 10,
        "num_outputs": 1,
        "temperature": 0.0,
        "model": "birds/Héron-7B",
    },
    "groups": ["garden"],
}
SCENARIO = {"name": "orchard", "description": "Apples and pears", "tags": ["fruit"]}
STATS = """[
 {"name": {"name": "num_references", "split": "test"}, "count": 1, "mean": 4.0},
 {"name": {"name": "exact_match", "split": "test"}, "count": 1, "sum": 1, "mean": 0.7250,
  "stddev": 0.01},
 {"name": {"name": "exact_match@5", "split": "test", "perturbation": {"name": "robustness",
  "computed_on": "worst"}}, "count": 1, "mean": 0.5},
 {"name": {"name": "bleu_4", "split": "valid"}, "count": 1, "mean": 12.0},
 {"name": {"name": "f1_score", "split": "valid"}, "count": 0, "sum": 0}
]
"""
Folder = Callable[..., Candidate]


@pytest.fixture
def run(tmp_path: Path) -> Folder:
    """A folder with a run; any of the three files can be another one, or not be there."""

    def written(name: str = "stats.json", **files: Any) -> Candidate:
        whole = {"run_spec": SPEC, "scenario": SCENARIO, "stats": STATS} | files
        for part, content in whole.items():
            place = tmp_path / f"{part}.json"
            place.unlink(missing_ok=True)
            if isinstance(content, bytes):
                place.write_bytes(content)
            elif content is not None:
                text = content if isinstance(content, str) else json.dumps(content)
                place.write_text(text, encoding="utf-8")
        return Candidate.at(tmp_path / name)

    return written


def test_the_means_are_claims_with_what_the_other_files_say(run: Folder) -> None:
    """The model, how it was asked, the benchmark and the part of it."""
    file = run()
    assert "statistics" in (HELM.known_by(file) or "")
    found = stated(HELM, file, **SAID)
    says = found.one(split="subject=apples, test")
    assert (says.name, str(says.score), says.unit) == ("birds/Héron-7B", "0.7250", "fraction")
    assert says.setting == (
        "5-shot, multiple_choice_joint, temperature=0.0, max_eval_instances=10, num_outputs=1"
    )
    assert found.one(split="subject=apples, test robustness worst").unit == "fraction"
    assert found.one(split="subject=apples, valid").unit is None
    assert found.digits == ["0.5", "0.7250", "12.0"]
    (sheet,) = found.sheets
    assert (sheet.benchmark, sheet.whole) == ("orchard", False)
    assert {key for _, _, key, _, _ in found.says} == {SPEC["name"]}


def test_how_it_went_stands_beside_the_scores_of_its_split(run: Folder) -> None:
    """And so does what the other files say besides."""
    found = stated(HELM, run(), **SAID)
    extra = dict(found.one(split="subject=apples, test").extra)
    assert (extra["num_references"], extra["stddev"], extra["groups"]) == ("4.0", "0.01", "garden")
    assert extra["scenario.description"] == "Apples and pears"
    assert (
        extra["run_spec.json"] == f"sha256:{hashlib.sha256(json.dumps(SPEC).encode()).hexdigest()}"
    )
    assert "num_references" not in dict(found.one(split="subject=apples, valid").extra)


def test_the_run_is_read_once_with_its_statistics(run: Folder) -> None:
    """The other two are known, and state nothing by themselves."""
    run()
    for name in ("run_spec.json", "scenario.json"):
        file = run(name)
        assert HELM.known_by(file)
        assert stated(HELM, file, **SAID).sheets == ()


@pytest.mark.parametrize("lacking", ["run_spec", "scenario"])
def test_a_run_that_lacks_a_file_is_refused_and_says_which(run: Folder, lacking: str) -> None:
    """The numbers alone do not say of what they are."""
    assert f"{lacking}.json" in refusal(HELM, run(**{lacking: None}), **SAID)


def test_a_specification_without_numbers_says_so(run: Folder, tmp_path: Path) -> None:
    """Nobody waits for a board that cannot come."""
    run()
    (tmp_path / "stats.json").unlink()
    assert "stats.json" in refusal(HELM, Candidate.at(tmp_path / "run_spec.json"), **SAID)
    assert "folder" in refusal(HELM, candidate("stats.json", STATS), **SAID)


def test_who_ran_it_has_to_be_said(run: Folder) -> None:
    """The files do not tell."""
    assert "--source" in refusal(HELM, run())


def test_a_broken_file_of_the_three_is_refused_whole(run: Folder) -> None:
    """Whichever it is, with what is wrong in it."""
    assert "not JSON" in refusal(HELM, run(stats=STATS[:300]), **SAID)
    assert "UTF-8" in refusal(HELM, run(stats=STATS.encode("utf-16")), **SAID)
    for part in ("run_spec", "scenario"):
        file = run(**{part: b'{"name": "H\xe9ron"}'})
        with pytest.raises(FileRefused, match=f"{part}.json.*UTF-8"):
            stated(HELM, file, **SAID)
    wrongs: tuple[Any, ...] = ({"name": 3}, [], {**SPEC, "adapter_spec": {"model": None}})
    for wrong in wrongs:
        with pytest.raises(FileRefused, match=r"run_spec.json"):
            stated(HELM, run(run_spec=wrong), **SAID)


@pytest.mark.parametrize("wrong", ["NaN", "Infinity", "true", '"many"', "1e999", "[1]"])
def test_a_mean_that_is_no_number_is_refused_alone(run: Folder, wrong: str) -> None:
    """The other numbers stand."""
    why, still = refused_somehow(HELM, run(stats=STATS.replace("0.7250", wrong)), **SAID)
    assert "score" in why or "number" in why
    assert still is not None
    assert still.digits == ["0.5", "12.0"]


def test_a_statistic_that_stands_twice_is_refused(run: Folder) -> None:
    """Of two numbers for one claim none is picked."""
    twice = STATS.replace('"exact_match@5"', '"exact_match"').replace("robustness", "none")
    twice = twice.replace(', "perturbation": {"name": "none",\n  "computed_on": "worst"}', "")
    why, still = refused_somehow(HELM, run(stats=twice), **SAID)
    assert "too" in why
    assert still is not None
    assert still.digits == ["12.0"]


def test_line_ends_and_marks_change_nothing(run: Folder) -> None:
    """They are how a file was saved."""
    whole = stated(HELM, run(), **SAID).says
    marked = b"\xef\xbb\xbf" + STATS.replace("\n", "\r\n").encode()
    assert stated(HELM, run(stats=marked), **SAID).says == whole


def test_junk_is_never_taken_for_it() -> None:
    """To look at a file is safe, whatever is in it."""
    for junk in JUNK:
        assert HELM.known_by(candidate("stats.json", junk)) is None, junk


def test_the_real_run_is_read_number_by_number() -> None:
    """Every mean is a score, or stands beside those of its split."""
    file = real("formats", "helm", "stats.json")
    found = stated(HELM, file, **SAID)
    beside = {value for says in found.says.values() for _, value in says.extra}
    scores = set(found.digits)
    means = {one["mean"] for one in json.loads(file.data(), parse_float=str) if "mean" in one}
    assert not found.refused
    assert len(found.says) == 52
    # How many instances a split had is kept beside too.
    assert means - scores <= beside
