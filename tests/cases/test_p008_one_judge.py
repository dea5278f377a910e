"""One judge, one series (P008)."""

import pytest

from ledger import commands as orders
from ledger.events import Statement
from ledger.values import (
    Score,
    Slug,
    parse_instant,
)
from tests.cases.given import freeze
from tests.desk import Desk, claim, kinds


@pytest.fixture
def judged(desk: Desk) -> Desk:
    """Three numbers by three judges, of which one is an alias that moves."""
    desk.at("2023-08-21T09:00:00Z")
    rows = {
        "h-0314": ("Heron-7B", "judge-x-0314", "71.4", None),
        "h-0613": ("Heron-7B", "judge-x-0613", "52.0", None),
        "i": ("Ibis-13B", "judge-x", "60.0", "judge snapshot unknown"),
    }
    says = {
        key: Statement(name=name, metric=Slug(judge), score=Score(score), not_ranked=why)
        for key, (name, judge, score, why) in rows.items()
    }
    freeze(desk, "2023-08-20", says)
    desk.at("2023-09-04T12:00:00Z")
    ibis = claim("i", "judge-x")
    desk.decide(
        desk.report(ibis),
        orders.Correct(
            claim=ibis,
            applies_from=parse_instant("2023-06-27"),
            to=(("metric", "judge-x-0613"),),
        ),
        orders.Readmit(claim=ibis, applies_from=parse_instant("2023-06-27")),
        statement="From 27 June on the alias meant 0613.",
    )
    return desk.at("2023-09-05T12:00:00Z")


def test_two_judges_are_two_series(judged: Desk) -> None:
    """P008: 71.4 and 52.0 are neither duplicates nor corrections of one another."""
    for day in ("2023-09-03", "2023-09-04"):
        assert judged.scores(day, metric="judge-x-0314") == {"Heron-7B": "71.4"}
    assert judged.scores("2023-09-03", metric="judge-x-0613") == {"Heron-7B": "52.0"}
    assert kinds(judged.changes("2023-08-01", "2023-09-03")) == [
        ("recorded", None, "71.4"),
        ("recorded", None, "52.0"),
        ("recorded", None, "60.0"),
    ]


def test_a_number_of_an_unknown_judge_ranks_with_none(judged: Desk) -> None:
    """P008: it shows, and says why it does not rank, until a decision says which judge it was."""
    board = judged.board("2023-09-03", metric="judge-x")
    assert [(row.name, row.why_unranked) for row in board.unranked] == [
        ("Ibis-13B", "judge snapshot unknown")
    ]
    assert board.rows == ()
    later = judged.scores("2023-09-04", metric="judge-x-0613")
    assert list(later.items()) == [("Ibis-13B", "60.0"), ("Heron-7B", "52.0")]
    since = judged.scores("2023-09-03", metric="judge-x-0613", corrected="since")
    assert list(since) == ["Ibis-13B", "Heron-7B"]


@pytest.mark.parametrize("setting", ["judge-x-0613", "five shots", "harness v2"])
def test_no_average_mixes_two_series(desk: Desk, setting: str) -> None:
    """P008: parts that were measured in two settings make two incomplete rows and no mean."""
    desk.at("2025-08-03T09:00:00Z")
    desk.rule("score", "2025-07-01", "t1", "t2", combine="mean")
    rows = f"a,Heron-7B,80,t1,judge-x-0314;b,Heron-7B,60,t2,{setting}"
    desk.read(rows, "2025-08-01", header="key,model,score,split,setting")
    board = desk.board()
    assert board.rows == ()
    assert [str(row.why_unranked)[:6] for row in board.unranked] == ["1 of 2", "1 of 2"]
