"""A decision that awaits a second person, as that person sees it: what it would do, and whether
what it is about moved on since."""

import attrs

from ledger import events as ev
from ledger.decision import touched
from ledger.errors import Refused
from ledger.report import Report
from projections.keeping.views import Reader
from projections.moment import Moment
from projections.review.effect import BoardEffect, effect_of_proposal, effect_of_reversal
from projections.review.paper_effect import (
    PaperEffect,
    papers_moved_by_proposal,
    papers_moved_by_reversal,
)
from web.wiring import Workspace


@attrs.frozen(kw_only=True)
class Proposal:
    """A decision that awaits a second person, and what it would do to the boards."""

    decision: str
    by: str
    terms: ev.Terms
    effect: tuple[BoardEffect, ...]
    papers: tuple[PaperEffect, ...]
    problem: str | None
    moved_on: tuple[str, ...]


def proposal_of(
    workspace: Workspace, reader: Reader, state: Report, moment: Moment
) -> Proposal | None:
    """The decision that awaits its second person, if one does."""
    if not state.proposed:
        return None
    decision, (by, terms) = next(iter(state.proposed.items()))
    store = workspace.ledger.store
    effect: list[BoardEffect] = []
    papers: list[PaperEffect] = []
    problem: str | None = None
    try:
        if terms.reverses is not None:
            undone = touched(state, terms.reverses)
            effect = effect_of_reversal(reader, store, terms.reverses, undone, moment)
            papers = papers_moved_by_reversal(reader, store, terms.reverses, undone, moment)
        else:
            effect = effect_of_proposal(reader, store, terms.effects, moment)
            papers = papers_moved_by_proposal(reader, store, terms.effects, moment)
    except Refused as no:
        problem = str(no)
    return Proposal(
        decision=decision,
        by=by,
        terms=terms,
        effect=tuple(effect),
        papers=tuple(papers),
        problem=problem,
        moved_on=_moved_on(workspace, terms),
    )


def _moved_on(workspace: Workspace, terms: ev.Terms) -> tuple[str, ...]:
    """What moved on since it was proposed: it cannot be approved any more."""
    versions = {one.claim: one.version for one in terms.effects}
    return tuple(
        subject
        for subject, version in versions.items()
        if workspace.ledger.told(subject).version != version
    )
