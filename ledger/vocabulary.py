"""The words that are fixed: kinds of source, views, outcomes, update types, reasons, units.

The list of reasons is versioned; a reason that is no longer offered stays readable.
"""

from collections.abc import Mapping
from types import MappingProxyType

VIEWS = ("labs", "independent", "all")

# source kind -> (the view that it counts in beside "all", its name for people)
SOURCE_KINDS: Mapping[str, tuple[str | None, str]] = MappingProxyType(
    {
        "launch-post": ("labs", "Lab launch post"),
        "model-card": ("labs", "Lab model card"),
        "system-card": ("labs", "Lab system card"),
        "technical-report": ("labs", "Lab technical report"),
        "official-leaderboard": ("independent", "Official leaderboard"),
        "independent-run": ("independent", "Independent run"),
        "copied-board": ("independent", "Copied board"),
        "collected-claim": (None, "Collected claim"),
    }
)
DOCUMENT_KINDS = ("model-card", "system-card", "technical-report")


def kinds_in(view: str) -> frozenset[str]:
    """The source kinds that a view takes in."""
    return frozenset(kind for kind, (own, _) in SOURCE_KINDS.items() if view in ("all", own))


# What a number can be counted in; ``fraction`` is the share of one, ``%`` of a hundred.
UNITS = (
    "%",
    "fraction",
    "points",
    "elo",
    "score",
    "count",
    "rank",
    "ratio",
    "perplexity",
    "bits",
    "ms",
    "s",
    "min",
    "h",
    "tokens",
    "tokens/s",
    "USD",
    "EUR",
)

OUTCOMES = (
    "accepted",
    "accepted-with-changes",
    "accepted-in-part",
    "declined",
    "duplicate",
    "withdrawn",
    "cannot-be-verified",
)
ACCEPTING = frozenset(OUTCOMES[:3])

# What a reviewer ticks beside the snapshot that was checked.
CHECKS: Mapping[str, str] = MappingProxyType(
    {
        "row": "It is the right row: this model, this version, this setting",
        "metric": "Metric, split and unit are those that the claim states",
        "digits": "The digits are those of the source, none added and none rounded",
        "elsewhere": "I looked at the other claims that rest on this snapshot or state this number",
        "boards": "I looked at what it does to the boards",
    }
)

# What a decision can do to a claim.
EFFECTS = (
    "correct",
    "reidentify",
    "retract",
    "reinstate",
    "hold-out",
    "readmit",
    "dispute",
    "clear",
)

# Crossref's update types, with reinstatement from Retraction Watch.
UPDATE_TYPES = (
    "correction",
    "clarification",
    "addendum",
    "removal",
    "retraction",
    "withdrawal",
    "partial-retraction",
    "expression-of-concern",
    "new-version",
    "reinstatement",
)

REASONS_VERSION = 1
REASONS = (
    "wrong-value",
    "wrong-unit-or-scale",
    "wrong-metric-or-split",
    "wrong-setting",
    "wrong-model",
    "duplicate",
    "wrong-date",
    "wrong-source",
    "source-changed",
    "source-withdrew-it",
    "run-invalid",
    "contamination",
    "self-report-flag",
    "benchmark-version",
    "missing-claim",
    "not-comparable",
    "broken-link",
    "other",
)

# Why a reporter without an account takes a report back, in words that anybody may read.
WITHDRAWALS: Mapping[str, str] = MappingProxyType(
    {
        "mistaken": "the reporter was mistaken",
        "settled": "it was settled elsewhere",
        "not-to-publish": "what was submitted is not to be published",
        "other": "the reporter did not say why",
    }
)
