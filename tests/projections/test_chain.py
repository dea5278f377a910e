"""Chains of decisions: long ones, forked ones, and names that lead nowhere."""

from datetime import UTC, datetime, timedelta

import pytest

from projections.decisions.chain import Chains, Link, chains
from tests.web.kites import LOON, Kites, kites, kites_once

__all__ = ["kites", "kites_once"]

START = datetime(2025, 7, 1, tzinfo=UTC)


def link(number: int, replaces: int | None) -> Link:
    """One decision, a minute after the one before."""
    return Link(
        number=number,
        decision=f"{number}.1",
        outcome="accepted",
        decided_at=START + timedelta(minutes=number),
        decided_by="boris",
        replaces=None if replaces is None else f"{replaces}.1",
    )


def test_a_chain_of_thousands_is_followed_to_both_ends() -> None:
    """Without running out of anything."""
    links = [link(number, number - 1 if number > 1 else None) for number in range(1, 5001)]
    later = {one.replaces: [one] for one in links if one.replaces}
    made = Chains({one.decision: one for one in links}, later, frozenset())
    assert [one.number for one in made.whole("2500.1")] == list(range(1, 5001))
    assert made.changed_at("1.1", START) == START + timedelta(minutes=5000)


@pytest.mark.parametrize("replaces", ["9.9", "1.1"])
def test_a_name_that_means_no_earlier_decision_leads_nowhere(kites: Kites, replaces: str) -> None:
    """Neither an unknown one nor its own: such a decision stands alone."""
    kites.correct("70.1")
    kites.workspace.follower.catch_up()
    with kites.workspace.views.read() as reader:
        table = reader.tables.decision
        reader.connection.execute(table.update().values(replaces=replaces))
        found = chains(reader, upto=None, decided_by=None)
        assert found.stands("1.1")
        assert found.replaces("1.1") is None
        assert [one.number for one in found.whole("1.1")] == [1]


def test_of_two_that_replace_one_it_is_out_while_either_stands(kites: Kites) -> None:
    """Undoing the one does not bring it back while the other is in force."""
    first = kites.correct("70.1")
    second = kites.correct("71.0", replaces=first)
    kites.correct("70.9", LOON, replaces=first)
    kites.reverse(second)
    kites.workspace.follower.catch_up()
    with kites.workspace.views.read() as reader:
        found = chains(reader, upto=None, decided_by=None)
    assert [found.stands(name) for name in ("1.1", "2.1", "3.1", "2.2")] == [
        False,
        False,
        True,
        True,
    ]
    assert [one.number for one in found.whole("3.1")] == [1, 2, 3, 4]
