"""No average over what happens to be there (P004)."""

import pytest

from ledger import events as ev
from ledger.values import (
    Slug,
    parse_instant,
)
from tests.desk import Desk, shown
from web.csv_forms import board_csv

TASKS = "key,model,score,split"
AUGUST_1 = "h,Heron-7B,80,t1;h,Heron-7B,70,t2;h,Heron-7B,60,t3;h,Heron-7B,50,t4"
IBIS_HALF = "i,Ibis-13B,82,t1;i,Ibis-13B,74,t2"
IBIS_REST = "i,Ibis-13B,40,t3;i,Ibis-13B,44,t4"


@pytest.fixture
def averaged(desk: Desk) -> Desk:
    """Four tasks; one model has only two of them until the next day."""
    desk.at("2025-08-03T09:00:00Z")
    desk.rule("score", "2025-07-01", "t1", "t2", "t3", "t4", combine="mean")
    desk.read(f"{AUGUST_1};{IBIS_HALF}", "2025-08-01", header=TASKS)
    desk.read(f"{AUGUST_1};{IBIS_HALF};{IBIS_REST}", "2025-08-02", header=TASKS, name="b.csv")
    return desk


def test_a_model_with_missing_tasks_has_no_average_and_no_rank(averaged: Desk) -> None:
    """P004: 2 of 4 is no number, and above all not the best one."""
    board = averaged.board("2025-08-01")
    (first,) = board.rows
    assert (first.rank, first.name, str(first.score)) == (1, "Heron-7B", "65.00")
    (beside,) = board.unranked
    assert (beside.name, beside.rank, beside.score) == ("Ibis-13B", None, None)
    assert beside.why_unranked is not None
    assert beside.why_unranked.startswith("2 of 4")
    later = averaged.board("2025-08-02")
    assert shown(later) == {"Heron-7B": "65.00", "Ibis-13B": "60.00"}


@pytest.mark.parametrize("lower_is_better", [False, True])
def test_an_empty_cell_is_neither_zero_nor_nan_and_sorts_last(
    averaged: Desk, *, lower_is_better: bool
) -> None:
    """P004: what has no number ranks nowhere, whichever way is better; CSV has no such row."""
    rule = ev.RankingRuleSet(
        metric=Slug("score"),
        name="score",
        unit="%",
        higher_is_better=not lower_is_better,
        splits=("t1", "t2", "t3", "t4"),
        combine="mean",
        read_at=parse_instant("2025-07-02"),
        why="the other way round",
    )
    averaged.set_rule(rule)
    board = averaged.board("2025-08-01")
    assert [row.name for row in (*board.rows, *board.unranked)] == ["Heron-7B", "Ibis-13B"]
    text = board_csv(board)
    assert "nan" not in text.lower()
    assert [line.split(",")[4] for line in text.splitlines()[1:]] == ["65.00"]


def test_a_stored_zero_is_a_score(averaged: Desk) -> None:
    """P004: 0.00 counts in the mean; it is not what is missing."""
    rows = "l,Loon-3B,0.00,t1;l,Loon-3B,0.00,t2;l,Loon-3B,0.00,t3;l,Loon-3B,0.00,t4"
    averaged.read(rows, "2025-08-02", header=TASKS, source="zeros")
    assert averaged.scores("2025-08-02")["Loon-3B"] == "0.00"
