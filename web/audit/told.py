"""These pages as JSON. What proves anything has addresses of its own (:mod:`web.tiles`), so it is
named here and not written twice."""

from collections.abc import Mapping, Sequence
from typing import Any

from flask import url_for

from ledger.values import Instant, instant_text
from projections.audit_log import Logged, LogPage, Totals
from projections.audit_readings import Import, Listed, Receipt, Snapshot
from projections.moment import Moment
from projections.review.resting import Others
from projections.story import FrozenReading
from reports.contract import reading_json
from reports.sealed import checkpoint_json
from web.audit.checkpoints import Checkpoints, Shown
from web.freshness import Reached

Json = dict[str, Any]


def through_json(moment: Moment) -> Json:
    """How much of the log a list is about."""
    return {"position": moment.position, "recorded_at": _instant(moment.recorded_at)}


def state_json(reached: Reached, newest: Shown | None, found: Totals) -> Json:
    """How far the ledger, the pages and the sealed log have come."""
    return {
        "recorded": reached.ledger_head,
        "shown": reached.position,
        "behind": reached.lag,
        "checkpoint": None if newest is None else shown_json(newest),
        "events": found.events,
        "withheld": found.withheld,
        "types": dict(found.types),
        "recorded_by": dict(found.authors),
    }


# --- the log ----------------------------------------------------------------------------------


def log_json(page: LogPage, moment: Moment, following: str | None) -> Json:
    """Some events of the log; ``next`` is where the list goes on."""
    return {
        "recorded_through": through_json(moment),
        "events": [logged_json(one) for one in page.entries],
        "next": following,
    }


def logged_json(one: Logged) -> Json:
    """One event: its place and its entry, and its envelope where anybody may read it."""
    told: Json = {
        "position": one.position,
        "entry": one.entry,
        "withheld": one.record is None,
        "stored": url_for("tiles.event", position=one.position),
    }
    if one.record is None:
        return told
    envelope = one.record.envelope
    return told | {
        "type": envelope.type,
        "stream": envelope.stream,
        "version": envelope.version,
        "recorded_at": instant_text(envelope.recorded_at),
        "recorded_by": envelope.recorded_by,
        "cause": envelope.cause,
    }


# --- checkpoints ------------------------------------------------------------------------------


def checkpoints_json(page: Checkpoints, following: str | None) -> Json:
    """Some checkpoints; ``next`` is where the list goes on."""
    return {"checkpoints": [shown_json(one) for one in page.rows], "next": following}


def shown_json(one: Shown) -> Json:
    """One checkpoint with its note."""
    return {
        **checkpoint_json(one.sealed),
        "reached_at": _instant(one.reached_at),
        "keys": [str(key) for key in one.keys],
    }


# --- what came in -----------------------------------------------------------------------------


def imports_json(page: Listed[Import], moment: Moment, following: str | None) -> Json:
    """Some imports; ``next`` is where the list goes on."""
    return {
        "recorded_through": through_json(moment),
        "imports": [import_json(one) for one in page.rows],
        "next": following,
    }


def import_json(one: Import) -> Json:
    """What an import did."""
    return {
        "position": one.position,
        "digest": one.digest,
        "file": one.file,
        "format": one.format,
        "source": one.source,
        "benchmark": one.benchmark,
        "read_at": instant_text(one.read_at),
        "recorded_at": instant_text(one.recorded_at),
        "recorded_by": one.recorded_by,
        "counts": dict(one.counts),
        "refused": list(one.refused),
    }


def receipt_json(one: Receipt, moment: Moment) -> Json:
    """One import with its reading, and where that was taken back."""
    return {
        **import_json(one.imported),
        "order": one.order,
        "reading": None if one.reading is None else reading_json(one.reading),
        "withdrawn_at": one.withdrawn_at,
        "recorded_through": through_json(moment),
    }


def readings_json(
    page: Listed[tuple[str, FrozenReading]], moment: Moment, following: str | None
) -> Json:
    """Some readings; ``next`` is where the list goes on."""
    return {
        "recorded_through": through_json(moment),
        "readings": [{"source": source, **reading_json(one)} for source, one in page.rows],
        "next": following,
    }


def snapshot_json(
    found: Snapshot, headers: Mapping[str, Sequence[tuple[str, str]]], resting: Others
) -> Json:
    """Frozen bytes: their readings, the headers that were kept, and the claims on them."""
    return {
        "digest": found.digest,
        "bytes": url_for("public.snapshot", digest=found.digest),
        "readings": [{"source": source, **reading_json(one)} for source, one in found.readings],
        "readings_in_all": found.in_all,
        "headers": [
            {
                "reading": kept.reading,
                "warc": kept.digest,
                "headers": [list(pair) for pair in headers.get(kept.digest, ())],
            }
            for kept in found.kept
        ],
        "claims": [one.claim_id for one in resting.claims],
        "claims_in_all": resting.total,
    }


def _instant(instant: Instant | None) -> str | None:
    return None if instant is None else instant_text(instant)
