"""Epoch AI's tables: scores that it collected, its own runs, and a list of models."""

import csv
import io
from collections.abc import Iterator

import pytest

from ledger.importing.formats.epoch import EPOCH
from ledger.importing.formats.format import Candidate
from tests.ledger.formats.broken import (
    HoldsWhenBroken,
    Sample,
    candidate,
    real,
    refusal,
    refused_somehow,
    stated,
)

EXTERNAL = """id,Name,EM,Pass@1,Model version,Shots,Notes,Source,Source link
rec1,Héron 7B,72.50%,0.5,heron-7b-v1,5,two lines,Orchard paper,https://papers.example/1
rec2,Egret,60.25%,,,0,,Meadow board,a book
rec3,Plover,,0.25,,,,,https://papers.example/2
rec4,Dunlin,41%,0.125,,8,,,
"""
RUNS = """id,task,model,Best score (across scorers),Scores,log viewer,logs,job,started_at,Status
Run1,Orchard,heron-7b_low,0.850,choice:0.85±0.02,https://logs.example/1,,,1 May 2025 4:28pm,Success
Run2,Meadow,heron-7b_low,0.0970,code:0.1,,,,2 May 2025 4:28pm,Success
Run3,Orchard,egret,0.5,choice:0.5,,,,3 May 2025 4:28pm,Error
"""
BOM = b"\xef\xbb\xbf"


def external(text: str = EXTERNAL) -> Candidate:
    """An external table, marked as Epoch marks it."""
    return candidate("external_benchmark_orchard.csv", BOM + text.encode())


class TestBroken(HoldsWhenBroken):
    """The contract of all formats."""

    sample = Sample(
        form=EPOCH,
        name="external_benchmark_orchard.csv",
        text=EXTERNAL,
        score="72.50",
        twice=EXTERNAL + "rec1,Héron 7B,73%,0.5,heron-7b-v1,5,,,\n",
        cut_shows=False,
        null="",
        no_numbers=("NaN", "Infinity", "true", "many", "1e999", "[1]", "7 2"),
    )

    def test_null_states_nothing(self) -> None:
        """An empty cell is no claim, and no fault."""
        found = stated(EPOCH, external(EXTERNAL.replace("72.50%", "")))
        assert not found.refused
        assert "72.50" not in found.digits
        assert len(found.says) == len(self.sample.read().says) - 1


def test_each_column_of_numbers_is_a_metric_as_it_is_written() -> None:
    """The version of a model names it where it is said; the rest stands beside."""
    found = stated(EPOCH, external())
    heron = found.one(name="heron-7b-v1", metric="em")
    assert (str(heron.score), heron.unit, heron.setting) == ("72.50", "%", "5-shot")
    assert heron.url == "https://papers.example/1"
    assert dict(heron.extra) == {
        "name": "Héron 7B",
        "notes": "two lines",
        "source": "Orchard paper",
    }
    assert found.one(key="rec4", unit=None).score.text == "0.125"
    assert found.one(name="Egret").url is None
    assert dict(found.one(name="Egret").extra)["source link"] == "a book"
    (sheet,) = found.sheets
    assert sheet.metric_names == (("em", "EM"), ("pass@1", "Pass@1"))
    assert (sheet.source, sheet.benchmark, sheet.kind) == ("epoch-ai", "orchard", "collected-claim")
    assert sheet.whole


def test_runs_are_boards_by_task_and_only_those_that_succeeded_count() -> None:
    """Their unit stands nowhere, so it is left open."""
    file = candidate("benchmarks_runs.csv", BOM + RUNS.encode())
    assert "runs" in (EPOCH.known_by(file) or "")
    found = stated(EPOCH, file)
    assert [sheet.benchmark_name for sheet in found.sheets] == ["Orchard", "Meadow"]
    assert found.digits == ["0.0970", "0.850"]
    assert {says.unit for says in found.says.values()} == {None}
    assert "status is Error" in found.why_refused
    assert dict(found.one(key="Run1").extra)["started_at"] == "1 May 2025 4:28pm"
    assert found.one(key="Run1").published_on is None
    assert "2 tasks" in refusal(EPOCH, file, benchmark="orchard")


def test_a_list_of_models_and_tables_that_lack_something_are_refused() -> None:
    """Each with what is missing."""
    models = candidate("model_versions.csv", "id,Model,Version release date\nm1,Heron,2025-01-01\n")
    assert EPOCH.known_by(models)
    assert "states no score" in refusal(EPOCH, models)
    other = candidate("mine.csv", EXTERNAL)
    assert "--benchmark" in refusal(EPOCH, other)
    assert stated(EPOCH, other, benchmark="orchard").says
    nothing = candidate(external().name, "id,Model version,Source link,Notes\nrec1,heron,,well\n")
    assert "none of its columns" in refusal(EPOCH, nothing)
    without = candidate("external_benchmark_x.csv", "Name,EM\nHeron,5%\n")
    assert "column id" in refusal(EPOCH, without)
    taskless = candidate("benchmarks_runs.csv", RUNS.replace("Run1,Orchard", "Run1,"))
    assert "names no task" in refusal(EPOCH, taskless)


def test_a_row_without_an_id_or_with_too_many_cells_is_refused_alone() -> None:
    """The others stand."""
    for wrong in ("rec2,", "rec2,Egret,60.25%,,,0,,Meadow board,a book,more"):
        text = EXTERNAL.replace("rec2,Egret,60.25%,,,0,,Meadow board,a book", wrong, 1)
        if wrong == "rec2,":
            text = EXTERNAL.replace("rec2,Egret", ",Egret")
        why, still = refused_somehow(EPOCH, external(text))
        assert "id" in why or "cells" in why
        assert still is not None
        assert "72.50" in still.digits


def cells(file: Candidate, column: str) -> Iterator[str]:
    """The filled cells of a column, as text without the percent sign."""
    text = file.data().decode("utf-8-sig")
    for row in csv.DictReader(io.StringIO(text, newline="")):
        if row[column]:
            yield row[column].removesuffix("%")


@pytest.mark.parametrize(
    ("name", "column"),
    [
        ("external_benchmark_gsm8k.csv", "EM"),
        ("external_benchmark_mmlu.csv", "EM"),
        ("benchmarks_runs.csv", "Best score (across scorers)"),
    ],
)
def test_the_real_tables_are_read_number_by_number(name: str, column: str) -> None:
    """Every cell with a number is a claim with its digits."""
    file = real("formats", "epoch", name)
    assert EPOCH.known_by(file)
    found = stated(EPOCH, file)
    assert found.digits == sorted(cells(file, column))
    assert not found.refused


def test_the_real_list_of_models_is_refused() -> None:
    """It holds no scores."""
    assert "states no score" in refusal(EPOCH, real("formats", "epoch", "model_versions.csv"))
