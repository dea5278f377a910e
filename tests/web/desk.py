"""A reviewer's desk: a small board, a copy of it, and reports about one number that is wrong.

KiteBench was read twice: from its own leaderboard, and from a board that copied it. Heron-7B stands
at 72.5 on both; Ibis-13B leads with 80.0.
"""

import shutil
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import attrs
import pytest
from flask import Flask

from ledger import commands as orders
from ledger.claim import claim_id
from ledger.events import Change
from ledger.importing.board import Target
from ledger.importing.formats.snapshot import Metrics, read_snapshot
from ledger.values import Digest, Instant, Slug
from projections.board.boards import board_at
from projections.decisions.corrections import Correction, corrections
from tests.web.people import Person, signed_in, stranger
from web.app import create_app
from web.reporting.filing import file_numbered
from web.reviewing.deciding import Decision, decide
from web.settings import Settings
from web.wiring import Workspace, make_home, open_workspace

START = datetime(2025, 7, 20, 9, tzinfo=UTC)
BENCHMARK = Slug("kitebench")
BOARD = Target(
    source=Slug("kite-board"),
    benchmark=BENCHMARK,
    benchmark_name="KiteBench v1",
    source_name="KiteBench leaderboard",
    unit="%",
)
COPY = Target(
    source=Slug("kite-copy"),
    benchmark=BENCHMARK,
    kind="copied-board",
    source_name="Board of boards",
    unit="%",
)
READINGS = (
    (BOARD, "2025-07-01T080000Z.csv", "model,score\nHeron-7B,72.5\nIbis-13B,80.0\nLoon-3B,40\n"),
    (COPY, "2025-07-02T080000Z.csv", "model,score\nHeron-7B,72.50\n"),
)
HERON = claim_id("kite-board", "kitebench", "Heron-7B", "score", None)
IBIS = claim_id("kite-board", "kitebench", "Ibis-13B", "score", None)
LOON = claim_id("kite-board", "kitebench", "Loon-3B", "score", None)
COPIED = claim_id("kite-copy", "kitebench", "Heron-7B", "score", None)
ASKED = (Change("score", "72.5", "70.1"),)


@attrs.define
class Ticking:
    """A clock that moves on by a second at every look."""

    now: Instant = START

    def __call__(self) -> Instant:
        """Tell the time and move on."""
        self.now += timedelta(seconds=1)
        return self.now


