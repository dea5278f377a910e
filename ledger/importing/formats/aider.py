"""Aider's leaderboards: a YAML list of runs, of the polyglot benchmark or an older one.

``dirname`` is a run's lasting key, ``model`` the name that is shown. The rates of a run are its
metrics, in percent: ``pass_rate_2`` is the one that ranks, then ``pass_rate_1`` and other tries,
and ``percent_cases_well_formed``. A rate comes with its counters: ``pass_num_N`` passed, of
``test_cases`` completed, of ``total_tests`` in all. Whatever else is counted stands beside.

``date`` is the day of the run, which says nothing about when it was published. Which benchmark it
is (``aider-polyglot``, ``aider-edit``, ``aider-refactor``) is told by the name of the file, by its
folder or by what its runs are called, else it has to be said. The file is the whole board: a run
that is no longer in it is gone.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

import attrs

from ledger.errors import FileRefused
from ledger.importing.formats.beside import Beside
from ledger.importing.formats.documents import Document, kind_of, yaml_document
from ledger.importing.formats.fitting import cell, in_words, name_or_none
from ledger.importing.formats.format import Asked, Candidate, Placing, Sheet
from ledger.importing.formats.tables import RawRow
from ledger.importing.limits import check_rows, decode_utf8

SOURCE = ("aider", "Aider LLM leaderboards")
BOARDS: Mapping[str, str] = {
    "polyglot": "Aider polyglot",
    "edit": "Aider code editing",
    "refactor": "Aider refactoring",
}
HEADLINE = "pass_rate_2"
WELL_FORMED = "percent_cases_well_formed"
SETTINGS = (
    "edit_format",
    "editor_model",
    "editor_edit_format",
    "reasoning_effort",
    "thinking_tokens",
)
PLACED = {"dirname", "model", "test_cases", "total_tests", "date", *SETTINGS}

_RATE = re.compile(r"pass_rate_([0-9]{1,2})")
_KEY = re.compile(rf"^(?:- |  )(?:dirname|model|{_RATE.pattern}):", re.MULTILINE)
_WORD = re.compile(r"[a-z]+")

_PLACING = Placing(
    published_on="nowhere; date is the day of the run and is kept beside as run_date",
    read_at="--read-at, or the instant that the file’s name begins with, else now",
    setting="edit_format, editor_model, editor_edit_format, reasoning_effort, thinking_tokens",
    split="nowhere",
    identity="dirname, else the model’s name; with the metric",
    unit="percent, as all versions of the format count",
)


@attrs.frozen
class Aider:
    """The list of runs."""

    name: str = "aider"
    title: str = "Aider leaderboard, YAML (polyglot, edit, refactor)"
    endings: tuple[str, ...] = (".yml", ".yaml")
    placing: Placing = _PLACING

    def known_by(self, file: Candidate) -> str | None:
        """Runs with ``dirname``, ``model`` and a ``pass_rate``."""
        if f".{file.ending}" not in self.endings:
            return None
        text = file.start.decode("utf-8-sig", "replace").replace("\r\n", "\n")
        found = {line.strip("- :") for line in (one[0] for one in _KEY.finditer(text))}
        rates = sorted(name for name in found if _RATE.fullmatch(name))
        if {"dirname", "model"} <= found and rates:
            return f"it lists runs with dirname, model and {rates[-1]}"
        return None

    def sheets(self, file: Candidate, asked: Asked) -> Iterator[Sheet]:
        """The one board in the file."""
        document = yaml_document(file.name, decode_utf8(file.name, file.data()))
        runs = document.listed(document.content, "")
        check_rows(file.name, len(runs))
        if not any(isinstance(run, dict) and list(_rates(run)) for run in runs):
            document.refuse("", "no run in it has a pass_rate_2 or another pass_rate")
        beside = Beside()
        rows = [row for at, run in enumerate(runs) for row in _rows(document, at, run, beside)]
        metrics = dict.fromkeys(metric for row in rows if (metric := row.cells.get("metric")))
        slug, title = _board(file, runs, asked)
        yield Sheet(
            source=asked.source or SOURCE[0],
            source_name=SOURCE[1],
            kind="official-leaderboard",
            benchmark=slug,
            benchmark_name=title,
            metric_names=tuple((metric, metric.replace("-", "_")) for metric in metrics),
            rows=tuple(rows),
            whole=True,
            notes=beside.notes(),
        )


AIDER = Aider()


def _board(file: Candidate, runs: list[Any], asked: Asked) -> tuple[str, str | None]:
    """Which benchmark a file is about, by its name, its folders, or what its runs are called."""
    if asked.benchmark is not None:
        return asked.benchmark, asked.benchmark_name
    above = (file.path.parent.name,) if file.path is not None else ()
    dirnames = (str(run.get("dirname")) for run in runs if isinstance(run, dict))
    for text in (file.name, *reversed(file.folders), *above, *dirnames):
        words = _WORD.findall(text.lower())
        for word, title in BOARDS.items():
            if word in words:
                return f"aider-{word}", title
    why = "it does not say which of Aider’s benchmarks it is about; say --benchmark SLUG"
    raise FileRefused(file=file.name, why=why)


def _rates(run: Mapping[str, Any]) -> list[str]:
    """The rates of a run, the one that ranks first, then the others by their number."""
    passed = sorted(
        (name for name in run if _RATE.fullmatch(name)),
        key=lambda name: (name != HEADLINE, int(name.rpartition("_")[2])),
    )
    return [*passed, *([WELL_FORMED] if WELL_FORMED in run else [])]


def _rows(document: Document, at: int, run: object, beside: Beside) -> Iterator[RawRow]:
    """The rows of one run, a rate each."""
    if not isinstance(run, dict):
        yield RawRow(at + 1, {}, f"line {document.line(f'[{at}]')} is {kind_of(run)}, not a run")
        return
    setting = in_words({name: run.get(name) for name in SETTINGS})
    fits = name_or_none(setting)
    placed = PLACED if fits else PLACED - {*SETTINGS}
    rates = _rates(run)
    taken = placed | {f"pass_num_{name.rpartition('_')[2]}" for name in rates} | {*rates}
    rest = {k: v for k, v in run.items() if k not in taken}
    cells: dict[str, str | None] = {
        **beside.keep({"run_date": run.get("date"), **rest}, {}),
        "key": cell(run.get("dirname")),
        "model": cell(run.get("model")),
        "setting": fits,
    }
    for name in rates:
        yield RawRow(at + 1, {**cells, **_rate(run, name)})


def _rate(run: Mapping[str, Any], name: str) -> dict[str, str | None]:
    """One rate with its counters."""
    cells = {
        "metric": name.replace("_", "-"),
        "score": cell(run.get(name)),
        "unit": "%",
    }
    passed = cell(run.get(f"pass_num_{name.rpartition('_')[2]}"))
    if name == WELL_FORMED or passed is None:
        return cells
    completed, total = cell(run.get("test_cases")), cell(run.get("total_tests"))
    return {**cells, "passed": passed, "completed": completed, "total": total}
