"""Labels, outcomes and the lines of a paper's page in words, where decisions speak of them."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from ledger.subject import address_of, kind_of
from ledger.vocabulary import LABELS, RUN_OUTCOMES
from projections.review.paper_effect import (
    COUNT,
    LABEL,
    NOT_TOLD,
    PART,
    RAN,
    SAMPLE,
    STANDING,
    Line,
)
from reports.code.words import blame_words, label_words, outcome_words

COUNTED: Mapping[str, str] = MappingProxyType(
    {RAN: "Samples that ran", NOT_TOLD: "Samples of which no outcome is told"}
)


def line_words(line: Line) -> str:
    """What a line of a paper's page is about."""
    if line.of == COUNT:
        return COUNTED.get(line.what) or f"Samples: {outcome_words(line.what)}"
    if line.of == PART:
        return f"Samples from repositories: {label_words(line.name or None)}"
    name = f"Sample {line.name[:16]}" if line.of == SAMPLE else f"Label of {line.name}"
    return f"{name}: how it stands" if line.what == STANDING else name


def line_value(line: Line, value: str | None) -> str | None:
    """What such a line says; an outcome with whom it blames."""
    if line.what == STANDING:
        return value or "as its source has it"
    if line.of == LABEL:
        return label_words(value)
    if line.of == PART:
        return value or "none"
    return outcome_value(value) if line.of == SAMPLE else value


def outcome_value(outcome: str | None) -> str:
    """An outcome with whom it blames, as nobody may say the one without the other."""
    blames = blame_words(outcome)
    if blames is None or blames == "nobody":
        return outcome_words(outcome)
    return f"{outcome_words(outcome)} (blames the {blames})"


def field_value(field: str, value: str | None) -> str | None:
    """A field's value as people read it; a word of a list by its name."""
    if field == "label" and value in LABELS:
        return label_words(value)
    if field == "outcome" and value in RUN_OUTCOMES:
        return outcome_value(value)
    return value


def subject_address(subject: str) -> str:
    """The page of a claim, a label or a sample."""
    return f"/{address_of(subject)}"


def subject_kind(subject: str) -> str:
    """Which of the three an id is of."""
    return kind_of(subject).name.capitalize()


GLOBALS: Mapping[str, Any] = MappingProxyType(
    {
        "line_words": line_words,
        "line_value": line_value,
        "field_value": field_value,
        "target_address": subject_address,
        "subject_kind": subject_kind,
    }
)
