"""All that a benchmark's page says, gathered for one of its boards."""

from collections.abc import Mapping, Sequence

import attrs

from ledger.values import PartialDate, from_micros
from ledger.vocabulary import VIEWS
from projections.board.benchmarks import last_reading
from projections.board.boards import Board, board_at
from projections.board.documents import Writings, labs_of, writings_on
from projections.board.history import (
    Coverage,
    Leader,
    Post,
    Status,
    below_ceiling,
    coverage,
    headline,
    leaders,
    posts,
    status,
)
from projections.board.unread import UnreadPost, unread_posts
from projections.decisions.corrections import numbers_of
from projections.keeping.views import Reader
from projections.labs import registered
from projections.moment import Moment
from projections.over_time.later import Later, changed_since
from web.asked import every_claim
from web.showing.cards import Cards, Related
from web.showing.charts import Charted, Held, held_in
from web.showing.entries import Entries, entries_of
from web.showing.evaluation import Change, changes_of
from web.showing.kept import Kept, moment_key
from web.showing.lines import Lines, lines_of
from web.showing.views import ViewOf, all_views, view_of
from web.words import kind_words

MOST_BOARDS = 24


@attrs.frozen(kw_only=True)
class BoardPage:
    """All that a benchmark's page says, all of it of the board's own moment.

    ``views`` are the three views beside each other, ``scored_by_labs`` how many models have a
    number of their own lab's, ``entries`` what leaderboards say of their own size. ``labs`` are
    those of its models and posts that have a page, ``notices`` the numbers in the log of the
    decisions that marks name. ``held`` is number one over time by others' numbers and by labs' own,
    ``unread`` the launch posts that nobody read for it.
    """

    board: Board
    lines: Lines
    leaders: tuple[Leader, ...]
    status: Status
    near_ceiling: bool
    posts: tuple[Post, ...]
    coverage: tuple[Coverage, ...]
    writings: Writings
    changes: tuple[Change, ...]
    views: tuple[ViewOf, ...]
    entries: tuple[Entries, ...]
    related: Related
    labs: Mapping[str, str]
    later: Mapping[str, Sequence[Later]]
    notices: Mapping[str, int | None]
    last_read: str | None
    held: tuple[Held, ...]
    unread: tuple[UnreadPost, ...]

    @property
    def charted(self) -> Charted:
        """What its charts show."""
        return Charted(
            board=self.board,
            held=self.held,
            posts=self.posts,
            unread=self.unread,
            labs=self.labs,
        )

    @property
    def headline(self) -> str:
        """Who leads, in one sentence without a full stop."""
        return headline(self.board).rstrip(".")

    @property
    def left_out(self) -> list[Post]:
        """Launch posts that were read and do not list the benchmark."""
        return [post for post in self.posts if not post.listed]

    @property
    def scored_by_labs(self) -> int:
        """How many models rank by a number of their own lab's (BP-11)."""
        return next(one.count for one in self.views if one.view == "labs")

    @property
    def sources(self) -> list[tuple[str, int]]:
        """How many rows each kind of source stands behind."""
        counts: dict[str, int] = {}
        for row in self.board.rows:
            kind = kind_words(row.source.kind)
            counts[kind] = counts.get(kind, 0) + 1
        return sorted(counts.items())

    @property
    def newest(self) -> PartialDate | None:
        """The latest date that is printed on a row."""
        dates = [row.published_on for row in self.board.rows if row.published_on]
        return max(dates, key=lambda date: date.first_day, default=None)

    @property
    def decided_later(self) -> list[int]:
        """The numbers of all decisions made after the day shown, oldest first."""
        return sorted({one.number for found in self.later.values() for one in found})

    @property
    def named_in_posts(self) -> int:
        """From how many labs the launch posts are."""
        return labs_of(self.writings.posts)

    @property
    def named_in_documents(self) -> int:
        """From how many labs the documents are."""
        return labs_of(self.writings.documents)


def board_asked(reader: Reader, slug: str, moment: Moment, asked: Mapping[str, str]) -> Board:
    """The board that an address asks for: its view, its metric, one row a model or a claim."""
    return board_at(
        reader,
        slug,
        moment,
        view=asked.get("view"),
        metric=asked.get("metric"),
        every_claim=every_claim(asked),
    )


@attrs.define
class BoardPages:
    """The pages of the latest boards asked for; one of these in each process."""

    cards: Cards
    _kept: Kept[BoardPage] = attrs.field(factory=lambda: Kept(MOST_BOARDS), init=False)

    def at(
        self, reader: Reader, slug: str, moment: Moment, asked: Mapping[str, str], day: str
    ) -> BoardPage:
        """The page of the board that an address asks for; ``day`` is the one asked for, else today.

        Refused for an unknown benchmark, view or metric.
        """
        which = tuple(asked.get(name) for name in ("view", "metric")), every_claim(asked)
        key = (slug, which, moment_key(moment, day))

        def make() -> BoardPage:
            board = board_asked(reader, slug, moment, asked)
            return board_page(reader, board, self.cards, day)

        return self._kept.at(key, make)


def board_page(reader: Reader, board: Board, cards: Cards, day: str) -> BoardPage:
    """The page of a board."""
    slug, moment = board.benchmark.slug, board.moment
    read = posts(reader, slug, moment)
    latest = last_reading(reader, slug, moment)
    later = changed_since(reader, slug, moment)
    views = all_views(reader, board)
    changes = changes_of(board.benchmark.evaluation_changes, board.rows)
    listing = {post.lab for post in read if post.listed and post.lab}
    labs = {row.model.lab_slug for row in board.rows if row.model} | listing
    return BoardPage(
        board=board,
        lines=lines_of(board, changes, later),
        leaders=tuple(leaders(board)),
        status=status(board, read),
        near_ceiling=not below_ceiling(board),
        posts=tuple(read),
        coverage=tuple(coverage(reader, board)),
        writings=writings_on(reader, board.benchmark, moment),
        changes=changes,
        views=tuple(view_of(views[view]) for view in VIEWS),
        entries=entries_of(reader, views["independent"]),
        related=cards.related(reader, slug, moment, day),
        labs=registered(reader, labs, moment),
        later=later,
        notices=numbers_of(reader, _decisions(board)),
        last_read=from_micros(latest).date().isoformat() if latest is not None else None,
        held=tuple(held_in(views[view], leaders(views[view])) for view in ("independent", "labs")),
        unread=tuple(unread_posts(reader, listing, {post.source for post in read}, moment)),
    )


def _decisions(board: Board) -> list[str]:
    """The decisions that the marks of a board name."""
    rows = (*board.rows, *board.unranked)
    marks = (mark for row in rows for mark in row.marks)
    return sorted({mark["decision"] for mark in marks if "decision" in mark})
