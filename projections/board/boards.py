"""Rank a board at a moment.

A board is one range query over the rectangles, filtered by view and rule and ranked: better
score, then the earlier printed date, then the name by code point, then the claim's id. Ranks are
ordinal and ties are marked. What does not rank stands beside the board with its reason.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date
from decimal import Context, Decimal
from operator import attrgetter

import attrs

from ledger.errors import BadValue
from ledger.values import PartialDate, Score, from_micros
from ledger.vocabulary import VIEWS
from projections.board.ahead import ask_ahead
from projections.board.benchmarks import (
    Benchmark,
    Rule,
    benchmark_at,
    entries_stated,
    first_reading,
)
from projections.board.rows import Row, Stored, stated_rows
from projections.keeping.timeline import score_key
from projections.keeping.views import Reader
from projections.moment import Moment


@attrs.frozen(kw_only=True)
class Board:
    """A board at a moment. ``claims`` are all ranked claims, also those behind a model's best."""

    benchmark: Benchmark
    view: str
    rule: Rule | None
    moment: Moment
    rows: tuple[Row, ...]
    claims: tuple[Row, ...]
    unranked: tuple[Row, ...]
    untracked: int
    every_claim: bool
    empty_because: str | None = None


def board_at(
    reader: Reader,
    slug: str,
    moment: Moment,
    *,
    view: str | None = None,
    metric: str | None = None,
    every_claim: bool = False,
    instead: Mapping[str, Stored] | None = None,
) -> Board:
    """The board of a benchmark; refused for an unknown benchmark, view or metric.

    ``every_claim`` gives a row per claim instead of each model's best; ``instead`` looks at a
    decision beforehand, see :func:`projections.board.rows.stated_rows`.
    """
    ask_ahead(reader, slug, moment)
    benchmark = benchmark_at(reader, slug, moment)
    view = view or benchmark.view
    if view not in VIEWS:
        raise BadValue(what="view", shown=repr(view), why=f"it is one of {', '.join(VIEWS)}")
    rule = benchmark.rule(metric)
    found: list[Row] = []
    if rule is not None:
        asked = rule.metric
        found = stated_rows(reader, slug, moment, view=view, metric=asked, instead=instead)
        rule = counted(rule, found)
    ranked, unranked = _ranked(found, rule, benchmark, moment)
    rows = ranked if every_claim else best_per_model(ranked)
    return Board(
        benchmark=benchmark,
        view=view,
        rule=rule,
        moment=moment,
        rows=tuple(numbered(rows)),
        claims=tuple(ranked),
        unranked=tuple(unranked),
        untracked=_untracked(reader, slug, moment, found),
        every_claim=every_claim,
        empty_because=None if ranked else _why_empty(reader, slug, moment, view, unranked),
    )


# --- ranking ----------------------------------------------------------------------------------


def _ranked(
    found: Sequence[Row], rule: Rule | None, benchmark: Benchmark, moment: Moment
) -> tuple[list[Row], list[Row]]:
    """The rows that rank, best first, and those that do not, with the reason."""
    if rule is None:
        return [], []
    judged = [_judged(row, rule) for row in found if row.model is not None]
    if moment.published_by is not None:
        until = moment.published_by.first_day
        judged = [row for row in judged if _counts_by(row, benchmark, until)]
    ranked = [row for row in judged if row.why_unranked is None]
    unranked = [row for row in judged if row.why_unranked is not None]
    if rule.combine == "mean":
        ranked, incomplete = means(ranked, rule)
        unranked += incomplete
    return in_order(ranked, rule), in_order(unranked, rule)


def counted(rule: Rule, found: Iterable[Row]) -> Rule:
    """The rule with what its numbers are counted in where it names no unit itself."""
    if rule.unit is not None:
        return rule
    return attrs.evolve(rule, counted_in=counted_in({row.unit for row in found}))


def counted_in(units: Collection[str | None]) -> str | None:
    """What numbers in these units are compared in, if no rule says so: shares of a hundred and of
    one are one measure, so where sources state both, hundredths are compared."""
    return "%" if {"%", "fraction"} <= set(units) else None


def _judged(row: Row, rule: Rule) -> Row:
    """The row with its unit made comparable, or with the reason why it cannot rank."""
    unit = row.unit or rule.unit
    if row.why_unranked is None and rule.splits is not None and row.split not in rule.splits:
        split = f"split {row.split}" if row.split else "a number without a split"
        return row._replace(unit=unit, why_unranked=f"{split} does not rank under this rule")
    if row.unit is None or rule.compares_in is None or row.unit == rule.compares_in:
        return row if unit == row.unit else row._replace(unit=unit)
    if (row.unit, rule.compares_in) not in SCALES:
        if rule.unit is None:  # nobody said what this metric is counted in
            return row
        why = f"its unit {row.unit} is not the metric's ({rule.unit})"
        return row._replace(why_unranked=row.why_unranked or why)
    return row._replace(sort_key=score_key(comparable(row, rule)))


# (unit of a row, unit of the rule) -> what makes them comparable, exactly
SCALES: Mapping[tuple[str | None, str | None], Decimal] = {
    ("fraction", "%"): Decimal(100),
    ("%", "fraction"): Decimal("0.01"),
}
_WIDE = Context(prec=200)


def comparable(row: Row, rule: Rule) -> Decimal:
    """A row's exact value in the unit of the rule."""
    value = row.score.value if row.score else Decimal(0)
    return _WIDE.multiply(value, SCALES.get((row.unit, rule.compares_in), Decimal(1)))


