"""Papers, repositories and samples as they are looked for: page by page, by name, by digits.

Only what had been read by the moment is found, as nothing else has a page that says anything.
"""

import re
from collections.abc import Iterable, Sequence
from contextlib import suppress

import attrs
from sqlalchemy import ColumnElement, Select, func, select

from ledger.errors import NotFound, SeveralSamples
from ledger.paper import stream_of
from ledger.sample import ALL_DIGITS, FEWEST_DIGITS, samples_among
from ledger.store import Store
from projections.asserted import described
from projections.code.papers import PaperOf
from projections.code.samples import sample_at
from projections.keeping.rectangles import CHUNK, chunks
from projections.keeping.views import Reader
from projections.moment import Moment

DIGITS = re.compile(r"[0-9a-f]{8,64}")
"""What is looked for as the beginning of a sample's digest."""
AFTER_DIGITS = "g"
"""Sorts after every digit."""


# --- papers, page by page ---------------------------------------------------------------------


@attrs.frozen
class PaperPage:
    """Some papers in the order of their ids, how many there are in all, and whether others come
    before and after them."""

    papers: tuple[PaperOf, ...]
    in_all: int
    has_before: bool
    has_after: bool


def papers_page(
    reader: Reader,
    moment: Moment,
    count: int,
    *,
    after: str | None = None,
    before: str | None = None,
) -> PaperPage:
    """At most ``count`` papers of which anything had been read: those that follow an id or come
    just before one, else the first. What is read of other papers moves none to another page."""
    column = reader.tables.code_fact.c.paper
    query = _read(reader, column, moment)
    if before is not None:
        query = query.where(column < before).order_by(column.desc())
    else:
        query = query.order_by(column)
        query = query if after is None else query.where(column > after)
    found = list(reader.connection.scalars(query.limit(count + 1)))
    others, slugs = len(found) > count, found[:count]
    if before is not None:
        slugs.reverse()
    every = select(func.count()).select_from(_read(reader, column, moment).subquery())
    return PaperPage(
        papers=tuple(_titled(reader, slugs, moment)),
        in_all=reader.connection.scalar(every) or 0,
        has_before=others if before is not None else after is not None,
        has_after=others if before is None else True,
    )


def _read(reader: Reader, column: ColumnElement[str], moment: Moment) -> Select[str]:
    """The values of a column of which anything had been read by the moment."""
    table = reader.tables.code_fact
    return (
        select(column)
        .distinct()
        .where(
            column.is_not(None),
            table.c.paper.is_not(None),
            table.c.position <= moment.position,
            table.c.read_at <= moment.day,
        )
    )


def _titled(reader: Reader, slugs: Sequence[str], moment: Moment) -> list[PaperOf]:
    found = described(reader, map(stream_of, slugs), moment)
    return [
        PaperOf(slug, str(found[stream_of(slug)]["title"]))
        for slug in slugs
        if stream_of(slug) in found
    ]


# --- by name ----------------------------------------------------------------------------------


def read_papers(reader: Reader, slugs: Iterable[str], moment: Moment) -> set[str]:
    """Those of these papers of which anything had been read."""
    return _among(reader, reader.tables.code_fact.c.paper, slugs, moment)


def linked_repositories(reader: Reader, slugs: Iterable[str], moment: Moment) -> set[str]:
    """Those of these repositories that had been read to be linked with any paper."""
    return _among(reader, reader.tables.code_fact.c.repository, slugs, moment)


def _among(
    reader: Reader, column: ColumnElement[str], slugs: Iterable[str], moment: Moment
) -> set[str]:
    query, found = _read(reader, column, moment), set[str]()
    for chunk in chunks(sorted(slugs), CHUNK):
        found.update(reader.connection.scalars(query.where(column.in_(chunk))))
    return found


def papers_with(
    reader: Reader, repository: str, moment: Moment, most: int
) -> tuple[list[PaperOf], int]:
    """The first papers that a repository is linked with, and how many there are."""
    table = reader.tables.code_fact
    query = _read(reader, table.c.paper, moment).where(table.c.repository == repository)
    count = reader.connection.scalar(select(func.count()).select_from(query.subquery())) or 0
    slugs = list(reader.connection.scalars(query.order_by(table.c.paper).limit(most)))
    return _titled(reader, slugs, moment), count


# --- by digits --------------------------------------------------------------------------------


def samples_beginning(
    reader: Reader, store: Store, digits: str, moment: Moment, most: int
) -> list[str]:
    """The first samples whose digest begins with these digits, 8 at least, or as far as it is
    known; each by as many digits as are known. Nothing for what cannot be digits."""
    if not DIGITS.fullmatch(digits):
        return []
    table, start = reader.tables.code_fact, digits[:FEWEST_DIGITS]
    query = (
        select(table.c.code)
        .distinct()
        .where(
            table.c.stem >= start,
            table.c.stem < start + AFTER_DIGITS,
            table.c.position <= moment.position,
            table.c.read_at <= moment.day,
        )
        .order_by(table.c.code)
        .limit(most * ALL_DIGITS)
    )
    codes = [one for one in reader.connection.scalars(query) if one is not None]
    fitting = [one for one in codes if one.startswith(digits) or digits.startswith(one)]
    found: list[str] = []
    for code in samples_among(fitting)[:most]:
        with suppress(NotFound, SeveralSamples):  # its reading was taken back
            found.append(sample_at(reader, store, code, moment).code)
    return list(dict.fromkeys(found))
