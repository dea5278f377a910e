"""Claims as rectangles: every event of a claim, or about its row's name, redraws its timeline."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import attrs
from sqlalchemy import ColumnElement, Connection, delete, insert, select

from ledger import events as ev
from ledger.claim import History, Plane, Reading, history_of, reading_of, stream_of
from ledger.store import Store
from ledger.values import Instant, from_micros, micros, name_key
from projections.keeping.aliases import AliasProjector
from projections.keeping.changed import ChangeProjector
from projections.keeping.rectangles import CHUNK, Keeper, Span, chunks
from projections.keeping.shares import Share, row_id
from projections.keeping.tables import BOTH, FOREVER, Tables
from projections.keeping.timeline import COLUMNS, Naming, Segment, answer, timeline

Later = ev.ClaimRestated | ev.ClaimRelisted | ev.ClaimDelisted

CONSTANT = ("benchmark", "source", "key")
# When a row was named of which no reading stands any more: whatever names it next is the first.
NEVER = datetime.max.replace(tzinfo=UTC)


@attrs.define
class RowOfClaims:
    """The claims that one source makes in one row, and the name that the row first bore."""

    id: str
    name: str
    named_at: Instant
    named_order: str
    claims: list[str] = attrs.field(factory=list)
    stored: bool = False
    changed: bool = False


@attrs.define
class Drawn:
    """A timeline without decisions as it was drawn last, to which a later reading only adds."""

    last_read: Instant
    named: tuple[Instant, str, int]
    spans: list[Span]


@attrs.define
class ClaimProjector:
    """Applies claim events, strictly in the order of positions."""

    tables: Tables
    store: Store
    aliases: AliasProjector
    share: Share
    keeper: Keeper[tuple[str, str]] = attrs.field(init=False)
    changes: ChangeProjector = attrs.field(init=False)
    _records: dict[str, list[ev.Recorded]] = attrs.field(factory=dict)
    _folded: dict[str, tuple[int, History]] = attrs.field(factory=dict)
    _rows: dict[str, RowOfClaims] = attrs.field(factory=dict)
    _row_of: dict[str, str] = attrs.field(factory=dict)
    _named: dict[str, list[RowOfClaims]] = attrs.field(factory=dict)
    _drawn: dict[str, Drawn] = attrs.field(factory=dict)
    _new_claims: list[dict[str, Any]] = attrs.field(factory=list)

    def __attrs_post_init__(self) -> None:
        table = self.tables.claim_version
        self.keeper = Keeper(table, ("claim", "plane"), (*CONSTANT, *COLUMNS))
        self.changes = ChangeProjector(self.tables)

    # --- what a batch needs -------------------------------------------------------------------

    def prepare(
        self, connection: Connection, records: Sequence[ev.Recorded], renamed: Iterable[str]
    ) -> None:
        """Load all that these records may redraw: their claims, the claims of their rows, and the
        claims of rows that first bore one of the ``renamed`` names."""
        first: dict[str, int] = {}
        rows: set[str] = set()
        names: set[str] = set()
        for record in records:
            if isinstance(record.event, ev.ClaimEvent):
                first.setdefault(_claim_of(record), record.envelope.version)
                names.update(_names_in(record.event))
                if isinstance(record.event, ev.ClaimRecorded):
                    rows.add(row_id(record.event))
        known = [claim for claim, version in first.items() if version > 1]
        table = self.tables.claim
        for chunk in chunks(known, CHUNK):
            rows.update(connection.scalars(select(table.c.row).where(table.c.claim.in_(chunk))))
        self._load_rows(connection, self.tables.row.c.row, rows)
        self._load_rows(connection, self.tables.row.c.name_key, renamed)
        self._load_claims_of_rows(connection)
        self._load_claims(connection, records)
        if any(isinstance(record.event, ev.ClaimReadingVoided) for record in records):
            # A row then takes the name that it bore next.
            for known_records in self._records.values():
                names.update(name for one in known_records for name in _names_in(one.event))
        self.aliases.load(connection, names | {row.name for row in self._rows.values()})

    def _load_rows(
        self, connection: Connection, column: ColumnElement[str], wanted: Iterable[str]
    ) -> None:
        table = self.tables.row
        columns = (table.c.row, table.c.name_key, table.c.named_at, table.c.named_order)
        for chunk in chunks(sorted(set(wanted)), CHUNK):
            query = select(*columns).where(column.in_(chunk))
            for row, name, at, order in connection.execute(query):
                if row not in self._rows and self.share.has(row):
                    self._hold(RowOfClaims(row, name, from_micros(at), order, stored=True))

    def _hold(self, row: RowOfClaims) -> None:
        self._rows[row.id] = row
        self._named.setdefault(row.name, []).append(row)

    def _load_claims_of_rows(self, connection: Connection) -> None:
        table = self.tables.claim
        for chunk in chunks(sorted(self._rows), CHUNK):
            query = select(table.c.claim, table.c.row).where(table.c.row.in_(chunk))
            for claim, row in connection.execute(query.order_by(table.c.first_position)):
                self._row_of[claim] = row
                self._rows[row].claims.append(claim)

    def _load_claims(self, connection: Connection, records: Iterable[ev.Recorded]) -> None:
        start = min((record.position for record in records), default=0)
        known = sorted(self._row_of)
        for record in self.store.streams(stream_of(claim) for claim in known):
            if record.position < start:
                self._records.setdefault(_claim_of(record), []).append(record)
        self.keeper.load(connection, "claim", known)
        self.changes.load(connection, known)

    # --- applying -----------------------------------------------------------------------------

    def apply(self, record: ev.Recorded, event: ev.ClaimEvent) -> None:
        """One event of a claim."""
        claim = _claim_of(record)
        if isinstance(event, ev.ClaimRecorded):
            self._register(claim, record, event)
        self._records.setdefault(claim, []).append(record)
        row = self._rows[self._row_of[claim]]
        reading = reading_of(record, event) if isinstance(event, Later) else None
        if isinstance(event, ev.SourceFact) and self._rename(row, event):
            for one in row.claims:
                self._redraw(one, row, record.position)
        elif reading is None or not self._extend(claim, row, reading):
            self._redraw(claim, row, record.position)
        if not self.changes.add(claim, reading):
            self.changes.draw(claim, record, self._records[claim], self._history(claim))

    def renamed(self, name: str, position: int) -> None:
        """What a name means has changed: redraw the rows that first bore it."""
        for row in self._named.get(name, ()):
            for claim in row.claims:
                self._redraw(claim, row, position)

    def _register(self, claim: str, record: ev.Recorded, event: ev.ClaimRecorded) -> None:
        row = row_id(event)
        if row not in self._rows:
            name = name_key(event.says.name)
            self._hold(RowOfClaims(row, name, event.read_at, event.order, changed=True))
        self._rows[row].claims.append(claim)
        self._row_of[claim] = row
        self._new_claims.append(
            {
                "claim": claim,
                "row": row,
                "source": event.source,
                "benchmark": event.benchmark,
                "key": event.key,
                "first_position": record.position,
            }
        )

    def _rename(self, row: RowOfClaims, event: ev.SourceFact) -> bool:
        """Find the name that the row first bore; whether it is another than before."""
        before = (row.named_at, row.named_order, row.name)
        if isinstance(event, ev.ClaimReadingVoided):
            named = self._first_named(row) or (NEVER, "", row.name)
        elif isinstance(event, ev.ClaimDelisted):
            return False
        else:
            named = min(before, (event.read_at, event.order, name_key(event.says.name)))
            if named[:2] == before[:2]:
                named = before
        if named == before:
            return False
        self._named[row.name].remove(row)
        row.named_at, row.named_order, row.name = named
        self._named.setdefault(row.name, []).append(row)
        row.changed = True
        return True

    def _first_named(self, row: RowOfClaims) -> tuple[Instant, str, str] | None:
        named = [
            (reading.read_at, reading.order, name_key(reading.says.name))
            for claim in row.claims
            for reading in self._history(claim).readings
            if reading.says is not None
        ]
        return min(named, key=lambda one: one[:2], default=None)

    def _history(self, claim: str) -> History:
        """A claim's events so far, folded; the same events are folded once."""
        records = self._records[claim]
        folded = self._folded.get(claim)
        if folded is None or folded[0] != len(records):
            folded = self._folded[claim] = (len(records), history_of(records))
        return folded[1]

    def _redraw(self, claim: str, row: RowOfClaims, position: int) -> None:
        history = self._history(claim)
        naming = Naming(row.named_at, self.aliases.about(row.name))
        constant = self._constant(row)
        then = _spans(constant, timeline(history, naming, Plane.THEN))
        since = then
        if history.decisions:
            since = _spans(constant, timeline(history, naming, Plane.SINCE))
        both = set(then) & set(since)
        self._remember(claim, history, row, then)
        for plane, spans in ((Plane.THEN, then), (Plane.SINCE, since)):
            own = [span for span in spans if span not in both]
            self.keeper.change((claim, plane.value), own, position)
        self.keeper.change((claim, BOTH), [span for span in then if span in both], position)

    def _remember(self, claim: str, history: History, row: RowOfClaims, spans: list[Span]) -> None:
        self._drawn.pop(claim, None)
        if history.readings and not history.decisions:
            last = history.readings[-1].read_at
            self._drawn[claim] = Drawn(last, self._naming_of(row), list(spans))

    def _naming_of(self, row: RowOfClaims) -> tuple[Instant, str, int]:
        """What the row's model was resolved from; a name only ever gains assertions."""
        return (row.named_at, row.name, len(self.aliases.about(row.name)))

    def _extend(self, claim: str, row: RowOfClaims, reading: Reading) -> bool:
        """Add a reading that is later than all before it, without drawing those again.

        Gives the same spans as drawing all of it; ``False`` when more than the end may change.
        """
        drawn = self._drawn.get(claim)
        if drawn is None:
            return False
        naming = Naming(row.named_at, self.aliases.about(row.name))
        last = drawn.spans[-1] if drawn.spans and drawn.spans[-1][1] == FOREVER else None
        start = micros(reading.read_at)
        if (
            reading.read_at <= drawn.last_read
            or drawn.named != self._naming_of(row)
            or any(one.read_at > reading.read_at for one in naming.assertions[-1:])
            or (last is not None and last[0] >= start)
        ):
            return False
        drawn.last_read = reading.read_at
        cells = answer(reading, (), naming, reading.read_at, Plane.THEN)
        shown = None if cells is None else (*self._constant(row), *cells)
        if last is not None and last[2] == shown:
            return True
        instead = [] if last is None else [(last[0], start, last[2])]
        instead += [] if shown is None else [(start, FOREVER, shown)]
        self.keeper.extend((claim, BOTH), last, instead, reading.position)
        drawn.spans[len(drawn.spans) - (last is not None) :] = instead
        return True

    @staticmethod
    def _constant(row: RowOfClaims) -> tuple[str, str, str]:
        source, benchmark, key = row.id.split("\x1f")
        return (benchmark, source, key)

    # --- writing ------------------------------------------------------------------------------

    def flush(self, connection: Connection) -> None:
        """Write the batch."""
        if self._new_claims:
            connection.execute(insert(self.tables.claim), self._new_claims)
        self._flush_rows(connection)
        self.keeper.flush(connection)
        self.changes.flush(connection)
        for cache in (
            self._new_claims,
            self._records,
            self._folded,
            self._rows,
            self._row_of,
            self._named,
            self._drawn,
        ):
            cache.clear()

    def _flush_rows(self, connection: Connection) -> None:
        table = self.tables.row
        changed = [row for row in self._rows.values() if row.changed]
        new = [_row_columns(row) for row in changed if not row.stored]
        moved = [row.id for row in changed if row.stored]
        for chunk in chunks(moved, CHUNK):
            connection.execute(delete(table).where(table.c.row.in_(chunk)))
        new += [_row_columns(row) for row in changed if row.stored]
        if new:
            connection.execute(insert(table), new)


def _names_in(event: ev.Event) -> tuple[str, ...]:
    """The name that a source states in an event, as a key."""
    if isinstance(event, ev.ClaimRecorded | ev.ClaimRestated | ev.ClaimRelisted):
        return (name_key(event.says.name),)
    return ()


def _claim_of(record: ev.Recorded) -> str:
    return record.envelope.stream.partition(":")[2]


def _row_columns(row: RowOfClaims) -> Mapping[str, Any]:
    return {
        "row": row.id,
        "name_key": row.name,
        "named_at": micros(row.named_at),
        "named_order": row.named_order,
    }


def _spans(constant: tuple[str, ...], segments: Iterable[Segment]) -> list[Span]:
    return [(one.read_from, one.read_to, constant + one.cells) for one in segments]
