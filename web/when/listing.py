"""The changes of a span in a list, day by day, as many as a page holds."""

from collections.abc import Sequence
from itertools import groupby

import attrs

from ledger.values import Instant
from projections.over_time.compared import Caused, Compared
from projections.over_time.restated import Said

MOST_LISTED = 300
"""Changes that a page lists; JSON and CSV have all of them."""


@attrs.frozen(kw_only=True)
class Entry:
    """One change: a step with its cause, or what a curator said anew. ``place`` is a step's place
    among all steps, which the rows that it moved lead to."""

    at: Instant
    place: int | None = None
    caused: Caused | None = None
    said: Said | None = None


@attrs.frozen(kw_only=True)
class Listed:
    """The first changes of a span by their days; ``left_out`` are not listed, from the day
    ``go_on``."""

    days: tuple[tuple[str, tuple[Entry, ...]], ...]
    left_out: int
    go_on: str | None

    @property
    def places(self) -> frozenset[int]:
        """The places of the steps that are listed."""
        entries = (one for _, of_the_day in self.days for one in of_the_day)
        return frozenset(one.place for one in entries if one.place is not None)


def listed(found: Compared, most: int = MOST_LISTED) -> Listed:
    """All changes in the order of their turns, as many as a page holds."""
    entries = _entries(found)
    days = groupby(entries[:most], key=lambda one: one.at.date().isoformat())
    rest = entries[most:]
    return Listed(
        days=tuple((day, tuple(of_the_day)) for day, of_the_day in days),
        left_out=len(rest),
        go_on=rest[0].at.date().isoformat() if rest else None,
    )


def _entries(found: Compared) -> Sequence[Entry]:
    entries = [
        Entry(at=one.step.read_at, place=place, caused=one) for place, one in enumerate(found.steps)
    ]
    entries += [Entry(at=one.restated.at, said=one) for one in found.said]
    # Steps are in their order already, which the sort keeps.
    return sorted(entries, key=lambda one: one.at)
