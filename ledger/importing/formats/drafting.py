"""A mapping as a first run drafts it: what was guessed, and what a person has to decide.

Guesses are about which column is which, and each is said in the draft. Units are not guessed: only
a percent sign in the table, or a workbook that shows a stored fraction as percents, says one.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

import attrs
import yaml

from ledger.importing.formats.format import Asked, Candidate
from ledger.importing.formats.grids import NAME_COLUMN, Grid, grids_in
from ledger.importing.formats.mapping import OPEN, VERSION
from ledger.importing.formats.safe_cells import is_safe
from ledger.vocabulary import UNITS

SAMPLE = 2_000
"""How many rows a draft looks at."""
A_FEW = 5

MODELS = ("model", "model name", "model_name", "model version", "system", "method", "name", "llm")
METRICS = ("metric", "metric name", "metric_name", "measure")
SCORES = ("score", "value", "result")
SPECIAL = {
    "date": ("date", "published", "published_on", "release date", "released", "submitted"),
    "lab": ("lab", "organization", "organisation", "org", "developer", "vendor", "provider"),
    "url": ("url", "link", "source link", "paper", "paper url", "homepage"),
    "split": ("split", "subset"),
    "setting": ("setting", "settings", "prompt", "shots"),
}
NO_METRIC = ("rank", "#", "no", "no.", "id", "index", "position", "year")
NOTHINGS = ("-", "–", "—", "n/a", "N/A", "NA", "na", "null", "None", "none", "TBD", "?")
_NUMBER = re.compile(
    r"[+-]?(?:[0-9]{1,3}(?:[,.][0-9]{3})+|[0-9]+)?(?:[.,][0-9]*)?(?:[eE][+-]?[0-9]+)? ?%?"
)
_DATE = re.compile(r"[0-9]{4}(?:-[0-9]{2}){0,2}(?:/[0-9]{4}(?:-[0-9]{2}){0,2})?")


@attrs.frozen
class Draft:
    """The text of a mapping, and in a clause each what was guessed and what is open."""

    text: str
    guessed: tuple[str, ...]
    undecided: tuple[str, ...]


def drafted(file: Candidate, asked: Asked) -> Draft:
    """A mapping for a table, as far as the table tells.

    Raises :class:`~ledger.errors.FileRefused` when there is no table in the file.
    """
    grids = grids_in(file)
    grid = max(grids, key=lambda one: len(one.rows))
    looked = _Looked(grid)
    lines = list(_lines(file, grids, grid, looked, asked))
    return Draft("\n".join([*lines, ""]), tuple(looked.guessed), tuple(looked.undecided))


@attrs.define
class _Looked:
    """A table looked at: which columns hold what, what was guessed, what is open."""

    grid: Grid
    guessed: list[str] = attrs.field(factory=list)
    undecided: list[str] = attrs.field(factory=list)

    def cells(self, column: str) -> list[str]:
        """The first cells of a column that say anything."""
        found = (row.cells.get(column) for row in self.grid.rows[:SAMPLE])
        return [cell.strip() for cell in found if cell and cell.strip()]

    def called(self, names: Sequence[str]) -> str | None:
        """The first column that is called so, whatever its capitals."""
        for name in names:
            for column in self.grid.columns:
                if column.strip().lower() == name:
                    return column
        return None

    def guess(self, what: str, names: Sequence[str]) -> str | None:
        """The same, and it is noted."""
        column = self.called(names)
        if column is not None:
            self.guessed.append(f"{what} is the column {column}")
        return column

    def numbers(self) -> list[str]:
        """The columns of which most cells are numbers and no dates or ranks."""
        return [
            column
            for column in self.grid.columns
            if column.strip().lower() not in NO_METRIC and _are_numbers(self.cells(column))
        ]

    def nothings(self, columns: Iterable[str]) -> list[str]:
        """The texts in columns of numbers that seem to say that there is none."""
        said = {cell for column in columns for cell in self.cells(column)}
        return [one for one in NOTHINGS if one in said]

    def unit(self, column: str) -> str | None:
        """The unit that the table itself says."""
        if column in self.grid.percents:
            return "fraction"
        cells = self.cells(column)
        signs = sum(cell.endswith("%") for cell in cells)
        if cells and signs == sum(map(_is_number, cells)) and signs:
            return "%"
        return "%" if "%" in column else None


def _are_numbers(cells: Sequence[str]) -> bool:
    said = [cell for cell in cells if cell not in NOTHINGS]
    if not said or all(_DATE.fullmatch(cell) and len(cell) > 4 for cell in said):
        return False
    return sum(map(_is_number, said)) * 5 >= len(said) * 3


def _is_number(cell: str) -> bool:
    return any(map(str.isdigit, cell)) and _NUMBER.fullmatch(cell) is not None


# --- writing ----------------------------------------------------------------------------------


def _lines(
    file: Candidate, grids: Sequence[Grid], grid: Grid, looked: _Looked, asked: Asked
) -> Iterator[str]:
    yield f"# How to read {file.name}. A draft: look at each line."
    yield f"# Where it says “{OPEN}”, somebody has to decide before the table can be imported."
    yield f"mapping: {VERSION}"
    if len(grids) > 1:
        others = ", ".join(_quoted(one.name) for one in grids)
        yield f"# the longest of the tables {others}"
        looked.guessed.append(f"the table is {grid.name}, the longest of {len(grids)}")
    yield f"table: {_quoted(grid.name)}"
    yield f"source: {asked.source or 'null'}  # or --source SLUG"
    yield f"benchmark: {asked.benchmark or 'null'}  # or --benchmark SLUG"
    yield "# true: the source states nothing else, so what is not in the table is gone;"
    yield "# false: what is not in the table stays as it was."
    yield f"whole: {_quoted(OPEN)}"
    looked.undecided.append("whole: whether the table is all that the source states")
    model = looked.guess("the name", MODELS) or _names_of_parts(looked)
    yield from _names(looked, model)
    for place, names in SPECIAL.items():
        column = looked.guess(place, names)
        yield f"{place}: {'null' if column is None else _quoted(column)}"
    taken = {model, *(looked.called(names) for names in SPECIAL.values())}
    yield from _scores(looked, [one for one in looked.numbers() if one not in taken])


def _names_of_parts(looked: _Looked) -> str | None:
    """The names of an object's parts, where no column is called as models are."""
    if NAME_COLUMN in looked.grid.columns:
        looked.guessed.append("the name is what each part of the file is called")
        return NAME_COLUMN
    return None


