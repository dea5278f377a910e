"""What pages are called in a citation, and of when they say that they are."""

from ledger.claim import Plane
from ledger.values import parse_instant
from projections.board.boards import Board
from projections.models import Model
from projections.sources import Source
from projections.story import Story
from reports.words import VIEW_NAMES, date_words, instant_words, score_words, visible
from web.asked import is_day
from web.when.bar import Asked


def board_title(board: Board) -> str:
    """A board: its benchmark, whose numbers, under which metric."""
    metric = f", {board.rule.name}" if board.rule else ""
    every = ", every claim" if board.every_claim else ""
    return f"{board.benchmark.name}: {VIEW_NAMES[board.view]}{metric}{every}"


def claim_title(story: Story, unit: str | None) -> str:
    """A claim: who, on what, how much, and who says so."""
    shows = story.state.shows if story.state else None
    name = story.model_name or (shows.name if shows else story.history.key)
    number = f": {score_words(shows.score, unit)}" if shows else ""
    return visible(f"{name} on {story.benchmark_name}{number}, as stated by {story.source.name}")


def model_title(model: Model) -> str:
    """A model: every number stated for it."""
    return visible(f"{model.full_name}: the scores that sources state")


def source_title(source: Source) -> str:
    """A source: what it was read to state."""
    return visible(f"{source.facts['name']}: its readings and what they state")


def read_words(asked: Asked) -> str:
    """Of when a page is: the day on the source's clock, and what else narrows it."""
    day, moment = asked.day, asked.moment
    words = [
        f"As read on {date_words(day)} (UTC)"
        if is_day(day)
        else f"As read by {instant_words(parse_instant(day))}"
    ]
    if moment.plane is Plane.SINCE:
        words.append("with corrections decided later")
    if moment.published_by is not None:
        words.append(f"only what counts from {date_words(moment.published_by)} or earlier")
    return ", ".join(words)


def span_title(benchmark: str, words: str) -> str:
    """What changed on a benchmark in a span of time."""
    return visible(f"{benchmark}: what changed {words[0].lower()}{words[1:]}")


def history_title(model: Model) -> str:
    """A model's history on all benchmarks."""
    return visible(f"{model.full_name}: every change of its scores")
