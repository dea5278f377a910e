"""The bars of a board: as long as the scores are, whatever unit and sign those have."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from web.showing.bars import Bar, Scale

SCORES = st.decimals(allow_nan=False, allow_infinity=False, min_value=-(10**9), max_value=10**9)


def share(text: str) -> Decimal:
    """A share as SVG writes it."""
    assert text.endswith("%")
    assert "E" not in text
    return Decimal(text[:-1])


@pytest.mark.parametrize(
    ("low", "high", "value", "bar"),
    [
        ("0", "100", "60.6", Bar("0%", "60.6%")),
        ("0", "100", "9.80", Bar("0%", "9.8%")),
        ("0", "1", "0.125", Bar("0%", "12.5%")),
        ("0", "3471", "3471", Bar("0%", "100%")),
        ("-50", "50", "-25", Bar("25%", "25%")),
        ("-50", "50", "50", Bar("50%", "50%")),
        ("0", "0", "0", Bar("0%", "0%")),
        ("0", "3", "1", Bar("0%", "33.33%")),
    ],
)
def test_a_bar_is_as_long_as_its_score(low: str, high: str, value: str, bar: Bar) -> None:
    """From nought to the score, in hundredths of a percent; below nought it ends there."""
    assert Scale(Decimal(low), Decimal(high)).bar(Decimal(value)) == bar


@given(st.lists(SCORES, min_size=1, max_size=8))
def test_every_bar_has_its_place_and_none_is_out_of_order(values: list[Decimal]) -> None:
    """No bar leaves the room, and a larger score of one sign never has the shorter bar."""
    scale = Scale(min([*values, Decimal(0)]), max([*values, Decimal(0)]))
    bars = {value: scale.bar(value) for value in values}
    for bar in bars.values():
        assert share(bar.start) >= 0
        assert share(bar.length) >= 0
        assert share(bar.start) + share(bar.length) <= Decimal("100.01")
    above = sorted(value for value in values if value >= 0)
    lengths = [share(bars[value].length) for value in above]
    assert lengths == sorted(lengths)
