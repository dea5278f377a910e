"""What each kind of subject shows at its moment, and what a bundle of it has to be about."""

from collections.abc import Iterator
from typing import assert_never

import attrs

from ledger.store import Store
from projections.behind import Subject
from projections.board.benchmarks import Benchmark, Rule, benchmark_at
from projections.board.boards import Board, board_at
from projections.board.history import coverage, leaders, posts, status
from projections.board.rows import Row
from projections.code.papers import paper_at
from projections.code.papers_of import papers_of
from projections.decisions.corrections import Correction
from projections.decisions.log import Wanted, page_of_log
from projections.decisions.notice import notice_at
from projections.decisions.papers_moved import papers_moved
from projections.keeping.views import Reader
from projections.over_time.later import changed_since
from projections.standing import decisions_of, standing_on
from projections.story import story_of
from reports.bundle.asked import (
    Asked,
    BoardAsked,
    ClaimAsked,
    CorrectionAsked,
    LogAsked,
    PaperAsked,
)
from reports.bundle.charted import charted_json
from reports.bundle.frozen import Cited
from reports.bundle.read import cited_by, subjects_of
from reports.bundle.records import Json
from reports.code.papers import paper_json
from reports.contract import board_json, claim_json, leader_json
from reports.notices import log_json, notice_json, paper_effect_json

MOST_ENTRIES = 1_000_000
"""More entries than a log of one period ever has."""


@attrs.frozen(kw_only=True)
class Seen:
    """What is shown, with what was left open in the question now settled (view and metric).

    ``shows`` is what the pages give as JSON; ``claims`` are those that it shows a number of, and
    ``standing`` those of which later decisions count as decided since, with labels and samples.
    ``benchmark`` and ``rule`` are there where one ranking is what it is about; ``cited`` are what
    facts of a paper were read from, ``named`` the streams of what else is called by a name;
    ``measured`` the metrics, each behind its benchmark; ``charted`` is what only a board's charts
    show.
    """

    asked: Asked
    shows: Json
    about: Subject
    claims: tuple[str, ...]
    standing: tuple[str, ...]
    benchmark: Benchmark | None = None
    rule: Rule | None = None
    leaders: tuple[Json, ...] | None = None
    charted: Json | None = None
    told: tuple[tuple[str, str], ...] = ()
    cited: Cited = frozenset()
    named: tuple[str, ...] = ()
    measured: tuple[tuple[str, str], ...] = ()

    @property
    def caveats(self) -> tuple[tuple[str, str], ...]:
        """What a reader has to know first: of the benchmark, or of the paper."""
        if self.benchmark is None:
            return self.told
        return tuple(zip(self.benchmark.caveat_names, self.benchmark.caveats, strict=True))


def seen(reader: Reader, store: Store, asked: Asked) -> Seen:
    """What the subject shows; refused where its page would be."""
    match asked:
        case BoardAsked():
            return _board(reader, asked)
        case ClaimAsked():
            return _claim(reader, store, asked)
        case PaperAsked():
            return _paper(reader, store, asked)
        case CorrectionAsked():
            return _correction(reader, store, asked)
        case LogAsked():
            return _log(reader, store, asked)
        case _:
            assert_never(asked)


def _board(reader: Reader, asked: BoardAsked) -> Seen:
    slug, moment = asked.slug, asked.moment
    board = board_at(
        reader,
        slug,
        moment,
        view=asked.view,
        metric=asked.metric,
        every_claim=asked.every_claim,
    )
    held = leaders(board)
    read = posts(reader, slug, moment)
    how = status(board, read)
    later = changed_since(reader, slug, moment)
    metric = board.rule.metric if board.rule else None
    return Seen(
        asked=attrs.evolve(asked, view=board.view, metric=metric),
        shows=board_json(board, held, how, coverage(reader, board), later),
        about=Subject(boards=frozenset((slug,))),
        claims=tuple(dict.fromkeys(_claims_of(board))),
        standing=tuple(standing_on(reader, slug, moment)),
        benchmark=board.benchmark,
        rule=board.rule,
        leaders=tuple(leader_json(one) for one in held),
        charted=charted_json(reader, board, read),
    )


def _claims_of(board: Board) -> Iterator[str]:
    """The claims behind the rows, those that rank first."""
    waiting: list[Row] = [*reversed((*board.rows, *board.unranked))]
    while waiting:
        row = waiting.pop()
        waiting += reversed(row.parts)
        if row.claim_id is not None:
            yield row.claim_id


def _claim(reader: Reader, store: Store, asked: ClaimAsked) -> Seen:
    claim, moment = asked.claim, asked.moment
    story = story_of(reader, store, claim, moment)
    slug = story.history.benchmark
    benchmark = benchmark_at(reader, slug, moment)
    metric = story.state.shows.metric if story.state else story.history.metric
    states = (story.state.says, story.state.shows) if story.state else ()
    return Seen(
        asked=asked,
        shows=claim_json(story, changed_since(reader, slug, moment)),
        about=Subject(claims=frozenset((claim,))),
        claims=(claim,),
        standing=(claim,),
        benchmark=benchmark,
        rule=benchmark.rules.get(metric),
        measured=tuple((slug, one.metric) for one in states),
    )


def _paper(reader: Reader, store: Store, asked: PaperAsked) -> Seen:
    paper = paper_at(reader, store, asked.slug, asked.moment)
    claims = tuple(str(one["claim"]) for one in paper.claims)
    return Seen(
        asked=asked,
        shows=paper_json(paper),
        about=Subject(papers=frozenset((asked.slug,))),
        claims=claims,
        standing=(*claims, *subjects_of(paper)),
        told=paper.caveats,
        cited=frozenset(cited_by(paper)),
        named=(f"paper:{asked.slug}",),
    )


def _correction(reader: Reader, store: Store, asked: CorrectionAsked) -> Seen:
    notice = notice_at(reader, store, asked.number, asked.moment)
    after = notice.after
    if after.position > asked.moment.position:
        # A position within the transaction of the decision: what it did to boards lies at its end.
        moment = attrs.evolve(asked.moment, position=after.position, recorded_at=after.recorded_at)
        return _correction(reader, store, attrs.evolve(asked, moment=moment))
    entry = notice.entry
    near = (*notice.originals, *notice.parts, *notice.later)
    claims = tuple(one.claim_id for one in entry.claims)
    subjects = [one.subject for one in entry.subjects]
    papers = papers_moved(reader, store, notice)
    return Seen(
        asked=asked,
        # Who asked for it may be erased one day, so no copy that lasts has the name.
        shows={**notice_json(notice, None), "papers": [*map(paper_effect_json, papers)]},
        about=Subject(
            boards=frozenset(one.benchmark for one in entry.claims),
            moved=frozenset(papers_of(reader, subjects, notice.before)),
            decisions=frozenset({entry.decision, *decisions_of(reader, near)}),
        ),
        claims=claims,
        standing=claims,
        measured=tuple((one.benchmark, one.metric) for one in notice.boards if one.metric),
    )


def _log(reader: Reader, store: Store, asked: LogAsked) -> Seen:
    wanted = Wanted(start=asked.start, end=asked.end)
    page = page_of_log(reader, store, wanted, asked.moment, count=MOST_ENTRIES)
    claims = tuple(dict.fromkeys(_touched(page.entries)))
    return Seen(
        asked=asked,
        shows=log_json(page, [], None, None),
        about=Subject(decisions=frozenset(entry.decision for entry in page.entries)),
        claims=claims,
        standing=claims,
    )


def _touched(entries: tuple[Correction, ...]) -> Iterator[str]:
    return (touched.claim_id for entry in entries for touched in entry.claims)
