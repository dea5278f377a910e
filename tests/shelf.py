"""Papers for tests: made-up sources, repositories and codes, brought in as records are.

Every reading goes the whole way, from JSON Lines over the ledger into the read model.
"""

import json
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import attrs
import pytest

from ledger import commands as orders
from ledger import events as ev
from ledger.importing.receipt import FileReceipt
from ledger.importing.records import import_records, parse_records
from ledger.label import label_id
from ledger.values import Digest, parse_instant
from projections.code.papers import Paper, paper_at
from projections.code.probes import ProbeWindow, window_at
from projections.code.records import RunRecord
from projections.code.samples import Sample, sample_at
from projections.moment import Moment
from reports.code.papers import paper_json
from reports.contract import Json
from tests.desk import Desk, open_desk

PAPER = "2603.01234"
OWN, OTHER = "wren--grafts", "finch--grafts"
ARCHIVE, RECORD = "archive", "greenhouse"
NOW = "2026-11-30T12:00:00Z"
CODES = ("1f0c7a5b2d9e4836", "9b1d2c3e4f506172", "c0ffee0123456789")
FULL = CODES[0] + "ab" * 24
TWIN = CODES[0] + "cd" * 24

Line = dict[str, Any]


def line(record: str, **fields: Any) -> Line:
    """A line of a records file."""
    return {"record": record, **fields}


def sample(code: str = CODES[0], repository: str = OWN, **more: Any) -> Line:
    """A sample from a repository."""
    return line("sample", code=code, repository=repository, **more)


def run(code: str = CODES[0], outcome: str = "violated", **more: Any) -> Line:
    """What became of it."""
    return line("run", code=code, outcome=outcome, **more)


def counts(harvested: int, ran: int, no_run: int | None = None, **outcomes: Any) -> Line:
    """What a record counts; ``parts`` and ``repositories`` may be given too."""
    beside = ("parts", "repositories", "pointer_only")
    more = {name: outcomes.pop(name) for name in beside if name in outcomes}
    said = {name.replace("_", "-"): count for name, count in outcomes.items()}
    stated = {} if no_run is None else {"no_run": no_run}
    return line("run-counts", harvested=harvested, ran=ran, outcomes=said, **stated, **more)


def label(name: str | None, repository: str = OWN, **more: Any) -> Line:
    """What a source asserts that a repository is to the paper."""
    return line("label", repository=repository, label=name, **more)


PEOPLE = ["Ada Wren", "Bo Finch"]
SET_UP: Sequence[Line] = (
    line("source", slug=ARCHIVE, name="Archive of papers", kind="paper-archive"),
    line("source", slug="second-archive", name="Second archive", kind="paper-archive"),
    line("source", slug=RECORD, name="Greenhouse", kind="run-record"),
    line("source", slug="nursery", name="Nursery", kind="run-record"),
    line("paper", slug=PAPER, title="Grafting", authors=PEOPLE, arxiv_id=PAPER),
    line("repository", slug=OWN, name="Wren/grafts", address="https://example.org/Wren/grafts"),
    line("repository", slug=OTHER, name="Finch/grafts", address="https://example.org/Finch/g"),
)


