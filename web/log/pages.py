"""The public log: every decision with its notice, as pages, JSON, CSV and a feed; GET only.

Only what was decided is here. Of what waits there is a number, of what was withdrawn before anybody
decided it a date and a reason, and nothing else.
"""

from collections.abc import Mapping
from typing import Any

from flask import Blueprint, Response, render_template, request, url_for

from ledger.vocabulary import ACCEPTING
from projections.called import called
from projections.decisions.log import (
    Wanted,
    all_of_log,
    changed_last,
    choices,
    page_of_log,
    waiting,
)
from projections.decisions.notice import Notice, notice_at
from projections.decisions.papers_moved import papers_moved
from projections.decisions.subjects import names_of
from projections.decisions.withdrawn import withdrawn
from reports.charts.corrections import KINDS
from reports.charts.months import month_rows
from reports.notices import log_json, notice_json, paper_effect_json
from web import access
from web.api.paging import TURN, following, in_place, page_of_list, time_in
from web.api.told import told
from web.asked import TIME
from web.charts import months_shown
from web.csv_forms import corrections_csv
from web.log.asked import FILTERS, MOST, PERIOD, PLACE, controls_of, place_of, wanted_of
from web.log.comment import comment_json
from web.log.credit import credit_of_notice
from web.log.feed import LENGTH, feed_of
from web.log.notice_words import claim_words, code_words
from web.pictures import WITH_CHARTS, chart_of_months
from web.public import document, page
from web.site import Look, site
from web.when.whole_bars import bar_of_log

corrections = Blueprint("corrections", __name__)

LOG = (*TIME, *PERIOD, *FILTERS, *PLACE, *TURN)
MOST_WITHDRAWN = 20
MOST_MOVED = 60
"""Rows of one board that a notice lists; its JSON has all of them."""


# --- the log ----------------------------------------------------------------------------------


@corrections.get("/corrections")
@access.public
def log() -> Response:
    """Every decision and every reversal, newest first."""

    def make(look: Look) -> Response:
        wanted, place = wanted_of(look.asked), place_of(look.asked)
        found = page_of_log(
            look.reader,
            look.store,
            wanted,
            look.moment,
            count=place.count,
            before=place.before,
            after=place.after,
        )
        whole = _is_whole(look)
        taken_back = withdrawn(look.reader, look.store, look.moment) if whole else []
        months = months_shown(look) if whole else {}
        made = page(
            look,
            "corrections.html",
            found=found,
            months=month_rows(months),
            month_kinds=KINDS,
            chart=chart_of_months(months, look.time),
            bar=bar_of_log(look, _filters(look.asked)),
            narrowed=not wanted.is_everything,
            controls=controls_of(look.asked, choices(look.reader, look.moment)),
            older=_on(look, "before", found.older),
            newer=_on(look, "after", found.newer),
            filters=_filters(look.asked),
            waiting=_waiting(look),
            withdrawn=taken_back[:MOST_WITHDRAWN],
            called=called(look.reader, [one.benchmark for one in taken_back], look.moment),
            withdrawn_in_all=len(taken_back),
        )
        made.headers["Content-Security-Policy"] = WITH_CHARTS
        return made

    return site().answer(make, (*TIME, *PERIOD), fields=(*FILTERS, *PLACE))


def _on(look: Look, name: str, number: int | None) -> str | None:
    """The address of the same list further on; ``None`` where it ends."""
    if number is None:
        return None
    values: dict[str, Any] = {**look.asked, name: number}
    values.pop("before" if name == "after" else "after", None)
    return url_for(str(request.endpoint), **values)


def _filters(asked: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in asked.items() if name in (*FILTERS, *PERIOD)}


def _is_whole(look: Look) -> bool:
    """Whether this is the log's first page with nothing left out."""
    return not {"before", "after", "cursor", *FILTERS, *PERIOD} & set(look.asked)


def _waiting(look: Look) -> int | None:
    """How many reports are open now; a page of another moment says nothing of that."""
    return None if look.time or "cursor" in look.asked else waiting(look.reader)


@corrections.get("/corrections.json")
@access.public
@told("What was decided, newest first.", "Corrections", LOG)
def log_as_json() -> Response:
    """The same under the names of the outside contract; ``next`` is where it goes on."""

    def make(look: Look) -> Response:
        place = place_of(in_place(look.asked), MOST)
        found = page_of_log(
            look.reader,
            look.store,
            wanted_of(look.asked),
            look.moment,
            count=place.count,
            before=place.before,
            after=place.after,
        )
        taken_back = withdrawn(look.reader, look.store, look.moment) if _is_whole(look) else []
        here = set(look.asked) & set(PLACE)
        further = _on(look, "before", found.older) if here else following(look, found.older)
        return page_of_list(log_json(found, taken_back, _waiting(look), further))

    fields = (*FILTERS, *PLACE)
    return site().answer(make, (*TIME, *PERIOD, *TURN), fields=fields, time_in=time_in)


