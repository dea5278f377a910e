"""What a bundle is about: its subject, as a document says it and as it is worked out again.

Whatever was asked for, the subject names one pinned moment, so the same can be asked for ever.
"""

from collections.abc import Mapping
from datetime import date
from typing import Any, assert_never
from urllib.parse import urlencode

import attrs

from ledger.claim import Plane
from ledger.errors import BadValue
from ledger.values import PartialDate, end_of_day, parse_day, parse_instant
from projections.moment import Moment
from reports.bundle.records import Json
from reports.contract import moment_json


@attrs.frozen(kw_only=True)
class BoardAsked:
    """A board of a benchmark; ``metric`` is ``None`` where no rule ranks anything yet."""

    moment: Moment
    slug: str
    view: str | None = None
    metric: str | None = None
    every_claim: bool = False


@attrs.frozen(kw_only=True)
class ClaimAsked:
    """One claim."""

    moment: Moment
    claim: str


@attrs.frozen(kw_only=True)
class PaperAsked:
    """The page of a paper: its repositories, and what was run of them."""

    moment: Moment
    slug: str


@attrs.frozen(kw_only=True)
class CorrectionAsked:
    """One entry of the public log."""

    moment: Moment
    number: int


@attrs.frozen(kw_only=True)
class LogAsked:
    """What was decided from one day to another (UTC), both included."""

    moment: Moment
    start: date
    end: date


Asked = BoardAsked | ClaimAsked | PaperAsked | CorrectionAsked | LogAsked


def subject_json(asked: Asked) -> Json:
    """The subject of a document."""
    when = moment_json(asked.moment)
    match asked:
        case BoardAsked():
            return {
                "kind": "board",
                "benchmark": asked.slug,
                "view": asked.view,
                "metric": asked.metric,
                "every_claim": asked.every_claim,
                **when,
            }
        case ClaimAsked():
            return {"kind": "claim", "claim_id": asked.claim, **when}
        case PaperAsked():
            return {"kind": "paper", "paper": asked.slug, **when}
        case CorrectionAsked():
            return {"kind": "correction", "number": asked.number, **when}
        case LogAsked():
            days = {"from": asked.start.isoformat(), "to": asked.end.isoformat()}
            return {"kind": "corrections", **days, **when}
        case _:
            assert_never(asked)


def address_of(asked: Asked) -> str:
    """Path and query of the page that shows the same, pinned, so that it never changes."""
    moment = asked.moment
    query = {
        "as_read_on": moment.as_read_on,
        "corrected": moment.plane.value,
        "recorded_through": str(moment.position),
    }
    if moment.published_by is not None:
        query["published_by"] = str(moment.published_by)
    match asked:
        case BoardAsked():
            which = {"view": asked.view, "metric": asked.metric}
            if asked.every_claim:
                query["every_claim"] = "yes"
            query = {name: value for name, value in which.items() if value is not None} | query
            path = f"/benchmarks/{asked.slug}"
        case ClaimAsked():
            path = f"/claims/{asked.claim}"
        case PaperAsked():
            path = f"/papers/{asked.slug}"
        case CorrectionAsked():
            path = f"/corrections/{asked.number}"
        case LogAsked():
            path = "/corrections"
            query = {"from": asked.start.isoformat(), "to": asked.end.isoformat()} | query
        case _:
            assert_never(asked)
    return f"{path}?{urlencode(query)}"


def asked_in(subject: Mapping[str, Any]) -> Asked:
    """The inverse of :func:`subject_json`. Raises ``BadValue`` for what no bundle is about."""
    moment = _moment_in(subject)
    match subject["kind"]:
        case "board":
            return BoardAsked(
                moment=moment,
                slug=subject["benchmark"],
                view=subject["view"],
                metric=subject["metric"],
                every_claim=subject["every_claim"],
            )
        case "claim":
            return ClaimAsked(moment=moment, claim=subject["claim_id"])
        case "paper":
            return PaperAsked(moment=moment, slug=subject["paper"])
        case "correction":
            return CorrectionAsked(moment=moment, number=subject["number"])
        case "corrections":
            start, end = parse_day(subject["from"]), parse_day(subject["to"])
            return LogAsked(moment=moment, start=start, end=end)
        case other:
            why = "it is board, claim, paper, correction or corrections"
            raise BadValue(what="subject", shown=repr(other), why=why)


def _moment_in(subject: Mapping[str, Any]) -> Moment:
    day, recorded = subject["as_read_on"], subject["recorded_through"]
    until = subject["published_by"]
    return Moment(
        as_read_on=day,
        instant=end_of_day(parse_day(day)) if len(day) == 10 else parse_instant(day),
        plane=Plane(subject["corrected"]),
        position=recorded["position"],
        recorded_at=parse_instant(recorded["recorded_at"]) if recorded["recorded_at"] else None,
        published_by=PartialDate(until) if until else None,
        pinned=True,
    )
