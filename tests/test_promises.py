"""The design's promises, each as a property of whatever may happen to a ledger.

A history is played into a real ledger (:mod:`tests.playing`) and, fact by fact, into a reference
that was written from the design's words alone (:mod:`tests.reference`). SQLite bears the many
examples, PostgreSQL the same properties with fewer. ``TIMES_AS_MANY=50 pytest`` looks for other
examples than CI does, and for that many more.
"""

import hashlib
from itertools import pairwise

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger import events as ev
from ledger.claim import history_of
from ledger.values import Instant
from ledger.wire import decode, encode
from tests.pinned import PLANES, moments_of, pages
from tests.playing import games
from tests.side_by_side import Rectangles
from tests.strategies import (
    Action,
    histories,
    lives_of_one_claim,
)
from tests.tried import anything, examples

# A failure takes its time to be made small.
pytestmark = pytest.mark.timeout(900)


# --- 1: nothing recorded is ever changed or removed -------------------------------------------


@examples(25)
@given(actions=anything())
def test_nothing_recorded_is_ever_changed_or_removed(actions: list[Action]) -> None:
    """Whatever happens next, the stored bytes so far stay where and what they are."""
    with games() as game:
        before: list[tuple[int, bytes]] = []
        for action in actions:
            game.play(action)
            now = [(one.position, one.stored) for one in game.home.store.after(0, 100_000)]
            assert now[: len(before)] == before
            before = now
        game.home.follower.rebuild()
        game.home.follower.check()
        after = [(one.position, one.stored) for one in game.home.store.after(0, 100_000)]
        assert after == before


# --- 2: a page pinned to a position never changes again ----------------------------------------


@examples(25)
@given(
    past=anything(8),
    future=st.lists(st.one_of(histories(6), lives_of_one_claim(6)), min_size=1, max_size=2),
    data=st.data(),
)
def test_a_page_pinned_to_a_position_never_changes(
    past: list[Action], future: list[list[Action]], data: st.DataObject
) -> None:
    """Boards, leaders, changes, corrections and claims stay as they were to the byte."""
    with games() as game:
        game.play(*past)
        moments = [game.moment(at, game.positions()[-1]) for at in game.instants()[-1:]]
        moments += data.draw(moments_of(game, count=3), label="moments")
        claims = list(game.reference.ids.values())
        before = pages(game, moments, claims)
        for actions in future:
            game.play(*actions)
        assert pages(game, moments, claims) == before
        game.home.follower.rebuild()
        assert pages(game, moments, claims) == before


# --- 3: a correction is a new fact beside the old one ------------------------------------------


@examples(40)
@given(actions=anything(14))
def test_a_decision_leaves_the_days_before_it_as_they_were_read(actions: list[Action]) -> None:
    """What a decision, or its reversal, changes as read then begins when it was decided."""
    with games() as game:
        game.play(*actions)
        shown = Rectangles.of(game)
        for decision in game.reference.decisions:
            before = [one for one in game.positions() if one < decision.position][-1]
            for claim in shown.claims:
                for day in (one for one in game.instants() if one < decision.at):
                    was = shown.at(claim, day, before, "then")
                    assert shown.at(claim, day, decision.position, "then") == was


# --- 4: only readings and decisions change a claim ---------------------------------------------


@examples(40)
@given(actions=anything(14))
def test_a_claim_changes_only_by_a_reading_or_by_a_decision(actions: list[Action]) -> None:
    """Each fact of a claim cites a frozen reading whose bytes are kept, or a decision that says
    who, when and why, and which snapshot was checked; all else says who and why."""
    with games() as game:
        game.play(*actions)
        records = game.home.store.after(0, 100_000)
        frozen = {
            (record.event.digest, record.event.read_at, record.event.order)
            for record in records
            if isinstance(record.event, ev.SourceFrozen)
        }
        decided: dict[str, tuple[Instant, str]] = {}
        for record in records:
            event, envelope = record.event, record.envelope
            assert envelope.recorded_by
            if isinstance(event, ev.SourceFact):
                assert (event.reading, event.read_at, event.order) in frozen
                kept = game.home.ledger.archive.get(event.reading)
                assert hashlib.sha256(kept).hexdigest() == event.reading
            elif isinstance(event, ev.DecisionMade):
                assert event.terms.reason
                assert event.terms.statement
                assert event.terms.snapshot
                decided[event.decision] = (envelope.recorded_at, envelope.recorded_by)
            elif isinstance(event, ev.DecisionReversed):
                assert event.statement
                decided[event.decision] = (envelope.recorded_at, envelope.recorded_by)
            elif isinstance(event, ev.DecisionFact):
                assert decided[event.decision] == (envelope.recorded_at, envelope.recorded_by)
            elif isinstance(event, ev.ModelRenamed | ev.RankingRuleSet | ev.AliasAsserted):
                assert event.why


@examples(40)
@given(actions=anything(14))
def test_what_a_claim_shows_changes_only_with_its_own_facts(actions: list[Action]) -> None:
    """Between two positions without a fact of the claim nothing but its model can change, and
    that only when somebody said what a name means or a row was named anew."""
    with games() as game:
        game.play(*actions)
        shown = Rectangles.of(game)
        positions = game.positions()
        for earlier, later in pairwise(positions):
            records = game.home.store.after(earlier, 100_000, later)
            touched = {one.envelope.stream for one in records}
            named = any(isinstance(one.event, ev.ModelEvent | ev.SourceFact) for one in records)
            for claim in shown.claims - {stream.removeprefix("claim:") for stream in touched}:
                for day in game.instants():
                    for plane in PLANES:
                        was = shown.at(claim, day, earlier, plane)
                        now = shown.at(claim, day, later, plane)
                        if named and was is not None and now is not None:
                            now = attrs.evolve(now, model=was.model)
                        assert now == was


# --- 5: anyone can verify it from the stored bytes ---------------------------------------------


@examples(20)
@given(actions=anything())
def test_the_stored_bytes_alone_say_everything(actions: list[Action]) -> None:
    """Whoever has the bytes in their order works out the same histories as the ledger does."""
    with games() as game:
        game.play(*actions)
        records = game.home.store.after(0, 100_000)
        streams: dict[str, list[ev.Recorded]] = {}
        for number, record in enumerate(records, 1):
            again = decode(number, record.stored)
            assert encode(again.envelope, again.event) == record.stored
            streams.setdefault(again.envelope.stream, []).append(again)
        for stream, found in streams.items():
            assert [one.envelope.version for one in found] == list(range(1, len(found) + 1))
            if stream.startswith("claim:"):
                assert history_of(found) == history_of(game.home.store.stream(stream))
