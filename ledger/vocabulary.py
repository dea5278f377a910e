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
        "paper": (None, "Paper"),
        "paper-archive": (None, "Paper archive"),
        "run-record": (None, "Run record"),
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


# --- papers, code and probes ------------------------------------------------------------------

# What somebody asserts about a repository and a paper, the closest first:
# label -> (its name for people, what it means, the kind of source that asserts it).
LABELS: Mapping[str, tuple[str, str, str]] = MappingProxyType(
    {
        "official": (
            "official repository",
            "the archive marks it as the paper's own code",
            "paper-archive",
        ),
        "named-in-paper": (
            "named in the paper",
            "the archive has it as mentioned by the paper, without calling it official",
            "paper-archive",
        ),
        "archive-listed": (
            "community (archive-listed)",
            "the archive links it with the paper, neither as official nor as mentioned by it",
            "paper-archive",
        ),
        "found-in-text": (
            "found in paper text",
            "whoever harvested it found it in the paper's text; whose code it is, is not asserted",
            "run-record",
        ),
        "community": (
            "community",
            "whoever harvested it brought it in; the archive does not link it with the paper",
            "run-record",
        ),
    }
)

# What became of a sample: outcome -> (its name for people, whom it blames, what it means). Blame
# follows from the outcome and is stored nowhere, so nobody can swap it.
RUN_OUTCOMES: Mapping[str, tuple[str, str | None, str]] = MappingProxyType(
    {
        "honoured": (
            "ran · honoured",
            None,
            "it did what the contract drafted from the code itself asks for",
        ),
        "violated": (
            "ran · violated contract",
            "code",
            "it did not do what the contract drafted from the code itself asks for",
        ),
        "draft-wrong": (
            "ran · our draft was wrong",
            "instrument",
            "the contract that the harvester drafted was wrong, which says nothing about the code",
        ),
        "fixture-failed": (
            "fixture could not drive it",
            "instrument",
            "the harvester's fixture could not call it, which says nothing about the code",
        ),
        "no-run": ("no recorded run", None, "the record holds no run of it"),
    }
)
NO_RUN = "no-run"
RAN = tuple(outcome for outcome in RUN_OUTCOMES if outcome != NO_RUN)

# Why a record serves no text of a copy, by the licence as recorded at harvest.
POINTER_ONLY: Mapping[str, str] = MappingProxyType(
    {
        "no-licence-file": "no licence file was found",
        "not-identified": "the licence was not identified",
        "not-cleared": "the licence is recorded as permissive, but this copy is not marked cleared",
        "not-permissive": "the licence is outside the list under which text is served",
    }
)
# Licences that every list of permissive ones has; of others a record knows best.
PERMISSIVE = frozenset({"MIT", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause"})

# What a probe of a link found: result -> its words for people.
PROBE_RESULTS: Mapping[str, str] = MappingProxyType(
    {
        "reachable": "reachable",
        "unreachable": "unreachable",
        "could-not-tell": "the probe could not tell",
    }
)
