"""How many entries a leaderboard says that it has, and how many of them are models registered here
(BD-09, INC-30)."""

from collections.abc import Iterable

import attrs

from projections.board.benchmarks import entries_stated
from projections.board.boards import Board
from projections.board.described import SourceOf
from projections.board.rows import Row
from projections.keeping.views import Reader


@attrs.frozen
class Entries:
    """Of one source: the entries that it stated when it was read last, and those tracked here."""

    source: SourceOf
    stated: int
    tracked: int

    @property
    def untracked(self) -> int:
        """Entries that are counted and not shown."""
        return max(self.stated - self.tracked, 0)


def entries_of(reader: Reader, board: Board) -> tuple[Entries, ...]:
    """For every source of a board that says how many entries it has, the largest first.

    Nothing on the retrospective axis: what a source states now says nothing of another day's.
    """
    if board.moment.published_by is not None:
        return ()
    tracked = _tracked((*board.claims, *board.unranked))
    stated = entries_stated(
        reader, board.benchmark.slug, board.moment, [source.slug for source in tracked]
    )
    found = [
        Entries(source, stated[source.slug], len(keys))
        for source, keys in tracked.items()
        if source.slug in stated
    ]
    return tuple(sorted(found, key=lambda one: (-one.stated, one.source.slug)))


def _tracked(rows: Iterable[Row]) -> dict[SourceOf, set[str]]:
    found: dict[SourceOf, set[str]] = {}
    for row in rows:
        for part in row.parts or (row,):
            if part.model is not None:
                found.setdefault(part.source, set()).add(part.key)
    return found