@attrs.define
class Shelf:
    """One ledger with a paper on it, and who sits before it."""

    desk: Desk

    # --- bringing in --------------------------------------------------------------------------

    def bring(self, *lines: Line, at: str = "2025-07-01", by: str = "mira") -> list[FileReceipt]:
        """Import a records file of these lines, read at an instant unless they say another."""
        header = line("file", format="corrigenda-records/1", read_at=at, why="as read")
        data = "".join(f"{json.dumps(one)}\n" for one in (header, *lines)).encode()
        workspace = self.desk.workspace
        records = parse_records("records.jsonl", data, workspace.ledger.clock())
        return import_records(workspace.ledger, workspace.known(), records, by)

    def read(self, source: str, at: str, *lines: Line, **more: Any) -> Digest:
        """Read a source for the paper; gives the digest of what was frozen."""
        reading = line("paper-reading", source=source, paper=PAPER, read_at=at, **more)
        (receipt,) = self.bring(reading, *lines)
        return Digest(receipt.digest or "")

    def take_back(self, digest: Digest) -> None:
        """Take a reading back."""
        self.desk.workspace.importer("mira").withdraw(digest)

    # --- deciding -----------------------------------------------------------------------------

    def report(self, target: str, by: str = "reporter") -> int:
        """Report something."""
        self.desk.reported += 1
        order = orders.FileReport(
            number=self.desk.reported,
            target=target,
            reason="wrong-value",
            received_at=self.desk.clock.now,
        )
        self.desk.do(order, by)
        return self.desk.reported

    def decide(self, target: str, *effects: orders.AnyEffect, snapshot: Digest) -> int:
        """Report something and accept it with these effects; gives the report's number."""
        number = self.report(target)
        self.desk.decide(number, *effects, snapshot=snapshot)
        return number

    def correct(self, subject: str, target: str, snapshot: Digest, **to: str | None) -> int:
        """Report and correct a label or a sample."""
        wish = orders.Correct(claim=subject, applies_from="start", to=tuple(to.items()))
        return self.decide(target, wish, snapshot=snapshot)

    # --- looking ------------------------------------------------------------------------------

    def moment(self, day: str | None = None, **asked: str) -> Moment:
        """The moment of a day."""
        return self.desk.moment(day, **asked)

    def paper(self, day: str | None = None, **asked: str) -> Paper:
        """The paper as read on a day."""
        moment = self.moment(day, **asked)
        with self.desk.workspace.views.read() as reader:
            return paper_at(reader, self.desk.workspace.ledger.store, PAPER, moment)

    def page(self, day: str | None = None, **asked: str) -> Json:
        """The same as the outside world sees it."""
        return paper_json(self.paper(day, **asked))

    def record(self, day: str | None = None, source: str = RECORD, **asked: str) -> RunRecord:
        """What a record holds about it."""
        found = self.paper(day, **asked).records
        return next(one for one in found if one.source.slug == source)

    def sample(self, code: str, day: str | None = None, **asked: str) -> Sample:
        """One sample as read on a day."""
        moment = self.moment(day, **asked)
        with self.desk.workspace.views.read() as reader:
            return sample_at(reader, self.desk.workspace.ledger.store, code, moment)

    def window(self, slug: str, day: str | None = None, **asked: str) -> ProbeWindow:
        """One probe window as read on a day."""
        moment = self.moment(day, **asked)
        with self.desk.workspace.views.read() as reader:
            return window_at(reader, self.desk.workspace.ledger.store, slug, moment)

    def label(self, day: str | None = None, repository: str = OWN, **asked: str) -> str | None:
        """The label of a repository that shows."""
        found = self.paper(day, **asked).repositories
        return next((one.label for one in found if one.slug == repository), None)

    def outcomes(self, day: str | None = None, **asked: str) -> dict[str, int | None]:
        """How many samples had which outcome."""
        return dict(self.record(day, **asked).tally.outcomes)

    @property
    def head(self) -> int:
        """The last position."""
        return self.desk.workspace.ledger.store.head()


LABEL = label_id(PAPER, OWN, ARCHIVE)


@contextmanager
def shelves(folder: Path, database: str | None = None) -> Iterator[Shelf]:
    """A new ledger with the paper, its sources and its repositories registered."""
    desk = open_desk(folder, database)
    with closing(desk.workspace):
        desk.clock.now = parse_instant(NOW)
        shelf = Shelf(desk)
        shelf.bring(*SET_UP)
        yield shelf


def events(shelf: Shelf) -> list[ev.Event]:
    """All that is recorded."""
    return [one.event for one in shelf.desk.workspace.ledger.store.after(0, 100_000)]


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Shelf]:
    """A ledger with a paper."""
    with shelves(tmp_path / "home") as made:
        yield made
