"""The shapes of corrections, of the log of events, and of what proves it."""

from web.api.shapes import (
    ANYTHING,
    COUNT,
    DIGEST,
    FLAG,
    INSTANT,
    NUMBER,
    OBJECT,
    SLUG,
    TEXT,
    THROUGH,
    Schema,
    beside,
    by_name,
    listed,
    maybe,
    named,
    record,
    some,
)

CORRECTION = record(
    number=COUNT,
    decided_at=INSTANT,
    outcome=TEXT,
    type=maybe(TEXT),
    reason=TEXT,
    statement=TEXT,
    claims=some(OBJECT),
    subjects=some(OBJECT),
    decided_by=TEXT,
    proposed_by=maybe(TEXT),
    snapshot=maybe(DIGEST),
    replaces=ANYTHING,
    replaced_by=ANYTHING,
    in_force=FLAG,
    changed_at=INSTANT,
    decision=TEXT,
    report=COUNT,
    target=TEXT,
)
WITHDRAWN = record(
    report=COUNT, withdrawn_at=INSTANT, benchmark=maybe(TEXT), reason=TEXT, why=maybe(TEXT)
)
NOTICE = beside(
    CORRECTION,
    asked_by=maybe(TEXT),
    checks=some(ANYTHING),
    decides_a_part=FLAG,
    duplicates=some(ANYTHING),
    same_report=some(ANYTHING),
    later=some(ANYTHING),
    chain=some(COUNT),
    boards=some(OBJECT),
    before=COUNT,
    after=COUNT,
    papers=some(OBJECT),
)

CHECKPOINT = record(size=COUNT, root=TEXT, position=COUNT, checkpoint=TEXT)
SEALED = beside(CHECKPOINT, reached_at=maybe(INSTANT), keys=some(TEXT))
STATE = record(
    recorded=COUNT,
    shown=COUNT,
    behind=COUNT,
    checkpoint=maybe(named("Checkpoint")),
    events=COUNT,
    withheld=COUNT,
    types=by_name(COUNT),
    recorded_by=by_name(COUNT),
)
LOGGED = record(
    position=COUNT,
    entry=DIGEST,
    withheld=FLAG,
    stored={"type": "string", "description": "Where its stored bytes are."},
)
IMPORT = record(
    position=COUNT,
    digest=DIGEST,
    file=maybe(TEXT),
    format=TEXT,
    source=SLUG,
    benchmark=maybe(TEXT),
    read_at=INSTANT,
    recorded_at=INSTANT,
    recorded_by=TEXT,
    counts=OBJECT,
    refused=some(ANYTHING),
)
RECEIPT = beside(
    IMPORT,
    order=ANYTHING,
    reading=maybe(OBJECT),
    withdrawn_at=maybe(NUMBER),
    recorded_through=THROUGH,
)
READ = record(source=SLUG, digest=DIGEST, read_at=INSTANT, position=COUNT)
SNAPSHOT = record(
    digest=DIGEST,
    bytes=TEXT,
    readings=some(named("FrozenReading")),
    readings_in_all=COUNT,
    headers=some(OBJECT),
    claims=some(TEXT),
    claims_in_all=COUNT,
)
EVENT = record(
    position=COUNT,
    index=COUNT,
    entry=DIGEST,
    withheld=FLAG,
    stored=maybe({"type": "string", "description": "The stored bytes; null where withheld."}),
)
PROOF = some(TEXT)
CHECKPOINT_REF = named("SignedCheckpoint")
KEYS = record(origin=TEXT, keys=some(TEXT), ties=some(TEXT))

SHAPES: dict[str, Schema] = {
    "Correction": CORRECTION,
    "Corrections": listed(
        "corrections",
        "Correction",
        matching=COUNT,
        in_all=COUNT,
        withdrawn=some(WITHDRAWN),
        open=maybe(COUNT),
    ),
    "Notice": NOTICE,
    "SignedCheckpoint": CHECKPOINT,
    "Checkpoint": SEALED,
    "Checkpoints": listed("checkpoints", "Checkpoint"),
    "LogState": STATE,
    "LoggedEvent": LOGGED,
    "LoggedEvents": listed("events", "LoggedEvent", recorded_through=THROUGH),
    "Import": IMPORT,
    "Imports": listed("imports", "Import", recorded_through=THROUGH),
    "ImportReceipt": RECEIPT,
    "FrozenReading": READ,
    "FrozenReadings": listed("readings", "FrozenReading", recorded_through=THROUGH),
    "Snapshot": SNAPSHOT,
    "StoredEvent": EVENT,
    "InclusionProof": record(
        position=COUNT, index=COUNT, entry=DIGEST, leaf=TEXT, proof=PROOF, under=CHECKPOINT_REF
    ),
    "ConsistencyProof": record(**{"from": CHECKPOINT_REF}, to=CHECKPOINT_REF, proof=PROOF),
    "Keys": KEYS,
}
