"""What a decision would do to the boards, looked at before it is taken, is what it then does."""

import pytest

from ledger import commands as orders
from ledger.errors import NothingChanges, Refused
from ledger.vocabulary import VIEWS
from projections.board.boards import Board, board_at
from projections.review.effect import (
    BoardEffect,
    difference,
    effect_of,
    effect_of_proposal,
    effect_of_reversal,
    touches_number_one,
)
from tests.web.desk import BENCHMARK, HERON, IBIS, LOON, Desk

Effects = list[BoardEffect]


def would(desk: Desk, *wishes: orders.AnyEffect) -> Effects:
    """What some wishes would do now."""
    desk.workspace.follower.catch_up()
    with desk.workspace.views.read() as reader:
        return effect_of(reader, desk.workspace.ledger.store, wishes, desk.workspace.moment())


def boards(desk: Desk) -> dict[str, Board]:
    """The boards now, by view."""
    desk.workspace.follower.catch_up()
    with desk.workspace.views.read() as reader:
        moment = desk.workspace.moment()
        return {view: board_at(reader, BENCHMARK, moment, view=view) for view in VIEWS}


def did(before: dict[str, Board], after: dict[str, Board]) -> Effects:
    """What really changed."""
    found = (difference(before[view], after[view]) for view in VIEWS)
    return [effect for effect in found if effect is not None]


RETRACT = orders.Retract(claim=IBIS, applies_from="start")
HOLD_OUT = orders.HoldOut(claim=IBIS, applies_from="start")
DISPUTE = orders.Dispute(claim=IBIS, applies_from="start", about="the run")
OTHER_METRIC = orders.Correct(claim=IBIS, applies_from="start", to=(("metric", "other"),))
HIGHER = orders.Correct(claim=LOON, applies_from="start", to=(("score", "90"),))
OF_IBIS = orders.Reidentify(claim=LOON, applies_from="start", model="of Ibis")


def model_of(desk: Desk, name: str) -> str:
    """The slug of a model on the board."""
    rows = boards(desk)["all"].rows
    return next(row.model.id for row in rows if row.model is not None and row.name == name)


@pytest.mark.parametrize("wish", [HIGHER, OTHER_METRIC, OF_IBIS, RETRACT, HOLD_OUT, DISPUTE])
def test_what_was_previewed_is_what_happens(desk: Desk, wish: orders.AnyEffect) -> None:
    """Row by row, in every view; looked at as a wish, as a proposal, and before it is undone."""
    if isinstance(wish, orders.Reidentify):
        wish = orders.revised(wish, model=model_of(desk, "Ibis-13B"))
    previewed = would(desk, wish)
    number = desk.file(wish.claim)
    held = desk.decide(desk.order(number, wish, propose=True))
    (_, terms) = desk.workspace.ledger.report(number).proposed[held.name]
    desk.workspace.follower.catch_up()
    store = desk.workspace.ledger.store
    with desk.workspace.views.read() as reader:
        moment = desk.workspace.moment()
        assert effect_of_proposal(reader, store, terms.effects, moment) == previewed
    before = boards(desk)
    made = desk.approve(held)
    after = boards(desk)
    assert did(before, after) == [one for one in previewed if one.metric == "score"]
    with desk.workspace.views.read() as reader:
        moment = desk.workspace.moment()
        undoing = effect_of_reversal(reader, store, made.name, [wish.claim], moment)
    undone = desk.reverse(made)
    if undone.proposed:
        desk.approve(undone, by="mira")
    assert did(after, boards(desk)) == [one for one in undoing if one.metric == "score"]


def test_a_row_that_hides_behind_a_copy_moves_nothing(desk: Desk) -> None:
    """The copied board still has 72.5, and a model's row is its best claim."""
    assert would(desk, desk.correct("70.1", HERON)) == []


def test_number_one_lost_is_said(desk: Desk) -> None:
    """Who led, and who would."""
    effects = would(desk, desk.correct("70", IBIS))
    assert touches_number_one(effects)
    assert {(one.leader_before, one.leader_after) for one in effects} == {("Ibis-13B", "Heron-7B")}
    assert not touches_number_one(would(desk, desk.correct("79", IBIS)))


def test_the_preview_refuses_what_deciding_would(desk: Desk) -> None:
    """A value that shows already; a claim that nobody knows."""
    with pytest.raises(NothingChanges):
        would(desk, desk.correct("72.5", HERON))
    with pytest.raises(Refused):
        would(desk, orders.Retract(claim="c" + "0" * 23, applies_from="start"))
