"""The review page: one report with all that a reviewer has to see, and the form that decides it.

Everything is one form, so no button loses what was typed beside it. A page never changes anything
by being read; what it records goes through `deciding`. A decision on an outdated page
comes back as 409 with what changed since, and with all that was typed.
"""

from collections.abc import Mapping
from functools import partial
from types import MappingProxyType

import attrs
from flask import Response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from ledger.claim import CORRECTABLE
from ledger.errors import NotFound, Refused
from ledger.subject import kind_of
from ledger.values import Digest
from projections.called import Called, called
from projections.decisions.subjects import names_of
from web.access import largest, needs
from web.asked import asked
from web.errors import status_of
from web.frozen import pdf_pages
from web.headers import SANDBOX
from web.log.notice_words import check_words
from web.log.paper_words import field_value
from web.private import uploads
from web.reviewing import deciding
from web.reviewing.acts import Answer, act_on, me, reviewers
from web.reviewing.desk import desk_pages
from web.reviewing.form import Typed, blank, typed_from
from web.reviewing.gathered import Review, quoted_from, review_of
from web.reviewing.reported import Reported
from web.reviewing.since import ChangedSince
from web.reviewing.words import (
    FIELD_NAMES,
    LONG_FIELDS,
    OUTCOME_WORDS,
    TYPE_WORDS,
    effect_words,
    field_choices,
    reason_names,
)
from web.site import site

LARGEST_FORM = 512 * 1024
PICTURES = ("image/png", "image/jpeg", "image/gif", "image/webp")
LISTED = 100
"""Rows of one board that are listed as moved."""
MOST_READINGS = 5
"""Readings that are offered at once; the earlier ones are a click away."""

DONE: Mapping[str, str] = MappingProxyType(
    {
        "decided": "The decision is recorded.",
        "proposed": "The decision is proposed; it does nothing until a second person approves it.",
        "sent-back": "The proposal is sent back.",
    }
)

review = desk_pages("review", largest_form=LARGEST_FORM)


@attrs.frozen
class View:
    """What is shown beside the fact: a snapshot, and a page of it."""

    snapshot: str | None = None
    page: int | None = None

    @classmethod
    def of(cls, text: str) -> "View":
        """From ``digest`` or ``digest:page``; what is neither shows the latest."""
        snapshot, _, page = text.partition(":")
        known = page.isascii() and page.isdecimal() and len(page) <= 6
        return cls(snapshot or None, int(page) if known else None)

    def __str__(self) -> str:
        return f"{self.snapshot or ''}:{self.page or ''}".rstrip(":")


# --- the page ---------------------------------------------------------------------------------


@review.get("/review/<number:number>")
@needs("reviewer")
def page(number: int) -> ResponseReturnValue:
    """The report, ready to be decided."""
    given = asked(request.args, ("view", "done"))
    site().freshness.reached()
    answer = Answer(said=DONE.get(given.get("done", "")))
    return _show(number, None, View.of(given.get("view", "")), answer)


@review.post("/review/<number:number>")
@needs("reviewer")
@largest(LARGEST_FORM)
def act(number: int) -> ResponseReturnValue:
    """Do what the button says; whatever comes of it, nothing that was typed is lost."""
    site().workspace.ledger.report(number)  # where there is none there is no page either
    typed = typed_from(request.form.lists())
    view = View.of(typed.one("view") or typed.one("viewing"))
    try:
        done = act_on(number, "" if typed.one("view") else typed.one("do"), typed)
    except ChangedSince as no:
        return _show(number, typed, view, Answer(changes=no.changes, status=409))
    except Refused as no:
        return _show(number, typed, view, Answer(problem=str(no), status=status_of(no)))
    if isinstance(done, deciding.Decision):
        return redirect(url_for(".page", number=number, done=_told(done)), 303)
    answer, shown = done
    return _show(number, shown, view, answer)


