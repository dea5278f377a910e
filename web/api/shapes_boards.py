"""The shapes of boards, claims, models and sources, and of what changed on them."""

from web.api.shapes import (
    ANYTHING,
    AS_READ_ON,
    BENCHMARK_REF,
    CLAIM_ID,
    COUNT,
    DIGEST,
    FLAG,
    INSTANT,
    MODEL_REF,
    MOMENT,
    MOMENT_FIELDS,
    NUMBER,
    OBJECT,
    PARTIAL_DATE,
    RULE,
    SCORE,
    SLUG,
    SOURCE_REF,
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

MARK = by_name(TEXT)
ROW = record(
    rank=maybe(COUNT),
    model=maybe(MODEL_REF),
    score=maybe(SCORE),
    unit=maybe(TEXT),
    published_on=maybe(PARTIAL_DATE),
    source=SOURCE_REF,
    key=TEXT,
    as_written=TEXT,
    claim_id=maybe(CLAIM_ID),
    tied=FLAG,
    marks=some(MARK),
    metric=TEXT,
    split=maybe(TEXT),
    setting=maybe(TEXT),
    wording=maybe(TEXT),
)
LEADER = record(
    model=maybe(MODEL_REF),
    score=maybe(SCORE),
    unit=maybe(TEXT),
    since=TEXT,
    claim_id=maybe(CLAIM_ID),
)
STATUS = record(
    status=TEXT,
    posts_in_12_months=maybe(COUNT),
    posts_in_12_months_before=maybe(COUNT),
    last_listed=maybe(PARTIAL_DATE),
    before_it_saturated=maybe(COUNT),
)
LATER = record(correction=COUNT, claim_id=CLAIM_ID, decided_at=INSTANT)
BOARD = record(
    benchmark=BENCHMARK_REF,
    view=TEXT,
    metric=maybe(RULE),
    **MOMENT_FIELDS,
    rows=some(named("Row")),
    unranked=some(named("Row")),
    untracked=COUNT,
    leader=maybe(LEADER),
    headline=maybe(TEXT),
    caveats=some(TEXT),
    evaluation_changes=some(OBJECT),
    status=OBJECT,
    coverage=some(OBJECT),
    empty_because=maybe(TEXT),
    changed_since=some(LATER),
)
BENCHMARK = record(
    slug=SLUG, name=TEXT, board={"type": "string", "description": "The address of its board."}
)

STEP = record(
    kind=TEXT,
    model=maybe(TEXT),
    name=TEXT,
    metric=TEXT,
    old=maybe(TEXT),
    new=maybe(TEXT),
    read_at=INSTANT,
    position=COUNT,
    claim_id=maybe(TEXT),
    decision=maybe(TEXT),
)
CAUSED = beside(STEP, cause=OBJECT)
CHANGES = record(
    benchmark=BENCHMARK_REF,
    view=maybe(TEXT),
    metric=maybe(RULE),
    **{"from": INSTANT},
    to=AS_READ_ON,
    recorded_through=THROUGH,
    changes=some(named("Change")),
    rules=some(OBJECT),
    rows=some(OBJECT),
    unmoved=COUNT,
)
HISTORY = record(model=SLUG, name=TEXT, changes=some(beside(CAUSED, benchmark=TEXT)))

READING = record(
    digest=DIGEST,
    read_at=INSTANT,
    recorded_at=INSTANT,
    recorded_by=TEXT,
    position=COUNT,
    media_type=TEXT,
    size=COUNT,
    entries_stated=maybe(COUNT),
    transcribed=FLAG,
    file=maybe(TEXT),
    benchmark=maybe(TEXT),
    withdrawn=ANYTHING,
)
STATEMENT = record(name=TEXT, metric=TEXT, score=SCORE)
CLAIM = record(
    claim_id=CLAIM_ID,
    benchmark=BENCHMARK_REF,
    source=SOURCE_REF,
    key=TEXT,
    **MOMENT_FIELDS,
    version=COUNT,
    model=maybe(TEXT),
    model_name=maybe(TEXT),
    says=maybe(STATEMENT),
    shows=maybe(STATEMENT),
    corrected_by=some(TEXT),
    held_out=ANYTHING,
    retracted_by=maybe(TEXT),
    review=some(ANYTHING),
    marks=some(MARK),
    history=some(named("Step")),
    readings=some(named("Reading")),
    corrections=some(named("Correction")),
    changed_since=some(LATER),
)
LISTED_CLAIM = record(
    claim_id=CLAIM_ID,
    address=TEXT,
    benchmark=SLUG,
    source=SLUG,
    key=TEXT,
    as_written=TEXT,
    model=maybe(TEXT),
    metric=TEXT,
    split=maybe(TEXT),
    setting=maybe(TEXT),
    score=maybe(SCORE),
    unit=maybe(TEXT),
    published_on=maybe(PARTIAL_DATE),
    standing=TEXT,
)
MODEL = record(
    slug=SLUG,
    name=TEXT,
    lab=maybe(TEXT),
    facts=OBJECT,
    **MOMENT_FIELDS,
    benchmarks=some(record(slug=SLUG, name=TEXT, claims=NUMBER)),
    claims={"type": "string", "description": "Where its claims are listed."},
)
SOURCE = record(slug=SLUG, readings=some(named("Reading")), claims=some(OBJECT))

SHAPES: dict[str, Schema] = {
    "Moment": MOMENT,
    "Row": ROW,
    "Board": BOARD,
    "Benchmark": BENCHMARK,
    "Benchmarks": listed("benchmarks", "Benchmark", **MOMENT_FIELDS),
    "Step": STEP,
    "Change": CAUSED,
    "Changes": CHANGES,
    "ModelHistory": HISTORY,
    "Reading": READING,
    "Claim": CLAIM,
    "ListedClaim": LISTED_CLAIM,
    "Claims": listed("claims", "ListedClaim", **MOMENT_FIELDS),
    "Model": MODEL,
    "Source": SOURCE,
}
