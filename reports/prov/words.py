"""What an event makes a claim say, and what a bundle is of, as attributes and labels of PROV."""

from collections.abc import Iterable, Mapping
from typing import Any, assert_never

from ledger import events as ev
from ledger.wire import plain_statement

STATED = (
    "name",
    "metric",
    "score",
    "unit",
    "split",
    "setting",
    "published_on",
    "as_written",
    "section",
    "locator",
    "not_ranked",
)
"""The fields of a statement that are told."""


def said_of(event: ev.ClaimEvent) -> Mapping[str, Any]:
    """What a claim says, or what became of it, by this event."""
    match event:
        case ev.ClaimRecorded() | ev.ClaimRestated() | ev.ClaimRelisted():
            says = plain_statement(event.says)
            return {name: says[name] for name in STATED if name in says}
        case ev.ClaimCorrected():
            return {"corrected": _changes(event.changes)}
        case ev.ClaimReidentified():
            return {"model": event.model, "model_before": event.before}
        case ev.ClaimDisputed():
            return {"effect": "disputed", "about": event.about}
        case ev.ClaimDecisionReversed():
            return {"effect": "reversed", "reverses": event.reverses}
        case ev.ClaimReinstated():
            return {"effect": "reinstated"}
        case ev.ClaimHeldOut():
            return {"effect": "held out of the ranking"}
        case ev.ClaimReadmitted():
            return {"effect": "readmitted to the ranking"}
        case ev.ClaimCleared():
            return {"effect": "cleared of a dispute"}
        case ev.ClaimDelisted() | ev.ClaimReadingVoided() | ev.ClaimRetracted():
            return {}
        case _:
            assert_never(event)


def _changes(changes: Iterable[ev.Change]) -> str:
    return "; ".join(f"{one.field}: {_value(one.from_)} → {_value(one.to)}" for one in changes)


def _value(text: str | None) -> str:
    return "not stated" if text is None else text


def subject_label(subject: Mapping[str, Any]) -> str:
    """What a bundle is of, in words."""
    read = f"as read on {subject['as_read_on']}"
    recorded = f"recorded through position {subject['recorded_through']['position']}"
    match subject["kind"]:
        case "board":
            which = f"Board of {subject['benchmark']}, {subject['view']}, {subject['metric']}"
        case "claim":
            which = f"Claim {subject['claim_id']}"
        case "paper":
            which = f"Paper {subject['paper']}"
        case "correction":
            which = f"Correction {subject['number']}"
        case _:
            which = f"Corrections from {subject['from']} to {subject['to']}"
    return f"{which}, {read}, {recorded}"
