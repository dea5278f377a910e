"""The two seed pages: the facts beside the checkout, and the records that were made of them.

The facts lie beside the checkout and not in it, so elsewhere the tests on them are skipped.
"""

import json
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import attrs
import pytest

from ledger import events as ev
from ledger.importing.records import RecordsFile, parse_records
from ledger.importing.records.reading import RecordedReading
from ledger.model import full_name

ROOT = Path(__file__).parents[1]
SHARED = ROOT.parent / "shared"
FACTS = SHARED / "facts"
DEMO = ROOT / "web" / "demo"
READ_AT = datetime(2026, 11, 12, tzinfo=UTC)
TENTH = Decimal("0.1")

NEEDS_FACTS = pytest.mark.skipif(
    not FACTS.is_dir(),
    reason="the facts that the demo's records were made from are not beside this checkout",
)


def facts(slug: str) -> dict[str, Any]:
    """What the page of a benchmark states."""
    found: dict[str, Any] = json.loads((FACTS / f"{slug}.json").read_text(encoding="utf-8"))
    return found


@attrs.frozen
class Stated:
    """One claim of a page: what it says, and the source that says it."""

    source: ev.SourceRegistered
    says: ev.Statement

    @property
    def ranks(self) -> bool:
        """Whether its own source ranks it."""
        return self.says.not_ranked is None

    @property
    def written(self) -> tuple[str, str, str | None]:
        """Day, digits and wording, as the page's tables print them."""
        return (str(self.says.published_on), self.says.score.text, self.says.as_written)


@attrs.frozen
class Page:
    """One page: the facts about it, and the records that were made of them."""

    facts: dict[str, Any]
    records: RecordsFile

    @classmethod
    def of(cls, name: str) -> "Page":
        """Read both."""
        path = DEMO / f"{name}.jsonl"
        return cls(facts(name), parse_records(path.name, path.read_bytes(), READ_AT))

    def asserted(self, kind: type[Any]) -> list[Any]:
        """The asserted facts of one kind, in the order of the file."""
        facts = (line.order.fact for line in self.records.facts)
        return [fact for fact in facts if isinstance(fact, kind)]

    @property
    def models(self) -> dict[str, ev.ModelRegistered]:
        """The registered models by their full name."""
        found = self.asserted(ev.ModelRegistered)
        return {full_name(model.name, model.version): model for model in found}

    @property
    def sources(self) -> dict[str, ev.SourceRegistered]:
        """The registered sources by their slug."""
        return {source.slug: source for source in self.asserted(ev.SourceRegistered)}

    @property
    def labs(self) -> dict[str | None, str]:
        """The labs' names by their slugs."""
        return {lab.slug: lab.name for lab in self.asserted(ev.LabRegistered)}

    def claims(self, *kinds: str) -> list[Stated]:
        """All claims that sources of these kinds (or of any) make."""
        found = [
            Stated(self.sources[reading.source], says)
            for reading in self.records.readings
            for row in reading.board.statements.values()
            for says in row
        ]
        return [one for one in found if not kinds or one.source.kind in kinds]

    def reading(self, source: str) -> RecordedReading:
        """The one reading of a source."""
        (found,) = (one for one in self.records.readings if one.source == source)
        return found

    def described(self) -> dict[str, str | None]:
        """The facts about the benchmark."""
        (one,) = self.asserted(ev.BenchmarkDescribed)
        return dict(one.facts)


@pytest.fixture(scope="module")
def bigcodebench() -> Page:
    """The page S2."""
    return Page.of("bigcodebench")


@pytest.fixture(scope="module")
def code_interpreter() -> Page:
    """The page S1."""
    return Page.of("code-interpreter")


@pytest.fixture(scope="module", params=["bigcodebench", "code-interpreter"])
def page(request: pytest.FixtureRequest) -> Page:
    """Either page."""
    return Page.of(request.param)
