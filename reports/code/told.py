"""What is said of facts about code wherever they show: by whom, when, and what became of it."""

from typing import Any

import attrs

from ledger.subject import address_of
from ledger.values import PartialDate, instant_text, short_instant
from ledger.vocabulary import LABELS, POINTER_ONLY, RUN_OUTCOMES
from projections.code.cited import Stated
from projections.code.tales import Tale
from reports.code.words import blame_words
from reports.contract import Json, step_json

PAPER_CALL = "get_harvested_code_for_paper"
SAMPLE_CALL = "get_code"


def call(tool: str, **arguments: str) -> str:
    """A tool call as an agent makes it, with the page's own id filled in."""
    given = ", ".join(f'{name}="{value}"' for name, value in arguments.items())
    return f"{tool}({given})"


def stated_json(stated: Stated) -> Json:
    """Where a fact was read, and where it stands in the ledger."""
    return {
        "snapshot": stated.fact.reading,
        "read_at": short_instant(stated.fact.read_at),
        "recorded_at": instant_text(stated.recorded_at),
        "recorded_by": stated.recorded_by,
        "position": stated.position,
        "marks": stated.marks,
    }


def tale_json(tale: Tale[Any]) -> Json:
    """What is told of a label or a sample: what its source says, what shows, and why."""
    state = tale.state
    return {
        "id": tale.subject,
        "address": address_of(tale.subject),
        "version": tale.told.version,
        "says": _fields(state.says) if state else None,
        "shows": _fields(state.shows) if state else None,
        "corrected_by": list(state.corrected_by) if state else [],
        "retracted_by": state.retracted_by if state else None,
        "disputed_by": state.disputed_by if state else None,
        "review": list(state.review) if state else [],
        "marks": [dict(mark) for mark in tale.marks],
        "history": [step_json(step) for step in tale.steps],
        "snapshots": list(dict.fromkeys(reading.digest for reading in tale.told.readings)),
    }


def _fields(says: Any) -> Json:
    found = attrs.asdict(says, recurse=False)
    return {
        name: value.text if isinstance(value, PartialDate) else value
        for name, value in found.items()
    }


def date_json(date: PartialDate | None) -> str | None:
    """A date with the precision that its source gave, if it gave one."""
    return None if date is None else date.text


def vocabulary_json() -> Json:
    """What the words mean, so that no value stands without its definition."""
    return {
        "labels": {
            label: {"name": name, "means": means, "asserted_by": kind}
            for label, (name, means, kind) in LABELS.items()
        },
        "outcomes": {
            outcome: {"name": name, "blames": blame_words(outcome), "means": means}
            for outcome, (name, _, means) in RUN_OUTCOMES.items()
        },
        "pointer_only": dict(POINTER_ONLY),
    }
