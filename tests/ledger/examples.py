"""One fixed example of every event, with every field filled in and none at its default.

The golden files are these examples, so they stay as they are. A new field with a default does not
change them; give it a value in a new example.
"""

from collections.abc import Mapping
from datetime import UTC, datetime

from ledger import events as ev
from ledger.values import Digest, PartialDate, Score, Slug

READ_AT = datetime(2025, 7, 28, 10, 0, 0, tzinfo=UTC)
LATER = datetime(2025, 7, 29, 12, 30, 15, 123456, tzinfo=UTC)
DIGEST = Digest("ab" * 32)
OTHER_DIGEST = Digest("cd" * 32)
BENCHMARK = Slug("bigcodebench")
METRIC = Slug("pass-at-1")
DECISION = "R12-1"

STATEMENT = ev.Statement(
    name="GPT-4o (2024-05-13)",
    metric=METRIC,
    score=Score("72.50"),
    split="hard",
    setting="greedy",
    unit="%",
    published_on=PartialDate("2025-07"),
    lab="OpenAI",
    url="https://example.org/a?b=1&c=é",
    as_written="BigCodeBench (Hard)",
    section="Results",
    locator="Table 3",
    passed=107,
    completed=147,
    total=148,
    not_ranked="self-reported",
    extra=(("prompt", "instruct"), ("note", 'a "quote", a \\ and \u0007')),
)

CHANGES = (
    ev.Change("score", "72.50", "70.1"),
    ev.Change("unit", None, "%"),
    ev.Change("setting", "greedy", None),
)

TERMS = ev.Terms(
    outcome="accepted with changes",
    type="correction",
    reason="wrong value",
    snapshot=DIGEST,
    statement="The table says 70.1 – not 72.5. \U0001f4d0",
    effects=(
        ev.PlannedEffect(
            claim="c3f1",
            version=2,
            does="correct",
            applies_from=READ_AT,
            changes=(ev.Change("score", "72.5", "70.1"),),
        ),
        ev.PlannedEffect(
            claim="c3f2",
            version=1,
            does="retract",
            applies_from=None,
            upstream_on=PartialDate("2025-06-20"),
        ),
    ),
    replaces="R11-1",
    remainder=True,
)

BENCHMARKS: list[ev.Event] = [
    ev.BenchmarkRegistered(
        slug=BENCHMARK, name="BigCodeBench", read_at=READ_AT, why="the first board"
    ),
    ev.BenchmarkDescribed(
        facts={"released": "2024-06", "paper": None}, read_at=READ_AT, why="from its paper"
    ),
    ev.EvaluationChanged(
        what="judge",
        changed_on=PartialDate("2025-01-10/2025-02"),
        before="gpt-4",
        after="gpt-4o",
        effect="scores rise",
        read_at=READ_AT,
        why="release notes",
    ),
    ev.RankingRuleSet(
        metric=METRIC,
        name="pass@1",
        unit="%",
        higher_is_better=False,
        splits=("full", "hard"),
        combine="mean",
        decimals=1,
        headline=True,
        ordinal=3,
        met=True,
        read_at=READ_AT,
        why="as the board does",
    ),
    ev.CaveatStated(caveat=Slug("judge"), text=None, read_at=READ_AT, why="no longer true"),
]

MODELS: list[ev.Event] = [
    ev.LabRegistered(slug=Slug("openai"), name="OpenAI", read_at=READ_AT, why="seen on a board"),
    ev.ModelRegistered(
        slug=Slug("gpt-4o-2024-05-13"),
        name="GPT-4o",
        version="2024-05-13",
        lab="openai",
        released=PartialDate("2024-05-13"),
        means_from=LATER,
        read_at=READ_AT,
        why="seen on a board",
    ),
    ev.ModelDescribed(
        facts={"open": "no", "size": None}, read_at=READ_AT, why="from its model card"
    ),
    ev.ModelRenamed(name="GPT-4o May", version="2024-05", read_at=READ_AT, why="the lab says so"),
    ev.AliasAsserted(name="gpt4o", means_from=LATER, read_at=READ_AT, why="same run"),
    ev.AliasWithdrawn(name="gpt4o", read_at=READ_AT, why="another model now"),
]

