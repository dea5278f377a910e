"""What the review page asks and offers, in plain words."""

from collections.abc import Mapping
from types import MappingProxyType

from ledger.vocabulary import UPDATE_TYPES
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

BULK_OUTCOMES = ("accepted", "declined", "cannot-be-verified", "duplicate")
