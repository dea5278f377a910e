"""The tables of Epoch AI's benchmarking hub, as CSV with a byte-order mark.

Three kinds, told by their columns: ``external_benchmark_NAME.csv``, scores on one benchmark that
Epoch collected, each row with its own ``Source`` and ``Source link``; ``benchmarks_runs.csv``,
Epoch's own runs on many tasks; and ``model_versions.csv``, which states no score and is refused. In
an external table each column that holds numbers (more than half of its filled cells, and is none
that Epoch uses for other things) is a metric, and a cell in it that is no number a refused row. A
table is all that Epoch states: a row that is gone from the next one is delisted.
"""

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence

import attrs

from ledger.errors import FileRefused
from ledger.importing.formats.beside import Beside
from ledger.importing.formats.format import Asked, Candidate, Placing, Sheet
from ledger.importing.formats.tables import Cells, RawRow, RawTable, read_table
from ledger.model import slug_for

SOURCE, SOURCE_NAME = "epoch-ai", "Epoch AI"
EXTERNAL = "external_benchmark_"

ABOUT_A_ROW = frozenset({"id", "name", "model version", "source", "source link"})
RUN = frozenset({"id", "task", "model", "best score (across scorers)", "scores", "status"})
BEST = "best score (across scorers)"
MODELS = frozenset({"id", "model", "version release date"})
NO_SCORES = ABOUT_A_ROW | {
    "shots",
    "notes",
    "organization",
    "date",
    "release date",
    "version release date",
    "source link (site from table)",
    "training compute (flop)",
    "training compute notes",
    "training compute confidence",
    "parameters",
    "stderr",
}
"""Columns of external tables that are about the row, also where they hold numbers."""

_PERCENT = re.compile(r"([+-]?[0-9.,]+(?:[eE][+-]?[0-9]+)?)\s*%")
_NUMBER = re.compile(r"[+-]?(?:[0-9][0-9,]*\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?%?")

PLACING = Placing(
    published_on="nowhere: neither table says when a score was published",
    read_at="nowhere: the instant that the file’s name begins with, --read-at, else now",
    setting="`Shots` of an external table, such as `5-shot`; none for runs",
    split="nowhere",
    identity="`id`, with the metric",
    unit="`%` where the cell says so; else left open",
)


@attrs.frozen
class Epoch:
    """See the module."""

    name: str = "epoch"
    title: str = "Epoch AI CSVs: external_benchmark_*.csv and benchmarks_runs.csv"
    endings: tuple[str, ...] = (".csv",)
    placing: Placing = PLACING

    def known_by(self, file: Candidate) -> str | None:
        """By the columns of one of the three tables."""
        if file.ending != "csv":
            return None
        columns = _columns_at(file.start)
        if columns >= RUN:
            return "it has Epoch’s columns for runs (task, model, best score, scores, status)"
        if columns >= MODELS:
            return "it has Epoch’s columns for models (id, Model, Version release date)"
        if columns >= {"id", "model version", "source link"}:
            return "it has Epoch’s columns id, Model version and Source link"
        return None

    def sheets(self, file: Candidate, asked: Asked) -> Iterator[Sheet]:
        """One board for an external table, one for each task of the runs."""
        table = read_table(file.name, file.data())
        columns = frozenset(table.columns)
        written = _written(file.data())
        if columns >= RUN:
            yield from _runs(file, table, asked, written)
        elif columns >= MODELS:
            why = "it lists models and states no score; register models with records"
            raise FileRefused(file=file.name, why=why)
        elif columns >= {"id", "model version"}:
            yield _external(file, table, asked, written)
        else:
            lacking = "id" if "id" not in columns else "Model version"
            raise FileRefused(file=file.name, why=f"line 1: it lacks the column {lacking}")


EPOCH = Epoch()


def _columns_at(start: bytes) -> frozenset[str]:
    return frozenset(_written(start))


def _written(start: bytes) -> Mapping[str, str]:
    """The columns as the first line writes them, by their names in small letters."""
    line = start.decode("utf-8-sig", errors="replace").lstrip().partition("\n")[0]
    try:
        cells = next(csv.reader(io.StringIO(line)), [])
    except csv.Error:
        return {}
    return {cell.strip().lower(): cell.strip() for cell in cells}


# --- external tables --------------------------------------------------------------------------


