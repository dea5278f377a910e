"""Corrections per month in the few kinds that a chart and a table can show beside each other."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

import attrs

from ledger.decision import REVERSED
from ledger.vocabulary import ACCEPTING
from reports.charts.corrections import KINDS, Months, every_month
from reports.words import MONTHS

CHANGED, UNCHANGED, UNDONE = KINDS
MOST_TOLD = 12
"""Months that the words for a chart tell of; the table has all of them."""


@attrs.frozen
class MonthRow:
    """One line of the table: the month, its number as ``YYYY-MM``, and how many of each kind."""

    words: str
    month: str
    counts: tuple[int, ...]


def months_of(found: Mapping[tuple[int, int], Mapping[str, int]]) -> Months:
    """Outcomes per month as kinds per month."""
    kinds: dict[tuple[int, int], dict[str, int]] = {}
    for month, outcomes in found.items():
        counts = kinds.setdefault(month, dict.fromkeys(KINDS, 0))
        for outcome, count in outcomes.items():
            counts[_kind(outcome)] += count
    return kinds


def months_in(entries: Iterable[Mapping[str, Any]]) -> Months:
    """The same of entries of the log as the outside contract tells them."""
    found: dict[tuple[int, int], Counter[str]] = {}
    for one in entries:
        year, month = one["decided_at"][:7].split("-")
        found.setdefault((int(year), int(month)), Counter())[one["outcome"]] += 1
    return months_of(dict(sorted(found.items())))


def _kind(outcome: str) -> str:
    if outcome == REVERSED:
        return UNDONE
    return CHANGED if outcome in ACCEPTING else UNCHANGED


def month_rows(months: Months) -> list[MonthRow]:
    """The lines of the table, newest first; the months of the chart that have a decision."""
    shown = [month for month in every_month(months) if month in months]
    return [
        MonthRow(
            f"{MONTHS[number - 1]} {year}",
            f"{year}-{number:02}",
            tuple(months[year, number].get(kind, 0) for kind in KINDS),
        )
        for year, number in reversed(shown)
    ]


def months_words(months: Months) -> str:
    """The latest months, each with how many of each kind."""
    told = (
        f"{row.words}: {', '.join(f'{count} {kind}' for count, kind in _counted(row))}"
        for row in month_rows(months)[:MOST_TOLD]
    )
    return f"Corrections per month. {'; '.join(told)}."


def _counted(row: MonthRow) -> list[tuple[int, str]]:
    """How many of each kind that there is any of."""
    return [(count, kind) for count, kind in zip(row.counts, KINDS, strict=True) if count]
