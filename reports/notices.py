"""The log of corrections and its notices as JSON."""

from collections.abc import Iterable

from ledger.values import instant_text
from projections.decisions.log import LogPage
from projections.decisions.notice import Notice
from projections.decisions.withdrawn import Withdrawn
from projections.review.effect import BoardEffect, Moved
from projections.review.paper_effect import PaperEffect
from reports.contract import Json, correction_json


def log_json(
    page: LogPage,
    taken_back: Iterable[Withdrawn],
    waiting: int | None,
    following: str | None,
) -> Json:
    """``/corrections.json``: the entries, how many there are, and where to go on."""
    return {
        "corrections": [correction_json(entry) for entry in page.entries],
        "matching": page.matching,
        "in_all": page.in_all,
        "next": following,
        "withdrawn": [withdrawn_json(one) for one in taken_back],
        "open": waiting,
    }


def withdrawn_json(one: Withdrawn) -> Json:
    """A report that was withdrawn before publication."""
    return {
        "report": one.report,
        "withdrawn_at": instant_text(one.at),
        "benchmark": one.benchmark,
        "reason": one.reason,
        "why": one.why,
    }


def notice_json(notice: Notice, asked_by: str | None) -> Json:
    """``/corrections/<number>.json``: the entry, and all that belongs to it."""
    return {
        **correction_json(notice.entry),
        "asked_by": asked_by,
        "checks": list(notice.checks),
        "decides_a_part": notice.remainder,
        "duplicates": list(notice.originals),
        "same_report": list(notice.parts),
        "later": list(notice.later),
        "chain": [link.number for link in notice.chain],
        "boards": [board_effect_json(one) for one in notice.boards],
        "before": notice.before.position,
        "after": notice.after.position,
    }


def board_effect_json(effect: BoardEffect) -> Json:
    """What happened to one board."""
    return {
        "benchmark": effect.benchmark,
        "view": effect.view,
        "metric": effect.metric,
        "rows": {"before": effect.rows_before, "after": effect.rows_after},
        "leader": {"before": effect.leader_before, "after": effect.leader_after},
        "moved": [_moved_json(one) for one in effect.moved],
    }


def paper_effect_json(effect: PaperEffect) -> Json:
    """What happened to one paper's page, line by line."""
    return {
        "paper": effect.slug,
        "differs": [
            {
                "of": one.line.of,
                "name": one.line.name or None,
                "by": one.line.by,
                "what": one.line.what or None,
                "before": one.before,
                "after": one.after,
            }
            for one in effect.differs
        ],
    }


def _moved_json(moved: Moved) -> Json:
    return {
        "name": moved.name,
        "claim_id": moved.claim_id,
        "rank": {"before": moved.rank_before, "after": moved.rank_after},
        "score": {"before": moved.score_before, "after": moved.score_after},
    }
