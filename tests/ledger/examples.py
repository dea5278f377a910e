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

PAPERS: list[ev.Event] = [
    ev.PaperRegistered(
        slug=Slug("2406.15877"),
        title="A Benchmark of Kites",
        authors=("Ada Wren", "Bo Sánchez"),
        arxiv_id="2406.15877",
        address="https://example.org/abs/2406.15877",
        published_on=PartialDate("2024-06"),
        source=Slug("kites-paper"),
        read_at=READ_AT,
        why="listed by the archive",
    ),
    ev.PaperDescribed(
        facts={"title": "A Benchmark of Kites, again", "venue": None}, read_at=READ_AT, why="v2"
    ),
    ev.AbstractQuoted(
        text="Kites fly.To assess them \u2013 we let go.",
        licence="CC0-1.0",
        source=Slug("archive"),
        reading=DIGEST,
        read_at=READ_AT,
        order="002",
    ),
    ev.ArchiveEntryRead(
        leaderboard_rows=2,
        tasks=("Kite flying",),
        tasks_without_page=1,
        methods=("String",),
        source=Slug("archive"),
        reading=DIGEST,
        read_at=READ_AT,
        order="002",
    ),
    ev.RepositoryListed(
        repository=Slug("wren--kites"),
        listed=False,
        official=True,
        mentioned=False,
        source=Slug("archive"),
        reading=DIGEST,
        read_at=READ_AT,
        order="002",
    ),
    ev.RunCountsRead(
        repositories=2,
        harvested=4,
        ran=3,
        no_run=1,
        outcomes={"honoured": 0, "violated": 1, "draft-wrong": 2},
        pointer_only=1,
        parts=(
            ev.CountedPart(repository=Slug("wren--kites"), harvested=3, ran=2),
            ev.CountedPart(label="community", repositories=1, harvested=1, ran=1),
        ),
        source=Slug("record"),
        reading=DIGEST,
        read_at=READ_AT,
        order="002",
    ),
    ev.RepositoryRegistered(
        slug=Slug("wren--kites"),
        name="Wren/kites",
        address="https://example.org/Wren/kites",
        read_at=READ_AT,
        why="linked from the paper",
    ),
    ev.RepositoryLabelled(
        paper=Slug("2406.15877"),
        repository=Slug("wren--kites"),
        label=None,
        as_of=PartialDate("2025-07-28"),
        source=Slug("archive"),
        reading=DIGEST,
        read_at=READ_AT,
        order="002",
    ),
    ev.SampleHarvested(
        code="ab" * 10,
        repository=Slug("wren--kites"),
        path="kites/string.py",
        symbol="let_go",
        commit="cd" * 20,
        licence="GPL-3.0",
        pointer_only="not-permissive",
        harvested_on=PartialDate("2025-06"),
        source=Slug("record"),
        reading=DIGEST,
        read_at=READ_AT,
        order="002",
    ),
    ev.SampleRunRead(
        code="ab" * 32,
        outcome="draft-wrong",
        ran_on=PartialDate("2025-06-30"),
        source=Slug("record"),
        reading=DIGEST,
        read_at=READ_AT,
        order="002",
    ),
]

PROBES: list[ev.Event] = [
    ev.ProbeWindowOpened(
        slug=Slug("july-2025"),
        subject="reachability of repositories",
        first_day=PartialDate("2025-07-27"),
        last_day=PartialDate("2025-07-29"),
        about="papers/2406.15877",
        links=("https://example.org/Wren/kites",),
        links_stated=3,
        source=Slug("record"),
        read_at=READ_AT,
        why="once a quarter",
    ),
    ev.LinkProbed(
        link="https://example.org/Wren/kites",
        result="unreachable",
        cause=Slug("redirect-loop"),
        status=302,
        found_at="https://example.org/wren/kites",
        digest=DIGEST,
        read_at=READ_AT,
    ),
    ev.ProbeWindowClosed(read_at=LATER, why="all links were probed"),
]

EXAMPLES: Mapping[type, ev.Event] = {
    type(event): event
    for event in (
        *BENCHMARKS,
        *MODELS,
        *SOURCES,
        *CLAIMS,
        *REPORTS,
        *OTHERS,
        *PAPERS,
        *PROBES,
    )
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
