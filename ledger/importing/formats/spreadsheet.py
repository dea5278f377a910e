"""Excel workbooks (.xlsx) as rows of texts.

What counts is what is stored, not how it is shown: a number is written as shortly as names the very
value that is stored (``72.5`` though it shows as 72.50), a day and an hour without a time zone is
its day, and a cell that shows 57.1% stores 0.571. A formula counts as the result that was saved
with it; without one its cell cannot be read. Limits on what a workbook unpacks to come first.
"""

import io
import warnings
import zipfile
from collections.abc import Iterator, Sequence
from datetime import date, datetime, time, timedelta
from itertools import zip_longest
from typing import Any

import attrs
from openpyxl import DEFUSEDXML, load_workbook

from ledger.errors import FileRefused
from ledger.importing.limits import MIB, check_rows

MOST_UNPACKED = 100 * MIB
MOST_PARTS = 2_000
MOST_CELLS = 1_000_000
MOST_SHEETS = 100
WIDEST = 2_000

Numbered = tuple[int, Sequence[str | None]]


@attrs.define
class WorkbookSheet:
    """One sheet. ``unreadable`` and ``percents`` are filled while its rows are read."""

    name: str
    rows: Iterator[Numbered]
    unreadable: dict[int, dict[int, str]]
    percents: set[int]


@attrs.define
class Workbook:
    """The bytes of a workbook under a name for messages."""

    name: str
    data: bytes = attrs.field(repr=False)
    _cells: int = 0

    def sheets(self) -> Iterator[WorkbookSheet]:
        """The sheets that hold anything, one after the other.

        Raises :class:`~ledger.errors.FileRefused` for what is no workbook or too large a one.
        """
        self._check_size()
        values, formulas = self._open(results=True), self._open(results=False)
        try:
            names = values.sheetnames[:MOST_SHEETS]
            for name in names:
                found = WorkbookSheet(name, iter(()), {}, set())
                found.rows = iter(self._rows(values[name], formulas[name], found))
                first = next(found.rows, None)
                if first is not None:
                    found.rows = iter([first, *found.rows])
                    yield found
        finally:
            values.close()
            formulas.close()

    def _check_size(self) -> None:
        try:
            with zipfile.ZipFile(io.BytesIO(self.data)) as packed:
                parts = packed.infolist()
        except (zipfile.BadZipFile, ValueError, NotImplementedError) as why:
            raise FileRefused(file=self.name, why=f"not an Excel workbook: {why}") from None
        unpacked = sum(part.file_size for part in parts)
        if len(parts) > MOST_PARTS or unpacked > MOST_UNPACKED:
            too_much = (
                f"it unpacks to {unpacked} bytes in {len(parts)} parts and at most "
                f"{MOST_UNPACKED} in {MOST_PARTS} are read; save it as CSV"
            )
            raise FileRefused(file=self.name, why=too_much)
        if not DEFUSEDXML:
            missing = "workbooks are read with defusedxml alone, which is not installed"
            raise FileRefused(file=self.name, why=missing)

    def _open(self, *, results: bool) -> Any:
        try:
            with warnings.catch_warnings(action="ignore"):
                return load_workbook(io.BytesIO(self.data), read_only=True, data_only=results)
        except Exception as why:  # noqa: BLE001 -- the library raises whatever a broken part brings
            raise self._broken(why) from None

    def _broken(self, why: Exception) -> FileRefused:
        said = f"not an Excel workbook that can be read: {type(why).__name__}: {str(why)[:200]}"
        return FileRefused(file=self.name, why=said)

    def _rows(self, values: Any, formulas: Any, into: WorkbookSheet) -> Iterator[Numbered]:
        number = 0
        for cells in self._pairs(values, formulas):
            texts = []
            for place, (cell, formula) in enumerate(cells):
                text, why = _text(cell, formula)
                if why is not None and number:
                    into.unreadable.setdefault(number, {})[place] = why
                if number and _shows_percents(cell):
                    into.percents.add(place)
                texts.append(text)
            if any(texts) or number in into.unreadable:
                yield number, texts
                number += 1

    def _pairs(self, values: Any, formulas: Any) -> Iterator[list[tuple[Any, Any]]]:
        """The cells of each row with their formulas, counted; refused when they are too many."""
        if not hasattr(values, "reset_dimensions"):  # a sheet that is a chart
            return
        values.reset_dimensions()  # what a sheet says of its own size need not be so
        formulas.reset_dimensions()
        try:
            with warnings.catch_warnings(action="ignore"):
                both = zip(values.iter_rows(), formulas.iter_rows(), strict=False)
                for count, (row, other) in enumerate(both):
                    self._count(count, len(row))
                    yield list(zip_longest(row, other))
        except FileRefused:
            raise
        except Exception as why:  # noqa: BLE001 -- as above
            raise self._broken(why) from None

    def _count(self, rows: int, cells: int) -> None:
        check_rows(self.name, rows)
        self._cells += cells
        if cells > WIDEST or self._cells > MOST_CELLS:
            why = f"a sheet has more than {MOST_CELLS} cells, or a row more than {WIDEST}"
            raise FileRefused(file=self.name, why=f"{why}; save the table as CSV")


def _text(cell: Any, formula: Any) -> tuple[str | None, str | None]:
    """A cell as text, or why it is none."""
    value = getattr(cell, "value", None)
    if value is None:
        if getattr(formula, "data_type", None) == "f":
            return None, "a formula whose result is not in the file; open and save it in Excel"
        return None, None
    if getattr(cell, "data_type", None) == "e":
        return None, f"the error {value}"
    return plain(value), None


def plain(value: Any) -> str:
    """A stored value as text; numbers as shortly as they name the stored value."""
    match value:
        case bool():
            return "true" if value else "false"
        case datetime():
            return value.date().isoformat()
        case date() | time():
            return value.isoformat()
        case timedelta():
            return str(value)
        case float():
            return repr(value).removesuffix(".0")
        case _:
            return str(value)


def _shows_percents(cell: Any) -> bool:
    is_number = getattr(cell, "data_type", None) == "n" and getattr(cell, "value", None) is not None
    return is_number and "%" in str(getattr(cell, "number_format", ""))
