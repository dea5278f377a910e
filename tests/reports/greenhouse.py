"""A made-up paper with everything that can stand on its page, and what was decided about it."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import attrs

from ledger import commands as orders
from ledger.values import Digest
from reports.bundle import Bundle, Records, paper_bundle
from tests.shelf import (
    ARCHIVE,
    CODES,
    FULL,
    LABEL,
    OTHER,
    OWN,
    PAPER,
    RECORD,
    TWIN,
    Shelf,
    counts,
    label,
    line,
    run,
    sample,
    shelves,
)
from web.exports import records_of
from web.wiring import make_key

ABSTRACT = "We graft.To test <it>, we wait & see; that brings the gap."
OWN_LINK, OTHER_LINK = "https://example.org/Wren/grafts", "https://example.org/Finch/g"
FAR_LINK = "https://example.org/nobody/asked"
DAYS = ("2025-01-01", "2025-07-28", "2026-09-16", "2026-09-17", "2026-09-24", "2026-11-30")
"""Before everything, after each reading, and when all was decided."""


@attrs.frozen
class Greenhouse:
    """The paper, and what was frozen of its archive and of its record."""

    shelf: Shelf
    archive: Digest
    record: Digest

    @property
    def records(self) -> Records:
        """What bundles are made from."""
        return records_of(self.shelf.desk.workspace)

    def bundle(self, day: str | None = None, **asked: str) -> Bundle:
        """The bundle of its page."""
        return paper_bundle(self.records, self.shelf.moment(day, **asked), PAPER)


@contextmanager
def open_greenhouse(folder: Path, database: str | None = None) -> Iterator[Greenhouse]:
    """An abstract, two repositories, one of them probed, samples with outcomes, licences and
    reasons, a paper of its own on the same code; then a label and a sample corrected, another one
    retracted, a report about the paper declined, and one that nobody has decided."""
    with shelves(folder / "home", database) as shelf:
        shelf.bring(line("paper-caveat", paper=PAPER, caveat="ran", text="Ran."), at="2026-09-01")
        archive = _archive(shelf)
        _probed(shelf)
        record = _record(shelf)
        make_key(shelf.desk.workspace, lambda: bytes(range(32)))
        shelf.correct(LABEL, f"labels/{LABEL}", archive, label="community")
        shelf.correct(f"s{FULL}", f"samples/{FULL}", record, outcome="violated")
        gone = orders.Retract(claim=f"s{CODES[1]}", applies_from="start")
        shelf.decide(f"samples/{CODES[1]}", gone, snapshot=record)
        shelf.desk.decide(shelf.report(f"papers/{PAPER}#caveat-ran"), snapshot=record)
        shelf.report(f"samples/{TWIN}", by="reporter-dana")
        shelf.desk.workspace.catch_up()
        yield Greenhouse(shelf, archive, record)


def _archive(shelf: Shelf) -> Digest:
    return shelf.read(
        ARCHIVE,
        "2025-07-28",
        line("abstract", text=ABSTRACT, licence="CC0-1.0"),
        line("archive-entry", leaderboard_rows=0, tasks=["Grafting"], tasks_without_page=2),
        line("listed-repository", repository=OWN, official=True, mentioned=True),
        label("archive-listed", repository=OTHER),
        label("official", as_of="2025-07"),
    )


def _probed(shelf: Shelf) -> None:
    days = {"first_day": "2026-09-16", "last_day": "2026-09-18"}
    links = [OWN_LINK, OTHER_LINK, FAR_LINK]
    shelf.bring(
        line("probe-window", slug="links", subject="links", links=links, **days), at="2026-09-16"
    )
    missing = {"result": "unreachable", "cause": "not-found", "status": 404}
    found = [line("probe", window="links", link=link, **missing) for link in (OWN_LINK, FAR_LINK)]
    shelf.bring(*found, at="2026-09-17")


def _record(shelf: Shelf) -> Digest:
    shelf.read("nursery", "2026-09-20", sample(TWIN, OTHER), run(TWIN, "no-run"))
    return shelf.read(
        RECORD,
        "2026-09-24",
        counts(4, 3, 1, honoured=1, draft_wrong=1, violated=1, pointer_only=1),
        sample(CODES[1], OTHER, licence="GPL-3.0", pointer_only="not-permissive"),
        sample(FULL, licence="MIT", path="a.py", commit="c0ffee1", harvested_on="2026-08"),
        run(FULL, "honoured", ran_on="2026-08-30"),
        run(CODES[1], "draft-wrong"),
    )
