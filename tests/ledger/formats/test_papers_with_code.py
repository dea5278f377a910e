"""The dump of Papers with Code, read from a stream, board after board."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import attrs
import pytest

from benchmarks.dump import write
from ledger.errors import FileRefused
from ledger.importing.formats import papers_with_code
from ledger.importing.formats.format import Candidate
from ledger.importing.formats.json_stream import LONGEST_TEXT
from ledger.importing.formats.papers_with_code import PAPERS_WITH_CODE
from ledger.importing.formats.sota_rows import read_number
from tests.ledger.formats.broken import (
    HoldsWhenBroken,
    Sample,
    asked,
    candidate,
    real,
    refusal,
    refused_somehow,
    stated,
)

TEXT = """[
 {
  "categories": ["Nature"],
  "datasets": [
   {
    "dataset": "Orchard",
    "description": "",
    "sota": {
     "metrics": ["Accuracy", "% Top", "Parameters"],
     "rows": [
      {
       "code_links": [{"title": "heron/net", "url": "https://code.example/heron"}],
       "metrics": {"Accuracy": "72.50", "% Top": "88.4 ± 0.2", "Parameters": "220k"},
       "model_links": [],
       "model_name": "Héron",
       "paper_date": "2019-07",
       "paper_title": "On herons",
       "paper_url": "https://papers.example/1"
      },
      {
       "metrics": {"Accuracy": "61.0%", "% Top": "-"},
       "model_name": "",
       "paper_date": null,
       "paper_title": "On\\negrets",
       "paper_url": "",
       "uses_additional_data": true
      }
     ]
    },
    "subdatasets": [
     {"dataset": "Apples", "sota": {"metrics": ["F1"], "rows": [
      {"metrics": {"F1": "5%"}, "model_name": "Plover", "paper_url": "a book"}]}}
    ]
   }
  ],
  "subtasks": [
   {"datasets": [{"dataset": "Orchard", "sota": {"metrics": ["F1"], "rows": [
     {"metrics": {"F1": "7%"}, "model_name": "Dunlin", "paper_date": "last year"}]}}],
    "subtasks": [], "task": "Picking"}
  ],
  "task": "Growing"
 }
]
"""
ROW = '{"metrics": {"F1": "5%"}, "model_name": "Plover", "paper_url": "a book"}'


def read(text: str = TEXT, **said: Any) -> Any:
    """What the sample states."""
    return stated(PAPERS_WITH_CODE, candidate("evaluation-tables.json", text), **said)


class TestBroken(HoldsWhenBroken):
    """The contract of all formats."""

    sample = Sample(
        form=PAPERS_WITH_CODE,
        name="evaluation-tables.json",
        text=TEXT.replace(', "Parameters": "220k"', ""),
        score="72.50",
        twice=TEXT.replace(ROW, f"{ROW}, {ROW.replace('5%', '6%')}"),
        null="–",
        no_numbers=("NaN", "Infinity", "true", "many", "1e999", "[1]", "(1 2 3)", "7 2"),
    )

    def test_what_is_no_number_is_refused_with_its_field(self) -> None:
        """It stays beside the other numbers of its row, which are as they were."""
        whole = self.sample.read()
        for written in self.sample.no_numbers:
            why, still = refused_somehow(
                PAPERS_WITH_CODE, self.sample.file(self.sample.with_score(written))
            )
            assert "score" in why
            assert still is not None
            assert set(still.says) < set(whole.says)
            for claim, says in still.says.items():
                kept = tuple(one for one in says.extra if one != ("Accuracy", written))
                assert attrs.evolve(says, extra=kept) == whole.says[claim]

    @pytest.mark.parametrize("written", ["NaN", "Infinity", "true", "[1]", "1e999", '{"a": 1}'])
    def test_what_is_not_even_text_is_no_number(self, written: str) -> None:
        """The same where it stands without quotation marks."""
        file = self.sample.file(TEXT.replace('"72.50"', written))
        why, still = refused_somehow(PAPERS_WITH_CODE, file)
        assert "score" in why or "not JSON" in why
        assert still is None or "72.50" not in still.digits

    def test_null_without_quotation_marks_states_nothing(self) -> None:
        """It is no fault either."""
        assert "72.50" not in read(self.sample.text.replace('"72.50"', "null")).digits

    def test_a_number_keeps_its_digits(self) -> None:
        """Also one that is no text."""
        assert "72.50" in read(self.sample.text.replace('"72.50"', "72.50")).digits


def test_each_dataset_of_each_task_is_a_board_of_its_own() -> None:
    """Two of one name in two tasks too; what a task is called stands behind its datasets."""
    sheets = read().sheets
    assert [sheet.benchmark_name for sheet in sheets] == [
        "Orchard, Apples (Growing)",
        "Orchard (Growing)",
        "Orchard (Picking)",
    ]
    assert len({sheet.benchmark for sheet in sheets}) == 3
    assert all(sheet.whole and sheet.source == "papers-with-code" for sheet in sheets)
    assert sheets[1].covers == ("Accuracy", "% Top", "Parameters")


def test_a_row_says_its_paper_its_day_and_its_links() -> None:
    """And what is no number of it stands beside the others."""
    found = read()
    says = found.one(name="Héron", unit=None)
    assert str(says.score) == "72.50"
    assert (str(says.published_on), says.url) == ("2019-07", "https://papers.example/1")
    assert dict(says.extra) == {
        "Parameters": "220k",
        "code_links.1.title": "heron/net",
        "code_links.1.url": "https://code.example/heron",
        "paper_title": "On herons",
    }
    assert "Héron · https://papers.example/1), score: not a plain" in found.why_refused
    assert "Parameters" in found.notes


def test_what_does_not_fit_its_column_is_kept_beside() -> None:
    """An address that is none, a date that is none; the numbers stand."""
    found = read()
    assert found.one(name="Plover", url=None).extra == (("paper_url", "a book"),)
    assert found.one(name="Dunlin", published_on=None).extra == (("paper_date", "last year"),)


def test_a_row_without_a_model_is_called_by_its_paper() -> None:
    """As on the site; additional data is a setting, and part of what the row is."""
    says = read().one(name="On egrets")
    assert (str(says.score), says.unit, says.setting) == ("61.0", "%", "with additional data")
    nameless = TEXT.replace('"paper_title": "On\\negrets"', '"paper_title": null')
    assert nameless != TEXT
    assert "61.0" not in read(nameless).digits
    assert "it is empty" in read(nameless).why_refused


@pytest.mark.parametrize(
    ("written", "number", "unit", "spread"),
    [
        ("88.4%", "88.4", "%", None),
        ("0.57", "0.57", None, None),
        ("23.1 ± 0.2", "23.1", None, "0.2"),
        ("0.25±0.005", "0.25", None, "0.005"),
        ("95.20 ± 0.1%", "95.20", "%", "0.1%"),
        ("95.2% +/- 0.1", "95.2", "%", "0.1"),
        ("1,234.50", "1,234.50", None, None),
        ("-", None, None, None),
        ("–", None, None, None),
        (" N/A ", None, None, None),
        ("", None, None, None),
        ("-0.5", "-0.5", None, None),
    ],
)
def test_numbers_are_read_as_people_write_them(
    written: str, number: str | None, unit: str | None, spread: str | None
) -> None:
    """Digits as written; a dash is nothing, and a number below nought is none."""
    assert read_number(written) == (number, unit, spread)


def test_a_percent_in_the_name_of_a_metric_is_its_unit() -> None:
    """It is said there and not guessed; what is not said is left open."""
    found = read()
    assert found.one(name="Héron", unit="%").score.text == "88.4"
    assert dict(found.one(name="Héron", unit="%").extra)["±"] == "0.2"


def test_a_task_that_stands_in_two_places_is_read_once() -> None:
    """With other rows the second is refused, and the first stands."""
    within = json.loads(TEXT)
    again = [*within, within[0]["subtasks"][0]]
    assert [s.benchmark_name for s in read(json.dumps(again)).sheets].count(
        "Orchard (Picking)"
    ) == 1
    again[1] = json.loads(json.dumps(again[1]).replace("7%", "8%"))
    found = read(json.dumps(again))
    assert "stands twice" in found.why_refused
    assert "7" in found.digits
    assert "8" not in found.digits


def test_one_benchmark_is_asked_for_only_where_there_is_one() -> None:
    """Else boards would fall together."""
    file = candidate("tables.json", TEXT)
    assert "3 boards" in refusal(PAPERS_WITH_CODE, file, benchmark="orchard")
    one = json.dumps(json.loads(TEXT)[0]["subtasks"])
    assert read(one, benchmark="orchard").sheets[0].benchmark == "orchard"


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        (TEXT + "x", "not JSON"),
        (TEXT.replace('"task": "Growing"', '"task": 3'), "task is no text"),
        (TEXT.replace(',\n  "task": "Growing"', ""), "no name"),
        (TEXT.replace('"dataset": "Apples", ', ""), "no name"),
        (TEXT.replace('"model_links": []', '"model_links": [], "model_links": []'), "twice"),
        (TEXT.replace('"description": ""', '"description": ' + "[" * 40 + "]" * 40), "deep"),
        (TEXT.replace('"rows": [', '"rows": 3, "other": ['), "rows is no list"),
        (TEXT.replace('"subtasks": [],', '"subtasks": {},'), "subtasks is no list"),
    ],
)
def test_what_is_wrong_anywhere_is_found_before_anything_is_read(wrong: str, why: str) -> None:
    """So a broken dump is refused as a whole, with the byte near which it breaks."""
    assert wrong != TEXT
    file = candidate("tables.json", wrong)
    with pytest.raises(FileRefused, match=why) as refused:
        next(PAPERS_WITH_CODE.sheets(file, asked()))
    assert "near byte" in str(refused.value)


def test_subtasks_nest_no_deeper_than_makes_sense() -> None:
    """Nine levels are refused."""
    task: dict[str, Any] = {"datasets": [], "subtasks": [], "task": "leaf"}
    for depth in range(9):
        task = {"datasets": [], "subtasks": [task], "task": f"level {depth}"}
    assert "nest" in refusal(PAPERS_WITH_CODE, candidate("tables.json", json.dumps([task])))


def test_a_text_without_an_end_is_not_waited_for(tmp_path: Path) -> None:
    """It would be held whole before anybody could refuse it."""
    path = tmp_path / "tables.json"
    path.write_bytes(b'[{"task": "' + b"x" * (LONGEST_TEXT + 70_000))
    assert "no text has an end" in refusal(PAPERS_WITH_CODE, Candidate.at(path))


def test_a_dataset_with_too_many_numbers_is_refused_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """The others go on, and no more of it than the bound is held."""
    monkeypatch.setattr(papers_with_code, "MOST_NUMBERS", 3)
    found = read()
    assert "more than 3 numbers" in found.why_refused
    assert found.digits == ["5", "7"]


def test_a_generated_dump_is_the_same_each_time_and_states_all_its_numbers(tmp_path: Path) -> None:
    """What the measurements are made with is read number by number too."""
    first, again = tmp_path / "a.json", tmp_path / "b.json"
    boards = write(first, 200_000)
    assert write(again, 200_000) == boards
    assert first.read_bytes() == again.read_bytes()
    found = stated(PAPERS_WITH_CODE, Candidate.at(first))
    assert len(found.sheets) == boards
    assert found.digits == sorted(numbers_in(json.loads(first.read_bytes())))


def numbers_in(tasks: list[dict[str, Any]]) -> Iterator[str]:
    """The numbers of a dump whose metrics are all well written."""
    for task in tasks:
        for dataset in task["datasets"]:
            for row in dataset["sota"]["rows"]:
                for text in row["metrics"].values():
                    if text != "-":
                        yield text.partition("±")[0].strip().removesuffix("%")
        yield from numbers_in(task["subtasks"])


@pytest.mark.parametrize("name", ["coqa", "record", "snli", "redditsota"])
def test_the_real_files_are_read_number_by_number(name: str) -> None:
    """Every metric is on a board with its digits, states nothing, or is refused and said so."""
    file = real("formats", "paperswithcode", f"{name}.json")
    assert PAPERS_WITH_CODE.known_by(file)
    found = stated(PAPERS_WITH_CODE, file)
    written = [
        read_number(text)[0]
        for task in json.loads(file.data())
        for dataset in task["datasets"]
        for row in dataset["sota"]["rows"]
        for text in row["metrics"].values()
    ]
    numbers = [text for text in written if text is not None]
    assert len(found.says) + len(found.refused) == len(numbers)
    for digits in found.digits:
        numbers.remove(digits)
    assert len(numbers) == len(found.refused)
