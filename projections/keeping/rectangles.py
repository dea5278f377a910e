"""Keeping rectangles: what a new fact changes is closed, what holds now is added beside it.

A keeper holds the open rectangles of the subjects that a batch touches, compares them with the
segments as they are now, and writes the difference once, at the end of the batch. Rows are closed
and never changed otherwise, so what a reader pinned to a position sees stays as it was.
"""

from collections.abc import Iterable, Sequence
from typing import Any, Generic, TypeVar

import attrs
from sqlalchemy import Connection, Table, bindparam, select, update

from projections.keeping.tables import FOREVER
from projections.keeping.writing import insert_rows

Subject = TypeVar("Subject", bound=tuple[str | int, ...])
Span = tuple[int, int, tuple[Any, ...]]

CHUNK = 500
SPANS = ("read_from", "read_to", "recorded_from", "recorded_to")


@attrs.define
class Rectangle:
    """One open or newly closed rectangle; ``stored`` says that the database has it already."""

    read_from: int
    read_to: int
    cells: tuple[Any, ...]
    recorded_from: int
    recorded_to: int = FOREVER
    stored: bool = False

    @property
    def span(self) -> Span:
        """What is compared: from, to, and what shows."""
        return (self.read_from, self.read_to, self.cells)


@attrs.define
class Keeper(Generic[Subject]):
    """The rectangles of one table; ``subject`` and ``cells`` name its columns."""

    table: Table
    subject: tuple[str, ...]
    cells: tuple[str, ...]
    _open: dict[Subject, list[Rectangle]] = attrs.field(factory=dict)
    _added: list[tuple[Subject, Rectangle]] = attrs.field(factory=list)
    _closed: list[tuple[Subject, Rectangle]] = attrs.field(factory=list)

    def load(self, connection: Connection, column: str, values: Iterable[str]) -> None:
        """Have the open rectangles at hand of all subjects with one of these values."""
        columns = self.table.c
        wanted = [*self.subject, "read_from", "read_to", "recorded_from", *self.cells]
        width = len(self.subject)
        for chunk in chunks(list(values), CHUNK):
            query = select(*(columns[name] for name in wanted)).where(
                columns[column].in_(chunk), columns.recorded_to == FOREVER
            )
            for row in connection.execute(query):
                subject: Any = tuple(row[:width])
                read_from, read_to, recorded_from = row[width : width + 3]
                self._open.setdefault(subject, []).append(
                    Rectangle(
                        read_from, read_to, tuple(row[width + 3 :]), recorded_from, stored=True
                    )
                )

    def change(self, subject: Subject, spans: Sequence[Span], position: int) -> None:
        """Let ``spans`` hold for a subject from ``position`` on."""
        before = self._open.get(subject, [])
        if not before:
            if not spans:
                return
            opened = [Rectangle(*span, position) for span in spans]
            self._added += [(subject, rectangle) for rectangle in opened]
            self._open[subject] = opened
            return
        wanted = set(spans)
        kept = [rectangle for rectangle in before if rectangle.span in wanted]
        for rectangle in before:
            if rectangle.span not in wanted:
                self._close_rectangle(subject, rectangle, position)
        held = {rectangle.span for rectangle in kept}
        opened = [Rectangle(*span, position) for span in spans if span not in held]
        self._added += [(subject, rectangle) for rectangle in opened]
        self._open[subject] = kept + opened

    def extend(
        self, subject: Subject, last: Span | None, instead: Sequence[Span], position: int
    ) -> None:
        """Let ``instead`` hold in the place of a subject's last span; the spans before it stay."""
        held = self._open.setdefault(subject, [])
        if last is not None:
            place = next(n for n in reversed(range(len(held))) if held[n].span == last)
            self._close_rectangle(subject, held.pop(place), position)
        opened = [Rectangle(*span, position) for span in instead]
        self._added += [(subject, rectangle) for rectangle in opened]
        held += opened

    def _close_rectangle(self, subject: Subject, rectangle: Rectangle, position: int) -> None:
        rectangle.recorded_to = position
        if rectangle.stored:
            self._closed.append((subject, rectangle))

    def flush(self, connection: Connection) -> None:
        """Write what the batch closed and added."""
        if self._closed:
            connection.execute(self._closing(), [self._close(*one) for one in self._closed])
        if self._added:
            columns = (*self.subject, *self.cells, *SPANS)
            insert_rows(connection, self.table, columns, [_row(*one) for one in self._added])
        self._open.clear()
        self._added.clear()
        self._closed.clear()

    def _closing(self) -> Any:
        keys = (*self.subject, "recorded_from", "read_from")
        matches = (self.table.c[name] == bindparam(f"is_{name}") for name in keys)
        return update(self.table).where(*matches).values(recorded_to=bindparam("closed_at"))

    def _close(self, subject: Subject, rectangle: Rectangle) -> dict[str, Any]:
        named = {f"is_{name}": value for name, value in zip(self.subject, subject, strict=True)}
        return named | {
            "is_recorded_from": rectangle.recorded_from,
            "is_read_from": rectangle.read_from,
            "closed_at": rectangle.recorded_to,
        }


def _row(subject: tuple[str | int, ...], rectangle: Rectangle) -> tuple[Any, ...]:
    """A rectangle in the order of its columns: subject, cells, spans."""
    return (
        *subject,
        *rectangle.cells,
        rectangle.read_from,
        rectangle.read_to,
        rectangle.recorded_from,
        rectangle.recorded_to,
    )


Item = TypeVar("Item")


def chunks(items: Sequence[Item], size: int) -> Iterable[Sequence[Item]]:
    """Slices of at most ``size``, so that a statement never has too many parameters."""
    return (items[start : start + size] for start in range(0, len(items), size))
