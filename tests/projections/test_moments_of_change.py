"""When pages changed: what is kept is what the fold says, at every position and on every day."""

from collections.abc import Iterator
from datetime import timedelta
from itertools import product

from hypothesis import given, settings
from sqlalchemy import select

from ledger.claim import history_of, stream_of
from ledger.values import Instant, from_micros
from projections.board.benchmarks import all_benchmarks, benchmark_at
from projections.keeping.changed import END_OF_TIME
from projections.keeping.views import Reader, recorded
from projections.over_time.changes import Step, steps_of
from projections.over_time.compared import compared
from projections.over_time.moments_of_change import around, changed_at, settled
from projections.over_time.page_steps import About
from tests.playing import MICROSECOND, Game, games
from tests.strategies import BENCHMARK, Action, histories

FEW = settings(max_examples=12)
Kept = tuple[str, int, Instant, str, str, str | None]


def folded(game: Game, position: int) -> list[Step]:
    """Every step of every claim, from the events up to a position alone."""
    store = game.home.store
    found: list[Step] = []
    for claim in game.reference.ids.values():
        known = [one for one in store.stream(stream_of(claim)) if one.position <= position]
        if known:
            found += steps_of(claim, history_of(known), None, END_OF_TIME)
    return found


def kept(reader: Reader, position: int) -> Iterator[Kept]:
    """What the read model says of the same."""
    table = reader.tables.change
    query = select(table).where(recorded(table, at_head=reader.at_head(position)))
    for row in reader.connection.execute(query, {"position": position}):
        at = from_micros(row.read_from)
        yield row.claim, row.position, at, row.kind, row.metric, row.decision


@FEW
@given(histories())
def test_what_is_kept_of_the_steps_is_what_the_fold_says_at_any_position(
    actions: list[Action],
) -> None:
    """A late reading makes steps of what were none, and undoes others; both are known from then."""
    with games() as game:
        game.play(*actions)
        with game.home.views.read() as reader:
            for position in game.positions():
                steps = [
                    (one.claim_id, one.position, one.read_at, one.kind, one.metric, one.decision)
                    for one in folded(game, position)
                ]
                assert sorted(kept(reader, position)) == sorted(steps, key=lambda one: one[:2])


@FEW
@given(histories())
def test_the_nearest_changes_are_those_of_all_that_changed(actions: list[Action]) -> None:
    """Before a span, after a day, and how many: counted one by one, they are the same."""
    about = About(kind="benchmark", id=BENCHMARK)
    with games() as game:
        game.play(*actions)
        with game.home.views.read() as reader:
            for instant in game.turning():
                moment = game.moment(instant)
                start = instant - timedelta(hours=1)
                near = around(reader, game.home.store, about, moment, start)
                every = changed_at(
                    reader, game.home.store, about, game.moment(END_OF_TIME - timedelta(days=1))
                )
                assert near.previous == max((x for x in every if x < start), default=None)
                assert near.following == min((x for x in every if x > instant), default=None)


@FEW
@given(histories())
def test_as_many_changes_are_announced_as_are_listed(actions: list[Action]) -> None:
    """The number on the bar is the number of entries behind its link, for each view and metric."""
    with games() as game:
        game.play(*actions)
        last = game.moment(END_OF_TIME - timedelta(days=1))
        with game.home.views.read() as reader:
            if BENCHMARK not in all_benchmarks(reader, last):
                return
            known = benchmark_at(reader, BENCHMARK, last).rules
            for view, metric in (*product((None, "labs", "independent"), (None, *known)),):
                about = About(kind="benchmark", id=BENCHMARK, view=view, metric=metric)
                for instant in game.turning()[::3]:
                    near = around(reader, game.home.store, about, game.moment(instant), instant)
                    start, which = instant + MICROSECOND, {"view": view, "metric": metric}
                    found = compared(reader, game.home.store, BENCHMARK, start, last, **which)
                    assert near.later == found.changes


@FEW
@given(histories())
def test_what_is_settled_says_the_same_of_every_day_as_the_head(actions: list[Action]) -> None:
    """Whatever was recorded after that position tells nothing new of this benchmark's changes."""
    about = About(kind="benchmark", id=BENCHMARK)
    with games() as game:
        game.play(*actions)
        last = END_OF_TIME - timedelta(days=1)
        with game.home.views.read() as reader:
            position = settled(reader, game.home.store, about, game.moment(last))
            then = changed_at(reader, game.home.store, about, game.moment(last, position))
            assert then == changed_at(reader, game.home.store, about, game.moment(last))
            assert position <= game.home.store.head()
