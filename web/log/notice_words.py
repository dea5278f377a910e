"""Entries of the log in words, the same on pages, in the feed and in messages."""

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

from ledger.decision import REVERSED
from ledger.subject import is_claim, subject_in
from ledger.values import instant_text, parse_instant
from ledger.vocabulary import CHECKS, REASONS
from projections.decisions.chain import Link
from projections.decisions.corrections import Correction, Touched
from projections.decisions.subjects import Names, Subject
from projections.decisions.touched import TouchedSubject
from projections.decisions.withdrawn import Withdrawn
from web.log import paper_words
from web.words import counted, instant_words, listed, term_words

OUTCOMES = {"withdrawn": "withdrawn before publication", REVERSED: "reversal"}
MOST_CLAIMS = 20
"""Claims that a message lists; the notice has all of them."""
CODE_CHECK_WORDS: Mapping[str, str] = MappingProxyType(
    {
        "row": "It is the right line: this repository or this code, and this paper",
        "digits": "The word and the digits are those of the source",
        "elsewhere": "I looked at what else rests on this snapshot",
        "boards": "I looked at what it does to the paper’s page",
    }
)
"""What is checked of a label or a sample, under the names that a claim's checks have."""

SHORTENED = 400
"""Characters of a statement in a list; the notice has all of it."""


def outcome_words(outcome: str) -> str:
    """An outcome, as filters and chains name it."""
    return OUTCOMES.get(outcome, term_words(outcome))


def decided_words(entry: Correction) -> str:
    """How an entry came out; a reversal says what it undoes."""
    if entry.outcome == REVERSED and entry.replaces is not None:
        return f"undoes correction {entry.replaces}"
    return outcome_words(entry.outcome)


def subject_words(entry: Correction, names: Names) -> str:
    """What an entry is about: a model on a benchmark, several claims, or what its report named."""
    if len(entry.claims) == 1:
        return claim_words(entry.claims[0], names)
    if entry.claims:
        where = listed(names.called("benchmark", slug) for slug in names.benchmarks(entry))
        return f"{counted(len(entry.claims), 'claim')} on {where}"
    if entry.subjects:
        return listed(code_words(one) for one in entry.subjects)
    return target_words(names.subject(entry.target), names)


def claim_words(claim: Touched, names: Names) -> str:
    """A claim by its model and its benchmark."""
    model = names.model(claim.model, claim.as_written)
    return f"{model} on {names.called('benchmark', claim.benchmark)}"


def code_words(touched: TouchedSubject) -> str:
    """A label by its repository and paper, a sample by the first digits of its code."""
    if touched.kind == "label":
        return f"the label of {touched.name} for paper {touched.paper}"
    return f"sample {touched.name[:16]}"


def target_words(subject: Subject, names: Names) -> str:
    """What a report is about."""
    if subject.kind == "claims" and subject.benchmark is not None:
        return f"{subject.name} on {names.called('benchmark', subject.benchmark)}"
    if subject.kind == "labels":
        return f"the label of {subject.name} for paper {subject.paper}"
    if subject.kind == "samples":
        return f"sample {subject.name[:16]}"
    kind, _, name = subject.name.partition("/")
    if subject.name == "site":
        return "these pages"
    if kind == "corrections" and name.isdecimal():
        return f"correction {name}"
    return f"snapshot {name[:12]}…" if kind == "snapshots" else subject.name


def change_words(claim: Touched | TouchedSubject, names: Names) -> list[str]:
    """What a decision did, field by field: ``score 72.5 → 70.1``."""
    benchmark = claim.benchmark if isinstance(claim, Touched) else None
    return [
        f"{term_words(field)} {value_words(field, before, names, benchmark)}"
        f" → {value_words(field, after, names, benchmark)}"
        for field, before, after in claim.changes
    ]


def value_words(field: str, value: str | None, names: Names, benchmark: str | None = None) -> str:
    """A field's value as it is read; a model and a metric (of a benchmark) by their names."""
    if value is None:
        return "not stated"
    if field == "model":
        return names.model(value, value)
    if field == "metric":
        return names.metrics.metric(benchmark, value)
    return paper_words.field_value(field, value) or value


