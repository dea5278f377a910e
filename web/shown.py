"""What the pages show, gathered from the read model into frozen views; no Flask and no SQL."""

from collections import Counter
from threading import Lock
from typing import NamedTuple

import attrs

from ledger.events import Statement
from ledger.store import Store
from ledger.values import Digest, PartialDate, from_micros
from projections.benchmarks import Rule, all_benchmarks, benchmark_at, last_reading
from projections.boards import Board, board_at
from projections.documents import Writings, writings_on
from projections.history import (
    Coverage,
    Leader,
    Post,
    Status,
    coverage,
    headline,
    leaders,
    posts,
    status,
)
from projections.moment import Moment
from projections.story import FrozenReading, Story, story_of
from projections.subjects import Names, names_of
from projections.views import Reader
from web.words import common_marks, kind_words

OTHER = "Other"
"""The category of benchmarks that have none."""


@attrs.frozen
class Card:
    """A benchmark on the index."""

    slug: str
    name: str
    description: str | None
    headline: str
    status: Status
    models: int


def cards_by_category(reader: Reader, moment: Moment) -> dict[str, list[Card]]:
    """All benchmarks by category and name, each by its default view and metric."""
    found: dict[str, list[Card]] = {}
    for slug in all_benchmarks(reader, moment):
        board = board_at(reader, slug, moment)
        facts = board.benchmark.facts
        card = Card(
            slug,
            board.benchmark.name,
            facts.get("description"),
            headline(board),
            status(board, posts(reader, slug, moment)),
            len(board.rows),
        )
        found.setdefault(str(facts.get("category") or OTHER), []).append(card)
    return dict(sorted(found.items(), key=lambda one: (one[0] == OTHER, one[0])))


MOST_KEPT = 8


@attrs.define
class Index:
    """The index, kept for the latest moments asked for.

    With hundreds of benchmarks it takes seconds to make, and it changes only with the ledger and
    with the day; so one thread makes it and the others wait for that one.
    """

    _kept: dict[tuple[object, ...], dict[str, list[Card]]] = attrs.field(factory=dict)
    _turn: Lock = attrs.field(factory=Lock)

    def at(self, reader: Reader, moment: Moment, day: str) -> dict[str, list[Card]]:
        """The cards at a moment; ``day`` is the one asked for, else today."""
        key = (day, moment.plane, moment.position, moment.pinned, moment.published_by)
        with self._turn:
            # What is asked for again goes to the end of the line.
            found = self._kept.pop(key, None) or cards_by_category(reader, moment)
            self._kept[key] = found
            while len(self._kept) > MOST_KEPT:
                del self._kept[next(iter(self._kept))]
        return found


@attrs.frozen
class BoardPage:
    """All that a board's page says."""

    board: Board
    leaders: list[Leader]
    status: Status
    posts: list[Post]
    coverage: list[Coverage]
    writings: Writings
    last_read: str | None

    @property
    def headline(self) -> str:
        """Who leads, in one sentence without a full stop."""
        return headline(self.board).rstrip(".")

    @property
    def left_out(self) -> list[Post]:
        """Launch posts that were read and do not list the benchmark."""
        return [post for post in self.posts if not post.listed]

    @property
    def sources(self) -> list[tuple[str, int]]:
        """How many rows each kind of source stands behind."""
        counts = Counter(kind_words(row.source.kind) for row in self.board.rows)
        return sorted(counts.items())

    @property
    def every_row(self) -> list[str]:
        """Marks that every row bears: said once, instead of row by row."""
        return common_marks(self.board.rows)

    @property
    def newest(self) -> PartialDate | None:
        """The latest date that is printed on a row."""
        dates = [row.published_on for row in self.board.rows if row.published_on]
        return max(dates, key=lambda date: date.first_day, default=None)


def board_page(reader: Reader, board: Board) -> BoardPage:
    """The page of a board, all of it of the board's own moment."""
    slug, moment = board.benchmark.slug, board.moment
    read = posts(reader, slug, moment)
    latest = last_reading(reader, slug, moment)
    return BoardPage(
        board,
        leaders(board),
        status(board, read),
        read,
        coverage(reader, board),
        writings_on(reader, board.benchmark, moment),
        from_micros(latest).date().isoformat() if latest is not None else None,
    )


class ReadingOfClaim(NamedTuple):
    """What one reading of its source said of a claim; ``changed`` is against the one before."""

    frozen: FrozenReading
    says: Statement | None
    changed: bool


@attrs.frozen
class ClaimPage:
    """One claim's story, and every reading of its source with what it said."""

    story: Story
    readings: list[ReadingOfClaim]
    rule: Rule | None
    names: Names

    @property
    def unit(self) -> str | None:
        """The unit that shows: the claim's own, else its metric's."""
        state = self.story.state
        own = state.shows.unit if state else None
        return own or (self.rule.unit if self.rule else None)

    @property
    def numbers(self) -> dict[str, int]:
        """The number in the public log of each decision about the claim."""
        return {one.decision: one.number for one in self.story.corrections}


def claim_page(reader: Reader, store: Store, claim: str, moment: Moment) -> ClaimPage:
    """The page of a claim; refused when the ledger never heard of it."""
    story = story_of(reader, store, claim, moment)
    rules = benchmark_at(reader, story.history.benchmark, moment).rules
    metric = story.state.shows.metric if story.state else story.history.metric
    names = names_of(reader, story.corrections, moment)
    return ClaimPage(story, _readings(story), rules.get(metric), names)


def _readings(story: Story) -> list[ReadingOfClaim]:
    """Only what changed was recorded; a reading without a fact of its own said the same again."""
    said = {(one.digest, one.read_at): one for one in story.history.readings}
    found: list[ReadingOfClaim] = []
    says: Statement | None = None
    for frozen in story.readings:
        own = None if frozen.withdrawn else said.get((Digest(frozen.digest), frozen.read_at))
        if own is not None:
            says = own.says
        found.append(ReadingOfClaim(frozen, says, own is not None))
    return found
