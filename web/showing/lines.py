"""The lines of a board as its table shows them: what is worked out once for each row."""

from collections.abc import Callable, Iterable, Mapping, Sequence

import attrs

from projections.board.boards import Board, comparable
from projections.board.rows import Row
from projections.over_time.later import Later
from web.benchmark_words import unsaid_kind
from web.showing.bars import Bar, scale_of
from web.showing.evaluation import Change, dated_before
from web.words import common_marks, date_words, other_marks, score_words

Mark = Mapping[str, str]


@attrs.frozen(kw_only=True)
class Line:
    """One row, with its words. ``called`` is the model's name without its version, ``kind`` the
    kind of its source where the source's name does not say it, ``side`` from whom the number is,
    ``later`` are the decisions made after the day shown."""

    row: Row
    called: str
    version: str | None
    lab: str | None
    lab_slug: str | None
    score: str
    date: str
    bar: Bar | None
    kind: str | None
    side: str
    marks: tuple[Mark, ...]
    later: tuple[int, ...]

    @property
    def told(self) -> bool:
        """Whether a reader has to be told something beside the number."""
        return bool(self.row.tied or self.marks or self.later)


@attrs.frozen
class Lines:
    """All lines of a board. ``every_row`` are marks that all ranked rows bear: said once; ``sides``
    from whom its numbers are; ``least`` and ``most`` where the bars begin and end."""

    ranked: tuple[Line, ...]
    unranked: tuple[Line, ...]
    every_row: tuple[str, ...]
    sides: tuple[str, ...]
    least: str
    most: str


def lines_of(
    board: Board, changes: Sequence[Change], later: Mapping[str, Sequence[Later]]
) -> Lines:
    """The lines of a board, in the order of its ranks."""
    said = common_marks(board.rows)
    bars = _bars(board)

    def line(row: Row, bar: Bar | None, but: Sequence[str]) -> Line:
        model = row.model
        return Line(
            row=row,
            called=model.name if model else row.as_written,
            version=model.version if model else None,
            lab=model.lab if model else None,
            lab_slug=model.lab_slug if model else None,
            score=score_words(row.score, row.unit) if row.score is not None else "",
            date=date_words(row.published_on),
            bar=bar,
            kind=unsaid_kind(row.source),
            side=_side(row),
            marks=(*other_marks(row.marks, but), *dated_before(row, changes)),
            later=_later(row, later),
        )

    # "Every row" takes in those beside the board where they bear the mark too.
    of_all = [text for text in said if all(_bears(row, text) for row in board.unranked)]
    ranked = tuple(line(row, bars(row), said) for row in board.rows)
    scale = scale_of(board.rows, board.rule) if board.rule else None
    return Lines(
        ranked=ranked,
        unranked=tuple(line(row, None, of_all) for row in board.unranked),
        every_row=tuple(said),
        sides=tuple(sorted({one.side for one in ranked}, reverse=True)),
        least=f"{scale.low:f}" if scale else "",
        most=f"{scale.high:f}" if scale else "",
    )


def _bears(row: Row, text: str) -> bool:
    return any(mark["text"] == text for mark in row.marks)


def _bars(board: Board) -> Callable[[Row], Bar | None]:
    rule = board.rule
    if rule is None:
        return lambda _: None
    scale = scale_of(board.rows, rule)
    return lambda row: scale.bar(comparable(row, rule))


def _side(row: Row) -> str:
    if row.source.independent:
        return "independent"
    return "collected" if row.source.kind == "collected-claim" else "own-lab"


def _later(row: Row, later: Mapping[str, Sequence[Later]]) -> tuple[int, ...]:
    claims: Iterable[str | None] = (row.claim_id, *(part.claim_id for part in row.parts))
    numbers = {one.number for claim in claims if claim for one in later.get(claim, ())}
    return tuple(sorted(numbers))