def _external(file: Candidate, table: RawTable, asked: Asked, written: Mapping[str, str]) -> Sheet:
    """Scores on one benchmark, which the file's name tells."""
    name = file.name.rpartition(".")[0]
    if asked.benchmark is None and EXTERNAL not in name:
        why = f"its name does not tell the benchmark ({EXTERNAL}NAME.csv); say --benchmark SLUG"
        raise FileRefused(file=file.name, why=why)
    benchmark = name.partition(EXTERNAL)[2] or name
    metrics = _metrics_of(table)
    if not metrics and table.rows:
        raise FileRefused(file=file.name, why="none of its columns holds scores")
    beside = Beside()
    rows = [_external_row(raw, metric, metrics, beside) for raw in table.rows for metric in metrics]
    return Sheet(
        source=SOURCE,
        source_name=SOURCE_NAME,
        kind="collected-claim",
        benchmark=asked.benchmark or slug_for(benchmark),
        benchmark_name=benchmark,
        metric_names=tuple((metric, written[metric]) for metric in metrics),
        rows=tuple(rows),
        whole=True,
        notes=beside.notes(),
    )


def _metrics_of(table: RawTable) -> list[str]:
    """The columns that hold scores: most of what stands in them are numbers."""
    found: list[str] = []
    for column in table.columns:
        filled = [text.strip() for row in table.rows if (text := row.cells.get(column))]
        numbers = sum(_NUMBER.fullmatch(text) is not None for text in filled)
        if column not in NO_SCORES and 2 * numbers > len(filled):
            found.append(column)
    return found


def _external_row(raw: RawRow, metric: str, metrics: Sequence[str], beside: Beside) -> RawRow:
    cells = {column: (text or "").strip() or None for column, text in raw.cells.items()}
    score, unit = _number(cells.get(metric))
    shots = cells.get("shots")
    link = cells.get("source link")
    is_address = link is not None and link.startswith(("https://", "http://"))
    found: dict[str, str | None] = {
        "key": cells.get("id"),
        "model": cells.get("model version") or cells.get("name"),
        "score": score,
        "metric": metric,
        "setting": f"{shots}-shot" if shots and shots.isdecimal() else shots,
        "unit": unit,
        "url": link if is_address else None,
    }
    placed = {"id", "shots", *metrics} | ({"source link"} if is_address else set())
    placed.add("model version" if cells.get("model version") else "name")
    rest = {column: text for column, text in cells.items() if column not in placed}
    problem = raw.problem or (None if found["key"] else "it has no id")
    return RawRow(raw.number, found | beside.keep(rest, found), problem)


def _number(text: str | None) -> tuple[str | None, str | None]:
    """A cell as digits and unit."""
    percent = _PERCENT.fullmatch(text or "")
    return (percent[1], "%") if percent else (text, None)


# --- Epoch's own runs -------------------------------------------------------------------------


def _runs(
    file: Candidate, table: RawTable, asked: Asked, written: Mapping[str, str]
) -> Iterator[Sheet]:
    """One sheet a task, in the order in which the tasks are met."""
    tasks: dict[str, list[RawRow]] = {}
    for raw in table.rows:
        tasks.setdefault((raw.cells.get("task") or "").strip(), []).append(raw)
    if asked.benchmark is not None and len(tasks) > 1:
        why = f"it holds runs on {len(tasks)} tasks; leave out --benchmark"
        raise FileRefused(file=file.name, why=why)
    lost = tasks.pop("", [])
    if lost:
        why = f"row {lost[0].number}: it names no task"
        raise FileRefused(file=file.name, why=why)
    for task, raws in tasks.items():
        beside = Beside()
        rows = tuple(_run(raw, beside) for raw in raws)
        yield Sheet(
            source=SOURCE,
            source_name=SOURCE_NAME,
            kind="independent-run",
            benchmark=asked.benchmark or slug_for(task),
            benchmark_name=task,
            metric_names=((BEST, written[BEST]),),
            rows=rows,
            whole=True,
            notes=beside.notes(),
        )


def _run(raw: RawRow, beside: Beside) -> RawRow:
    cells: Cells = {column: (text or "").strip() or None for column, text in raw.cells.items()}
    score, unit = _number(cells.get(BEST))
    log = cells.get("log viewer")
    found: dict[str, str | None] = {
        "key": cells.get("id"),
        "model": cells.get("model"),
        "score": score,
        "metric": BEST,
        "unit": unit,
        "url": log if log and log.startswith(("https://", "http://")) else None,
    }
    placed = {"id", "model", "task", BEST} | ({"log viewer"} if found["url"] else set())
    rest: Mapping[str, str | None] = {c: text for c, text in cells.items() if c not in placed}
    return RawRow(raw.number, found | beside.keep(rest, found), raw.problem or _problem(cells))


def _problem(cells: Cells) -> str | None:
    if not cells.get("id"):
        return "it has no id"
    status = cells.get("status")
    return None if status in (None, "Success") else f"its status is {status}"
