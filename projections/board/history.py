"""A benchmark over time: number one, launch posts and status, coverage of a capability index.

This is the retrospective axis: everything counts from its own date (``counts_from``), as far as it
had been read by the moment. It is not the same as what a board showed on those dates.
"""

from collections.abc import Iterable, Sequence
from datetime import date
from itertools import groupby

import attrs

from ledger.values import PartialDate, name_key, with_unit
from projections.asserted import described, with_aspect
from projections.board.boards import Board, counts_from
from projections.board.described import ModelOf
from projections.board.rows import Row
from projections.keeping.views import Reader
from projections.moment import Moment


@attrs.frozen
class Leader:
    """Who held number one, with what, and since when."""

    model: ModelOf
    score: str
    unit: str | None
    since: PartialDate
    claim_id: str | None


def leaders(board: Board) -> list[Leader]:
    """Number one over time, oldest first; a tie changes no holder (CH-02, CH-05, CH-06)."""
    if board.rule is None:
        return []
    dated = [
        (start.first_day, place, start, row)
        for place, row in enumerate(board.claims)
        if (start := counts_from(row, board.benchmark)) is not None
    ]
    dated.sort(key=lambda one: one[:2])
    found: list[Leader] = []
    best: Row | None = None
    for _, of_the_day in groupby(dated, key=lambda one: one[0]):
        start, row = _best_of_the_day([one[2:] for one in of_the_day], found)
        if best is None or _beats(row, best, higher_is_better=board.rule.higher_is_better):
            if row.model is not None and row.score is not None:
                if found and found[-1].model.id == row.model.id:
                    found[-1] = attrs.evolve(found[-1], score=row.score.text, claim_id=row.claim_id)
                else:
                    found.append(Leader(row.model, row.score.text, row.unit, start, row.claim_id))
            best = row
    return found


def _best_of_the_day(
    dated: Sequence[tuple[PartialDate, Row]], found: Sequence[Leader]
) -> tuple[PartialDate, Row]:
    """The first of one day's claims, which are in order; of equal ones the holder's."""
    for start, row in dated:
        if found and row.model is not None and row.model.id == found[-1].model.id:
            return (start, row) if row.sort_key == dated[0][1].sort_key else dated[0]
    return dated[0]


def _beats(row: Row, best: Row, *, higher_is_better: bool) -> bool:
    return row.sort_key > best.sort_key if higher_is_better else row.sort_key < best.sort_key


def headline(board: Board) -> str:
    """Who leads, in one sentence; a shared top score is said in every view."""
    if not board.rows or board.rows[0].score is None:
        return board.empty_because or "No model ranks."
    best = board.rows[0]
    # With a row a claim, one model may stand there twice.
    shared = {row.model.id for row in board.rows if row.model and row.sort_key == best.sort_key}
    shown = with_unit(str(best.score), best.unit)
    where = {"labs": "labs' own numbers", "independent": "independent runs", "all": "all claims"}
    if len(shared) > 1:
        return f"{len(shared)} models share the top score of {shown} in {where[board.view]}"
    return f"{best.name} leads {where[board.view]} with {shown}"


# --- launch posts and status ------------------------------------------------------------------


@attrs.frozen
class Post:
    """A launch post that was read for a benchmark: listed or left out."""

    source: str
    name: str
    lab: str | None
    published_on: PartialDate | None
    listed: bool


@attrs.frozen
class Status:
    """``in use``, ``fading`` or ``dropped`` (``None`` before the first listing), and why."""

    word: str | None
    posts_in_year: int
    posts_in_year_before: int
    last_listed: PartialDate | None
    before_it_saturated: bool


def posts(reader: Reader, slug: str, moment: Moment) -> list[Post]:
    """The launch posts read for a benchmark by the moment, newest first."""
    read = with_aspect(reader, f"post/{slug}", moment)
    sources = described(reader, [stream for stream, _ in read], moment)
    found = [
        Post(
            stream.partition(":")[2],
            str(sources[stream]["name"]),
            sources[stream].get("lab"),
            PartialDate(sources[stream]["published_on"])
            if sources[stream].get("published_on")
            else None,
            bool(content["listed"]),
        )
        for stream, content in read
        if sources[stream]["kind"] == "launch-post"
    ]
    if moment.published_by is not None:
        until = moment.published_by.first_day
        found = [p for p in found if p.published_on and p.published_on.first_day <= until]
    return sorted(found, key=lambda post: (_first_day(post), post.source), reverse=True)


def _first_day(post: Post) -> date:
    return post.published_on.first_day if post.published_on else date.min


def status(board: Board, listed: Iterable[Post]) -> Status:
    """The status at the moment's day D, counting posts by publication.

    Dropped: none lists it in (D - 12 months, D]. Fading: fewer in those 12 months than in the 12
    before. Else in use; nothing before the first listing.
    """
    day = board.moment.status_day.first_day
    dates = sorted(
        post.published_on.first_day
        for post in listed
        if post.listed and post.published_on and post.published_on.first_day <= day
    )
    year, before = _years_before(day, 1), _years_before(day, 2)
    now = sum(year < one <= day for one in dates)
    then = sum(before < one <= year for one in dates)
    last = max(
        (p.published_on for p in listed if p.listed and p.published_on),
        key=lambda one: one.first_day,
        default=None,
    )
    return Status(_word(dates, now, then), now, then, last, below_ceiling(board))


def _word(dates: Sequence[date], now: int, then: int) -> str | None:
    if not dates:
        return None
    if now == 0:
        return "dropped"
    return "fading" if now < then else "in use"


def _years_before(day: date, years: int) -> date:
    """The same day of an earlier year; 29 February becomes 28."""
    try:
        return day.replace(year=day.year - years)
    except ValueError:
        return day.replace(year=day.year - years, day=28)


def below_ceiling(board: Board) -> bool:
    """Whether the best score is still under the near-ceiling line (``True`` without a line)."""
    ceiling = board.benchmark.near_ceiling
    if ceiling is None or not board.rows or board.rows[0].score is None:
        return True
    return board.rows[0].score.value < ceiling.value


# --- coverage of a capability index -----------------------------------------------------------


@attrs.frozen
class Coverage:
    """Which models of a dated ranking have a score here."""

    index: str
    name: str
    as_of: str | None
    best_rank: int | None
    best_model: str | None
    without_score: tuple[str, ...]
    not_named: int


def coverage(reader: Reader, board: Board) -> list[Coverage]:
    """For each capability index read by the moment: the strongest model scored here, and those
    without a score (named, and how many more the index states without our knowing the name)."""
    scored = {name_key(row.name): row.name for row in board.rows}
    found = []
    for stream, content in with_aspect(reader, "ranking", board.moment):
        models = content.get("models", [])
        tested = [one for one in models if name_key(one["name"]) in scored]
        best = min(
            (one for one in tested if one.get("rank") is not None),
            key=lambda one: one["rank"],
            default=None,
        )
        without = tuple(one["name"] for one in models if name_key(one["name"]) not in scored)
        stated = content.get("entries_stated") or len(models)
        found.append(
            Coverage(
                stream.partition(":")[2],
                content["name"],
                content.get("as_of"),
                best["rank"] if best else None,
                best["name"] if best else None,
                without,
                stated - len(models),
            )
        )
    return found
