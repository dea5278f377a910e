"""Changes of how a benchmark is evaluated, set against the dates of its rows (BP-05, INC-06).

Only a lab's own number is told apart by its date: an independent row bears the date of its model,
which says nothing of when it was tested.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import attrs

from ledger.values import PartialDate
from projections.board.rows import Row
from web.words import date_words


@attrs.frozen
class Change:
    """One change, and how many rows of a board are dated before it and from it on; the rest cannot
    be told."""

    said: Mapping[str, Any]
    before: int
    after: int
    untold: int

    @property
    def splits(self) -> bool:
        """Whether the board has rows of both sides, which then do not compare."""
        return bool(self.before and self.after)


def changes_of(changes: Iterable[Mapping[str, Any]], rows: Sequence[Row]) -> tuple[Change, ...]:
    """Each change with its counts on a board."""
    return tuple(_change(one, rows) for one in changes)


def _change(said: Mapping[str, Any], rows: Sequence[Row]) -> Change:
    sides = [_side(row, PartialDate(str(said["changed_on"]))) for row in rows]
    return Change(said, sides.count("before"), sides.count("after"), sides.count(None))


def dated_before(row: Row, changes: Iterable[Change]) -> tuple[Mapping[str, str], ...]:
    """The marks of a row that is older than a change which splits its board."""
    return tuple(
        {
            "kind": "before-change",
            "text": f"dated before {date_words(str(one.said['changed_on']))}",
        }
        for one in changes
        if one.splits and _side(row, PartialDate(str(one.said["changed_on"]))) == "before"
    )


def _side(row: Row, changed_on: PartialDate) -> str | None:
    """On which side of a change a row stands; ``None`` where its date does not say."""
    if row.source.independent or row.published_on is None:
        return None
    printed, changed = str(row.published_on), str(changed_on)
    # A date as coarse as the change's own may lie on either side of it.
    length = min(len(printed.partition("/")[0]), len(changed.partition("/")[0]))
    if printed[:length] == changed[:length]:
        return None
    return "before" if row.published_on.first_day < changed_on.first_day else "after"
