"""What the review page asks and offers, in plain words."""

from collections.abc import Mapping
from types import MappingProxyType

from ledger.subject import CLAIM, LABEL, is_claim, kind_of
from ledger.vocabulary import LABELS, RUN_OUTCOMES, UPDATE_TYPES
from web.reporting.words import REASON_WORDS
from web.words import term_words

OUTCOME_WORDS: Mapping[str, str] = MappingProxyType(
    {
        "accepted": "Accepted, as asked",
        "accepted-with-changes": "Accepted with changes",
        "accepted-in-part": "Accepted in part",
        "declined": "Declined",
        "duplicate": "Duplicate of another report",
        "withdrawn": "Withdrawn by its reporter",
        "cannot-be-verified": "Cannot be verified",
    }
)

TYPE_WORDS: Mapping[str, str] = MappingProxyType(
    {name: term_words(name).capitalize() for name in UPDATE_TYPES}
)

REASON_NAMES: Mapping[str, str] = MappingProxyType(
    {name: words for group in REASON_WORDS.values() for name, words in group.items()}
)

CODE_REASON_NAMES: Mapping[str, str] = MappingProxyType(
    {
        **REASON_NAMES,
        "wrong-value": "What it says is wrong",
        "missing-claim": "Something is missing",
    }
)
"""The same of a label or a sample, which has no number."""


def reason_names(subject: str | None) -> Mapping[str, str]:
    """Reasons in the words that fit a claim, a label or a sample."""
    return CODE_REASON_NAMES if subject and not is_claim(subject) else REASON_NAMES


FIELD_NAMES: Mapping[str, str] = MappingProxyType(
    {"published_on": "Published on", "url": "Address given"}
)
"""Names of fields that their own word does not say well."""

EFFECT_WORDS: Mapping[str, str] = MappingProxyType(
    {
        "correct": "Correct it, to the values below",
        "reidentify": "It is about another model",
        "retract": "Take it off every board",
        "reinstate": "Put it back on the boards",
        "hold-out": "Show it, but do not rank it",
        "readmit": "Let it rank again",
        "dispute": "Mark it as disputed",
        "clear": "Lift the dispute",
    }
)

CODE_EFFECT_WORDS: Mapping[str, str] = MappingProxyType(
    {
        "correct": "Correct it, to the values below",
        "retract": "Take it back: it shows and counts no more",
        "reinstate": "Let it show and count again",
        "dispute": "Mark it as disputed",
        "clear": "Lift the dispute",
    }
)
"""What can be done to a label or a sample: all but what is done to what ranks."""


def effect_words(subject: str | None) -> Mapping[str, str]:
    """What can be done to a claim, a label or a sample."""
    return CODE_EFFECT_WORDS if subject and not is_claim(subject) else EFFECT_WORDS


def field_choices(subject: str | None) -> Mapping[str, Mapping[str, str]]:
    """The fields whose values are words of a list, with the words: a label with what it means, an
    outcome with whom it blames, as nobody says that apart from it."""
    labels = {name: f"{words}: {means}" for name, (words, means, _) in LABELS.items()}
    outcomes = {
        name: f"{words} (blames {f'the {blames}' if blames else 'nobody'})"
        for name, (words, blames, _) in RUN_OUTCOMES.items()
    }
    kind = kind_of(subject) if subject else CLAIM
    return {"label": labels} if kind is LABEL else {"outcome": outcomes}


LONG_FIELDS = ("metric", "split", "setting", "url")
"""Fields of a claim whose values may be longer than a form is wide: they get whole lines, and as
many as it takes."""

ABOUT_WORDS: Mapping[str, str] = MappingProxyType(
    {
        "claims": "a claim",
        "labels": "a label",
        "samples": "a sample",
        "papers": "a paper",
        "benchmarks": "a benchmark",
        "models": "a model",
        "sources": "a source",
        "snapshots": "a snapshot",
        "corrections": "a correction",
        "probes": "a probe window",
        "site": "these pages",
    }
)
"""What a report is about, by the kind of page."""

BULK_OUTCOMES = ("accepted", "declined", "cannot-be-verified", "duplicate")
