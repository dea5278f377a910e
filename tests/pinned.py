"""Moments of a history, and all its pages at them as the outside world sees them."""

from collections.abc import Iterable
from typing import Any

import orjson
from hypothesis import strategies as st

from ledger.errors import NotFound
from projections.board.boards import board_at
from projections.board.history import coverage, leaders, posts, status
from projections.decisions.corrections import corrections
from projections.moment import Moment
from projections.over_time.changes import changes_between
from projections.story import story_of
from reports.contract import board_json, claim_json, corrections_json, leaders_json, step_json
from tests.playing import MICROSECOND, Game
from tests.reference_facts import Plane as PlaneName
from tests.strategies import BENCHMARK, METRICS

VIEWS = ("labs", "independent", "all")
PLANES: tuple[PlaneName, ...] = ("then", "since")


def moments_of(game: Game, count: int) -> st.SearchStrategy[list[Moment]]:
    """Moments at which something happened, or just before or after it."""
    one = st.builds(
        game.moment,
        st.sampled_from(game.instants()),
        st.sampled_from(game.positions()),
        st.sampled_from(PLANES),
        st.sampled_from((None, None, None, "2025-02-01", "2025-03-05")),
    )
    return st.lists(one, min_size=count, max_size=count)


def pages(game: Game, moments: Iterable[Moment], claims: Iterable[str]) -> list[bytes]:
    """All pages of these moments as the outside world sees them."""
    found = []
    with game.home.views.read() as reader:
        for moment in moments:
            page: list[Any] = []
            for view in VIEWS:
                for metric in (None, *METRICS):
                    try:
                        board = board_at(reader, BENCHMARK, moment, view=view, metric=metric)
                    except NotFound as why:
                        page.append(str(why))
                        continue
                    held, listed = leaders(board), posts(reader, BENCHMARK, moment)
                    covered = coverage(reader, board)
                    page.append(board_json(board, held, status(board, listed), covered))
                    page.append(leaders_json(held))
            start = moment.instant - 40 * MICROSECOND * 86_400_000_000
            steps = changes_between(reader, game.home.store, BENCHMARK, start, moment)
            page.append([step_json(step) for step in steps])
            log = corrections(reader, game.home.store, upto=moment.position)
            page.append(corrections_json(log))
            for claim in claims:
                try:
                    page.append(claim_json(story_of(reader, game.home.store, claim, moment)))
                except NotFound:
                    page.append(None)
            found.append(orjson.dumps(page))
    return found
