"""The log of corrections in the columns of the Retraction Watch data, for who works with those.

A row for each number, label or sample that a decision did something to. What the columns hold is
told in ``docs/exports.md``; what has no equal here is left empty. Unlike there, reasons have no
plus sign before them: a spreadsheet would take it for a formula.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date
from types import MappingProxyType

from ledger.claim import History, history_of, stream_of
from ledger.events import Statement
from ledger.store import Store
from ledger.values import PartialDate
from projections.decisions.corrections import Correction, Touched
from projections.decisions.log import LogPage
from projections.decisions.subjects import Names
from projections.decisions.touched import TouchedSubject
from web.csv_forms import csv_of

COLUMNS = (
    "Record ID",
    "Title",
    "Subject",
    "Institution",
    "Journal",
    "Publisher",
    "Author",
    "URLS",
    "ArticleType",
    "RetractionDate",
    "RetractionDOI",
    "RetractionPubMedID",
    "OriginalPaperDate",
    "OriginalPaperDOI",
    "OriginalPaperPubMedID",
    "RetractionNature",
    "Reason",
    "Paywalled",
    "Notes",
)

RETRACTION, CONCERN = "Retraction", "Expression of concern"
CORRECTION, REINSTATEMENT = "Correction", "Reinstatement"
NATURES: Mapping[str, str] = MappingProxyType(
    {
        "correction": CORRECTION,
        "clarification": CORRECTION,
        "addendum": CORRECTION,
        "new-version": CORRECTION,
        "removal": RETRACTION,
        "retraction": RETRACTION,
        "withdrawal": RETRACTION,
        "partial-retraction": RETRACTION,
        "expression-of-concern": CONCERN,
        "reinstatement": REINSTATEMENT,
    }
)
"""Update type → one of the four natures that are told apart there; without one: a correction."""

NO_PUBMED = "0"
Address = Callable[[str], str]


def retractions_csv(pages: Iterable[LogPage], store: Store, address: Address) -> str:
    """The log under :data:`COLUMNS`, newest first; ``address`` makes a whole address of a path."""
    return csv_of(
        COLUMNS,
        (
            row
            for page in pages
            for entry in page.entries
            for row in _rows(entry, page.names, store, address)
        ),
    )


def _rows(
    entry: Correction, names: Names, store: Store, address: Address
) -> Iterator[tuple[str, ...]]:
    things: list[Touched | TouchedSubject] = [*entry.claims, *entry.subjects]
    for place, thing in enumerate(things, 1):
        record = str(entry.number) if len(things) == 1 else f"{entry.number}.{place}"
        if isinstance(thing, Touched):
            yield (record, *_of_claim(entry, thing, names, store, address))
        else:
            yield (record, *_of_subject(entry, thing, address))


def _of_claim(
    entry: Correction, claim: Touched, names: Names, store: Store, address: Address
) -> tuple[str, ...]:
    """All columns but the first, for a number on a board."""
    history = history_of(
        one for one in store.stream(stream_of(claim.claim_id)) if one.position <= entry.position
    )
    says, board = _last_said(history), names.called("benchmark", claim.benchmark)
    model = names.model(claim.model, claim.as_written)
    return (
        f"{model} on {board}",
        "Benchmark score",
        "",
        board,
        history.source,
        (says.lab if says else None) or "",
        _addresses(entry, address, f"claims/{claim.claim_id}", says.url if says else None),
        "Score claim",
        *_dates(entry, says.published_on if says else None),
        *_decided(entry, claim.changes),
    )


def _of_subject(entry: Correction, subject: TouchedSubject, address: Address) -> tuple[str, ...]:
    """The same for a label of a repository, or a sample of code."""
    return (
        subject.name,
        f"Benchmark {subject.kind}",
        "",
        subject.paper or "",
        "",
        "",
        _addresses(entry, address, subject.address, None),
        subject.kind.capitalize(),
        *_dates(entry, None),
        *_decided(entry, subject.changes),
    )


def _last_said(history: History) -> Statement | None:
    """What the source said last before the decision."""
    return next((one.says for one in reversed(history.readings) if one.says is not None), None)


def _addresses(entry: Correction, address: Address, thing: str, stated: str | None) -> str:
    own = [address(f"/corrections/{entry.number}"), address(f"/{thing}")]
    return ";".join([*own, *([stated] if stated else [])])


def _dates(entry: Correction, published: PartialDate | None) -> tuple[str, ...]:
    """The dates with the DOIs and PubMed numbers behind them, which numbers on boards have none
    of."""
    whole = published is not None and len(str(published)) == len("2025-07-28")
    original = _day(published.first_day) if published is not None and whole else ""
    return (_day(entry.decided_at.date()), "", NO_PUBMED, original, "", NO_PUBMED)


def _day(day: date) -> str:
    """A day as it stands there: month, day, year, and a time that says nothing."""
    return f"{day.month}/{day.day}/{day.year} 0:00"


def _decided(
    entry: Correction, changes: Iterable[tuple[str, str | None, str | None]]
) -> tuple[str, ...]:
    moved = [f"{field}: {_text(before)} → {_text(after)}" for field, before, after in changes]
    state = [] if entry.in_force else ["no longer in force"]
    if entry.replaced_by is not None:
        state.append(f"replaced by {entry.replaced_by}")
    notes = [entry.statement, *moved, *state]
    reason = entry.reason.replace("-", " ").capitalize()
    nature = NATURES.get(entry.type or "", CORRECTION)
    return (nature, f"{reason};", "No", " | ".join(one for one in notes if one))


def _text(value: str | None) -> str:
    return "not stated" if value is None else value
