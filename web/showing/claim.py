"""One claim's page: its story, and every reading of its source with what it said."""

from typing import NamedTuple

import attrs

from ledger.events import Statement
from ledger.store import Store
from ledger.values import Digest
from projections.board.benchmarks import Rule, benchmark_at
from projections.decisions.subjects import Names, names_of
from projections.keeping.views import Reader
from projections.moment import Moment
from projections.story import FrozenReading, Story, story_of


class ReadingOfClaim(NamedTuple):
    """What one reading of its source said of a claim; ``changed`` is against the one before."""

    frozen: FrozenReading
    says: Statement | None
    changed: bool


@attrs.frozen
class ClaimPage:
    """One claim's story, and every reading of its source with what it said."""

    story: Story
    readings: list[ReadingOfClaim]
    rule: Rule | None
    names: Names

    @property
    def unit(self) -> str | None:
        """The unit that shows: the claim's own, else its metric's."""
        state = self.story.state
        own = state.shows.unit if state else None
        return own or (self.rule.unit if self.rule else None)

    @property
    def numbers(self) -> dict[str, int]:
        """The number in the public log of each decision about the claim."""
        return {one.decision: one.number for one in self.story.corrections}


def claim_page(reader: Reader, store: Store, claim: str, moment: Moment) -> ClaimPage:
    """The page of a claim; refused when the ledger never heard of it."""
    story = story_of(reader, store, claim, moment)
    rules = benchmark_at(reader, story.history.benchmark, moment).rules
    metric = story.state.shows.metric if story.state else story.history.metric
    names = names_of(reader, story.corrections, moment)
    return ClaimPage(story, _readings(story), rules.get(metric), names)


def _readings(story: Story) -> list[ReadingOfClaim]:
    """Only what changed was recorded; a reading without a fact of its own said the same again."""
    said = {(one.digest, one.read_at): one for one in story.history.readings}
    found: list[ReadingOfClaim] = []
    says: Statement | None = None
    for frozen in story.readings:
        own = None if frozen.withdrawn else said.get((Digest(frozen.digest), frozen.read_at))
        if own is not None:
            says = own.says
        found.append(ReadingOfClaim(frozen, says, own is not None))
    return found