@attrs.frozen
class Desk:
    """The open ledger and what reviewers do with it."""

    workspace: Workspace
    clock: Ticking

    # --- what happens -------------------------------------------------------------------------

    def file(
        self,
        claim: str = HERON,
        proposes: Sequence[Change] = ASKED,
        by: str = "dana",
        reason: str = "wrong-value",
    ) -> int:
        """Report something about a claim; the number of the report."""
        return file_numbered(
            self.workspace,
            by,
            lambda number: orders.FileReport(
                number=number,
                target=f"claims/{claim}",
                reason=reason,
                proposes=tuple(proposes),
                received_at=self.clock(),
            ),
        )

    def order(self, number: int, *effects: orders.AnyEffect, **said: Any) -> orders.Decide:
        """A decision as a reviewer who looks at everything now would take it."""
        claims = [effect.claim for effect in effects] or [HERON]
        told: dict[str, Any] = {
            "version": self.version(number),
            "outcome": "accepted" if effects else "declined",
            "reason": "wrong-value",
            "statement": "We looked at the table.",
            "snapshot": self.snapshot(claims[0]),
        }
        return orders.Decide(number=number, effects=effects, **(told | said))

    def correct(self, score: str = "70.1", claim: str = HERON, **said: Any) -> orders.Correct:
        """A corrected score, on the claim as it is now."""
        version = self.workspace.ledger.claim(claim).version
        told: dict[str, Any] = {"applies_from": "start", "to": (("score", score),)}
        return orders.Correct(claim=claim, version=version, **(told | said))

    def accept(self, to: str = "70.1", claim: str = HERON, by: str = "boris") -> Decision:
        """Report a wrong score and correct it, with a second person where it takes one."""
        number = self.file(claim, (Change("score", None, to),))
        made = self.decide(self.order(number, self.correct(to, claim)), by)
        return self.approve(made) if made.proposed else made

    def decide(self, order: Any, by: str = "boris") -> Decision:
        """Take a decision by the one way there is."""
        return decide(self.workspace, order, by)

    def approve(self, proposed: Decision, by: str = "clara") -> Decision:
        """Let what was proposed take effect."""
        order = orders.ApproveDecision(
            number=proposed.number, version=self.version(proposed.number), decision=proposed.name
        )
        return self.decide(order, by)

    def reverse(self, made: Decision, by: str = "clara", **said: Any) -> Decision:
        """Undo a decision."""
        order = orders.ReverseDecision(
            number=made.number,
            version=self.version(made.number),
            decision=made.name,
            statement="We read the wrong row.",
        )
        return self.decide(orders.revised(order, **said), by)

    def read_again(self, text: str, name: str = "2025-07-10T080000Z.csv") -> None:
        """Import another reading of the leaderboard."""
        read(self.workspace, BOARD, name, text)

    # --- what is there ------------------------------------------------------------------------

    def version(self, number: int) -> int:
        """The version of a report now."""
        return self.workspace.ledger.report(number).version

    def snapshot(self, claim: str = HERON) -> Digest:
        """The latest reading of a claim."""
        return Digest(self.workspace.ledger.claim(claim).readings[-1].digest)

    def log(self) -> list[Correction]:
        """The public log, newest first."""
        self.workspace.follower.catch_up()
        with self.workspace.views.read() as reader:
            return corrections(reader, self.workspace.ledger.store)

    def scores(self) -> dict[str, str]:
        """What ranks on the leaderboard's own view, by name."""
        self.workspace.follower.catch_up()
        with self.workspace.views.read() as reader:
            board = board_at(reader, BENCHMARK, self.workspace.moment(), every_claim=True)
        return {
            row.as_written: str(row.score) for row in board.rows if row.source.slug == BOARD.source
        }

    def events(self, number: int) -> list[str]:
        """What happened to a report, by the names of the events."""
        stream = self.workspace.ledger.store.stream(f"report:{number}")
        return [record.envelope.type.partition("/")[0] for record in stream]


@attrs.frozen
class Office:
    """The desk, and the pages on it."""

    desk: Desk
    app: Flask

    def reviewer(self, handle: str = "boris") -> Person:
        """Somebody who is logged in as a reviewer."""
        return signed_in(self.app, self.desk.workspace, handle, "reviewer")

    def stranger(self) -> Person:
        """Somebody who is not."""
        return stranger(self.app, self.desk.workspace)


def read(workspace: Workspace, target: Target, name: str, text: str) -> None:
    """Import a reading of a board."""
    metrics = Metrics.of(workspace.ledger.facts(f"benchmark:{target.benchmark}"))
    now = workspace.ledger.clock()
    board = read_snapshot(name, text.encode(), target=target, metrics=metrics, now=now)
    workspace.importer("curator").read(board, target)


def fill(settings: Settings, clock: Ticking) -> None:
    """Make a home with both boards read."""
    make_home(settings)
    with closing(open_workspace(settings, clock=clock)) as workspace:
        for target, name, text in READINGS:
            read(workspace, target, name, text)
        workspace.follower.catch_up()


@contextmanager
def open_desk(settings: Settings, clock: Ticking) -> Iterator[Desk]:
    """Sit down at a desk that is there."""
    with closing(open_workspace(settings, clock=clock)) as workspace:
        yield Desk(workspace, clock)


@pytest.fixture(scope="session")
def desk_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The home of a desk, made once."""
    settings = Settings(home=tmp_path_factory.mktemp("desk") / "home")
    fill(settings, Ticking())
    return settings.home


@pytest.fixture
def desk(desk_once: Path, tmp_path: Path) -> Iterator[Desk]:
    """A desk of the test's own, on SQLite."""
    home = tmp_path / "desk"
    shutil.copytree(desk_once, home)
    with open_desk(Settings(home=home), Ticking(START + timedelta(days=3))) as opened:
        yield opened


@pytest.fixture
def office(desk: Desk) -> Office:
    """A desk of the test's own, and the pages on it."""
    return Office(desk, create_app(desk.workspace))
