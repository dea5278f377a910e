"""Posts that are suspected or not, and the orchard on both engines to send them to."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from projections.review.queue import reports
from tests.web.orchard import BIRCH, NOW, Hand, planted
from web.private import reporters
from web.reporting import filing, screening
from web.reporting.filing import Posted
from web.reporting.filled import Filled
from web.reporting.screening import ONLY_LINKS
from web.settings import Settings
from web.wiring import Workspace

TARGET = f"claims/{BIRCH}"
ADVERT = "https://casino.example/win"
SOURCE = "https://example.org/birch?a=1&b=2"


@pytest.fixture(params=["sqlite", "postgres"])
def opened(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Workspace, Hand]]:
    """The orchard on each engine, and its clock."""
    url = request.getfixturevalue("postgres_url") if request.param == "postgres" else None
    settings = Settings(home=tmp_path / "home", database_url=url)
    with planted(settings) as (workspace, clock):
        clock.now = NOW
        yield workspace, clock


@pytest.fixture
def workspace(opened: tuple[Workspace, Hand]) -> Workspace:
    """The open ledger."""
    return opened[0]


def posted(workspace: Workspace, **typed: str) -> Posted:
    """A form that comes in now."""
    return Posted(typed={"target": TARGET, **typed}, received_at=workspace.ledger.clock())


def remark(words: str, **said: Any) -> Filled:
    """A plain remark."""
    return Filled(**{"target": TARGET, "reason": "other", "words": words, **said})


def filed(workspace: Workspace, filled: Filled) -> int:
    """File it; its number."""
    secret = filing.file_report(workspace, posted(workspace, words=filled.words), filled)
    number = reporters.number_of(workspace.private, secret)
    assert number is not None
    return number


def apart(workspace: Workspace, why: str = ONLY_LINKS, **typed: str) -> str:
    """Set a post apart; its key."""
    said = {"reason": "wrong-value", "wish": "remark", "words": ADVERT, **typed}
    secret = screening.set_apart(workspace, posted(workspace, **said), why)
    return reporters.digest_of_secret(secret)


def in_queue(workspace: Workspace) -> list[int]:
    """The numbers of the reports that wait, oldest first (the orchard's own one is decided)."""
    workspace.follower.catch_up()
    with workspace.views.read() as reader:
        return [one.number for one in reports(reader, "open")]
