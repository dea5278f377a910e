"""A correction of a correction, a duplicate of a duplicate: what is in force follows from all."""

import pytest

from ledger.errors import BadValue, CircularReference, NotFound, ReplacedAlready
from tests.web.desk import Desk


def test_a_correction_of_a_correction_and_its_reversal_show_in_turn(desk: Desk) -> None:
    """72.5, then 70.1, then 71.0, then 70.1 again; each names what it takes the place of."""
    shown = [desk.scores()["Heron-7B"]]
    first = desk.accept("70.1")
    shown.append(desk.scores()["Heron-7B"])
    second = desk.accept("71.0")
    shown.append(desk.scores()["Heron-7B"])
    desk.reverse(second, by="mira")
    shown.append(desk.scores()["Heron-7B"])
    assert shown == ["72.5", "70.1", "71.0", "70.1"]
    third, corrected_again, corrected = desk.log()
    assert (corrected.replaces, corrected_again.replaces, third.replaces) == (None, 1, 2)
    assert (corrected.replaced_by, corrected_again.replaced_by) == (2, 3)
    assert (corrected.in_force, corrected_again.in_force) == (True, False)
    assert first.entry is not None


def test_a_correction_of_one_field_does_not_replace_one_of_two(desk: Desk) -> None:
    """Part of the first is still in force, so the second does not stand in its place."""
    number = desk.file()
    two_fields = desk.correct(to=(("score", "70.1"), ("setting", "3-shot")))
    desk.decide(desk.order(number, two_fields))
    again = desk.accept("70.2")
    assert again.entry is not None
    assert again.entry.replaces is None


@pytest.mark.parametrize("named", ["9.1", "nothing", "1.99", "..", "1.1x", "²." + "9" * 40])
def test_what_was_never_decided_is_not_replaced(desk: Desk, named: str) -> None:
    """Only a decision that was made can be."""
    number = desk.file()
    with pytest.raises(NotFound):
        desk.decide(desk.order(number, desk.correct(), replaces=named))


def test_a_decision_cannot_replace_itself(desk: Desk) -> None:
    """Its own name is known beforehand, and refused."""
    number = desk.file()
    itself = f"{number}.{desk.version(number)}"
    with pytest.raises(CircularReference):
        desk.decide(desk.order(number, desk.correct(), replaces=itself))


def test_only_the_decision_in_force_is_replaced(desk: Desk) -> None:
    """One that was replaced, or undone, is out; once what came after is undone it is back."""
    first, second = desk.accept("70.1"), desk.accept("71.0")
    number = desk.file()
    with pytest.raises(ReplacedAlready, match=second.name):
        desk.decide(desk.order(number, desk.correct("70"), replaces=first.name))
    desk.reverse(second, by="mira")
    with pytest.raises(ReplacedAlready):
        desk.decide(desk.order(number, desk.correct("70"), replaces=second.name))
    assert not desk.decide(desk.order(number, desk.correct("70"), replaces=first.name)).proposed


def test_reports_are_no_duplicates_in_a_circle(desk: Desk) -> None:
    """A duplicate of itself, of what is a duplicate of it, or of nothing is refused."""
    one, two, three = desk.file(), desk.file(), desk.file()
    for number, original in ((one, two), (two, three)):
        desk.decide(desk.order(number, outcome="duplicate", duplicate_of=original))
    with pytest.raises(CircularReference):
        desk.decide(desk.order(three, outcome="duplicate", duplicate_of=one))
    with pytest.raises(CircularReference):
        desk.decide(desk.order(three, outcome="duplicate", duplicate_of=three))
    with pytest.raises(NotFound):
        desk.decide(desk.order(three, outcome="duplicate", duplicate_of=99))
    with pytest.raises(BadValue):
        desk.decide(desk.order(three, outcome="declined", duplicate_of=one))
