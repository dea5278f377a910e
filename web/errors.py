"""From refusals to HTTP: one table of statuses, and one plain form each for people and programs.

A refusal's own words are shown, as they say what to do next. What is our own fault is logged, and
its details are not shown.
"""

import logging
from collections.abc import Mapping
from http import HTTPStatus
from types import MappingProxyType
from typing import Any

import attrs
import orjson
from flask import Flask, Response, render_template, request
from werkzeug.exceptions import HTTPException, MethodNotAllowed
from werkzeug.exceptions import NotFound as NoSuchPage

from ledger import errors as no
from ledger.archive import CannotKeep, Damaged
from ledger.sealing.errors import BadKey, Forked, KeyExposed, NoKey
from ledger.store import Cut, Unavailable
from projections.keeping.refusals import ViewsUnavailable
from reports.pdf import Failed
from web.access import READING, NotSignedIn, NotYourRole, TooMany
from web.bearer import BadToken, NotInScope
from web.forged import FormTooOld, FromElsewhere
from web.printing.jobs import OneAtATime, PressBusy
from web.private import Altered, PrivateUnavailable, StillHeld
from web.private.answered import KeyOfAnother
from web.seen import seen_in
from web.typed import Typed, typed

LOG = logging.getLogger("corrigenda.web")

RETRY_AFTER = "2"
"""Seconds."""

# A class answers for the classes below it; a refusal that is not named here is the asker's: 400.
STATUSES: Mapping[type[no.Refused], int] = MappingProxyType(
    {
        no.Refused: 400,
        no.NotFound: 404,
        no.BadValue: 400,
        no.InTheFuture: 400,
        no.BeyondHead: 400,
        no.TooLate: 400,
        no.Conflict: 409,
        no.AlreadyDecided: 409,
        no.AwaitsSecondPerson: 409,
        no.ReplacedAlready: 409,
        no.ReportClosed: 409,
        no.WindowClosed: 409,
        no.OutsideWindow: 409,
        no.SeveralSamples: 404,  # such digits name no one sample; the refusal lists all of them
        no.SelfReview: 403,
        no.NeedsSecondPerson: 403,
        FromElsewhere: 403,
        FormTooOld: 403,
        NotSignedIn: 403,
        NotYourRole: 403,
        BadToken: 401,
        NotInScope: 403,
        KeyOfAnother: 422,
        TooMany: 429,
        no.Busy: 503,
        StillHeld: 503,
        Unavailable: 503,
        PrivateUnavailable: 503,
        ViewsUnavailable: 503,
        CannotKeep: 503,
        Damaged: 500,
        Altered: 500,
        OneAtATime: 409,
        PressBusy: 503,
        Failed: 500,
        Forked: 500,
        NoKey: 503,
        KeyExposed: 500,
        BadKey: 500,
    }
)

# These name paths, addresses or errors of our own machine: that is for the log.
SILENT = (
    Unavailable,
    PrivateUnavailable,
    ViewsUnavailable,
    CannotKeep,
    Damaged,
    Failed,
    NoKey,
    KeyExposed,
    BadKey,
)

PLAIN = ("/snapshots/", "/checkpoint", "/tile/")
"""Addresses that programs fetch, and that are told in plain text what is wrong."""

OUR_FAULT = "Something here is out of order; it was noted down. Please try again later."
NO_SUCH_PAGE = "There is nothing at this address."
READ_ONLY = "This address can only be read."
FORMS_ONLY = "This address only takes what a form of ours sends; open the page with that form."


NOTHING: Mapping[str, Any] = MappingProxyType({})


@attrs.frozen
class Problem:
    """What went wrong, as it is told; ``beside`` is what programs are told more."""

    status: int
    kind: str
    detail: str
    beside: Mapping[str, Any] = NOTHING

    @property
    def title(self) -> str:
        """The status in words."""
        return HTTPStatus(self.status).phrase


def status_of(refusal: no.Refused) -> int:
    """The status of a refusal: that of the nearest class in the table."""
    return next(STATUSES[cls] for cls in type(refusal).__mro__ if cls in STATUSES)


def problem_of(refusal: no.Refused) -> Problem:
    """A refusal as a problem; logged when it is ours."""
    status = status_of(refusal)
    detail = str(refusal)
    if isinstance(refusal, SILENT):
        LOG.error("%s: %s", type(refusal).__name__, refusal)
        # Who was hit by a cut line is told to come again, which is all that it takes.
        detail = detail if isinstance(refusal, Cut) else OUR_FAULT
    return Problem(status, type(refusal).__name__, detail, getattr(refusal, "beside", NOTHING))


def _http_problem(why: HTTPException) -> Problem:
    match why:
        case NoSuchPage():
            return Problem(404, "NotFound", NO_SUCH_PAGE)
        case MethodNotAllowed():
            reads = "GET" in (why.valid_methods or ())
            return Problem(405, "MethodNotAllowed", READ_ONLY if reads else FORMS_ONLY)
        case _:
            status = why.code or 500
            return Problem(status, why.__class__.__name__, why.description or OUR_FAULT)


# --- answers ----------------------------------------------------------------------------------


def answer(problem: Problem) -> Response:
    """The problem in the form that the address asks for: RFC 9457, plain text, or a page."""
    seen_in(request.environ).refused = problem.kind
    path = request.path
    if path.endswith(".json") or path.startswith(("/api/", "/proof/")):
        response = _as_json(problem)
    elif path.endswith((".csv", ".tlog-proof")) or path.startswith(PLAIN):
        response = Response(f"{problem.detail}\n", mimetype="text/plain")
    else:
        html = render_template("error.html", problem=problem, typed=_typed())
        response = Response(html, mimetype="text/html")
    response.status_code = problem.status
    if problem.status == HTTPStatus.UNAUTHORIZED:
        response.headers["WWW-Authenticate"] = 'Bearer realm="Corrigenda", error="invalid_token"'
    if problem.status == HTTPStatus.SERVICE_UNAVAILABLE:
        response.headers["Retry-After"] = RETRY_AFTER
    return response


def _typed() -> Typed | None:
    return None if request.method in READING else typed()


def _as_json(problem: Problem) -> Response:
    told = {
        "type": "about:blank",
        "title": problem.title,
        "status": problem.status,
        "kind": problem.kind,
        "detail": problem.detail,
        **problem.beside,
    }
    return Response(orjson.dumps(told) + b"\n", mimetype="application/problem+json")


def _refused(refusal: no.Refused) -> Response:
    response = answer(problem_of(refusal))
    if isinstance(refusal, TooMany):
        response.headers["Retry-After"] = str(refusal.fields["seconds"])
    return response


def _from_http(why: HTTPException) -> Response:
    response = answer(_http_problem(why))
    if isinstance(why, MethodNotAllowed) and why.valid_methods:
        response.headers["Allow"] = ", ".join(sorted(why.valid_methods))
    return response


def _unknown(why: Exception) -> Response:
    # The rule, not the address: an address may bear a reporter's secret.
    where = request.url_rule.rule if request.url_rule else "an address of none of our pages"
    LOG.error("%s %r failed", request.method, where, exc_info=why)
    return answer(Problem(500, "InternalServerError", OUR_FAULT))


def install(app: Flask) -> None:
    """Let the app answer every exception in our words."""
    app.register_error_handler(no.Refused, _refused)
    app.register_error_handler(HTTPException, _from_http)
    app.register_error_handler(Exception, _unknown)