def applies_words(claim: Touched | TouchedSubject) -> str:
    """From when a change applies."""
    if claim.applies_from == "start":
        return "from its first reading"
    return f"from {instant_words(parse_instant(claim.applies_from))}"


def standing_words(entry: Correction) -> str | None:
    """Whether an entry still counts, where anything came after it."""
    if entry.replaced_by is None:
        return None
    if entry.in_force:
        return f"in force again, after correction {entry.replaced_by} was undone"
    return f"no longer in force: correction {entry.replaced_by} came in its place"


def link_words(link: Link) -> str:
    """One step of a chain."""
    return f"{outcome_words(link.outcome)}, by {link.decided_by}, {instant_words(link.decided_at)}"


def title_words(entry: Correction, names: Names) -> str:
    """An entry in one line."""
    title = f"Correction {entry.number}, {decided_words(entry)}: "
    title += subject_words(entry, names)
    touched: list[Touched | TouchedSubject] = [*entry.claims, *entry.subjects]
    changes = change_words(touched[0], names) if len(touched) == 1 else []
    return f"{title} ({'; '.join(changes)})" if changes else title


def notice_words(entry: Correction, names: Names) -> Iterator[str]:
    """An entry in full, paragraph by paragraph."""
    terms = [decided_words(entry), entry.type and term_words(entry.type)]
    yield f"{', '.join(filter(None, terms)).capitalize()}. Reason: {term_words(entry.reason)}."
    if not entry.claims and not entry.subjects:
        yield f"About {subject_words(entry, names)}."
    for one in entry.subjects[:MOST_CLAIMS]:
        done = "; ".join(change_words(one, names)) or "nothing that shows"
        yield f"{code_words(one).capitalize()}: {done}."
    for claim in entry.claims[:MOST_CLAIMS]:
        changes = "; ".join(change_words(claim, names)) or "nothing that shows"
        yield f"{claim_words(claim, names)}: {changes}."
    if len(entry.claims) > MOST_CLAIMS:
        yield f"And {counted(len(entry.claims) - MOST_CLAIMS, 'more claim')}."
    yield entry.statement
    checked = f" Snapshot checked: {entry.snapshot}." if entry.snapshot else ""
    proposed = f", as {entry.proposed_by} had proposed" if entry.proposed_by else ""
    yield f"Decided by {entry.decided_by}{proposed}, {instant_words(entry.decided_at)}.{checked}"
    if entry.replaces is not None and entry.outcome != REVERSED:
        yield f"It comes in the place of correction {entry.replaces}."
    standing = standing_words(entry)
    if standing is not None:
        yield f"{standing[0].upper()}{standing[1:]}."


def why_withdrawn(one: Withdrawn) -> str | None:
    """Why a report was taken back, as far as that may be shown."""
    return term_words(one.why) if one.why in REASONS else one.why


def check_words(subject: str | None) -> Mapping[str, str]:
    """What a reviewer can say to have checked of a claim, a label or a sample."""
    return CODE_CHECK_WORDS if subject and not is_claim(subject) else CHECKS


def checked_words(entry: Correction) -> Mapping[str, str]:
    """The same for what an entry is about."""
    of_code = entry.subjects[0].subject if entry.subjects and not entry.claims else None
    return check_words(of_code or subject_in(entry.target))


def shortened(text: str, most: int = SHORTENED) -> str:
    """The beginning of a long text, cut between words where that is near."""
    if len(text) <= most:
        return text
    cut = text[:most]
    return f"{cut.rsplit(None, 1)[0] if len(cut.split()) > 1 else cut} …"


# What templates call these by: filters of one value, and functions of several.
FILTERS: Mapping[str, Callable[..., Any]] = MappingProxyType(
    {
        "outcome": outcome_words,
        "decided_words": decided_words,
        "applies": applies_words,
        "standing": standing_words,
        "link_words": link_words,
        "shortened": shortened,
        "why_withdrawn": why_withdrawn,
        "rfc3339": instant_text,
    }
)
GLOBALS: Mapping[str, Any] = MappingProxyType(
    {
        "code_words": code_words,
        "subject_words": subject_words,
        "claim_words": claim_words,
        "target_words": target_words,
        "value_words": value_words,
        "checked_words": checked_words,
        **paper_words.GLOBALS,
    }
)
