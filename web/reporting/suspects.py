"""What is suspected, for reviewers: look through it, rescue, reject many at once, purge.

Nothing of it is a public fact; purged it was never here. A rescued one becomes a report of the time
at which it came in.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from flask import Blueprint, Response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from ledger.errors import BadValue
from web.access import account, needs
from web.asked import asked
from web.private import suspected
from web.private.suspected import REJECTED, WAITING
from web.reporting import screening
from web.reporting.words import in_words
from web.site import site

PAGE = 100
LONGEST_COUNT = 9
DONE: Mapping[str, str] = MappingProxyType(
    {
        "rescued": "is the number of the report that was made of it; it is in the queue.",
        "rejected": "rejected.",
        "purged": "purged without a trace.",
    }
)

suspects = Blueprint("suspects", __name__)


@suspects.get("/review/suspected")
@needs("reviewer")
def page() -> ResponseReturnValue:
    """The posts that wait, or those that were rejected, newest first."""
    given = asked(request.args, ("state", "after", *DONE))
    done = [f"{_count(name, given[name]):,} {DONE[name]}" for name in DONE if name in given]
    return _page(given.get("state", WAITING), _count("after", given.get("after", "0")), done)


def _count(name: str, text: str) -> int:
    if not (text.isascii() and text.isdecimal()) or len(text) > LONGEST_COUNT:
        raise BadValue(what=name, shown=ascii(text), why="it is a number")
    return int(text)


def _page(state: str, after: int, done: Sequence[str] = (), problem: str = "") -> Response:
    if state not in (WAITING, REJECTED):
        raise BadValue(what="state", shown=ascii(state), why=f"it is {WAITING} or {REJECTED}")
    private = site().workspace.private
    html = render_template(
        "suspects.html",
        found=suspected.suspects(private, state, most=PAGE, after=after),
        counts=suspected.counts(private),
        by_why=suspected.counts_by_why(private),
        state=state,
        after=after,
        most=PAGE,
        in_words=in_words,
        done=done,
        problem=problem,
    )
    return Response(html, 400 if problem else 200, mimetype="text/html")


@suspects.post("/review/suspected")
@needs("reviewer")
def act() -> ResponseReturnValue:
    """Rescue one, or reject or purge all that were chosen."""
    wanted, _, key = request.form.get("do", "").partition(":")
    state = request.form.get("state", WAITING)
    try:
        done = _act(wanted, key, state)
    except BadValue as why:
        return _page(state, 0, problem=str(why))
    return redirect(url_for(".page", state=state, **done), 303)


def _act(wanted: str, key: str, state: str) -> dict[str, Any]:
    who, workspace = account(), site().workspace
    assert who is not None  # noqa: S101 -- the door let nobody else in
    match wanted:
        case "rescue":
            return {"rescued": screening.rescue(workspace, key, who.handle)}
        case "reject":
            reason = request.form.get("reason", "")
            rejected = screening.reject(workspace, who.handle, reason, keys=_chosen(state))
            return {"rejected": rejected.count}
        case "purge":
            return {"purged": screening.purge(workspace, _chosen(state))}
        case _:
            raise BadValue(what="do", shown=ascii(wanted), why="rescue, reject or purge")


def _chosen(state: str) -> list[str]:
    """The posts that were ticked, one by one or all that are suspected for one thing."""
    private = site().workspace.private
    keys = set(request.form.getlist("key"))
    for why in request.form.getlist("why"):
        keys |= set(suspected.keys_of(private, state, why=why))
    return sorted(keys)[: screening.BULK]
