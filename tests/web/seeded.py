"""The demo's two benchmarks as pages: read on the day of the seed pages, looked at a week later."""

import shutil
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from ledger.importing.records import import_records, parse_records
from tests.web.orchard import Hand, Orchard
from web.app import create_app
from web.settings import Settings
from web.wiring import make_home, open_workspace

DEMO = Path(__file__).parents[2] / "web" / "demo"
READ_ON = "2026-11-12"
NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
BIG, SMALL = "/benchmarks/bigcodebench", "/benchmarks/code-interpreter"


@pytest.fixture(scope="session")
def seeded_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with the demo's records, made once."""
    settings = Settings(home=tmp_path_factory.mktemp("seeded") / "home")
    make_home(settings)
    with closing(open_workspace(settings, clock=Hand(NOW))) as workspace:
        for file in sorted(DEMO.glob("*.jsonl")):
            records = parse_records(file.name, file.read_bytes(), NOW)
            import_records(workspace.ledger, workspace.known(), records, "curator")
        workspace.follower.catch_up()
    return settings.home


@pytest.fixture
def seeded(seeded_once: Path, tmp_path: Path) -> Iterator[Orchard]:
    """The demo's benchmarks, in a ledger of the test's own."""
    home = tmp_path / "seeded"
    shutil.copytree(seeded_once, home)
    clock = Hand(NOW)
    with closing(open_workspace(Settings(home=home), clock=clock)) as workspace:
        yield Orchard(workspace, clock, create_app(workspace))
