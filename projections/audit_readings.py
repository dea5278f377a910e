"""What came in: imports with what became of each, and frozen readings with what was kept of them.

Both are listed by their positions in the log, the last first.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Generic, TypeVar

import attrs
import orjson
from sqlalchemy import RowMapping, Table, func, select

from ledger import events as ev
from ledger.errors import NotFound
from ledger.published import published_at
from ledger.store import Store
from ledger.values import Instant, from_micros
from projections.keeping.views import Reader
from projections.story import FrozenReading, frozen_reading

T = TypeVar("T")

WARC = "warc"
"""The format of an import that kept the headers of an answer, and no claim."""

MOST_READINGS = 100
"""Readings of the same bytes that are listed; of the others only their number is told."""


@attrs.frozen
class Place:
    """Which rows: at most ``count``, before a position or behind one, through ``upto``."""

    count: int
    upto: int
    before: int | None = None
    after: int | None = None


@attrs.frozen(kw_only=True)
class Listed(Generic[T]):
    """Some rows, the last first, and before and behind which positions the list goes on."""

    rows: tuple[T, ...]
    older: int | None
    newer: int | None


@attrs.frozen(kw_only=True)
class Import:
    """One import: what came in, what it did, what of it was refused."""

    position: int
    digest: str
    file: str
    format: str
    source: str
    benchmark: str | None
    read_at: Instant
    recorded_at: Instant
    recorded_by: str
    counts: Mapping[str, int]
    refused: tuple[str, ...]


@attrs.frozen(kw_only=True)
class Receipt:
    """An import with what its event says beside, and where its reading was taken back."""

    imported: Import
    order: str
    reading: FrozenReading | None
    withdrawn_at: int | None


@attrs.frozen(kw_only=True)
class Kept:
    """The WARC that was kept of an answer, with the import that names it."""

    digest: str
    reading: int
    position: int


@attrs.frozen(kw_only=True)
class Snapshot:
    """Frozen bytes: every reading of them, the last first, and what was kept of their answers."""

    digest: str
    readings: tuple[tuple[str, FrozenReading], ...]
    in_all: int
    kept: tuple[Kept, ...]

    @property
    def counts(self) -> bool:
        """Whether any of the readings that are listed still counts."""
        return any(not reading.withdrawn for _, reading in self.readings)


# --- imports ----------------------------------------------------------------------------------


def imports_page(reader: Reader, place: Place) -> Listed[Import]:
    """Imports by their positions."""
    return _listed(reader, reader.tables.imported, place, _import)


def import_at(reader: Reader, store: Store, position: int, upto: int) -> Receipt:
    """The import at a position; ``NotFound`` where none is."""
    table = reader.tables.imported
    query = select(table).where(table.c.position == position, table.c.position <= upto)
    found = reader.connection.execute(query).mappings().first()
    record = published_at(store, position)
    if found is None or record is None or not isinstance(record.event, ev.ImportReceived):
        raise NotFound(what="import", name=position)
    imported, order = _import(found), record.event.order
    reading, withdrawn = _reading_of(reader, found, order, upto)
    return Receipt(imported=imported, order=order, reading=reading, withdrawn_at=withdrawn)


def _reading_of(
    reader: Reader, imported: RowMapping, order: str, upto: int
) -> tuple[FrozenReading | None, int | None]:
    """The reading that an import brought or goes with, and where it was taken back."""
    table = reader.tables.reading
    query = select(table).where(
        table.c.source == imported["source"],
        table.c.read_at == imported["read_at"],
        table.c.turn == order,
        table.c.position <= upto,
    )
    if imported["format"] != WARC:
        query = query.where(table.c.digest == imported["digest"])
    query = query.order_by(table.c.position.desc()).limit(1)
    found = reader.connection.execute(query).mappings().first()
    if found is None:
        return None, None
    reading = frozen_reading(found, upto)
    return reading, found["withdrawn"] if reading.withdrawn else None


def _import(row: RowMapping) -> Import:
    return Import(
        position=row["position"],
        digest=row["digest"],
        file=row["file"],
        format=row["format"],
        source=row["source"],
        benchmark=row["benchmark"],
        read_at=from_micros(row["read_at"]),
        recorded_at=from_micros(row["recorded_at"]),
        recorded_by=row["recorded_by"],
        counts=orjson.loads(row["counts"]),
        refused=tuple(orjson.loads(row["refused"])),
    )


# --- snapshots --------------------------------------------------------------------------------


def readings_page(reader: Reader, place: Place) -> Listed[tuple[str, FrozenReading]]:
    """Readings by their positions, each with its source."""

    def read(row: RowMapping) -> tuple[str, FrozenReading]:
        return str(row["source"]), frozen_reading(row, place.upto)

    return _listed(reader, reader.tables.reading, place, read)


def snapshot_at(reader: Reader, digest: str, upto: int) -> Snapshot:
    """Frozen bytes by their digest; ``NotFound`` where no source was read to give them."""
    table = reader.tables.reading
    of_these = (table.c.digest == digest, table.c.position <= upto)
    query = select(table).where(*of_these).order_by(table.c.position.desc()).limit(MOST_READINGS)
    rows = reader.connection.execute(query).mappings().all()
    if not rows:
        raise NotFound(what="snapshot", name=digest)
    in_all = reader.connection.scalar(select(func.count()).select_from(table).where(*of_these))
    return Snapshot(
        digest=digest,
        readings=tuple((row["source"], frozen_reading(row, upto)) for row in rows),
        in_all=in_all or 0,
        kept=tuple(kept for row in rows for kept in _kept(reader, row, upto)),
    )


def _kept(reader: Reader, reading: RowMapping, upto: int) -> Sequence[Kept]:
    """The headers that were kept with a reading: freezing records both at once."""
    table = reader.tables.imported
    query = select(table.c.digest, table.c.position).where(
        table.c.format == WARC,
        table.c.source == reading["source"],
        table.c.read_at == reading["read_at"],
        table.c.recorded_at == reading["recorded_at"],
        table.c.position > reading["position"],
        # Freezing records the reading, its receipt, and the one that names the headers.
        table.c.position <= min(reading["position"] + 3, upto),
    )
    return [
        Kept(digest=row.digest, reading=reading["position"], position=row.position)
        for row in reader.connection.execute(query)
    ]


# --- lists ------------------------------------------------------------------------------------


def _listed(
    reader: Reader, table: Table, place: Place, read: Callable[[RowMapping], T]
) -> Listed[T]:
    """The rows of a table at a place; one more is looked for, to say whether the list goes on."""
    at = table.c.position
    query = select(table).where(at <= place.upto).limit(place.count + 1)
    if place.after is not None:
        query = query.where(at > place.after).order_by(at)
    else:
        query = query.where(at < (place.before or place.upto + 1)).order_by(at.desc())
    found = reader.connection.execute(query).mappings().all()
    kept, more = found[: place.count], len(found) > place.count
    further = kept[-1]["position"] if more else None
    if place.after is not None:
        rows = tuple(read(row) for row in reversed(kept))
        return Listed(rows=rows, older=place.after + 1, newer=further)
    newer = None if place.before is None else place.before - 1
    return Listed(rows=tuple(read(row) for row in kept), older=further, newer=newer)
