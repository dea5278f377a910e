"""What a benchmark's charts say, in words: for those who do not see a picture, and below it."""

from collections.abc import Iterable

from ledger.values import with_unit
from projections.board.history import Leader
from reports.charts import posts
from reports.charts.scores import BEST, best_so_far
from web.showing.charts import Charted, Held
from web.words import counted, date_words

MOST_TOLD = 12
"""Of a long list so many are told, the latest; the table has them all."""


def leaders_words(shown: Charted) -> str:
    """Who held number one, row by row."""
    rows = (_held_words(one) for one in shown.held if one.leaders)
    return f"Number one over time. {' '.join(rows)}"


def _held_words(held: Held) -> str:
    told = "; ".join(_leader_words(one) for one in held.leaders[-MOST_TOLD:])
    return f"{held.name}: {told}."


def _leader_words(one: Leader) -> str:
    score = with_unit(one.score, one.unit)
    return f"{one.model.full_name} {score} since {date_words(one.since)}"


def scores_words(shown: Charted) -> str:
    """How many scores there are, and which of them were the best so far."""
    rule = shown.board.rule
    dots = sorted(shown.dots, key=lambda one: (one.day, one.name, one.score))
    best = best_so_far(dots, higher_is_better=rule is None or rule.higher_is_better)
    told = "; ".join(f"{one.name} {one.score}, {one.published}" for one in best[-MOST_TOLD:])
    return f"Scores over time: {counted(len(dots), 'dot')}. {BEST}: {told}."


def posts_words(shown: Charted) -> str:
    """How many posts of each lab list it, leave it out, or were not read."""
    return posts.posts_words(shown.ticks)


def _listed(parts: Iterable[str]) -> str:
    return ", ".join(parts)


def sources_words(kinds: Iterable[tuple[str, int]]) -> str:
    """Where the numbers of a chart are from (CH-13)."""
    told = [f"{kind} ({count})" for kind, count in kinds]
    return f"Sources: {_listed(told)}." if told else ""
