"""The same request twice, and two at once: one decision, and everybody hears which."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from threading import Barrier

import pytest

from ledger import commands as orders
from ledger.events import Change
from tests.web.desk import LOON, Desk, Ticking, fill, open_desk
from web.reviewing.deciding import Decision
from web.reviewing.since import ChangedSince
from web.settings import Settings

ROUNDS = 50


# --- the same request twice -------------------------------------------------------------------


def test_the_same_request_twice_gives_the_first_answer(desk: Desk) -> None:
    """A decision, a proposal, an approval, a return and a reversal, each sent again."""
    number = desk.file()
    first = desk.order(number, desk.correct(), outcome="accepted-in-part", remainder=True)
    again_and_again(desk, first, "boris")
    proposed = desk.order(number, desk.correct("70.4"), propose=True)
    name = again_and_again(desk, proposed, "boris").name
    approval = orders.ApproveDecision(number=number, version=desk.version(number), decision=name)
    made = again_and_again(desk, approval, "clara")
    undoing = orders.ReverseDecision(
        number=number, version=desk.version(number), decision=made.name, statement="Wrong row."
    )
    again_and_again(desk, undoing, "clara")
    assert len(desk.log()) == 3


def again_and_again(desk: Desk, order: orders.AboutReport, by: str) -> Decision:
    """Send a request three times; the answer, which has to be the same each time."""
    first = desk.decide(order, by)
    head = desk.workspace.ledger.store.head()
    for _ in range(2):
        answer = desk.decide(order, by)
        assert (answer.name, answer.position, answer.proposed) == (
            first.name,
            first.position,
            first.proposed,
        )
        assert answer.already
    assert desk.workspace.ledger.store.head() == head
    return first


def test_another_request_on_the_same_version_is_no_repetition(desk: Desk) -> None:
    """Another word, or another person, and it is refused with what changed since."""
    number = desk.file()
    order = desk.order(number, desk.correct())
    desk.decide(order)
    with pytest.raises(ChangedSince, match="decided, accepted"):
        desk.decide(orders.revised(order, statement="Another statement."))
    with pytest.raises(ChangedSince, match="boris"):
        desk.decide(order, by="clara")


# --- two at once ------------------------------------------------------------------------------


@pytest.fixture(params=["sqlite", "postgresql"])
def two_desks(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Desk, Desk]]:
    """Two reviewers with a process's worth of everything each, on one ledger."""
    url = request.getfixturevalue("postgres_url") if request.param == "postgresql" else None
    settings = Settings(home=tmp_path / "home", database_url=url)
    clock = Ticking()
    fill(settings, clock)
    with ExitStack() as stack:
        yield (
            stack.enter_context(open_desk(settings, clock)),
            stack.enter_context(open_desk(settings, clock)),
        )


def test_of_two_who_decide_at_the_same_instant_one_decides(two_desks: tuple[Desk, Desk]) -> None:
    """Fifty rounds: exactly one decision each, and the other is told who was first."""
    one, two = two_desks
    for round_ in range(ROUNDS):
        number = one.file(LOON, (Change("score", "40", f"41.{round_:02}"),))
        accepted = one.order(number, one.correct(f"41.{round_:02}", LOON))
        declined = one.order(number, statement="The board is right.")
        at_once = Barrier(2)

        def take(desk: Desk, order: orders.Decide, by: str, at_once: Barrier = at_once) -> object:
            at_once.wait()
            try:
                return desk.decide(order, by)
            except ChangedSince as no:
                return no

        with ThreadPoolExecutor(2) as pool:
            answers = [
                pool.submit(take, one, accepted, "boris").result,
                pool.submit(take, two, declined, "clara").result,
            ]
            told = [answer() for answer in answers]
        (made,) = (answer for answer in told if isinstance(answer, Decision))
        (refused,) = (answer for answer in told if isinstance(answer, ChangedSince))
        assert made.by in str(refused)
        assert one.events(number).count("decision-made") == 1
    assert len(one.log()) == ROUNDS