def _told(decision: deciding.Decision) -> str:
    """What came of it, in a few words for the address of the next page."""
    if decision.returned:
        return "sent-back"
    return "proposed" if decision.proposed else "decided"


def _show(number: int, typed: Typed | None, view: View, answer: Answer) -> Response:
    here, workspace = site(), site().workspace
    found = review_of(workspace, number, snapshot=view.snapshot, page=view.page)
    reached, now, who = here.freshness.reached(), workspace.ledger.clock(), me()
    mine = who == found.report.filed_by
    subject = found.subject.subject if found.subject else None
    with here.look({}, workspace.moment(), reached, now.date()) as look:
        names = called(look.reader, _benchmarks_in(found), look.moment)
        html = render_template(
            "review.html",
            look=look,
            time={},
            review=found,
            report=found.report,
            subject=found.subject,
            claim=found.subject.claim if found.subject else None,
            about=found.about,
            mine=mine,
            may_decide=found.is_open and not mine,
            typed=typed or blank(found.report, subject, found.shows),
            answer=answer,
            view=view,
            who=who,
            people=reviewers(),
            correctable=kind_of(subject).correctable if subject else CORRECTABLE,
            choices=field_choices(subject),
            field_names=FIELD_NAMES,
            long_fields=LONG_FIELDS,
            outcomes=OUTCOME_WORDS,
            types=TYPE_WORDS,
            reasons=reason_names(subject),
            effects=effect_words(subject),
            effect_words=effect_words,
            checks=check_words(subject),
            listed=LISTED,
            pictures=PICTURES,
            most_readings=MOST_READINGS,
            names=names_of(look.reader, found.decided, look.moment),
            called=names,
            asked_value=partial(_value, names, found.subject),
        )
    return Response(html, answer.status, mimetype="text/html")


def _benchmarks_in(found: Review) -> set[str]:
    """The benchmarks whose metrics the page speaks of."""
    others = {one.benchmark for one in (*found.same.claims, *found.resting.claims)}
    claim = found.subject.claim if found.subject else None
    return others | ({claim.story.history.benchmark} if claim else set())


def _value(names: Called, subject: Reported | None, field: str, value: str | None) -> str | None:
    """What a field says, or is asked to say, in words."""
    claim = subject.claim if subject else None
    if field == "metric" and claim is not None and value is not None:
        return names.metric(claim.story.history.benchmark, value)
    return field_value(field, value)


# --- pictures and files -----------------------------------------------------------------------


@review.get("/review/<number:number>/pages/<digest:digest>/<number:page>.png")
@needs("reviewer")
def picture(number: int, digest: str, page: int) -> ResponseReturnValue:
    """A page of a frozen PDF that the fact rests on, with the quoted passage marked."""
    workspace = site().workspace
    quoted = quoted_from(workspace, number, digest)
    pages = pdf_pages.pages_of(workspace.ledger.archive, Digest(digest))
    if page > pages.count:
        raise NotFound(what="page", name=page)
    marks = tuple(pages.marks(page - 1, quoted)) if quoted else ()
    data = pdf_pages.picture_of(workspace.ledger.archive, Digest(digest), page - 1, marks)
    return Response(data, content_type="image/png")


@review.get("/review/<number:number>/evidence/<digest:digest>")
@needs("reviewer")
def evidence(number: int, digest: str) -> ResponseReturnValue:
    """A file that came with the report: pictures to look at, anything else to download."""
    workspace = site().workspace
    known = {one for one, _ in review_of(workspace, number).said.evidence}
    found = uploads.evidence(workspace.private, digest) if digest in known else None
    if found is None:
        raise NotFound(what="evidence", name=digest)
    kind = found.upload.media_type
    response = Response(found.content, content_type=kind)
    response.headers["Content-Security-Policy"] = SANDBOX
    if kind not in PICTURES:
        ending = uploads.ENDINGS.get(kind, "bin")
        name = f'attachment; filename="{digest[:16]}.{ending}"'
        response.headers["Content-Disposition"] = name
    return response
