"""What a benchmark's charts are drawn from: its page, and nothing that the page does not say."""

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from types import MappingProxyType

import attrs

from ledger.values import PartialDate, score
from projections.board.benchmarks import Rule
from projections.board.boards import Board, comparable
from projections.board.history import Leader, Post
from projections.board.rows import Row
from projections.board.unread import UnreadPost
from reports.bundle.charted import ceiling_of
from reports.charts.drawn import Picture, Style
from reports.charts.leaders import Holder, Lane, holders_of, leaders_picture
from reports.charts.posts import LEFT_OUT, LISTED, NOT_READ, Tick, posts_picture
from reports.charts.scores import OWN_BOARD, Dot, Scale, scores_picture, side_of, sides_of
from reports.contract import leader_json
from web.words import counted, date_words, score_words

Draw = Callable[[Style], Picture | None]


@attrs.frozen(kw_only=True)
class Held:
    """Number one over time in one view; ``newest`` is the latest date of any of its numbers,
    ``own_board`` whether all of them are of the benchmark's own leaderboard."""

    view: str
    leaders: tuple[Leader, ...]
    newest: PartialDate | None
    own_board: bool

    @property
    def name(self) -> str:
        """What its row is called (CH-03)."""
        if self.view == "labs":
            return "Lab claims"
        return "Own leaderboard" if self.own_board else "Independent runs"

    @property
    def words(self) -> str:
        """How many held it, and how fresh that is."""
        held = counted(len({one.model.id for one in self.leaders}), "leader")
        return f"{held}, newest number {date_words(self.newest)}" if self.newest else held


def held_in(board: Board, leaders: Sequence[Leader]) -> Held:
    """What a row of the chart of number one says of a view."""
    dates = [row.published_on for row in board.claims if row.published_on]
    return Held(
        view=board.view,
        leaders=tuple(leaders),
        newest=max(dates, key=lambda one: one.first_day, default=None),
        own_board=all(row.source.kind == OWN_BOARD for row in board.claims),
    )


@attrs.frozen(kw_only=True)
class Charted:
    """What the charts of one board show."""

    board: Board
    held: tuple[Held, ...]
    posts: tuple[Post, ...]
    unread: tuple[UnreadPost, ...]
    labs: Mapping[str, str]

    @property
    def until(self) -> date:
        """The day that the charts end with."""
        return self.board.moment.status_day.first_day

    @property
    def ticks(self) -> list[Tick]:
        """Every dated launch post of a lab, read or not."""
        read = [
            _tick(one, self.labs, LISTED if one.listed else LEFT_OUT)
            for one in self.posts
            if one.lab and one.published_on
        ]
        return [*read, *(_tick(one, self.labs, NOT_READ) for one in self.unread)]

    @property
    def dots(self) -> list[Dot]:
        """Every ranked claim that bears a date."""
        rule = self.board.rule
        rows = self.board.claims if rule else ()
        return [_dot(row, rule) for row in rows if rule and row.published_on and row.score]

    def leaders(self, style: Style) -> Picture | None:
        """Number one over time."""
        lanes = [_lane(one, self.until) for one in self.held if one.leaders]
        return leaders_picture(lanes, self.until, style)

    def scores(self, style: Style) -> Picture | None:
        """Scores over time."""
        rule = self.board.rule
        if rule is None:
            return None
        scale = _scale(self.board, rule)
        return scores_picture(self.dots, scale, self.until, style)

    def launch_posts(self, style: Style) -> Picture | None:
        """Launch posts."""
        return posts_picture(self.ticks, self.until, style)

    @property
    def drawn(self) -> Mapping[str, Draw]:
        """The charts by their names in addresses."""
        found: dict[str, Draw] = {
            "leaders": self.leaders,
            "scores": self.scores,
            "posts": self.launch_posts,
        }
        return MappingProxyType(found)


def _lane(held: Held, until: date) -> Lane:
    fresh = held.newest.first_day if held.newest else until
    return Lane(
        name=held.name,
        told=held.words,
        holders=_holders(held),
        fresh_until=fresh,
    )


def _holders(held: Held) -> tuple[Holder, ...]:
    return holders_of(leader_json(one) for one in held.leaders)


def _tick(post: Post | UnreadPost, labs: Mapping[str, str], state: str) -> Tick:
    lab, published = str(post.lab), post.published_on
    day = published.first_day if published else date.min
    return Tick(name=post.name, lab=labs.get(lab, lab), day=day, state=state)


def _dot(row: Row, rule: Rule) -> Dot:
    published = row.published_on
    return Dot(
        name=row.name,
        value=float(comparable(row, rule)),
        score=score_words(row.score, row.unit),
        day=published.first_day if published else date.min,
        published=date_words(published),
        side=side_of(row.source.kind),
        source=row.source.name,
    )


def _scale(board: Board, rule: Rule) -> Scale:
    independent = [row for row in board.claims if row.source.independent]
    own_board = all(row.source.kind == OWN_BOARD for row in independent)
    ceiling = ceiling_of(board.benchmark, rule)
    return Scale(
        unit=rule.unit,
        higher_is_better=rule.higher_is_better,
        ceiling=None if ceiling is None else float(score(ceiling).value),
        sides=sides_of(own_board=own_board),
    )
