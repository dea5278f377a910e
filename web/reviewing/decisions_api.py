"""Decisions as JSON: ``POST /api/reports/<n>/decisions``, by the same rules as everywhere.

``GET /api/reports/<n>`` gives the versions that a decision has to name, and the token that a
session sends along as ``X-CSRF-Token``.
"""

import orjson
from flask import Blueprint, Response, request, url_for
from flask.typing import ResponseReturnValue

from ledger.errors import BadValue, NotFound
from ledger.subject import kind_of
from projections.review.queue import report_numbered
from projections.review.waiting import entries_of
from reports.contract import report_json
from web.access import csrf_token, needs
from web.errors import answer, problem_of
from web.reviewing import deciding
from web.reviewing.acts import me
from web.reviewing.decision_json import decision_json
from web.reviewing.since import Change, ChangedSince
from web.reviewing.wishes import order_from
from web.site import site
from web.wiring import Workspace

decisions_api = Blueprint("decisions_api", __name__)


@decisions_api.get("/api/reports/<number:number>")
@needs("reviewer")
def report(number: int) -> ResponseReturnValue:
    """A report as it stands, for whoever wants to decide it."""
    workspace = site().workspace
    site().freshness.reached()
    with workspace.views.read() as reader:
        found = report_numbered(reader, number)
        if found is None:
            raise NotFound(what="report", name=number)
        store, moment = workspace.ledger.store, workspace.moment()
        subject = entries_of(reader, store, [found], moment)[0].place.subject
    about = None if subject is None else _about(workspace, subject)
    token = csrf_token(url_for(".decide", number=number))
    return _json({**report_json(found), "claim": about, "csrf": token})


def _about(workspace: Workspace, subject: str) -> dict[str, object]:
    """The claim, label or sample that a report is about, at its version, with what it can be
    checked against."""
    told = workspace.ledger.told(subject)
    digests = dict.fromkeys(reading.digest for reading in reversed(told.readings))
    kind = kind_of(subject).name
    return {"kind": kind, "claim_id": subject, "version": told.version, "snapshots": list(digests)}


@decisions_api.post("/api/reports/<number:number>/decisions")
@needs("reviewer")
def decide(number: int) -> ResponseReturnValue:
    """Decide, approve, return or reverse: 201 with what came of it, 200 when it had come before."""
    order = order_from(number, _document())
    try:
        decision = deciding.decide(site().workspace, order, me())
    except ChangedSince as no:
        return _changed(no)
    return _json(decision_json(decision), 200 if decision.already else 201)


def _document() -> object:
    if request.mimetype != "application/json":
        raise BadValue(what="document", shown=ascii(request.mimetype), why="send application/json")
    try:
        return orjson.loads(request.get_data())
    except orjson.JSONDecodeError as why:
        raise BadValue(what="document", shown="unreadable", why=str(why)) from None


def _changed(no: ChangedSince) -> Response:
    """The refusal with each thing that changed, for programs."""
    response = answer(problem_of(no))
    told = orjson.loads(response.get_data()) | {"changes": [_change(one) for one in no.changes]}
    response.set_data(orjson.dumps(told) + b"\n")
    return response


def _change(change: Change) -> dict[str, str]:
    return {
        "at": change.at.isoformat(),
        "by": change.by,
        "about": change.about,
        "what": change.what,
    }


def _json(content: object, status: int = 200) -> Response:
    return Response(orjson.dumps(content) + b"\n", status, mimetype="application/json")
