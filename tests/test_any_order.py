"""Readings may arrive in any order: the boards are the same, on both engines."""

from collections.abc import Iterable
from datetime import date
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.errors import NotFound
from ledger.values import Instant
from projections.board.boards import board_at
from projections.board.history import leaders
from projections.keeping.views import Reader
from projections.moment import Moment
from tests.pinned import VIEWS
from tests.playing import Game, games
from tests.strategies import BENCHMARK, METRICS, Arrivals, arrivals, instant
from tests.tried import examples

# A failure takes its time to be made small.
pytestmark = pytest.mark.timeout(900)


def play_arrivals(
    game: Game, found: Arrivals, order: Iterable[int], *, withdraw: bool, one_importer: bool
) -> Game:
    """Import readings in an order, long after all of them were made; perhaps take some back."""
    game.clock.now = instant(400)
    importer = game.home.importer()
    for place in order:
        tick, reads = found.made[place]
        game.read(reads, instant(tick), importer if one_importer else None)
    if withdraw:
        for digest in sorted({found.digest(place) for place in found.withdrawn}):
            game.withdraw(digest)
            game.learn()
    game.home.follower.catch_up()
    return game


def boards_of(game: Game, days: Iterable[Instant]) -> list[object]:
    """All boards of the benchmark at these instants, ids and marks included."""
    asked = list(product(VIEWS, METRICS))
    with game.home.views.read() as reader:
        return [
            board_of(reader, moment, view, metric)
            for moment in map(game.moment, days)
            for view, metric in [("all", None), *asked]
        ]


def board_of(reader: Reader, moment: Moment, view: str, metric: str | None) -> object:
    """Everything that is on a board: each model's best, every claim, what does not rank and why."""
    try:
        board = board_at(reader, BENCHMARK, moment, view=view, metric=metric)
    except NotFound:
        return None
    asked = (day_of(moment), view, metric)
    unranked = (board.unranked, board.untracked)
    return (asked, board.rule, board.rows, board.claims, unranked, leaders(board))


def day_of(moment: Moment) -> date:
    """For people who read a failing example."""
    return moment.instant.date()


@examples(80)
@given(found=arrivals(), withdraw=st.booleans(), one_importer=st.booleans())
def test_any_order_of_arrival_gives_the_same_boards(
    found: Arrivals, *, withdraw: bool, one_importer: bool
) -> None:
    """Readings of several sources, in the order in which they were made and in another one."""
    with games() as made, games() as shuffled:
        in_order = range(len(found.made))
        play_arrivals(made, found, in_order, withdraw=withdraw, one_importer=False)
        play_arrivals(shuffled, found, found.arrival, withdraw=withdraw, one_importer=one_importer)
        days = made.turning()
        assert boards_of(shuffled, days) == boards_of(made, days)


@examples(40)
@given(found=arrivals())
def test_a_reading_taken_back_leaves_the_boards_as_if_it_had_never_been(found: Arrivals) -> None:
    """What is left are names that were met, and metrics; no row of a board shows a trace."""
    taken_back = {found.digest(place) for place in found.withdrawn}
    kept = [place for place in found.arrival if found.digest(place) not in taken_back]
    with games() as withdrawn, games() as never:
        play_arrivals(withdrawn, found, found.arrival, withdraw=True, one_importer=False)
        play_arrivals(never, found, kept, withdraw=False, one_importer=False)
        for day in withdrawn.turning():
            for metric in METRICS:
                assert rows_of(withdrawn, day, metric) == rows_of(never, day, metric)


def rows_of(game: Game, day: Instant, metric: str) -> list[tuple[object, ...]]:
    """A board without what may stay of a reading that was taken back: look-alikes, units."""
    ids = {claim: identity for identity, claim in game.reference.ids.items()}
    with game.home.views.read() as reader:
        try:
            board = board_at(reader, BENCHMARK, game.moment(day), view="all", metric=metric)
        except NotFound:
            return []
    rows = [
        (ids[row.claim_id], row.model and row.model.id, str(row.score), row.as_written)
        for row in (*board.claims, *board.unranked)
        if row.claim_id
    ]
    return sorted(rows, key=repr)


# --- the same on PostgreSQL -------------------------------------------------------------------


@examples(5)
@given(found=arrivals())
def test_postgresql_too_takes_readings_in_any_order(postgres_url: str, found: Arrivals) -> None:
    """The boards of a shuffled PostgreSQL ledger are those of an SQLite ledger in order."""
    with games() as made, games(postgres_url) as shuffled:
        play_arrivals(made, found, range(len(found.made)), withdraw=True, one_importer=False)
        play_arrivals(shuffled, found, found.arrival, withdraw=True, one_importer=True)
        days = made.turning()
        assert boards_of(shuffled, days) == boards_of(made, days)