@corrections.get("/corrections.csv")
@access.public
def log_as_csv() -> Response:
    """All that the filters leave, in one file."""

    def make(look: Look) -> Response:
        pages = all_of_log(look.reader, look.store, wanted_of(look.asked), look.moment)
        response = Response(corrections_csv(pages), content_type="text/csv; charset=utf-8")
        name = f"corrections_position-{look.moment.position}.csv"
        response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
        return response

    return site().answer(make, (*TIME, *PERIOD), fields=FILTERS)


@corrections.get("/corrections.atom")
@access.public
def feed() -> Response:
    """What changed last, as a feed; the filters of the log make feeds of their own."""

    def make(look: Look) -> Response:
        wanted = wanted_of(look.asked)
        found = changed_last(look.reader, look.store, wanted, look.moment, LENGTH)
        names = names_of(look.reader, found, look.moment)
        xml = render_template(
            "corrections.atom",
            feed=feed_of(look.store, found, names, look.asked, _address_of),
            about=_about(wanted),
            here=address("corrections.feed", **look.asked),
            page_address=address("corrections.log", **look.asked),
        )
        return Response(xml, content_type="application/atom+xml; charset=utf-8")

    return site().answer(make, PERIOD, fields=FILTERS)


def _about(wanted: Wanted) -> str:
    told = (
        wanted.about,
        wanted.benchmark,
        wanted.paper,
        wanted.outcome,
        wanted.type,
        wanted.reason,
        wanted.decided_by,
    )
    parts = [one for one in told if one] + [*wanted.words]
    return ", ".join([*parts, str(wanted.year)] if wanted.year else parts)


def _address_of(number: int) -> str:
    return address("corrections.notice", number=number)


def address(endpoint: str, **values: Any) -> str:
    """A whole address, under the name that the operator gave these pages, else the one asked."""
    return address_at(url_for(endpoint, **values).removeprefix("/"))


def address_at(path: str) -> str:
    """The whole address of a page of ours, given by its path without the slash."""
    origin = site().workspace.settings.address or request.host_url.rstrip("/")
    return f"{origin}/{path}"


# --- one notice -------------------------------------------------------------------------------


@corrections.get("/corrections/<number:number>")
@access.public
def notice(number: int) -> Response:
    """One decision: what it changed, why, who took it, and which boards it moved."""
    credit = _credit(number)

    def make(look: Look) -> Response:
        found = notice_at(look.reader, look.store, number, look.moment)
        return page(
            look,
            "correction.html",
            notice=found,
            entry=found.entry,
            names=found.names,
            papers=papers_moved(look.reader, look.store, found),
            asked_by=_asked_by(found, credit),
            most_moved=MOST_MOVED,
        )

    return site().answer(make, erasable=credit)


def _credit(number: int) -> str:
    """The name to thank, which is looked up beside the ledger; the pages have to catch up first."""
    here = site()
    here.freshness.reached()
    return credit_of_notice(here.workspace, number)


def _asked_by(found: Notice, credit: str) -> str | None:
    """Who asked for it, if they want to be named and it was accepted: nobody is thanked else."""
    return credit if credit and found.entry.outcome in ACCEPTING else None


@corrections.get("/corrections/<number:number>.json")
@access.public
@told("One decision, and which boards it moved.", "Notice", TIME)
def notice_as_json(number: int) -> Response:
    """The same as JSON."""
    credit = _credit(number)

    def make(look: Look) -> Response:
        found = notice_at(look.reader, look.store, number, look.moment)
        papers = papers_moved(look.reader, look.store, found)
        told = notice_json(found, _asked_by(found, credit))
        return document({**told, "papers": [paper_effect_json(one) for one in papers]})

    return site().answer(make, erasable=credit)


@corrections.get("/corrections/<number:number>.jsonld")
@access.public
def notice_as_comment(number: int) -> Response:
    """The same as schema.org's ``CorrectionComment``; the page says it in its markup too."""

    def make(look: Look) -> Response:
        found = notice_at(look.reader, look.store, number, look.moment)
        entry, names = found.entry, found.names
        boards = (
            (names.called("benchmark", slug), address("public.board", slug=slug))
            for slug in names.benchmarks(entry)
        )
        claims = (
            (claim_words(one, names), address("public.claim", claim=one.claim_id))
            for one in entry.claims
        )
        subjects = ((code_words(one), address_at(one.address)) for one in entry.subjects)
        about = [*boards, *claims, *subjects]
        comment = comment_json(found, _address_of(number), about)
        response = document(comment)
        response.content_type = "application/ld+json"
        return response

    return site().answer(make)
