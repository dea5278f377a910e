"""What only the charts of a board show: its near-ceiling line, and launch posts, read or not."""

from collections.abc import Sequence

from projections.board.benchmarks import Benchmark, Rule
from projections.board.boards import Board
from projections.board.history import Post
from projections.board.unread import unread_posts
from projections.keeping.views import Reader
from projections.labs import registered
from reports.bundle.records import Json
from reports.contract import post_json


def charted_json(reader: Reader, board: Board, read: Sequence[Post]) -> Json:
    """``read`` are the launch posts that were read for the benchmark, newest first; those that
    nobody read follow, oldest first, with ``null`` for whether they list it."""
    moment = board.moment
    listing = {post.lab for post in read if post.listed and post.lab}
    labs = registered(reader, listing, moment)
    told = [post_json(post) for post in read]
    told += [
        {
            "source": post.source,
            "name": post.name,
            "lab": post.lab,
            "published_on": str(post.published_on),
            "listed": None,
        }
        for post in unread_posts(reader, listing, {post.source for post in read}, moment)
    ]
    return {
        "near_ceiling": ceiling_of(board.benchmark, board.rule),
        "posts": [{**one, "lab_name": labs.get(one["lab"] or "", one["lab"])} for one in told],
    }


def ceiling_of(benchmark: Benchmark, rule: Rule | None) -> str | None:
    """Where the near-ceiling line is; it is said of the headline metric alone."""
    headline, ceiling = benchmark.headline, benchmark.near_ceiling
    if ceiling is None or rule is None or headline is None or headline.metric != rule.metric:
        return None
    return ceiling.text
