"""The demo's ledger, before and after its one decision, and what bundles are made from."""

import io
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import attrs
from rich.console import Console

from ledger import commands as orders
from ledger.events import Change
from ledger.values import Digest
from projections.moment import Moment
from reports.bundle import Records
from tests.web.desk import Ticking
from web.cli.demo import CLAIM, REVIEWER, SECOND, Demonstration
from web.exports import records_of
from web.private import reporters
from web.private.notes import add_note
from web.reporting.filing import Posted, file_report, number_of_letter
from web.reporting.filled import Filled
from web.reviewing.deciding import decide
from web.settings import Settings
from web.wiring import Workspace, make_home, make_key, open_workspace

START = datetime(2026, 11, 20, 9, tzinfo=UTC)
READ_ON, TODAY = "2026-11-12", "2026-11-20"
SECRET_WORDS = "Dana, who wrote this, can be reached behind the mill."
SECRET_CONTACT = "dana@mill.example"
SECRET_ADDRESS = "https://evidence.example/only-for-reviewers"
SECRET_NOTE = "Asked the vendor, who does not want to be named."
OTHER_WORDS = "Nobody has looked at this one yet."


@attrs.frozen
class Shop:
    """The demo's ledger; ``before`` and ``after`` are positions around its decision, ``head`` comes
    after one more report that nobody has decided."""

    workspace: Workspace
    before: int
    after: int
    head: int

    @property
    def records(self) -> Records:
        """What bundles are made from."""
        return records_of(self.workspace)

    def moment(self, day: str = TODAY, position: int | None = None, **asked: str) -> Moment:
        """A moment that is asked for."""
        through = str(self.head if position is None else position)
        return self.workspace.moment(as_read_on=day, recorded_through=through, **asked)


@contextmanager
def open_shop(folder: Path) -> Iterator[Shop]:
    """Tell the demo's story in a folder: filed with a contact, words and evidence, decided by two,
    and a second report on the same claim that waits."""
    settings = Settings(home=folder / "home")
    make_home(settings)
    with closing(open_workspace(settings, clock=Ticking(START))) as workspace:
        make_key(workspace, lambda: bytes(range(32)))
        demonstration = Demonstration(workspace, Console(file=io.StringIO()))
        demonstration.load()
        number = _filed(workspace, SECRET_WORDS)
        before = workspace.ledger.store.head()
        add_note(workspace.private, number, REVIEWER, SECRET_NOTE)
        _decided(workspace, number, demonstration.snapshot())
        after = workspace.ledger.store.head()
        _filed(workspace, OTHER_WORDS)
        workspace.catch_up()
        yield Shop(workspace, before, after, workspace.ledger.store.head())


@contextmanager
def reopened(home: Path, head: int) -> Iterator[Shop]:
    """The same home in another process; what lay before its head is not asked for again."""
    clock = Ticking(START + timedelta(hours=1))
    with closing(open_workspace(Settings(home=home), clock=clock)) as workspace:
        yield Shop(workspace, 0, 0, head)


def _filed(workspace: Workspace, words: str) -> int:
    filled = Filled(
        target=f"claims/{CLAIM}",
        reason="wrong-metric-or-split",
        words=words,
        proposes=(Change("metric", None, "accuracy"), Change("split", "All", "Math")),
        addresses=(SECRET_ADDRESS,),
        contact=SECRET_CONTACT,
        credit="Dana Q.",
    )
    posted = Posted(typed={"words": words}, received_at=workspace.ledger.clock())
    letter = reporters.letter_of(workspace.private, file_report(workspace, posted, filled))
    assert letter is not None
    number = number_of_letter(workspace, letter)
    assert number is not None
    return number


def _decided(workspace: Workspace, number: int, snapshot: Digest) -> None:
    correct = orders.Correct(
        claim=CLAIM, applies_from="start", to=(("metric", "accuracy"), ("split", "Math"))
    )
    order = orders.Decide(
        number=number,
        outcome="accepted",
        type="correction",
        reason="wrong-metric-or-split",
        statement="The launch post gives 73.1 as the accuracy on Math.",
        snapshot=snapshot,
        effects=(correct,),
    )
    made = decide(workspace, order, REVIEWER)
    approval = orders.ApproveDecision(number=number, decision=made.name)
    decide(workspace, approval, SECOND)
