"""The shapes of reports and decisions: what is sent to us, and what comes back."""

from ledger.vocabulary import EFFECTS, OUTCOMES, REASONS, UPDATE_TYPES
from web.api.shapes import (
    COUNT,
    DIGEST,
    FLAG,
    INSTANT,
    OBJECT,
    TEXT,
    Schema,
    beside,
    by_name,
    closed,
    listed,
    maybe,
    record,
    some,
)
from web.reporting.words import (
    CAVEAT_DOES,
    FIELD_WORDS,
    LONGEST_ADDRESS,
    MOST_ADDRESSES,
    WISH_WORDS,
    longest,
)
from web.reviewing.wishes import LARGEST, MOST_EFFECTS

SAID_ALREADY = ("refuse", "join", "anyway")
CHOICES = {"reason": list(REASONS), "wish": list(WISH_WORDS), "caveat-do": list(CAVEAT_DOES)}
VERSION: Schema = {"type": "integer", "minimum": 0, "maximum": LARGEST - 1}
TEXT_OR_NONE = maybe(TEXT)

REPORT = record(
    number=COUNT,
    state=TEXT,
    target=TEXT,
    reason=TEXT,
    proposes=some(OBJECT),
    filed_by=TEXT,
    received_at=INSTANT,
    held_by=maybe(TEXT),
    version=COUNT,
    awaiting=maybe(TEXT),
    proposed_by=maybe(TEXT),
)
SUBJECT = record(kind=TEXT, claim_id=TEXT, version=COUNT, snapshots=some(DIGEST))


def _field(name: str) -> Schema:
    if name in CHOICES:
        return {"enum": CHOICES[name], "description": FIELD_WORDS[name]}
    return {"type": "string", "maxLength": longest(name), "description": FIELD_WORDS[name]}


NEW_REPORT = closed(
    ("target", "reason"),
    **{name: _field(name) for name in FIELD_WORDS if name != "addresses"},
    addresses={
        "type": "array",
        "items": {"type": "string", "minLength": 1, "maxLength": LONGEST_ADDRESS},
        "maxItems": MOST_ADDRESSES,
        "description": "Where it can be seen.",
    },
    said_already={
        "enum": list(SAID_ALREADY),
        "description": "What to do where an open report says the same: refuse this one (409), "
        "which is usual, join it, or file it anyway.",
    },
)
FILED = record(
    letter={"type": "string", "description": "Its secret address: whoever has it may read on."},
    target=TEXT,
    received_at=INSTANT,
)

EFFECT = closed(
    ("claim", "version", "does", "applies_from"),
    claim={**TEXT, "description": "The id of a claim, label or sample."},
    version=VERSION,
    does={"enum": list(EFFECTS)},
    applies_from={**TEXT, "description": "start, or an instant."},
    set=by_name(TEXT_OR_NONE),
    model=TEXT_OR_NONE,
    upstream_on=TEXT_OR_NONE,
    about=TEXT_OR_NONE,
)
DECISION = closed(
    ("outcome", "version", "reason", "statement"),
    outcome={"enum": list(OUTCOMES)},
    version=VERSION,
    type=maybe({"enum": list(UPDATE_TYPES)}),
    reason={"enum": list(REASONS)},
    statement=TEXT,
    snapshot=maybe(DIGEST),
    effects={"type": "array", "items": EFFECT, "maxItems": MOST_EFFECTS},
    replaces=TEXT_OR_NONE,
    duplicate_of=maybe(VERSION),
    checks=some(TEXT),
    remainder=FLAG,
    propose=FLAG,
)
APPROVAL = closed(("approves", "version"), approves=TEXT, version=VERSION)
RETURN = closed(("returns", "version", "why"), returns=TEXT, version=VERSION, why=TEXT)
REVERSAL = closed(
    ("reverses", "version", "statement"),
    reverses=TEXT,
    version=VERSION,
    statement=TEXT,
    snapshot=maybe(DIGEST),
    propose=FLAG,
)
PROPOSED = record(
    report=COUNT,
    decision=TEXT,
    proposed=FLAG,
    returned=FLAG,
    by=TEXT,
    at=INSTANT,
    takes_two_because=some(TEXT),
)
PROBLEM = {
    **record(type=TEXT, title=TEXT, status=COUNT, kind=TEXT, detail=TEXT),
    "description": "Why not (RFC 9457); `kind` is the name of the refusal, which lasts.",
}

SHAPES: dict[str, Schema] = {
    "Report": REPORT,
    "Reports": listed("reports", "Report"),
    "ReportToDecide": beside(REPORT, claim=maybe(SUBJECT), csrf=maybe(TEXT)),
    "NewReport": NEW_REPORT,
    "FiledReport": FILED,
    "Order": {"oneOf": [DECISION, APPROVAL, RETURN, REVERSAL]},
    "Decided": {"anyOf": [{"$ref": "#/components/schemas/Correction"}, PROPOSED]},
    "Problem": PROBLEM,
}
