"""What an import registers so that its board can be ranked: benchmark, source, metrics.

A metric that no rule names by the day of the reading gets one: any split, the unit that all its
rows share, higher is better unless told otherwise. A rule that somebody set for a later day is
stated for the earlier one too. Of the rules that imports met the earliest counts, so the order in
which files arrive does not show.
"""

from collections.abc import Iterable, Sequence

from ledger import benchmark, source
from ledger import events as ev
from ledger.importing.board import BoardFile, Target
from ledger.store import NewEvents
from ledger.values import Instant, Slug

WHY = "met in an import"


def register_benchmark(
    known: Sequence[ev.Event], target: Target, board: BoardFile
) -> NewEvents | None:
    """The benchmark's registration and the rules that its stream still lacks."""
    new: list[ev.Event] = []
    if not known:
        name = target.benchmark_name or target.benchmark
        registered = ev.BenchmarkRegistered(slug=target.benchmark, name=name, read_at=board.read_at)
        new += benchmark.decide([], registered)
    for ordinal, metric in enumerate(board.metrics):
        rule = missing_rule(known, metric, ordinal, target, board)
        if rule is not None:
            new += benchmark.decide([*known, *new], rule)
    stream = benchmark.stream_of(target.benchmark)
    return NewEvents(stream, len(known), tuple(new)) if new else None


def missing_rule(
    known: Iterable[ev.Event], metric: Slug, ordinal: int, target: Target, board: BoardFile
) -> ev.RankingRuleSet | None:
    """The rule to state for a metric at this reading; ``None`` when one is known by then."""
    rules = [e for e in known if isinstance(e, ev.RankingRuleSet) and e.metric == metric]
    at = board.read_at
    if any(rule.read_at < at or (rule.read_at == at and not rule.met) for rule in rules):
        return None
    later = min(
        (rule for rule in rules if not rule.met), key=lambda rule: rule.read_at, default=None
    )
    if later is not None:
        return _stated_earlier(later, at, ordinal)
    said = target.unit_of(metric, board.metric_names.get(metric))
    lower = bool({metric, board.metric_names.get(metric)} & target.lower_is_better)
    return ev.RankingRuleSet(
        metric=metric,
        name=board.metric_names.get(metric, metric),
        unit=said or _shared_unit(board, metric),
        higher_is_better=not lower,
        ordinal=ordinal,
        met=not lower,  # whoever says which way is better has set the rule
        read_at=at,
        why=WHY,
    )


def _stated_earlier(rule: ev.RankingRuleSet, read_at: Instant, ordinal: int) -> ev.RankingRuleSet:
    return ev.RankingRuleSet(
        metric=rule.metric,
        name=rule.name,
        unit=rule.unit,
        higher_is_better=rule.higher_is_better,
        splits=rule.splits,
        combine=rule.combine,
        decimals=rule.decimals,
        headline=rule.headline,
        ordinal=ordinal,
        met=True,
        read_at=read_at,
        why="met in an earlier reading",
    )


def _shared_unit(board: BoardFile, metric: Slug) -> str | None:
    """The unit that all rows of a metric share; fractions beside percents are counted in percents,
    which is exact."""
    units = {
        says.unit
        for statements in board.statements.values()
        for says in statements
        if says.metric == metric
    }
    if units == {"%", "fraction"}:
        return "%"
    return units.pop() if len(units) == 1 else None


def register_source(
    known: Sequence[ev.Event], version: int, target: Target, frozen: ev.SourceFrozen
) -> NewEvents:
    """The source's registration where it lacks one, and the reading itself.

    ``known`` are those of its ``version`` events that are about this board or about none.
    """
    new: list[ev.Event] = []
    if not version:
        registered = ev.SourceRegistered(
            slug=target.source,
            name=target.source_name or target.source,
            kind=target.kind,
            read_at=frozen.read_at,
        )
        new += source.decide([], registered)
    new += source.decide([*known, *new], frozen)
    return NewEvents(source.stream_of(target.source), version, tuple(new))
