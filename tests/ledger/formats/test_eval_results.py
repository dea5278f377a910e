"""Hugging Face .eval_results: a list of results in their model's repository."""

from pathlib import Path

import attrs

from ledger.importing.formats.eval_results import EVAL_RESULTS
from ledger.importing.formats.format import Candidate
from tests.ledger.formats.broken import (
    HoldsWhenBroken,
    HoldsWhenMixedUp,
    Sample,
    candidate,
    real,
    refusal,
    refused_somehow,
    stated,
)

TEXT = """# Results of the heron
- dataset:
    id: herons/nests      # the board
    task_id: nests_reed
    revision: 5503434
  value: 20.90
  date: "2025-01-15"
  verifyToken: abc
  source:
    url: https://herons.example/traces
    name: Évaluations
  notes: "no-tools"

- dataset:
    id: herons/eggs
    task_id: default
  value: 0.412
"""
WHERE = ("heron-lab", "Heron-7B", ".eval_results")
FIRST = TEXT.split("\n\n", maxsplit=1)[0].partition("\n")[2]


class TestBroken(HoldsWhenBroken, HoldsWhenMixedUp):
    """The contract of all formats."""

    sample = Sample(
        form=EVAL_RESULTS,
        name="nests.yaml",
        folders=WHERE,
        text=TEXT,
        score="20.90",
        twice=TEXT + "\n" + FIRST.replace("20.90", "21.0") + "\n",
        cut_shows=False,
    )


def test_the_model_is_the_repository_and_each_task_a_benchmark() -> None:
    """Neither metric nor unit is said, so neither is made up."""
    read = stated(EVAL_RESULTS, candidate("nests.yaml", TEXT, *WHERE))
    assert [(sheet.benchmark_name, sheet.source_name, sheet.whole) for sheet in read.sheets] == [
        ("herons/nests nests_reed", "heron-lab/Heron-7B evaluation results", False),
        ("herons/eggs", "heron-lab/Heron-7B evaluation results", False),
    ]
    one = read.one(key="Heron-7B · no-tools")
    assert (one.name, str(one.score), one.unit, one.setting) == (
        "Heron-7B",
        "20.90",
        None,
        "no-tools",
    )
    assert (one.url, one.published_on) == ("https://herons.example/traces", None)
    assert ("run_date", "2025-01-15") in one.extra
    assert ("dataset.revision", "5503434") in one.extra
    assert read.one(key="Heron-7B").metric == "score"
    assert "names no metric" in read.notes


def test_the_model_is_told_by_the_folders_above_or_not_at_all() -> None:
    """Also by those of a cache, and by those that lie above what was asked for."""
    cached = ("models--heron-lab--Heron-7B", "snapshots", "abc", ".eval_results")
    assert {
        says.name for says in stated(EVAL_RESULTS, candidate("a.yaml", TEXT, *cached)).says.values()
    } == {"heron-lab/Heron-7B"}
    for folders in ((), (".eval_results",), ("somewhere",)):
        why = refusal(EVAL_RESULTS, candidate("a.yaml", TEXT, *folders))
        assert "MODEL/.eval_results/a.yaml" in why


def test_the_path_tells_the_model_too(tmp_path: Path) -> None:
    """Whoever imports may stand within the repository."""
    path = tmp_path / "Heron-7B" / ".eval_results" / "nests.yaml"
    path.parent.mkdir(parents=True)
    path.write_text(TEXT)
    read = stated(EVAL_RESULTS, Candidate.at(path))
    assert {says.name for says in read.says.values()} == {"Heron-7B"}


def test_two_results_of_one_setting_are_told_apart_by_their_source() -> None:
    """The model's own and somebody else's."""
    other = FIRST.replace("20.90", "19.8").replace("Évaluations", "Community")
    read = stated(EVAL_RESULTS, candidate("nests.yaml", f"{TEXT}\n{other}\n", *WHERE))
    assert not read.refused
    assert str(read.one(key="Heron-7B · no-tools · Community").score) == "19.8"


def test_fractions_beside_percents_bear_no_unit() -> None:
    """Somebody has to say; the sizes say nothing."""
    read = stated(EVAL_RESULTS, candidate("nests.yaml", TEXT, *WHERE))
    assert {says.unit for says in read.says.values()} == {None}
    told = stated(EVAL_RESULTS, candidate("nests.yaml", TEXT, *WHERE), unit="fraction")
    assert {says.unit for says in told.says.values()} == {"fraction"}


def test_an_entry_that_is_none_is_refused_with_line_and_field() -> None:
    """The others stand."""
    for broken, said in {
        "- value: 3\n": "line 18, [2]: it has no dataset",
        "- dataset:\n    id: {x}\n  value: 3\n": "line 19, [2].dataset.id",
        "- dataset:\n    id: herons/eggs\n  notes: n\n": "no number",
        "- dataset:\n    id: herons/eggs\n  value: {v}\n": "line 20, [2].value: it is no number",
    }.items():
        why, still = refused_somehow(EVAL_RESULTS, candidate("n.yaml", TEXT + broken, *WHERE))
        assert said in why
        assert still is not None
        assert "20.90" in still.digits


def test_the_real_example_is_read_where_it_is_filled_in() -> None:
    """Its first entry has blanks in braces and is refused with its line; its second stands."""
    file = attrs.evolve(real("formats", "huggingface", "spec_eval_results.yaml"), folders=WHERE)
    assert EVAL_RESULTS.known_by(file)
    why, still = refused_somehow(EVAL_RESULTS, file)
    assert "line 4, [0].dataset.task_id" in why
    assert still is not None
    assert still.digits == ["0.412"]
    (sheet,) = still.sheets
    assert sheet.benchmark_name == "Idavidrein/gpqa gpqa_diamond"
