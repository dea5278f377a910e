"""Units are said and never guessed from size: 0.57 may be a fraction, or a little over half a
percent.

A format that leaves the unit open gives rows without one. Where the benchmark's rule does not say
it either, such rows would rank fractions beside percents; so their sheet is refused before anything
of it is recorded, and whoever imports is asked.
"""

from collections.abc import Iterable
from decimal import Decimal

from ledger import events as ev
from ledger.errors import FileRefused
from ledger.importing.board import BoardFile
from ledger.values import Slug

A_FEW = 5
"""How many metrics are named."""


def check_units(board: BoardFile, benchmark: str, known: Iterable[ev.Event]) -> None:
    """Refuse a board with a metric whose numbers could be fractions or percents, and nobody says.

    ``known`` are the events of its benchmark. Raises :class:`~ledger.errors.FileRefused`.
    """
    registered = {
        rule.metric: rule.unit
        for rule in known
        if isinstance(rule, ev.RankingRuleSet) and rule.unit is not None
    }
    bare = _without_unit(board)
    open_ones = [
        board.metric_names.get(metric, metric)
        for metric, values in bare.items()
        if _is_open(values, registered.get(metric))
    ]
    if open_ones:
        more = f" and {len(open_ones) - A_FEW} more" if len(open_ones) > A_FEW else ""
        shown = ", ".join(open_ones[:A_FEW]) + more
        why = (
            f"on {benchmark}, {shown} may be fractions or percents and nothing says which; "
            "say --unit fraction or --unit % (or --unit METRIC=U for one metric)"
        )
        raise FileRefused(file=board.file, why=why)


def _without_unit(board: BoardFile) -> dict[Slug, list[Decimal]]:
    """The numbers that bear no unit, by metric."""
    found: dict[Slug, list[Decimal]] = {}
    for statements in board.statements.values():
        for says in statements:
            if says.unit is None:
                found.setdefault(says.metric, []).append(says.score.value)
    return found


def _is_open(values: Iterable[Decimal], registered: str | None) -> bool:
    """Whether the numbers could be shares of one or of a hundred, and the rule does not tell.

    A registered unit tells, unless the numbers look as if it were the other: shares of one under a
    rule of percents, or more than one under a rule of fractions. Numbers of which one is below
    nought or above a hundred are no shares.
    """
    values = list(values)
    if registered == "%":
        return any(0 < value <= 1 for value in values)
    if registered == "fraction":
        return any(value > 1 for value in values)
    return registered is None and all(0 <= value <= 100 for value in values)
