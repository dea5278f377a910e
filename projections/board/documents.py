"""What labs' own writings state on a benchmark: launch posts, and the documents beside them.

Every number counts here, whatever its metric and whether it ranks or not; so this does not follow
the board's view.
"""

from collections.abc import Iterable

import attrs

from ledger.values import PartialDate
from ledger.vocabulary import DOCUMENT_KINDS
from projections.board.benchmarks import Benchmark
from projections.board.described import SourceOf
from projections.board.rows import Row, stated_rows
from projections.keeping.views import Reader
from projections.moment import Moment


@attrs.frozen
class Document:
    """One document and the numbers that it states; those that rank come first."""

    source: SourceOf
    rows: tuple[Row, ...]

    @property
    def published_on(self) -> PartialDate | None:
        """Its date, the earliest that one of its numbers bears."""
        dates = [row.published_on for row in self.rows if row.published_on]
        return min(dates, key=lambda date: date.first_day, default=None)

    @property
    def wordings(self) -> tuple[str, ...]:
        """The benchmark as the document writes it, each wording once."""
        return tuple(dict.fromkeys(row.wording for row in self.rows if row.wording))

    @property
    def sections(self) -> tuple[str, ...]:
        """The sections in which the numbers stand."""
        return tuple(dict.fromkeys(row.section for row in self.rows if row.section))


@attrs.frozen
class Writings:
    """Launch posts; and system cards, model cards and technical reports, newest first."""

    posts: tuple[Document, ...]
    documents: tuple[Document, ...]


def writings_on(reader: Reader, benchmark: Benchmark, moment: Moment) -> Writings:
    """What is stated on a benchmark at the moment."""
    found: dict[SourceOf, list[Row]] = {}
    for row in stated_rows(reader, benchmark.slug, moment, view="labs"):
        if _counts(row, moment):
            found.setdefault(row.source, []).append(row)
    documents = [
        Document(source, tuple(sorted(rows, key=lambda row: _place(row, benchmark))))
        for source, rows in found.items()
    ]
    return Writings(
        tuple(_newest_first(one for one in documents if one.source.kind == "launch-post")),
        tuple(_newest_first(one for one in documents if one.source.kind in DOCUMENT_KINDS)),
    )


def labs_of(documents: Iterable[Document]) -> int:
    """How many labs these documents are about."""
    rows = (row for document in documents for row in document.rows)
    return len({row.model.lab for row in rows if row.model and row.model.lab})


def _counts(row: Row, moment: Moment) -> bool:
    """Whether the retrospective axis, if asked for, takes the row in."""
    if moment.published_by is None:
        return True
    printed = row.published_on
    return printed is not None and printed.first_day <= moment.published_by.first_day


def _place(row: Row, benchmark: Benchmark) -> tuple[int, int, str, str]:
    """Metric by metric in their order; within one, the splits that rank before the others."""
    rule = benchmark.rules.get(row.metric)
    if rule is None:
        return (len(benchmark.rules), 0, row.metric, row.key)
    ranks = rule.splits is None or row.split in rule.splits
    return (rule.ordinal, 0 if ranks else 1, row.split or "", row.key)


def _newest_first(documents: Iterable[Document]) -> list[Document]:
    by_name = sorted(documents, key=lambda one: one.source.slug)
    return sorted(by_name, key=_day, reverse=True)


def _day(document: Document) -> int:
    date = document.published_on
    return date.first_day.toordinal() if date else 0
