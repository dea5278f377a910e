"""The three views of a benchmark beside each other: how many rank in each, and who leads since when
(BP-02, BP-12, BD-07)."""

import attrs

from ledger.vocabulary import VIEWS
from projections.board.boards import Board, board_at
from projections.board.history import Leader, leaders
from projections.board.rows import Row
from projections.keeping.views import Reader


@attrs.frozen
class ViewOf:
    """One view; ``lead`` is who holds number one in it, ``shared`` how many have the top score.

    ``best`` is its first row: where no number has a date to count from, nobody holds number one,
    and yet somebody is on top.
    """

    view: str
    count: int
    lead: Leader | None
    shared: int
    best: Row | None


def all_views(reader: Reader, board: Board) -> dict[str, Board]:
    """The boards of every view, under the metric and at the moment of one of them."""
    metric = board.rule.metric if board.rule else None
    slug, moment = board.benchmark.slug, board.moment
    return {
        view: board
        if view == board.view and not board.every_claim
        else board_at(reader, slug, moment, view=view, metric=metric)
        for view in VIEWS
    }


def view_of(board: Board) -> ViewOf:
    """A board in short."""
    held = leaders(board)
    best = board.rows[0] if board.rows else None
    shared = sum(best is not None and row.sort_key == best.sort_key for row in board.rows)
    return ViewOf(board.view, len(board.rows), held[-1] if held else None, shared, best)
