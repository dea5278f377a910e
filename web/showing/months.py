"""Corrections per month in the few kinds that a chart and a table can show beside each other."""

from collections.abc import Mapping

import attrs

from ledger.decision import REVERSED
from ledger.vocabulary import ACCEPTING
from reports.charts.corrections import KINDS, Months, every_month
from reports.words import MONTHS

CHANGED, UNCHANGED, UNDONE = KINDS


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


def counted_kinds(row: MonthRow) -> list[tuple[int, str]]:
    """How many of each kind that there is any of."""
    return [(count, kind) for count, kind in zip(row.counts, KINDS, strict=True) if count]