def _names(looked: _Looked, model: str | None) -> Iterator[str]:
    yield "# the column with the name of the model, as it is shown"
    yield f"model: {_quoted(model or OPEN)}"
    if model is None:
        looked.undecided.append("model: the column with the name")
    yield "# the column, or a list of columns, that makes a row the same one the next time"
    twice = [] if model is None else _twice(looked.cells(model))
    if model is None or twice:
        yield f"key: {_quoted(OPEN)}"
        shown = f" ({', '.join(twice[:A_FEW])} and others stand twice)" if twice else ""
        looked.undecided.append(f"key: the columns that tell rows apart{shown}")
    else:
        yield f"key: {_quoted(model)}"
        looked.guessed.append(f"the key is the name; no {model} stands twice")


def _twice(cells: Iterable[str]) -> list[str]:
    return [cell for cell, count in Counter(cells).items() if count > 1]


def _scores(looked: _Looked, numbers: Sequence[str]) -> Iterator[str]:
    nothings = looked.nothings(numbers)
    yield "# cells that state nothing, beside empty ones"
    yield f"nothing: [{', '.join(map(_quoted, nothings))}]"
    commas = [
        column
        for column in numbers
        if any(
            re.fullmatch(r"[+-]?[0-9]+,(?:[0-9]{1,2}|[0-9]{4,})%?", c) for c in looked.cells(column)
        )
    ]
    yield f"decimal: {_quoted(OPEN if commas else '.')}"
    if commas:
        looked.undecided.append(f"decimal: point or comma ({', '.join(commas[:A_FEW])} has commas)")
    safe = any(is_safe(cell) for column in looked.grid.columns for cell in looked.cells(column))
    yield "# apostrophes before =, +, - and @, which keep a spreadsheet from taking a name for a"
    yield "# formula: given back (left out) or kept"
    yield f"apostrophes: {'given back' if safe else 'kept'}"
    if safe:
        looked.guessed.append("apostrophes before =, +, - and @ are no part of a name")
    metric, score = looked.called(METRICS), looked.called(SCORES)
    if metric is not None and score is not None:
        yield from _long(looked, metric, score)
    else:
        yield from _wide(looked, numbers)


def _long(looked: _Looked, metric: str, score: str) -> Iterator[str]:
    looked.guessed.append(f"each row is one number: {score}, of the metric in {metric}")
    yield f"metric: {_quoted(metric)}"
    yield f"score: {_quoted(score)}"
    column, unit = looked.called(("unit", "units")), looked.unit(score)
    if column is not None:
        looked.guessed.append(f"the unit is the column {column}")
        yield f"unit-column: {_quoted(column)}"
        return
    yield f"# one of {', '.join(UNITS)}"
    yield f"unit: {_quoted(unit or OPEN)}"
    if unit is None:
        looked.undecided.append(f"unit: what {score} is counted in")


def _wide(looked: _Looked, numbers: Sequence[str]) -> Iterator[str]:
    yield "# Each column that is a metric; take out those that are none, they are kept beside."
    yield f"# Its unit is one of {', '.join(UNITS)}."
    if not numbers:
        yield f"metrics: {_quoted(OPEN)}"
        looked.undecided.append("metrics: the columns with scores; none looks like numbers")
        return
    looked.guessed.append(f"the metrics are the columns {', '.join(numbers)}")
    yield "metrics:"
    for column in numbers:
        unit = looked.unit(column)
        yield f"  - column: {_quoted(column)}"
        yield f"    unit: {_quoted(unit or OPEN)}"
        yield "    lower-is-better: false"
        if unit is None:
            looked.undecided.append(f"unit: what {column} is counted in")
        else:
            looked.guessed.append(f"{column} is counted in {unit}, as the table shows")


def _quoted(text: str) -> str:
    """A text as YAML, always in quotes, on one line."""
    written: str = yaml.safe_dump(
        text, default_style='"', allow_unicode=True, width=1 << 20, explicit_end=False
    )
    return written.strip()
