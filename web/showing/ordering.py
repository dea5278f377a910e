"""The rows of a board in another order than that of their ranks, for whoever looks for one.

Ranks stay with their rows; of what is equal the better rank comes first.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType

import attrs

from ledger.errors import BadValue
from projections.board.rows import Row
from web.showing.lines import Line

Key = Callable[[Row], str]

RANK = "rank"
MOST_IN_SIGHT = 100
"""Rows of a board that a page shows unasked; it folds up the others."""
FEWEST_FOLDED = 20
"""So few more are not worth a fold."""


def _setting(row: Row) -> str:
    return f"{row.split or ''} {row.setting or ''}".strip().casefold()


# What an empty text stands for comes last, in either direction.
KEYS: Mapping[str, Key] = MappingProxyType(
    {
        "model": lambda row: row.name.casefold(),
        "lab": lambda row: (row.model.lab or "").casefold() if row.model else "",
        "setting": _setting,
        "date": lambda row: row.published_on.first_day.isoformat() if row.published_on else "",
        "source": lambda row: row.source.name.casefold(),
    }
)


@attrs.frozen
class Order:
    """By which column, and whether from its end."""

    column: str
    backwards: bool = False

    @property
    def is_usual(self) -> bool:
        """Whether the rows stand as they rank."""
        return self == Order(RANK)

    def of(self, column: str) -> str | None:
        """How a column is sorted, as ``aria-sort`` says it; ``None`` where it is not."""
        if column != self.column:
            return None
        return "descending" if self.backwards else "ascending"

    def next(self, column: str) -> str:
        """What to ask for to sort by a column, or by the same one the other way round."""
        return f"-{column}" if column == self.column and not self.backwards else column


def order_of(text: str | None) -> Order:
    """The order that an address asks for; refused when there is no such column."""
    if text is None:
        return Order(RANK)
    column = text.removeprefix("-")
    if column != RANK and column not in KEYS:
        known = ", ".join((RANK, *KEYS))
        why = f"it is one of {known}, or one of them after a hyphen"
        raise BadValue(what="sort", shown=repr(text), why=why)
    return Order(column, backwards=text.startswith("-"))


def in_order(lines: Iterable[Line], order: Order) -> list[Line]:
    """Ranked lines in the order asked for."""
    ranked = list(lines)
    if order.column == RANK:
        return ranked[::-1] if order.backwards else ranked
    key = KEYS[order.column]
    said = [line for line in ranked if key(line.row)]
    said.sort(key=lambda line: key(line.row), reverse=order.backwards)
    return said + [line for line in ranked if not key(line.row)]


def folded(lines: Sequence[Line]) -> tuple[Sequence[Line], Sequence[Line]]:
    """The lines in sight and those folded up below them, in the same order."""
    if len(lines) < MOST_IN_SIGHT + FEWEST_FOLDED:
        return lines, ()
    return lines[:MOST_IN_SIGHT], lines[MOST_IN_SIGHT:]
