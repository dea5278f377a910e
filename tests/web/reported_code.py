"""Reports on a label and on a sample of the made-up paper, with a desk behind its pages.

The paper has a sample that ran as honoured and one whose draft was wrong; the archive calls
Wren/grafts the official repository. Somebody says that this is not so.
"""

import attrs
import pytest

from ledger import commands as orders
from ledger.events import Change
from ledger.sample import sample_id
from ledger.subject import address_of
from tests.shelf import CODES, LABEL
from tests.web.flat_page import Page
from tests.web.people import Person, signed_in
from tests.web.reviewing import press
from tests.web.sent import Fields, opened
from tests.web.shelved import Shelved
from web.reporting.filing import file_numbered
from web.wiring import Workspace

SAMPLE = sample_id(CODES[0])
BLAMED = Change("outcome", "honoured", "violated")
RELABELLED = Change("label", "official", "named-in-paper")


@attrs.frozen
class Case:
    """What is reported, what is asked for, and how people read it before and after."""

    subject: str
    asks: Change
    before: str
    after: str

    @property
    def target(self) -> str:
        """What names it."""
        return address_of(self.subject)


CASES = (
    Case(SAMPLE, BLAMED, "ran · honoured", "ran · violated contract"),
    Case(LABEL, RELABELLED, "official repository", "named in the paper"),
)


@attrs.frozen
class Office:
    """The paper's pages, and who reviews."""

    shelved: Shelved

    @property
    def workspace(self) -> Workspace:
        """The open ledger."""
        return self.shelved.shelf.desk.workspace

    def reviewer(self, handle: str = "boris") -> Person:
        """Somebody who is logged in as a reviewer."""
        return signed_in(self.shelved.pages.app, self.workspace, handle, "reviewer")

    def file(self, case: Case, by: str = "dana") -> int:
        """Report what a case asks for."""
        return file_numbered(
            self.workspace,
            by,
            lambda number: orders.FileReport(
                number=number,
                target=case.target,
                reason="wrong-value",
                proposes=(case.asks,),
                received_at=self.shelved.shelf.desk.clock.now,
            ),
        )

    def snapshot(self, case: Case) -> str:
        """The reading that a case rests on."""
        of_sample = case.subject.startswith("s")
        return str(self.shelved.record if of_sample else self.shelved.archive)

    def ready(self, person: Person, number: int, case: Case, **said: str | list[str]) -> Fields:
        """The form of a report with all that a decision needs."""
        fields = opened(person, f"/review/{number}")
        told: dict[str, str | list[str]] = {
            "outcome": "accepted",
            "applies": "start",
            "snapshot": self.snapshot(case),
            "statement": "The record says so.",
            "type": "correction",
        }
        for name, value in (told | said).items():
            fields[name.replace("__", "-")] = [value] if isinstance(value, str) else value
        return fields

    def accept(self, case: Case, handle: str = "boris", **said: str | list[str]) -> int:
        """Report it and accept it on the page; the number of the report."""
        number, person = self.file(case), self.reviewer(handle)
        answer = press(person, number, "decide", self.ready(person, number, case, **said))
        assert answer.status_code == 303, Page.of(answer.text).text
        return number

    def text(self, path: str) -> str:
        """A public page as it is read."""
        return Page.of(self.shelved.pages.page(path)).text


@pytest.fixture
def office(shelved: Shelved) -> Office:
    """The paper's pages with a desk behind them."""
    return Office(shelved)
