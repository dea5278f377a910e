"""Changes in words."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from projections.over_time.compared import Caused, MovedRow

# What a source did; what a decision did is told by its own word.
BY_SOURCE: Mapping[str, str] = MappingProxyType(
    {
        "recorded": "first stated by its source",
        "restated": "restated by its source",
        "delisted": "delisted by its source",
        "relisted": "listed again by its source",
        "renamed": "renamed by its source",
    }
)
BY_DECISION: Mapping[str, str] = MappingProxyType(
    {
        "recorded": "stated again",
        "corrected": "corrected",
        "retracted": "retracted",
        "reinstated": "reinstated",
        "held-out": "held out of the ranking",
        "readmitted": "admitted to the ranking",
    }
)
RESTATED: Mapping[str, str] = MappingProxyType(
    {
        "rule": "ranking rule",
        "caveat": "caveat",
        "evaluation": "evaluation changed",
        "described": "facts",
    }
)


def change_words(one: Caused) -> str:
    """What happened: by which hand, and what it did."""
    kind = one.step.kind
    if one.step.decision is not None:
        return BY_DECISION.get(kind, kind)
    if not one.step.claim_id:
        return "model renamed"
    return BY_SOURCE.get(kind, kind)


def restated_words(kind: str) -> str:
    """What a curator said anew."""
    return RESTATED.get(kind, kind)


def rise_words(row: MovedRow) -> str:
    """How far a row moved: ``up 3``, ``down 1``, new, gone."""
    if row.before is None:
        return "new"
    if row.after is None:
        return "gone"
    rise = row.rise or 0
    if rise == 0:
        return "same rank"
    return f"up {rise}" if rise > 0 else f"down {-rise}"


def lower_first(text: str) -> str:
    """Words that go on in a sentence."""
    return text[:1].lower() + text[1:]


FILTERS: Mapping[str, Callable[..., Any]] = MappingProxyType(
    {
        "change_words": change_words,
        "restated_words": restated_words,
        "rise_words": rise_words,
        "lower_first": lower_first,
    }
)