def in_order(rows: Iterable[Row], rule: Rule) -> list[Row]:
    """Better score first; ties by printed date, name, claim id."""
    ordered = sorted(rows, key=SORT_KEY, reverse=rule.higher_is_better)
    start = 0
    for tied in Counter(map(SORT_KEY, ordered)).values():
        end = start + tied
        if tied > 1:
            ordered[start:end] = sorted(ordered[start:end], key=ORDER)
        start = end
    return ordered


def best_per_model(ranked: Iterable[Row]) -> list[Row]:
    """Each model's best claim; ``ranked`` is in order."""
    best: dict[str, Row] = {}
    for row in ranked:
        if row.model is not None:
            best.setdefault(row.model.id, row)
    return list(best.values())


Mark = Mapping[str, str]
PLACE = Row._fields.index("rank")
SORT_KEY = attrgetter("sort_key")
ORDER = attrgetter("order")


def numbered(rows: Sequence[Row]) -> list[Row]:
    """Ordinal ranks from 1, with ties marked."""
    held = Counter(map(SORT_KEY, rows))
    # Made anew from the old one's beginning, which takes half the time of _replace.
    return [
        Row._make(row[:PLACE] + (rank, held[row.sort_key] > 1, row.parts))  # noqa: RUF005
        for rank, row in enumerate(rows, 1)
    ]


def means(ranked: Iterable[Row], rule: Rule) -> tuple[list[Row], list[Row]]:
    """Composite rows: the mean over all splits of the rule, per model, source and setting.

    While a part is missing there is no number and no rank (case P004), only how many parts there
    are. Numbers of different sources or settings are never averaged.
    """
    groups: dict[tuple[str, str, str | None], dict[str, Row]] = {}
    for row in in_order(ranked, rule):
        if row.model is not None and row.split is not None:
            series = (row.model.id, row.source.slug, row.setting)
            groups.setdefault(series, {}).setdefault(row.split, row)
    complete: list[Row] = []
    incomplete: list[Row] = []
    for parts in groups.values():
        row = _composite(parts, rule)
        (complete if row.score is not None else incomplete).append(row)
    return complete, incomplete


def _composite(parts: Mapping[str, Row], rule: Rule) -> Row:
    splits = rule.splits or ()
    held = [parts[split] for split in splits if split in parts]
    dates = [row.published_on for row in held if row.published_on]
    whole = held[0]._replace(
        score=None,
        unit=rule.unit or _unit_of(held, rule),
        claim_id=None,
        split=f"mean of {len(splits)}",
        published_on=max(dates, key=lambda day: day.first_day, default=None),
        marks=_each_once(mark for row in held for mark in row.marks),
        parts=tuple(held),
        sort_key="",
    )
    values = [comparable(row, rule) for row in held]
    if len(values) < len(splits):
        why = f"{len(values)} of {len(splits)} parts; no number while one is missing"
        return whole._replace(why_unranked=why)
    total = Decimal(0)
    for value in values:
        total = _WIDE.add(total, value)
    mean = _WIDE.divide(total, Decimal(len(values)))
    shown = Score(str(mean.quantize(Decimal(1).scaleb(-rule.decimals), context=_WIDE)))
    return whole._replace(score=shown, sort_key=score_key(mean))


def _each_once(marks: Iterable[Mark]) -> tuple[Mark, ...]:
    """What several parts bear alike is said once."""
    return tuple({tuple(sorted(mark.items())): mark for mark in marks}.values())


def _unit_of(parts: Sequence[Row], rule: Rule) -> str | None:
    """What the mean of these is in where the rule names no unit."""
    shares = any((part.unit, rule.counted_in) in SCALES for part in parts)
    return rule.counted_in if shares else parts[0].unit


# --- counting from ----------------------------------------------------------------------------


def counts_from(row: Row, benchmark: Benchmark) -> PartialDate | None:
    """From when a row counts on the retrospective axis (seed rules CH-02, CH-05).

    A lab's claim counts from its publication, an independent one from its model's release (both
    are the printed date), and nothing before the benchmark's release.
    """
    printed, released = row.published_on, benchmark.released
    if printed is None or released is None:
        return printed
    return printed if printed.first_day >= released.first_day else released


def _counts_by(row: Row, benchmark: Benchmark, until: date) -> bool:
    start = counts_from(row, benchmark)
    return start is not None and start.first_day <= until


def _untracked(reader: Reader, slug: str, moment: Moment, found: Sequence[Row]) -> int:
    """Entries of the sources that no registered model stands for: stated but not listed, or listed
    under a name that means no model."""
    listed: dict[str, set[str]] = {}
    tracked: dict[str, set[str]] = {}
    for row in found:
        listed.setdefault(row.source.slug, set()).add(row.key)
        if row.model is not None:
            tracked.setdefault(row.source.slug, set()).add(row.key)
    stated = entries_stated(reader, slug, moment, list(listed))
    return sum(
        max(stated.get(source, 0), len(keys)) - len(tracked.get(source, ()))
        for source, keys in listed.items()
    )


def _why_empty(
    reader: Reader, slug: str, moment: Moment, view: str, unranked: Sequence[Row]
) -> str:
    first = first_reading(reader, slug, moment)
    if first is None:
        return f"Nothing has been read for {slug} yet."
    if first > moment.day:
        day = from_micros(first).date().isoformat()
        return (
            f"Nothing had been read for {slug} by {moment.as_read_on}; "
            f"the first reading is of {day}."
        )
    if unranked:
        return f"Of {len(unranked)} claims in this view none ranks; each says why."
    return f"No source of the view “{view}” states a number under this metric by then."
