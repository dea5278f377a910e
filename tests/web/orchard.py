"""A made-up benchmark with everything that pages show, served from a ledger of the test's own.

Its leaderboard was read in the last microsecond of 28 July 2025, at the next midnight, and six
hours later; one number was corrected on 10 August. Some names would be markup, if they were let.
"""

import shutil
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import attrs
import orjson
import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from ledger import commands as orders
from ledger.claim import claim_id
from ledger.importing.board import Target
from ledger.importing.formats.snapshot import Metrics, read_snapshot
from ledger.importing.records import import_records, parse_records
from ledger.values import Digest, Instant, Slug
from web.app import create_app
from web.settings import Settings
from web.wiring import Workspace, make_home, make_key, open_workspace

NOW = datetime(2025, 8, 20, 12, tzinfo=UTC)
DECIDED = datetime(2025, 8, 10, 9, tzinfo=UTC)
HOSTILE = "<script>alert('x')</script>"
ATTRIBUTE = '" onmouseover="alert(1)'
BOARD = "/benchmarks/orchard"

RECORDS: list[dict[str, Any]] = [
    {
        "record": "file",
        "format": "corrigenda-records/1",
        "read_at": "2025-07-20",
        "why": "as read",
    },
    {"record": "benchmark", "slug": "orchard", "name": "Orchard"},
    {
        "record": "benchmark-facts",
        "benchmark": "orchard",
        "facts": {
            "description": "Grafting tasks, checked by growing them.",
            "category": "Gardening",
            "made_by": "Orchard project",
            "released": "2025-03",
            "scored": "Checked automatically",
            "level": "School",
            "level_detail": "what a gardener's apprentice learns",
            "near_ceiling": "90",
            "view": "all",
        },
    },
    {"record": "benchmark", "slug": "meadow", "name": "Meadow"},
    {
        "record": "evaluation-change",
        "benchmark": "orchard",
        "what": "judge",
        "changed_on": "2025-05",
        "before": "one gardener",
        "after": "three gardeners",
        "effect": "scores before and after differ",
    },
    {
        "record": "ranking-rule",
        "benchmark": "orchard",
        "metric": "grown",
        "name": "share grown",
        "unit": "%",
        "splits": None,
        "headline": True,
    },
    {
        "record": "ranking-rule",
        "benchmark": "orchard",
        "metric": "hours",
        "name": "hours needed",
        "unit": "h",
        "higher_is_better": False,
        "splits": ["spring", "autumn"],
        "combine": "mean",
        "decimals": 1,
        "ordinal": 1,
    },
    {
        "record": "caveat",
        "benchmark": "orchard",
        "caveat": "weather",
        "text": f"Other years had other weather {HOSTILE}.",
    },
    {"record": "lab", "slug": "alder-labs", "name": "Alder Labs"},
    {
        "record": "model",
        "slug": "alder-may",
        "name": "Alder 7B",
        "version": "May 2025",
        "lab": "alder-labs",
        "released": "2025-05",
    },
    {"record": "model", "slug": "birch", "name": "Birch", "lab": "alder-labs"},
    {
        "record": "source",
        "slug": "birch-post",
        "name": "Birch launch post",
        "kind": "launch-post",
        "address": "https://example.org/birch?a=1&b=2",
        "lab": "alder-labs",
        "model": "birch",
        "published_on": "2025-06-30",
    },
    {"record": "post", "source": "birch-post", "benchmark": "orchard", "listed": True},
    {
        "record": "source",
        "slug": "alder-post",
        "name": "Alder launch post",
        "kind": "launch-post",
        "lab": "alder-labs",
        "published_on": "2025-05-04",
    },
    {"record": "post", "source": "alder-post", "benchmark": "orchard", "listed": False},
    {
        "record": "source",
        "slug": "birch-report",
        "name": "Birch technical report",
        "kind": "technical-report",
        "lab": "alder-labs",
        "published_on": "2025-07",
    },
    {
        "record": "index",
        "slug": "canopy",
        "name": "Canopy index",
        "models": [{"rank": 1, "name": "Cedar 3"}, {"rank": 34, "name": "Birch"}],
        "entries_stated": 120,
        "as_of": "2025-07",
    },
    {"record": "reading", "source": "birch-post", "benchmark": "orchard"},
    {
        "record": "claim",
        "name": "Birch",
        "metric": "grown",
        "score": "71.0",
        "published_on": "2025-06-30",
        "as_written": f"Orchard (grown) {ATTRIBUTE}",
        "setting": "best of 3",
    },
    {"record": "reading", "source": "birch-report", "benchmark": "orchard"},
    {
        "record": "claim",
        "name": "Birch",
        "metric": "grown",
        "score": "68.50",
        "published_on": "2025-07",
        "section": "Capabilities",
        "locator": "Table 4",
        "as_written": "Orchard, all seasons",
        "not_ranked": "grown under glass",
    },
    {
        "record": "claim",
        "name": "Birch",
        "metric": "hours",
        "split": "spring",
        "score": "6.2",
        "published_on": "2025-07",
        "locator": "Table 5",
    },
]

