"""A reporter who came through the pages is erased (P018): nothing of theirs is in any file."""

import io
from collections.abc import Iterator
from pathlib import Path

import attrs
import pytest

from ledger.report import stream_of
from ledger.values import Digest
from projections.board.boards import board_at
from tests.web.corrigenda import Corrigenda
from tests.web.orchard import BIRCH, NOW, planted
from tests.web.people import Person, stranger
from tests.web.reports_sent import GOOD, TARGET
from tests.web.test_erasing import everything
from web.app import create_app
from web.private import reporters, uploads
from web.private.reporters import erase_report
from web.reporting.filing import private_digests
from web.settings import Settings
from web.wiring import Workspace

MARKS = (
    "Wordmark",
    "Laterwordmark",
    "contactmark",
    "Creditmark",
    "addressmark",
    "lateraddressmark",
    "filemark",
    "filenamemark",
    "settingmark",
    "draftmark",
    "stagedmark",
    "Joinedmark",
    "joinedcontactmark",
)


@attrs.frozen
class Place:
    """The open ledger, its pages, and where all its bytes are."""

    workspace: Workspace
    home: Path

    def holds(self) -> set[str]:
        """Which of the marks are anywhere in the three stores."""
        stored = everything(Corrigenda(self.home))
        return {mark for mark in MARKS if mark.encode() in stored}

    def board(self) -> list[object]:
        """The board as it shows, and what its own correction says."""
        self.workspace.follower.catch_up()
        with self.workspace.views.read() as reader:
            return list(board_at(reader, "orchard", self.workspace.moment()).rows)


@pytest.fixture(params=["sqlite", "postgres"])
def place(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Place]:
    """The orchard on each engine."""
    url = request.getfixturevalue("postgres_url") if request.param == "postgres" else None
    if url:
        monkeypatch.setenv("CORRIGENDA_DATABASE_URL", url)
    settings = Settings(home=tmp_path / "home", database_url=url)
    with planted(settings) as (workspace, clock):
        clock.now = NOW
        yield Place(workspace, settings.home)


def everything_said(workspace: Workspace) -> int:
    """Dana reports, amends, adds, leaves a draft; Eve joins. The number of the report."""
    app = create_app(workspace)
    dana, eve = stranger(app, workspace), stranger(app, workspace)
    number, link = _report(dana)
    amended = {"wish": "change", "set-score": "70.1", "words": "Laterwordmark"}
    said = {"contact": "contactmark@example.org", "credit": "Creditmark"}
    dana.post(f"{link}/amend", amended | said)
    dana.post(f"{link}/evidence", {"addresses": "https://example.org/lateraddressmark"})
    draft = {
        "target": "models/birch",
        "wish": "merge",
        "words": "draftmark",
        "do": "save",
        "files": (io.BytesIO(b"stagedmark"), "s.txt"),
    }
    assert dana.post("/report", draft).status_code == 303
    joined = {**GOOD, "words": "Joinedmark", "contact": "joinedcontactmark@example.org"}
    assert eve.post("/report", joined | {"do": "join"}).status_code == 303
    return number


def _report(dana: Person) -> tuple[int, str]:
    fields = {
        **GOOD,
        "words": "Wordmark",
        "contact": "contactmark@example.org",
        "credit": "Creditmark",
        "addresses": "https://example.org/addressmark",
        "set-setting": "settingmark",
        "files": (io.BytesIO(b"filemark"), "filenamemark.txt"),
    }
    # A mistake first, so that a draft of it was saved.
    assert dana.post("/report", fields | {"set-score": "x"}).status_code == 400
    fields["files"] = (io.BytesIO(b"filemark"), "filenamemark.txt")
    link = dana.post("/report", fields).headers["Location"]
    number = reporters.number_of(dana.workspace.private, link.rpartition("/")[2])
    assert number is not None
    return number, link


def test_all_that_a_reporter_told_us_is_gone_and_the_boards_are_the_same(place: Place) -> None:
    """Words old and new, contact, name, addresses, files, drafts: in no file and no row, the WAL
    included; the events are byte for byte the same, and a rebuild gives the same boards."""
    workspace = place.workspace
    number = everything_said(workspace)
    assert place.holds() == set(MARKS)
    stored = [one.stored for one in workspace.ledger.store.after(0, 10_000)]
    board = place.board()
    erase_report(workspace.private, number, private_digests(workspace, number))
    assert place.holds() == set()
    assert [one.stored for one in workspace.ledger.store.after(0, 10_000)] == stored
    workspace.follower.rebuild()
    assert place.board() == board
    assert workspace.ledger.report(number).state == "open"
    assert workspace.ledger.report(number).target == TARGET
    for record in workspace.ledger.store.stream(stream_of(number)):
        digest = getattr(record.event, "words", None) or getattr(record.event, "digest", None)
        if digest:
            assert workspace.private.words(Digest(digest)) is None
            assert uploads.evidence(workspace.private, digest) is None
    assert workspace.ledger.claim(BIRCH).version == 2
