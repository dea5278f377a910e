"""What the marks beside a number mean, for somebody who sees them for the first time."""

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

import attrs

from reports.paper.document import Json

TIED, LATER = "tied", "changed-since"

MEANINGS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        TIED: (
            "tied",
            "Another row has the same score. Rows of one score stand by date, then by name.",
        ),
        "corrected": (
            "corrected",
            "A decision changed what this row says. What was read is in the ledger beside it.",
        ),
        "retracted": ("retracted", "A decision took the number off every board."),
        "held-out": (
            "held out of the ranking",
            "A decision keeps the number visible and out of the ranking.",
        ),
        "disputed": ("disputed", "The number is questioned, and no decision has settled it yet."),
        "counters": (
            "the counters say otherwise",
            "The source's own counts of tasks passed and run do not give this score.",
        ),
        "partial-run": ("… of … run", "Only a part of the tasks was run."),
        "added-later": (
            "added to the ledger later",
            "It was recorded on a later day than the one on which its source was read.",
        ),
        "look-alike": (
            "looks like …",
            "The model's name resembles an earlier one; they are two until a reviewer joins them.",
        ),
        LATER: (
            "changed since",
            "A later correction concerns this row, which shows what held at the board's own time.",
        ),
    }
)


@attrs.frozen
class Meaning:
    """A mark's words, and what they mean."""

    words: str
    meaning: str


def meanings(rows: Iterable[Json], *, later: bool) -> list[Meaning]:
    """The marks that stand on some rows, explained, in a fixed order."""
    kinds = {LATER} if later else set()
    for row in rows:
        kinds.update(mark["kind"] for mark in row["marks"])
        if row["tied"]:
            kinds.add(TIED)
    return [Meaning(*MEANINGS[kind]) for kind in MEANINGS if kind in kinds]


def on_every(rows: Sequence[Json]) -> list[str]:
    """The words of marks that every one of several rows bears: said once instead of row by row."""
    shared: set[str] | None = None
    for row in rows:
        words = {mark["text"] for mark in row["marks"]}
        shared = words if shared is None else shared & words
        if not shared:
            return []
    return sorted(shared or ()) if len(rows) > 1 else []
