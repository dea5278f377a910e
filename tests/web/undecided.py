"""A report that nobody has decided, with something to be found in every place that holds anything.

It is about Birch on Orchard. Each stage leaves more of it: the form with words, files and a name,
an amendment, a reviewer's notes, a proposal that waits for a second person, one that was sent back.
"""

import io
import re
from collections.abc import Callable, Iterator
from functools import cached_property

import attrs
from werkzeug.test import TestResponse

from ledger import commands as orders
from ledger.values import Digest
from tests.web.orchard import BIRCH, Orchard, correct
from tests.web.people import Person, signed_in, stranger
from tests.web.sent import Fields, opened
from web.private import reporters
from web.private.reporters import Letter
from web.reporting.filing import private_digests

NUMBER = 73_213
"""Of the report; so long a number is found wherever it is."""

REVIEWER, SECOND = "zora-of-the-desk", "yuki-of-the-desk"

NEEDLES = (
    str(NUMBER),
    "61.37",
    "61.39",
    "quagga",
    "okapi",
    "dugong",
    "tapir",
    "numbat",
    "pangolin",
    "wombat",
    "axolotl",
    REVIEWER,
    SECOND,
)
"""What is said of it and nowhere else, in the order of its stages."""


@attrs.define(slots=False)
class Undecided:
    """The report, its reporter, and the reviewers who work on it."""

    orchard: Orchard
    secret: str = ""

    def __attrs_post_init__(self) -> None:
        """Decide a report with the number before, and file another one that waits as well."""
        ledger = self.orchard.workspace.ledger
        correct(self.orchard.workspace, NUMBER - 1, BIRCH, "69.5")
        other = orders.FileReport(
            number=NUMBER - 2,
            target="benchmarks/meadow",
            reason="other",
            received_at=ledger.clock(),
        )
        ledger.do(other, by="reader")

    # --- who ----------------------------------------------------------------------------------

    @cached_property
    def dana(self) -> Person:
        """The reporter's browser."""
        return stranger(self.orchard.app, self.orchard.workspace)

    @cached_property
    def zora(self) -> Person:
        """The reviewer's browser."""
        return signed_in(self.orchard.app, self.orchard.workspace, REVIEWER, "reviewer")

    @cached_property
    def yuki(self) -> Person:
        """The second reviewer's browser."""
        return signed_in(self.orchard.app, self.orchard.workspace, SECOND, "reviewer")

    # --- what happens -------------------------------------------------------------------------

    def file(self) -> None:
        """Send the form with all that it takes."""
        response = self.dana.post(
            "/report",
            {
                "target": f"claims/{BIRCH}",
                "reason": "contamination",
                "wish": "change",
                "set-score": "61.37",
                "words": "The quagga table says 61.37.",
                "addresses": "https://example.org/dugong",
                "contact": "tapir@example.org",
                "credit": "Tapir Q.",
                "files": (io.BytesIO(b"an okapi in a table\n"), "quagga-okapi.txt"),
            },
        )
        self.secret = response.headers["Location"].rpartition("/")[2]

    def amend(self) -> None:
        """Say it otherwise, and send another file."""
        mine = f"/reports/{self.secret}"
        fields = opened(self.dana, f"{mine}/amend", "fields report")
        self._went_on(self.dana.post(f"{mine}/amend", fields | {"set-score": ["61.39"]}))
        file = (io.BytesIO(b"a dugong\n"), "dugong.txt")
        self._went_on(self.dana.post(f"{mine}/evidence", {"files": file}))

    def take(self) -> None:
        """A reviewer takes it, and notes something."""
        self._press(self.zora, "take")
        self._press(self.zora, "note", note=["Ask the numbat."])
        self._press(self.zora, "evidence", seen_in_private=["The pangolin told me."])

    def propose(self) -> None:
        """A decision that waits for a second person."""
        digest = self.orchard.workspace.ledger.claim(BIRCH).readings[-1].digest
        said = {"outcome": "accepted", "statement": "As the wombat says.", "applies": "start"}
        told = {name: [text] for name, text in said.items()} | {"snapshot": [str(digest)]}
        self._press(self.zora, "decide", propose=["yes"], **told)

    def send_back(self) -> None:
        """The second person finds that it has to be looked at again."""
        self._press(self.yuki, "return", why=["Ask the axolotl."])

    @property
    def stages(self) -> Iterator[Callable[[], None]]:
        """All that happens to it before anybody decides, in order; it is proposed anew at last."""
        yield from (self.file, self.amend, self.take, self.propose, self.send_back, self.propose)

    def _press(self, person: Person, do: str, **said: list[str]) -> None:
        fields: Fields = opened(person, f"/review/{NUMBER}")
        self._went_on(person.post(f"/review/{NUMBER}", {**fields, **said, "do": do}))

    def _went_on(self, response: TestResponse) -> None:
        assert response.status_code in (200, 303), response.text

    # --- what there is ------------------------------------------------------------------------

    @property
    def letter(self) -> Letter:
        """What is kept of the reporter."""
        found = reporters.letter_of(self.orchard.workspace.private, self.secret)
        assert found is not None
        return found

    @property
    def positions(self) -> list[int]:
        """Of its events."""
        store = self.orchard.workspace.ledger.store
        return [record.position for record in store.stream(f"report:{NUMBER}")]

    @property
    def digests(self) -> list[Digest]:
        """Of all that was written and sent."""
        return private_digests(self.orchard.workspace, NUMBER)

    def found_in(self, text: str) -> list[str]:
        """All by which anybody would know it, as far as it stands in a text as a word."""
        mine = self.letter
        needles = (*NEEDLES, self.secret, mine.key, mine.handle, *self.digests)
        return [one for one in needles if re.search(rf"(?<![0-9A-Za-z]){re.escape(one)}", text)]
