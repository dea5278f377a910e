"""What labs' own writings state on a benchmark: launch posts, and the documents beside them.

Every number counts here, whatever its metric and whether it ranks or not; so this does not follow
the board's view.
"""

from collections.abc import Iterable

import attrs

from ledger.vocabulary import DOCUMENT_KINDS
from projections.moment import Moment
from projections.rows import Row, stated_rows
from projections.views import Reader


@attrs.frozen
class Writings:
    """Numbers that launch posts, and system cards, model cards and technical reports state."""

    posts: tuple[Row, ...]
    documents: tuple[Row, ...]


def writings_on(reader: Reader, slug: str, moment: Moment) -> Writings:
    """The numbers stated on a benchmark at the moment, newest document first."""
    rows = [row for row in stated_rows(reader, slug, moment, view="labs") if _counts(row, moment)]
    return Writings(
        tuple(_newest_first(row for row in rows if row.source.kind == "launch-post")),
        tuple(_newest_first(row for row in rows if row.source.kind in DOCUMENT_KINDS)),
    )


def _counts(row: Row, moment: Moment) -> bool:
    """Whether the retrospective axis, if asked for, takes the row in."""
    if moment.published_by is None:
        return True
    printed = row.published_on
    return printed is not None and printed.first_day <= moment.published_by.first_day


def _newest_first(rows: Iterable[Row]) -> list[Row]:
    """By date, then document by document; within one, as its own order is not known, by metric."""
    ordered = sorted(rows, key=lambda row: (row.source.slug, row.metric, row.split or "", row.key))
    return sorted(ordered, key=_days, reverse=True)


def _days(row: Row) -> int:
    return row.published_on.first_day.toordinal() if row.published_on else 0


def sources_of(rows: Iterable[Row]) -> int:
    """How many documents these rows come from."""
    return len({row.source.slug for row in rows})


def labs_of(rows: Iterable[Row]) -> int:
    """How many labs these rows are about."""
    return len({row.model.lab for row in rows if row.model and row.model.lab})
