"""Reports for reviewers as JSON, and their decisions: ``POST /api/reports/<n>/decisions``, by the
same rules as everywhere.

``GET /api/reports/<n>`` gives the versions that a decision has to name, and the token that a
session sends along as ``X-CSRF-Token``; a program with a token of its own needs no such thing.
"""

from collections.abc import Mapping

from flask import Blueprint, Response, g, request, url_for

from ledger.errors import BadValue, NotFound
from ledger.subject import kind_of
from projections.review.queue import report_numbered, reports
from projections.review.waiting import entries_of
from reports.contract import report_json
from web.access import by_token, csrf_token, needs
from web.api import limited
from web.api.paging import TURN, NotOurs, Turn, address_after, turn_of
from web.api.sent import Done, answer, document_sent, once
from web.api.told import told
from web.asked import asked
from web.reviewing import deciding
from web.reviewing.acts import me
from web.reviewing.decision_json import decision_json
from web.reviewing.wishes import order_from
from web.site import site
from web.wiring import Workspace

REPORT_STATES = ("open", "apart", "decided", "withdrawn")

decisions_api = Blueprint("decisions_api", __name__)
decisions_api.after_request(limited.told)


# --- looking ----------------------------------------------------------------------------------


@decisions_api.get("/api/reports")
@needs("reviewer")
@by_token("read")
@told(
    "Reports in the order of their numbers, without any word of their reporters.",
    "Reports",
    ("state", *TURN),
    scope="read",
    open_to_all=False,
)
def listed() -> Response:
    """The reports, as they stand."""
    given = asked(request.args, ("state", *TURN))
    turn, state = turn_of(given), _state(given)
    _count_token()
    reached = site().freshness.reached()
    after = _number_of(turn)
    with site().workspace.views.read() as reader:
        found = sorted(reports(reader, state), key=lambda one: one.number)
    rest = [one for one in found if one.number > after]
    shown = rest[: turn.limit]
    last = shown[-1].number if len(rest) > len(shown) else None
    time = {"recorded_through": str(reached.position)}
    return answer(
        {"reports": [report_json(one) for one in shown], "next": address_after(given, time, last)}
    )


def _number_of(turn: Turn) -> int:
    """The number behind which the list goes on; refused for a cursor that holds another thing."""
    if turn.after is None:
        return 0
    if not isinstance(turn.after, int):
        raise NotOurs(what="cursor")
    return turn.after


def _state(given: Mapping[str, str]) -> str | None:
    state = given.get("state")
    if state is not None and state not in REPORT_STATES:
        why = f"it is one of {', '.join(REPORT_STATES)}"
        raise BadValue(what="state", shown=repr(state), why=why)
    return state


@decisions_api.get("/api/reports/<number:number>")
@needs("reviewer")
@by_token("read")
@told(
    "A report as it stands, with the versions that a decision has to name.",
    "ReportToDecide",
    scope="read",
    open_to_all=False,
)
def report(number: int) -> Response:
    """A report as it stands, for whoever wants to decide it."""
    asked(request.args, ())
    _count_token()
    workspace = site().workspace
    site().freshness.reached()
    with workspace.views.read() as reader:
        found = report_numbered(reader, number)
        if found is None:
            raise NotFound(what="report", name=number)
        store, moment = workspace.ledger.store, workspace.moment()
        subject = entries_of(reader, store, [found], moment)[0].place.subject
    about = None if subject is None else _about(workspace, subject)
    return answer({**report_json(found), "claim": about, "csrf": _csrf(number)})


def _csrf(number: int) -> str | None:
    """What a session sends along with a decision; nothing for a program, which has no form."""
    return None if "by_token" in g else csrf_token(url_for(".decide", number=number))


def _about(workspace: Workspace, subject: str) -> dict[str, object]:
    """The claim, label or sample that a report is about, at its version, with what it can be
    checked against."""
    told = workspace.ledger.told(subject)
    digests = dict.fromkeys(reading.digest for reading in reversed(told.readings))
    kind = kind_of(subject).name
    return {"kind": kind, "claim_id": subject, "version": told.version, "snapshots": list(digests)}


# --- deciding ---------------------------------------------------------------------------------


@decisions_api.post("/api/reports/<number:number>/decisions")
@needs("reviewer")
@by_token("decide")
@told(
    "Decide a report; approve, return or reverse a decision.",
    "Decided",
    status=201,
    also={200: "Decided"},
    body="Order",
    scope="decide",
    open_to_all=False,
)
def decide(number: int) -> Response:
    """Decide, approve, return or reverse: 201 with what came of it, 200 when it had come before."""
    _count_token()
    return once(lambda: _decide(number), keep=True)


def _decide(number: int) -> Done:
    order = order_from(number, document_sent())
    decision = deciding.decide(site().workspace, order, me())
    return decision_json(decision), 200 if decision.already else 201


def _count_token() -> None:
    """A token asks only so often; whoever is logged in is no program."""
    if "by_token" in g:
        limited.counted(limited.ASKING)
