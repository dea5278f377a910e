"""KiteBench with a public log: reports are filed and decided by a word, on a clock set by hand.

Three models rank on the benchmark's own leaderboard, Ibis-13B first; there is a second benchmark.
Nothing takes a second person, unless a test asks for it.
"""

import shutil
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import attrs
import orjson
import pytest
from flask import Flask
from werkzeug.test import TestResponse

from ledger import commands as orders
from ledger.claim import claim_id
from ledger.importing.board import Target
from ledger.importing.formats.snapshot import Metrics, read_snapshot
from ledger.report import next_decision
from ledger.values import Digest, Instant, Slug
from web.app import create_app
from web.settings import Settings
from web.wiring import Workspace, make_home, open_workspace

START = datetime(2025, 6, 1, 8, tzinfo=UTC)
KITES = Target(
    source=Slug("kite-board"),
    benchmark=Slug("kitebench"),
    benchmark_name="KiteBench v1",
    source_name="KiteBench leaderboard",
    unit="%",
)
GLIDERS = Target(
    source=Slug("glider-board"),
    benchmark=Slug("gliders"),
    benchmark_name="Gliders",
    source_name="Glider leaderboard",
    unit="%",
)
READINGS = (
    (KITES, "2025-06-01T080000Z.csv", "model,score\nHeron-7B,72.5\nIbis-13B,80.0\nLoon-3B,71\n"),
    (GLIDERS, "2025-06-01T080000Z.csv", "model,score\nHeron-7B,12.0\nIbis-13B,9\n"),
)
HERON = claim_id("kite-board", "kitebench", "Heron-7B", "score", None)
IBIS = claim_id("kite-board", "kitebench", "Ibis-13B", "score", None)
LOON = claim_id("kite-board", "kitebench", "Loon-3B", "score", None)
GLIDER = claim_id("glider-board", "gliders", "Heron-7B", "score", None)


@attrs.define
class Hand:
    """A clock that stands still until it is set."""

    now: Instant = START

    def __call__(self) -> Instant:
        """Tell the time."""
        return self.now


@attrs.frozen
class Kites:
    """The open ledger, its clock, and the pages on it."""

    workspace: Workspace
    clock: Hand
    app: Flask

    # --- what happens -------------------------------------------------------------------------

    def wait(self, **span: float) -> None:
        """Let time go by."""
        self.clock.now += timedelta(**span)

    def file(self, target: str = f"claims/{HERON}", by: str = "dana", **said: Any) -> int:
        """Report something; the number of the report."""
        number = 1
        while self.workspace.ledger.store.stream(f"report:{number}"):
            number += 1
        told: dict[str, Any] = {"reason": "wrong-value", "received_at": self.clock()}
        order = orders.FileReport(number=number, target=target, **(told | said))
        self.workspace.ledger.do(order, by)
        return number

    def decide(
        self, *effects: orders.AnyEffect, number: int | None = None, by: str = "boris", **said: Any
    ) -> str:
        """Decide a report (a new one unless it is given); the name of the decision."""
        claim = effects[0].claim if effects else HERON
        if number is None:
            number = self.file(f"claims/{claim}")
        told: dict[str, Any] = {
            "outcome": "accepted" if effects else "declined",
            "reason": "wrong-value",
            "statement": "We looked at the table.",
            "snapshot": self.snapshot(claim),
        }
        name = next_decision(self.workspace.ledger.report(number))
        self.workspace.ledger.do(orders.Decide(number=number, effects=effects, **(told | said)), by)
        return name

    def correct(self, to: str, claim: str = HERON, **said: Any) -> str:
        """Correct a score."""
        wish = orders.Correct(claim=claim, applies_from="start", to=(("score", to),))
        return self.decide(wish, **({"type": "correction"} | said))

    def reverse(self, decision: str, by: str = "clara") -> str:
        """Undo a decision."""
        number = int(decision.partition(".")[0])
        name = next_decision(self.workspace.ledger.report(number))
        order = orders.ReverseDecision(
            number=number, decision=decision, statement="We read the wrong row."
        )
        self.workspace.ledger.do(order, by)
        return name

    def withdraw(self, number: int, by: str = "dana", reason: str | None = None) -> None:
        """Take a report back."""
        self.workspace.ledger.do(orders.WithdrawReport(number=number, reason=reason), by)

    def snapshot(self, claim: str = HERON) -> Digest:
        """The latest reading of a claim."""
        return Digest(self.workspace.ledger.claim(claim).readings[-1].digest)

    # --- what is there ------------------------------------------------------------------------

    def get(self, address: str, **headers: str) -> TestResponse:
        """Ask for an address, as somebody without a past."""
        return self.app.test_client().get(address, headers=headers)

    def page(self, address: str) -> str:
        """A page that has to be there."""
        response = self.get(address)
        assert (response.status_code, response.mimetype) == (200, "text/html"), response.text
        return response.text

    def json(self, address: str) -> Any:
        """A JSON document that has to be there."""
        response = self.get(address)
        assert response.status_code == 200, response.text
        return orjson.loads(response.data)

    @property
    def head(self) -> int:
        """The ledger's last position."""
        return self.workspace.ledger.store.head()


def read(workspace: Workspace, target: Target, name: str, text: str) -> None:
    """Import a reading of a board."""
    metrics = Metrics.of(workspace.ledger.facts(f"benchmark:{target.benchmark}"))
    now = workspace.ledger.clock()
    board = read_snapshot(name, text.encode(), target=target, metrics=metrics, now=now)
    assert not board.refused
    workspace.importer("curator").read(board, target)


def make_kites(settings: Settings) -> None:
    """Make a home with both boards read."""
    make_home(settings)
    with closing(open_workspace(settings, clock=Hand())) as workspace:
        for target, name, text in READINGS:
            read(workspace, target, name, text)
        workspace.follower.catch_up()


@contextmanager
def open_kites(settings: Settings) -> Iterator[Kites]:
    """Open a home that is there, a month after its boards were read."""
    clock = Hand(START + timedelta(days=30))
    with closing(open_workspace(settings, clock=clock)) as workspace:
        yield Kites(workspace, clock, create_app(workspace))


@pytest.fixture(scope="session")
def kites_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The home of the kites, made once."""
    settings = Settings(home=tmp_path_factory.mktemp("kites") / "home")
    make_kites(settings)
    return settings.home


@pytest.fixture
def kites(kites_once: Path, tmp_path: Path) -> Iterator[Kites]:
    """Kites of the test's own, on SQLite."""
    home = tmp_path / "kites"
    shutil.copytree(kites_once, home)
    with open_kites(Settings(home=home, two_person=False)) as opened:
        yield opened
