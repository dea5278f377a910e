"""The read model beside the fold of the events: every row, every column.

Both sides come in the order of their keys, so one look at each row is enough, however many.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from ledger.verifying.finding import Finding, Place, finding

TableRow = Sequence[Any]
LONGEST = 300


class RowCheck:
    """``table`` compares one table; what it yields is wrong with the live side."""

    def __init__(self) -> None:
        self.rows = 0
        self.tables = 0

    def table(
        self,
        name: str,
        columns: Sequence[str],
        keys: int,
        live: Iterator[TableRow],
        folded: Iterator[TableRow],
    ) -> Iterator[Finding]:
        """Compare the rows of one table, of which the first ``keys`` columns are the key."""
        self.tables += 1
        one, other = next(live, None), next(folded, None)
        while one is not None or other is not None:
            self.rows += 1
            if one is not None and (other is None or _key(one, keys) < _key(other, keys)):
                yield finding("row-stranger", _place(name, columns, one, keys))
                one = next(live, None)
            elif one is None or _key(one, keys) > _key(other or (), keys):
                yield finding("row-missing", _place(name, columns, other or (), keys))
                other = next(folded, None)
            else:
                if other is not None and tuple(one) != tuple(other):
                    yield from _changed(name, columns, keys, one, other)
                one, other = next(live, None), next(folded, None)


def _changed(
    name: str, columns: Sequence[str], keys: int, live: TableRow, folded: TableRow
) -> Iterator[Finding]:
    place = _place(name, columns, live, keys)
    for column, says, right in zip(columns, live, folded, strict=True):
        if says != right:
            yield finding(
                "row-changed",
                {**place, "column": column},
                expected=_shown(right),
                found=_shown(says),
            )


def _key(row: TableRow, keys: int) -> tuple[Any, ...]:
    return tuple(row[:keys])


def _place(name: str, columns: Sequence[str], row: TableRow, keys: int) -> Place:
    key = " ".join(f"{column}={row[at]}" for at, column in enumerate(columns[:keys]))
    return {"table": name, "key": key}


def _shown(value: Any) -> str:
    """A value as a person may read it; nothing is not the same as an empty text."""
    if value is None:
        return "nothing"
    text = value if isinstance(value, str) else str(value)
    text = repr(text) if isinstance(value, str) else text
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"
