"""Papers as pages: the demo's paper, looked at weeks later, and a made-up one with everything."""

import shutil
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import attrs
import pytest

from ledger.importing.records import import_records, parse_records
from ledger.values import Digest
from tests.shelf import (
    ARCHIVE,
    CODES,
    OTHER,
    OWN,
    RECORD,
    Shelf,
    counts,
    label,
    line,
    run,
    sample,
    shelves,
)
from tests.web.orchard import Hand, Orchard
from web.app import create_app
from web.settings import Settings
from web.wiring import make_home, open_workspace

RECORDS = Path(__file__).parents[2] / "web" / "demo" / "opencodeinterpreter.jsonl"
NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
OPEN_CODE = "/papers/2402.14658"
GRAFTS = "/papers/2603.01234"
WINDOW = "links-2026-09"
ABSTRACT = "We graft.To test <it>, we wait & see; that brings the gap."
LINK = "https://example.org/Wren/grafts"


@pytest.fixture(scope="session")
def paper_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with the demo's paper, made once."""
    settings = Settings(home=tmp_path_factory.mktemp("paper") / "home")
    make_home(settings)
    with closing(open_workspace(settings, clock=Hand(NOW))) as workspace:
        records = parse_records(RECORDS.name, RECORDS.read_bytes(), NOW)
        import_records(workspace.ledger, workspace.known(), records, "curator")
        workspace.follower.catch_up()
    return settings.home


@pytest.fixture
def paper(paper_once: Path, tmp_path: Path) -> Iterator[Orchard]:
    """The demo's paper, in a ledger of the test's own."""
    home = tmp_path / "paper"
    shutil.copytree(paper_once, home)
    clock = Hand(NOW)
    with closing(open_workspace(Settings(home=home), clock=clock)) as workspace:
        yield Orchard(workspace, clock, create_app(workspace))


@attrs.frozen
class Shelved:
    """A made-up paper, and the pages on it; ``archive`` and ``record`` are what was frozen."""

    shelf: Shelf
    pages: Orchard
    archive: Digest
    record: Digest


@pytest.fixture
def shelved(tmp_path: Path) -> Iterator[Shelved]:
    """A quoted abstract, two repositories, a probe, samples with outcomes, licences and reasons."""
    with shelves(tmp_path / "home") as shelf:
        caveat = line("paper-caveat", paper=GRAFTS.rpartition("/")[2], caveat="ran", text="Ran.")
        shelf.bring(caveat, at="2026-09-01")
        archive = shelf.read(
            ARCHIVE,
            "2025-07-28",
            line("abstract", text=ABSTRACT, licence="CC0-1.0"),
            line("archive-entry", leaderboard_rows=0, tasks=["Grafting"], tasks_without_page=2),
            line("listed-repository", repository=OWN, official=True, mentioned=True),
            label("archive-listed", repository=OTHER),
            label("official", as_of="2025-07"),
        )
        days = {"first_day": "2026-09-16", "last_day": "2026-09-18"}
        links = [LINK, "https://example.org/Finch/g"]
        window = line("probe-window", slug=WINDOW, subject="links", links=links, **days)
        shelf.bring(window, at="2026-09-16")
        found = line(
            "probe", window=WINDOW, link=LINK, result="unreachable", cause="not-found", status=404
        )
        shelf.bring(found, at="2026-09-17")
        record = shelf.read(
            RECORD,
            "2026-09-24",
            counts(3, 2, 1, honoured=1, draft_wrong=1, pointer_only=1),
            sample(CODES[1], OTHER, licence="GPL-3.0", pointer_only="not-permissive"),
            sample(CODES[0], licence="MIT", path="a.py", commit="c0ffee1", harvested_on="2026-08"),
            run(CODES[0], "honoured", ran_on="2026-08-30"),
            run(CODES[1], "draft-wrong"),
        )
        workspace = shelf.desk.workspace
        workspace.follower.catch_up()
        pages = Orchard(workspace, Hand(NOW), create_app(workspace))
        yield Shelved(shelf, pages, archive, record)
