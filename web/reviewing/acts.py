"""What the buttons of the review page do. Decisions go through `deciding` alone."""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

import attrs

from ledger import commands as orders
from ledger.errors import BadValue, Refused
from ledger.values import parse_slug
from projections.review.effect import BoardEffect
from projections.review.paper_effect import PaperEffect
from web.access import account
from web.private import accounts, notes
from web.reviewing import deciding
from web.reviewing.form import Typed, approval_from, decision_from, return_from, reversal_from
from web.reviewing.since import Change, Order
from web.site import site
from web.telling.messages import IN_REVIEW
from web.telling.outgoing import tell


@attrs.frozen(kw_only=True)
class Previewed:
    """What the decision would do: to which boards and papers, why it takes two people, what it
    replaces."""

    effect: Sequence[BoardEffect]
    papers: Sequence[PaperEffect]
    why: tuple[str, ...]
    replaces: str | None


@attrs.frozen(kw_only=True)
class Answer:
    """What came of a button: a message, a problem, what changed since, or a preview."""

    said: str | None = None
    problem: str | None = None
    changes: tuple[Change, ...] = ()
    preview: Previewed | None = None
    status: int = 200


Done = deciding.Decision | tuple[Answer, Typed]
"""A decision; or an answer with what is to stand in the form now."""


def me() -> str:
    """Who is logged in."""
    who = account()
    assert who is not None  # noqa: S101 -- the door let nobody else in
    return who.handle


def reviewers() -> list[str]:
    """Whom a report can be given to."""
    everybody = accounts.all_accounts(site().workspace.private)
    return [one.handle for one in everybody if "reviewer" in one.roles and one.disabled_at is None]


def act_on(number: int, do: str, typed: Typed) -> Done:
    """Do what a button says; one that is none only shows the page again."""
    return DO.get(do, _look)(number, typed)


def _look(_number: int, typed: Typed) -> Done:
    return Answer(), typed


def _preview(number: int, typed: Typed) -> Done:
    order = deciding.prepared(site().workspace, decision_from(number, typed))
    return Answer(preview=_previewed(order)), typed


def _preview_undoing(number: int, typed: Typed) -> Done:
    order = deciding.prepared(site().workspace, reversal_from(number, typed))
    return Answer(preview=_previewed(order)), typed


def _previewed(order: Order) -> Previewed:
    workspace = site().workspace
    if not isinstance(order, deciding.Previewed):
        raise TypeError(order)
    why = deciding.why_two(workspace.ledger, order)
    replaces = order.replaces if isinstance(order, orders.Decide) else order.decision
    return Previewed(
        effect=deciding.preview(workspace, order),
        papers=deciding.preview_papers(workspace, order),
        why=why,
        replaces=replaces,
    )


def _decide(number: int, typed: Typed) -> Done:
    return deciding.decide(site().workspace, decision_from(number, typed), me())


def _approve(number: int, typed: Typed) -> Done:
    return deciding.decide(site().workspace, approval_from(number, typed), me())


def _send_back(number: int, typed: Typed) -> Done:
    return deciding.decide(site().workspace, return_from(number, typed), me())


def _undo(number: int, typed: Typed) -> Done:
    return deciding.decide(site().workspace, reversal_from(number, typed), me())


def _note(number: int, typed: Typed) -> Done:
    notes.add_note(site().workspace.private, number, me(), typed.one("note"))
    return Answer(said="The note is kept; only reviewers see it."), typed.but(note="")


def _evidence(number: int, typed: Typed) -> Done:
    """What a reviewer was shown in private: its words are kept apart, its digest is recorded."""
    workspace, text = site().workspace, notes.checked(typed.one("seen_in_private"))
    digest = workspace.private.keep_words(text)
    # Crash here: words that nothing names, which say nothing to anybody.
    try:
        order = orders.AddEvidence(number=number, digest=digest, private=True)
        workspace.ledger.do(order, me())
    except Refused:
        workspace.private.erase(digest)
        raise
    notes.add_evidence_seen(workspace.private, number, me(), digest)
    workspace.catch_up()
    return Answer(said="The private evidence is recorded by its digest."), typed.but(
        seen_in_private=""
    )


def _take(number: int, typed: Typed) -> Done:
    take(number, me())
    return Answer(said="You hold this report."), typed


def _assign(number: int, typed: Typed) -> Done:
    to = parse_slug(typed.one("assign_to"), "handle")
    if to not in reviewers():
        raise BadValue(what="handle", shown=to, why="no reviewer is called so")
    take(number, to)
    return Answer(said=f"{to} holds this report."), typed


def take(number: int, to: str) -> None:
    """Give a report to a reviewer; taking it oneself begins its review."""
    workspace = site().workspace
    report = workspace.ledger.report(number)
    if report.held_by != to:
        if to == me():
            workspace.ledger.do(orders.StartReview(number=number), me())
            tell(workspace, number, IN_REVIEW)
        workspace.ledger.do(orders.AssignReport(number=number, to=to), me())
    workspace.catch_up()


DO: Mapping[str, Callable[[int, Typed], Done]] = MappingProxyType(
    {
        "preview": _preview,
        "decide": _decide,
        "approve": _approve,
        "return": _send_back,
        "preview-undo": _preview_undoing,
        "undo": _undo,
        "note": _note,
        "evidence": _evidence,
        "take": _take,
        "assign": _assign,
    }
)
