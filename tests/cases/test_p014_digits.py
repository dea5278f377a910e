"""Digits as written (P014)."""

import pytest

from ledger import commands as orders
from ledger.errors import (
    BadValue,
    NothingChanges,
)
from ledger.events import Statement
from ledger.values import (
    Score,
    Slug,
)
from projections.board.history import status
from reports.contract import board_json
from tests.cases.given import freeze
from tests.desk import Desk, claim
from web.csv_forms import board_csv

DIGITS = ("72.50", "1.1", "0.1234567890123456789", "3,471", "-0.0", "1e3")


def test_scores_keep_their_digits_everywhere(desk: Desk) -> None:
    """P014: read, stored, read back, rebuilt, as JSON and as CSV: never through a float."""
    desk.at("2025-07-10T12:00:00Z")
    rows = {
        f"k{number}": Statement(name=f"Model {number}", metric=Slug("score"), score=Score(digits))
        for number, digits in enumerate(DIGITS)
    }
    freeze(desk, "2025-07-01", rows)
    for again in (False, True):
        if again:
            desk.workspace.follower.rebuild()
        board = desk.board()
        assert sorted(str(row.score) for row in board.rows) == sorted(DIGITS)
        told = board_json(board, (), status(board, ()))
        assert sorted(row["score"] for row in told["rows"]) == sorted(DIGITS)
        text = board_csv(board)
        assert all(digits in text for digits in DIGITS)


def test_numbers_that_only_a_float_tells_apart_are_a_tie(desk: Desk) -> None:
    """P014: 0.1 + 0.2 is 0.3."""
    desk.at("2025-07-10T12:00:00Z").read("a,Heron,0.3;b,Ibis,0.30", "2025-07-01")
    assert [row.tied for row in desk.board().rows] == [True, True]
    number = desk.report(claim("a"))
    wish = orders.Correct(claim=claim("a"), applies_from="start", to=(("score", "0.300"),))
    with pytest.raises(NothingChanges):
        desk.decide(number, wish)


@pytest.mark.parametrize("digits", ["NaN", "Infinity", "1e400", "e5", "0x10", "\uff11"])
def test_what_is_no_number_is_refused_on_every_way_in(desk: Desk, digits: str) -> None:
    """P014: a row of a file is refused with its reason and the others go on; a form says no."""
    desk.at("2025-07-10T12:00:00Z")
    receipt = desk.read(f"a,Heron,{digits};b,Ibis,50", "2025-07-01")
    assert [(one.row, one.field) for one in receipt.refused] == [(1, "score")]
    assert desk.scores() == {"Ibis": "50"}
    wish = orders.Correct(claim=claim("b"), applies_from="start", to=(("score", digits),))
    with pytest.raises(BadValue):
        desk.decide(desk.report(claim("b")), wish)
