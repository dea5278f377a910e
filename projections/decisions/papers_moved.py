"""The papers whose pages a decision moved: their labels, samples and counts just before it was
recorded and just after, as a notice tells of boards."""

from ledger.store import Store
from projections.code.papers import paper_at
from projections.code.papers_of import papers_of
from projections.decisions.notice import Notice
from projections.keeping.views import Reader
from projections.review.paper_effect import PaperEffect, difference


def papers_moved(reader: Reader, store: Store, notice: Notice) -> list[PaperEffect]:
    """What differs on each paper between the two moments of a notice; both are pinned, so it never
    says anything else."""
    subjects = [one.subject for one in notice.entry.subjects]
    found = (
        difference(
            paper_at(reader, store, slug, notice.before),
            paper_at(reader, store, slug, notice.after),
        )
        for slug in papers_of(reader, subjects, notice.before)
    )
    return [one for one in found if one is not None]
