"""A ledger for tests: real stores, a clock set by hand, and the few moves that stories need."""

from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

import attrs

from ledger import commands as orders
from ledger import events as ev
from ledger.benchmark import stream_of as benchmark_stream
from ledger.claim import claim_id
from ledger.importing.board import Target
from ledger.importing.formats.snapshot import Metrics, read_snapshot
from ledger.importing.receipt import FileReceipt
from ledger.importing.snapshot import BoardImporter
from ledger.model import stream_of as model_stream
from ledger.store import Appended
from ledger.values import Digest, Instant, Slug, parse_instant
from projections.board.boards import Board, board_at
from projections.decisions.corrections import Correction, corrections
from projections.moment import Moment
from projections.over_time.changes import Step, changes_between
from tests.ledger.engines import Salt
from web.settings import Settings
from web.wiring import Workspace, make_home, open_workspace

BENCHMARK = Slug("kitebench")
SOURCE = Slug("kite-board")
START = datetime(2025, 6, 1, 12, tzinfo=UTC)


@attrs.define
class Clock:
    """The server's clock, set by hand."""

    now: Instant = START

    def __call__(self) -> Instant:
        """Tell the time."""
        return self.now


@attrs.define
class Desk:
    """One ledger, and who sits at it."""

    workspace: Workspace
    clock: Clock
    importer: BoardImporter
    reported: int = 0

    # --- time ---------------------------------------------------------------------------------

    def at(self, text: str) -> "Desk":
        """Let it be this instant (or the beginning of this day)."""
        self.clock.now = parse_instant(text)
        return self

    # --- bringing in --------------------------------------------------------------------------

    def read(
        self,
        rows: str,
        at: str | None = None,
        *,
        header: str = "key,model,score",
        source: str = SOURCE,
        kind: str = "official-leaderboard",
        name: str = "board.csv",
    ) -> FileReceipt:
        """Read a board: CSV rows, one a line (``;`` ends a line too)."""
        data = "\n".join([header, *rows.replace(";", "\n").split("\n")]).encode() + b"\n"
        target = Target(source=Slug(source), benchmark=BENCHMARK, kind=kind, unit="%")
        facts = self.workspace.ledger.facts(benchmark_stream(BENCHMARK))
        board = read_snapshot(
            name,
            data,
            target=target,
            metrics=Metrics.of(facts),
            now=self.clock.now,
            read_at=parse_instant(at) if at else None,
        )
        return self.importer.read(board, target)

    def only_tracked(self, data: str, at: str) -> FileReceipt:
        """Read a board without registering the models that it names."""
        target = Target(source=SOURCE, benchmark=BENCHMARK, only_tracked=True)
        board = read_snapshot(
            "board.csv",
            data.encode(),
            target=target,
            metrics=Metrics(),
            now=self.clock.now,
            read_at=parse_instant(at),
        )
        return self.importer.read(board, target)

    def set_rule(self, fact: ev.RankingRuleSet) -> None:
        """Set a rule as it stands."""
        self.do(orders.Assert(stream=benchmark_stream(BENCHMARK), fact=fact))

    def rule(
        self, metric: str, at: str, *splits: str, combine: str = "best", unit: str | None = "%"
    ) -> None:
        """Set how a metric ranks."""
        stream = benchmark_stream(BENCHMARK)
        if not self.workspace.ledger.facts(stream):
            name = ev.BenchmarkRegistered(slug=BENCHMARK, name="KiteBench", read_at=_at(at))
            self.do(orders.Assert(stream=stream, fact=name))
        rule = ev.RankingRuleSet(
            metric=Slug(metric),
            name=metric,
            unit=unit,
            splits=splits or None,
            combine=combine,
            headline=True,
            read_at=_at(at),
            why="how it is ranked",
        )
        self.do(orders.Assert(stream=stream, fact=rule))

    def model(self, slug: str, fact: ev.ModelEvent) -> None:
        """State something about a model."""
        self.do(orders.Assert(stream=model_stream(slug), fact=fact))

    # --- reporting and deciding ---------------------------------------------------------------

    def report(self, claim: str, by: str = "reporter") -> int:
        """File a report about a claim."""
        self.reported += 1
        order = orders.FileReport(
            number=self.reported,
            target=f"claims/{claim}",
            reason="wrong-value",
            received_at=self.clock.now,
        )
        self.do(order, by)
        return self.reported

    def decide(
        self, number: int, *effects: orders.AnyEffect, by: str = "reviewer", **terms: object
    ) -> str:
        """Accept a report with these effects, as a person who checked the latest snapshot."""
        settled: dict[str, object] = {
            "outcome": "accepted",
            "type": "correction",
            "reason": "wrong-value",
            "statement": "The source says otherwise.",
            "snapshot": self.snapshot(effects[0].claim) if effects else None,
            **terms,
        }
        order = orders.Decide(number=number, effects=effects, **settled)  # type: ignore[arg-type]
        self.do(order, by)
        report = self.workspace.ledger.report(number)
        for decision in report.proposed:
            self.do(orders.ApproveDecision(number=number, decision=decision), "second-reviewer")
            return decision
        return list(report.decided)[-1]

    def correct(
        self, claim: str, since: orders.AppliesFrom = "start", **to: str | None
    ) -> tuple[int, str]:
        """Report and correct a claim; gives the report's number and the decision."""
        number = self.report(claim)
        wish = orders.Correct(claim=claim, applies_from=since, to=tuple(to.items()))
        return number, self.decide(number, wish)

    def reverse(self, number: int, decision: str) -> None:
        """Undo a decision."""
        order = orders.ReverseDecision(number=number, decision=decision, statement="It was right.")
        self.do(order, "reviewer")

    def do(self, order: orders.Command, by: str = "curator") -> Appended | None:
        """Give an order."""
        return self.workspace.ledger.do(order, by)

    def snapshot(self, claim: str) -> Digest:
        """The snapshot that a claim (a label, a sample) rests on."""
        return Digest(self.workspace.ledger.told(claim).readings[-1].digest)

    # --- looking ------------------------------------------------------------------------------

    def moment(self, day: str | None = None, **time: str) -> Moment:
        """The moment of a day, by this desk's clock."""
        self.workspace.follower.catch_up()
        return self.workspace.moment(as_read_on=day, **time)

    def board(
        self,
        day: str | None = None,
        *,
        view: str = "all",
        metric: str | None = None,
        every_claim: bool = False,
        **time: str,
    ) -> Board:
        """The board as read on a day."""
        moment = self.moment(day, **time)
        with self.workspace.views.read() as reader:
            return board_at(
                reader, BENCHMARK, moment, view=view, metric=metric, every_claim=every_claim
            )

    def scores(self, day: str | None = None, **how: str) -> dict[str, str]:
        """Names and scores of the board, best first."""
        return shown(self.board(day, **how))  # type: ignore[arg-type]

    def changes(self, start: str, end: str) -> list[Step]:
        """The steps between two days."""
        moment = self.moment(end)
        with self.workspace.views.read() as reader:
            store = self.workspace.ledger.store
            return changes_between(reader, store, BENCHMARK, parse_instant(start), moment)

    def log(self) -> list[Correction]:
        """The public log, newest first."""
        self.workspace.follower.catch_up()
        with self.workspace.views.read() as reader:
            return corrections(reader, self.workspace.ledger.store)


def open_desk(folder: Path, database: str | None = None) -> Desk:
    """A new ledger in a folder (its stores at a PostgreSQL address, if one is given)."""
    settings = Settings(home=folder, database_url=database)
    make_home(settings)
    clock = Clock()
    workspace = open_workspace(settings, clock=clock, salt=Salt())
    return Desk(workspace, clock, workspace.importer("curator"))


def claim(key: str, metric: str = "score", split: str | None = None, source: str = SOURCE) -> str:
    """The id of a claim on the test's board."""
    return claim_id(source, BENCHMARK, key, metric, split)


def shown(board: Board) -> dict[str, str]:
    """Names and scores, best first."""
    return {row.name: str(row.score) for row in board.rows}


def kinds(steps: Iterable[Step]) -> list[tuple[str, str | None, str | None]]:
    """What happened, in short."""
    return [(step.kind, step.old, step.new) for step in steps]


def _at(text: str) -> Instant:
    return parse_instant(text)
