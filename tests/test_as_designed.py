"""What the ledger answers is what the design says, whatever may happen to it.

As in :mod:`tests.test_promises`, a history is played into a real ledger and into a reference.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.pinned import VIEWS, moments_of, pages
from tests.playing import games
from tests.side_by_side import check_batches, check_board, check_rectangles
from tests.steps import check_changes
from tests.strategies import METRICS, Action, histories, lives_of_one_claim
from tests.tried import anything, examples

# A failure takes its time to be made small.
pytestmark = pytest.mark.timeout(900)


# --- the fold ---------------------------------------------------------------------------------


@examples(60)
@given(actions=histories(14))
def test_the_read_model_equals_the_fold_and_the_design(actions: list[Action]) -> None:
    """Many claims: what is stored for every (D, P) and plane is what the design says."""
    with games() as game:
        check_rectangles(game.play(*actions))


@examples(60)
@given(actions=lives_of_one_claim(16))
def test_one_claim_lives_as_the_design_says(actions: list[Action]) -> None:
    """One claim and many decisions, corrected, reversed, brought back, in both planes."""
    with games() as game:
        check_rectangles(game.play(*actions))


# --- boards -----------------------------------------------------------------------------------


@examples(60)
@given(actions=histories(14), data=st.data())
def test_boards_rank_as_the_design_says(actions: list[Action], data: st.DataObject) -> None:
    """Any view, metric, moment and plane, one row a model or every claim."""
    with games() as game:
        game.play(*actions)
        for moment in data.draw(moments_of(game, count=6), label="moments"):
            for view in VIEWS:
                for metric in METRICS:
                    for every_claim in (False, True):
                        check_board(game, moment, view, metric, every_claim=every_claim)


# --- catching up ------------------------------------------------------------------------------


@examples(30)
@given(actions=anything(14))
def test_catching_up_in_any_batches_gives_the_same_tables(actions: list[Action]) -> None:
    """One by one, by three, by seven, all at once, and rebuilt beside the live tables."""
    with games() as game:
        check_batches(game.play(*actions))


# --- changes ----------------------------------------------------------------------------------


@examples(50)
@given(actions=anything(14), data=st.data())
def test_the_steps_between_two_days_lead_from_one_board_to_the_other(
    actions: list[Action], data: st.DataObject
) -> None:
    """Every step in between is told once and in order, and one that changes nothing is not."""
    with games() as game:
        game.play(*actions)
        for _ in range(3):
            moment = data.draw(moments_of(game, count=1), label="to")[0]
            days = [day for day in game.instants() if day <= moment.instant]
            check_changes(game, data.draw(st.sampled_from(days), label="from"), moment)


# --- the same on PostgreSQL -------------------------------------------------------------------


@pytest.mark.usefixtures("postgres_url")
@examples(8)
@given(actions=anything(10), data=st.data())
def test_postgresql_keeps_the_same_promises(
    postgres_url: str, actions: list[Action], data: st.DataObject
) -> None:
    """Rectangles, boards, batches, changes and pinned pages, as on SQLite."""
    with games(postgres_url) as game:
        game.play(*actions)
        moments = data.draw(moments_of(game, count=3), label="moments")
        claims = list(game.reference.ids.values())
        before = pages(game, moments, claims)
        check_rectangles(game)
        check_batches(game)
        for moment in moments:
            check_board(game, moment, "all", METRICS[0], every_claim=True)
            check_changes(game, game.instants()[0], moment)
        game.play(*actions)
        assert pages(game, moments, claims) == before
