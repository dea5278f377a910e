"""Keys of rows for formats that give their rows none, so that each names one claim.

A key is the model and its setting. Only where two rows of a board would then be one claim, their
keys say more: the same file gives the same keys whenever it is read. Rows that nothing tells apart
keep one key, and are refused like any row that stands twice.
"""

from collections import Counter
from collections.abc import Iterator, Sequence

import attrs

from ledger.importing.formats.tables import RawRow

BETWEEN = " · "


@attrs.frozen
class Keyed:
    """A row with its key so far, and what may tell it apart from another, the best word first."""

    row: RawRow
    hints: tuple[str | None, ...] = ()

    def claim(self) -> tuple[str | None, ...]:
        """What a claim of one board is told by."""
        return tuple(self.row.cells.get(column) for column in ("key", "metric", "split"))


def key_of(model: str, setting: str | None) -> str:
    """The key of a row that has none: its model, and its setting where it has one."""
    return f"{model}{BETWEEN}{setting}" if setting else model


def told_apart(rows: Sequence[Keyed]) -> tuple[RawRow, ...]:
    """The rows of one board, with longer keys where two would be one claim."""
    most = max((len(one.hints) for one in rows), default=0)
    for place in range(most):
        rows = list(_longer(rows, place))
    return tuple(one.row for one in rows)


def _longer(rows: Sequence[Keyed], place: int) -> Iterator[Keyed]:
    """The rows, those that fall together with the word at a place of their hints in their key."""
    met = Counter(one.claim() for one in rows)
    for one in rows:
        hint = one.hints[place] if place < len(one.hints) else None
        key = one.row.cells.get("key")
        if met[one.claim()] > 1 and hint and key:
            cells = {**one.row.cells, "key": key_of(key, hint)}
            yield attrs.evolve(one, row=attrs.evolve(one.row, cells=cells))
        else:
            yield one
