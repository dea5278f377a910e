"""Making a bundle of each kind of subject.

Equal subject, position and head give equal bytes, in any process: nothing here reads a clock, and
all lists have an order of their own.
"""

from datetime import date

from ledger.claim import Plane
from ledger.values import instant_text, short_instant
from projections.moment import Moment
from reports.bundle.asked import (
    Asked,
    BoardAsked,
    ClaimAsked,
    CorrectionAsked,
    LogAsked,
    PaperAsked,
)
from reports.bundle.facts import facts_of
from reports.bundle.frozen import with_names
from reports.bundle.proven import checkpoint_covering, events_json, log_json
from reports.bundle.records import FORMAT, Bundle, Json, Records, bundle_of


def board_bundle(
    records: Records,
    moment: Moment,
    slug: str,
    *,
    view: str | None = None,
    metric: str | None = None,
    every_claim: bool = False,
) -> Bundle:
    """A board at a moment; refused for an unknown benchmark, view or metric."""
    asked = BoardAsked(moment=moment, slug=slug, view=view, metric=metric, every_claim=every_claim)
    return made(records, asked)


def claim_bundle(records: Records, moment: Moment, claim_id: str) -> Bundle:
    """One claim's story at a moment; refused when the ledger never heard of it."""
    return made(records, ClaimAsked(moment=moment, claim=claim_id))


def paper_bundle(records: Records, moment: Moment, slug: str) -> Bundle:
    """A paper's page at a moment; refused when the ledger never heard of it."""
    return made(records, PaperAsked(moment=moment, slug=slug))


def correction_bundle(records: Records, when: Moment | int, number: int) -> Bundle:
    """One entry of the log with the boards that it moved, as known at a moment or a position."""
    moment = moment_of(records, when) if isinstance(when, int) else when
    return made(records, CorrectionAsked(moment=moment, number=number))


def corrections_bundle(records: Records, moment: Moment, start: date, end: date) -> Bundle:
    """What was decided from one day to another (UTC), both included, as known at a moment."""
    return made(records, LogAsked(moment=moment, start=start, end=end))


def moment_of(records: Records, position: int) -> Moment:
    """The moment at which the event of a position had just been recorded. Raises ``ValueError``
    for a position before every event."""
    recorded_at = records.store.recorded_at(position)
    if recorded_at is None:
        raise ValueError(f"nothing was recorded by position {position}")
    return Moment(
        as_read_on=short_instant(recorded_at),
        instant=recorded_at,
        plane=Plane.THEN,
        position=position,
        recorded_at=recorded_at,
        pinned=True,
    )


def made(records: Records, asked: Asked) -> Bundle:
    """The bundle of a subject, with all that was decided since by where the read model is now."""
    with records.views.read() as reader:
        head = reader.position
        facts = facts_of(reader, records.store, asked, head)
    checkpoint = checkpoint_covering(records.seals, head)
    parts = facts.parts
    return bundle_of(
        {
            **parts,
            "format": FORMAT,
            "site": records.site,
            "since": {
                "recorded_through": _recorded_through(records, head),
                "corrections": parts["since"],
            },
            "snapshots": with_names(parts["snapshots"], parts["names"], records.archive),
            "log": log_json(records.seals, checkpoint),
            "events": events_json(records.seals, facts.events, checkpoint),
        }
    )


def _recorded_through(records: Records, position: int) -> Json:
    recorded_at = records.store.recorded_at(position)
    return {
        "position": position,
        "recorded_at": instant_text(recorded_at) if recorded_at is not None else None,
    }