SOURCES: list[ev.Event] = [
    ev.SourceRegistered(
        slug=Slug("bcb-board"),
        name="BigCodeBench board",
        kind="official leaderboard",
        address="https://example.org/board",
        lab="bigcode",
        model="gpt-4o-2024-05-13",
        published_on=PartialDate("2024"),
        read_at=READ_AT,
        why="linked from the paper",
    ),
    ev.SourceFrozen(
        digest=DIGEST,
        media_type="text/csv",
        size=9_007_199_254_740_991,
        read_at=READ_AT,
        order="002",
        benchmark=BENCHMARK,
        metrics=(METRIC, Slug("calibrated")),
        unread=("row 7",),
        entries_stated=51,
        transcribed=True,
        file="2025-07-28T100000Z-002.csv",
    ),
    ev.ReadingWithdrawn(
        digest=DIGEST, read_at=READ_AT, order="002", benchmark=BENCHMARK, why="the wrong file"
    ),
    ev.SourceFoundChanged(
        digest=DIGEST, found=OTHER_DIGEST, read_at=READ_AT, why="the page was edited"
    ),
    ev.PostRead(benchmark=BENCHMARK, listed=False, read_at=READ_AT),
]

CLAIMS: list[ev.Event] = [
    ev.ClaimRecorded(
        source=Slug("bcb-board"),
        benchmark=BENCHMARK,
        key="gpt-4o / greedy",
        says=STATEMENT,
        reading=DIGEST,
        read_at=READ_AT,
        order="002",
    ),
    ev.ClaimRestated(says=STATEMENT, reading=DIGEST, read_at=READ_AT, order="002"),
    ev.ClaimDelisted(reading=DIGEST, read_at=READ_AT, order="002"),
    ev.ClaimRelisted(says=STATEMENT, reading=DIGEST, read_at=READ_AT, order="002"),
    ev.ClaimReadingVoided(reading=DIGEST, read_at=READ_AT, order="002"),
    ev.ClaimCorrected(decision=DECISION, changes=CHANGES, applies_from=READ_AT),
    ev.ClaimReidentified(
        decision=DECISION, before="gpt-4o", model="gpt-4o-2024-05-13", applies_from=None
    ),
    ev.ClaimRetracted(decision=DECISION, applies_from=READ_AT, upstream_on=PartialDate("2025-06")),
    ev.ClaimReinstated(decision=DECISION, applies_from=READ_AT),
    ev.ClaimHeldOut(decision=DECISION, applies_from=None),
    ev.ClaimReadmitted(decision=DECISION, applies_from=READ_AT),
    ev.ClaimDisputed(decision=DECISION, applies_from=READ_AT, about="contamination"),
    ev.ClaimCleared(decision=DECISION, applies_from=READ_AT),
    ev.ClaimDecisionReversed(decision="R12-2", reverses=DECISION),
]

REPORTS: list[ev.Event] = [
    ev.ReportFiled(
        number=12,
        target="claims/c3f1",
        reason="wrong value",
        proposes=CHANGES,
        words=DIGEST,
        received_at=LATER,
    ),
    ev.ReportScreened(passed=False, reason="not about a claim"),
    ev.ReportAssigned(to="mira"),
    ev.ReportAmended(proposes=CHANGES, words=OTHER_DIGEST),
    ev.EvidenceAdded(digest=DIGEST, address="https://example.org/table-3", private=True),
    ev.ReviewStarted(),
    ev.ReportWithdrawn(reason="my mistake"),
    ev.DecisionProposed(decision=DECISION, terms=TERMS),
    ev.DecisionReturned(decision=DECISION, why="check the appendix too"),
    ev.DecisionMade(decision=DECISION, terms=TERMS),
    ev.DecisionReversed(
        decision="R12-2",
        reverses=DECISION,
        claims=("c3f1",),
        snapshot=OTHER_DIGEST,
        statement="The appendix was right.",
    ),
]

OTHERS: list[ev.Event] = [
    ev.CapabilityIndexRead(
        slug=Slug("index"),
        name="Capability index",
        models=(ev.RankedModel(rank=1, name="GPT-4o"), ev.RankedModel(rank=2, name="Claude 3.5")),
        entries_stated=40,
        as_of=PartialDate("2025-07-01"),
        read_at=READ_AT,
    ),
    ev.ImportReceived(
        digest=DIGEST,
        file="board.csv",
        format="snapshot",
        source=Slug("bcb-board"),
        benchmark=BENCHMARK,
        read_at=READ_AT,
        order="002",
        counts={"recorded": 50, "unchanged": 0},
        refused=("row 7, score: not a plain decimal number",),
    ),
]

EXAMPLES: Mapping[type, ev.Event] = {
    type(event): event for event in (*BENCHMARKS, *MODELS, *SOURCES, *CLAIMS, *REPORTS, *OTHERS)
}


def envelope(event_type: str, version: int = 1) -> ev.Envelope:
    """An envelope that is always the same."""
    return ev.Envelope(
        stream="claim:c3f1",
        version=version,
        type=event_type,
        recorded_at=LATER,
        recorded_by="mira",
        cause="report:12",
        salt="00112233445566778899aabbccddeeff",
    )