READINGS = {
    "2025-07-28T235959.999999Z.csv": (
        f"model,score\nAlder 7B May 2025,71.0\nBirch,64.20\n{HOSTILE},12\n"
    ),
    "2025-07-29T000000Z.csv": f"model,score\nAlder 7B May 2025,71.0\nBirch,69\n{HOSTILE},12\n",
    "2025-07-29T063000Z.csv": "model,score\nAlder 7B May 2025,72.5\nBirch,69\n",
}
TARGET = Target(
    source=Slug("orchard-board"), benchmark=Slug("orchard"), source_name="Orchard board"
)
BIRCH = claim_id("orchard-board", "orchard", "Birch", "grown", None)
WRONG = claim_id("birch-post", "orchard", "Birch", "grown", None)


@attrs.define
class Hand:
    """A clock that is set by hand."""

    now: Instant = NOW

    def __call__(self) -> Instant:
        """Tell the time."""
        return self.now


@attrs.frozen
class Orchard:
    """The open ledger, its clock, and the pages on it."""

    workspace: Workspace
    clock: Hand
    app: Flask

    @property
    def client(self) -> FlaskClient:
        """A visitor without a past."""
        return self.app.test_client()

    def get(self, address: str, **headers: str) -> TestResponse:
        """Ask for an address."""
        return self.client.get(address, headers=headers)

    def page(self, address: str) -> str:
        """A page that has to be there."""
        response = self.get(address)
        assert (response.status_code, response.mimetype) == (200, "text/html"), response.text
        return response.text

    def json(self, address: str) -> Any:
        """A JSON document that has to be there."""
        response = self.get(address)
        assert (response.status_code, response.mimetype) == (200, "application/json")
        return orjson.loads(response.data)

    @property
    def head(self) -> int:
        """The ledger's last position."""
        return self.workspace.ledger.store.head()


def read_board(workspace: Workspace, name: str, text: str) -> None:
    """Import a reading of the leaderboard."""
    metrics = Metrics.of(workspace.ledger.facts("benchmark:orchard"))
    now = workspace.ledger.clock()
    board = read_snapshot(name, text.encode(), target=TARGET, metrics=metrics, now=now)
    assert not board.refused
    workspace.importer("curator").read(board, TARGET)


def correct(workspace: Workspace, number: int, claim: str, score: str) -> None:
    """Report a wrong value and accept it."""
    ledger = workspace.ledger
    ledger.do(
        orders.FileReport(
            number=number,
            target=f"claims/{claim}",
            reason="wrong-value",
            received_at=ledger.clock(),
        ),
        by="reader",
    )
    digest = ledger.claim(claim).readings[-1].digest
    ledger.do(
        orders.Decide(
            number=number,
            outcome="accepted",
            type="correction",
            reason="wrong-value",
            statement=f"The post says otherwise.\nSee its second table. {HOSTILE}",
            snapshot=Digest(digest),
            effects=(orders.Correct(claim=claim, applies_from="start", to=(("score", score),)),),
        ),
        by="reviewer",
    )


def fill(workspace: Workspace, clock: Hand) -> None:
    """Record the orchard."""
    data = b"\n".join(orjson.dumps(line) for line in RECORDS)
    records = parse_records("orchard.jsonl", data, clock())
    import_records(workspace.ledger, workspace.known(), records, by="curator")
    for name, text in READINGS.items():
        read_board(workspace, name, text)
    correct(workspace, 1, WRONG, "70.5")


@contextmanager
def planted(settings: Settings) -> Iterator[tuple[Workspace, Hand]]:
    """A new home with the orchard in it, on the day of the decision; and its clock."""
    make_home(settings)
    clock = Hand(DECIDED)
    with closing(open_workspace(settings, clock=clock)) as workspace:
        fill(workspace, clock)
        workspace.follower.catch_up()
        yield workspace, clock


@contextmanager
def open_orchard(home: Path) -> Iterator[Orchard]:
    """Open the ledger in a home and the pages on it."""
    clock = Hand()
    with closing(open_workspace(Settings(home=home), clock=clock)) as workspace:
        yield Orchard(workspace, clock, create_app(workspace))


@pytest.fixture(scope="session")
def orchard_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The home of an orchard, made once."""
    settings = Settings(home=tmp_path_factory.mktemp("orchard") / "home")
    make_home(settings)
    clock = Hand(DECIDED)
    workspace = open_workspace(settings, clock=clock)
    make_key(workspace, lambda: bytes(range(32)))
    fill(workspace, clock)
    workspace.follower.catch_up()
    workspace.close()
    return settings.home


@pytest.fixture
def orchard(orchard_once: Path, tmp_path: Path) -> Iterator[Orchard]:
    """An orchard of the test's own."""
    home = tmp_path / "orchard"
    shutil.copytree(orchard_once, home)
    with open_orchard(home) as opened:
        yield opened
