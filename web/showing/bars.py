"""How long the bar beside a score is: exact, in hundredths of a percent of the room there is.

Bars begin at nought, so their lengths compare as the scores do. Where scores are shares they end at
the whole; else at the largest of the board.
"""

from collections.abc import Iterable, Mapping
from decimal import Context, Decimal

import attrs

from projections.board.benchmarks import Rule
from projections.board.boards import comparable
from projections.board.rows import Row

WHOLE: Mapping[str | None, Decimal] = {"%": Decimal(100), "fraction": Decimal(1)}
_WIDE = Context(prec=60)
_STEP = Decimal("0.01")


@attrs.frozen
class Bar:
    """Where a bar begins and how long it is, both as SVG writes them: ``60.6%``."""

    start: str
    length: str


@attrs.frozen
class Scale:
    """From where to where the bars of a board go, in the unit of its rule."""

    low: Decimal
    high: Decimal

    def bar(self, value: Decimal) -> Bar:
        """The bar of one score; one below nought ends there."""
        begin, end = sorted((Decimal(0), value))
        return Bar(self._share(begin - self.low), self._share(end - begin))

    def _share(self, part: Decimal) -> str:
        room = self.high - self.low
        if not room:
            return "0%"
        share = _WIDE.multiply(_WIDE.divide(part, room), Decimal(100))
        return f"{share.quantize(_STEP, context=_WIDE).normalize():f}%"


def scale_of(rows: Iterable[Row], rule: Rule) -> Scale:
    """The scale on which every one of these rows has its place."""
    values = [comparable(row, rule) for row in rows]
    whole = WHOLE.get(rule.unit, Decimal(0))
    return Scale(min([*values, Decimal(0)]), max([*values, whole, Decimal(0)]))
