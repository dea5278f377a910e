"""A reading of what a source holds about a paper: its bytes archived, then its facts recorded.

One reading is one transaction. Every fact is recorded with each reading, also one that says what
was known before: so a reading that arrives late lands where it belongs, and changes nothing after
the next one. The same bytes of the same source and instant again record nothing.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress

import attrs

from ledger import commands as orders
from ledger import events as ev
from ledger import faults, source
from ledger.errors import Conflict
from ledger.footing import must_stand, stands_on
from ledger.importing.receipt import NOTHING, FileReceipt
from ledger.importing.records.papers import RecordedPaperReading
from ledger.importing.snapshot import ATTEMPTS
from ledger.ledger import Ledger, assertion
from ledger.store import NewEvents


@attrs.frozen
class PaperImporter:
    """Enters readings of papers one after the other; ``by`` is the curator's handle."""

    ledger: Ledger
    by: str
    dry_run: bool = False

    def read(self, reading: RecordedPaperReading) -> FileReceipt:
        """Enter one reading, made anew when another writer got in between.

        Raises the refusal of a fact that the ledger contradicts, having recorded nothing.
        """
        for _ in range(ATTEMPTS - 1):
            with suppress(Conflict):
                return self._read(reading)
        return self._read(reading)

    def _read(self, reading: RecordedPaperReading) -> FileReceipt:
        known = Known.of(self.ledger, reading)
        if source.stands(known.events(source.stream_of(reading.source)), reading.frozen):
            return _receipt(reading, "unchanged", known_already=True)
        if self.dry_run:
            return _receipt(reading, "recorded")
        for order in in_turn(reading):
            known.enter(order)
        known.receive(reading)
        self.ledger.archive.put(reading.data)
        # Crash here: bytes without an event, which the next import of the file picks up.
        faults.here("import:paper-archived")
        cause = f"import:{reading.frozen.digest}"
        self.ledger.store.append(known.new, by=self.by, cause=cause)
        return _receipt(reading, "recorded")


def in_turn(reading: RecordedPaperReading) -> list[orders.Assert]:
    """What a reading records, in order: that it was made, then all that it states."""
    frozen = orders.Assert(stream=source.stream_of(reading.source), fact=reading.frozen)
    return [frozen, *(line.order for line in reading.facts)]


@attrs.define
class Known:
    """The streams that a reading adds to, and stands on, as the ledger holds them."""

    streams: dict[str, list[ev.Event]]
    versions: Mapping[str, int]
    added: dict[str, list[ev.Event]] = attrs.field(factory=dict)

    @classmethod
    def of(cls, ledger: Ledger, reading: RecordedPaperReading) -> "Known":
        """Read them all at once."""
        streams: dict[str, list[ev.Event]] = {stream: [] for stream in streams_of(reading)}
        for record in ledger.store.streams(streams):
            streams[record.envelope.stream].append(record.event)
        return cls(streams, {stream: len(events) for stream, events in streams.items()})

    @property
    def new(self) -> list[NewEvents]:
        """What is to be appended, each stream against the version that was read."""
        return [
            NewEvents(stream, self.versions[stream], tuple(events))
            for stream, events in self.added.items()
        ]

    def events(self, stream: str) -> Sequence[ev.Event]:
        """The events of a stream, those to be added included."""
        return self.streams[stream]

    def enter(self, order: orders.Assert) -> None:
        """Judge one fact and add it, if it is new."""
        must_stand(order.fact, self.events)
        events = assertion(self.streams[order.stream], order.fact)
        self.streams[order.stream] += events
        if events:
            self.added.setdefault(order.stream, []).extend(events)

    def receive(self, reading: RecordedPaperReading) -> None:
        """Add the receipt, by which the reading can be taken back."""
        frozen = reading.frozen
        received = ev.ImportReceived(
            digest=frozen.digest,
            file=frozen.file or "",
            format="records",
            source=reading.source,
            read_at=frozen.read_at,
            order=frozen.order,
            counts={"rows": len(reading.facts)},
        )
        self.added[import_stream(reading)] = [received]


def import_stream(reading: RecordedPaperReading) -> str:
    """The stream of the imports of these bytes."""
    return f"import:{reading.frozen.digest}"


def streams_of(reading: RecordedPaperReading) -> list[str]:
    """All streams that a reading adds to or stands on."""
    found = [source.stream_of(reading.source), import_stream(reading)]
    for line in reading.facts:
        found.append(line.order.stream)
        found += (stream for _, stream in stands_on(line.order.fact))
    return list(dict.fromkeys(found))


def _receipt(
    reading: RecordedPaperReading, what: str, *, known_already: bool = False
) -> FileReceipt:
    return FileReceipt(
        file=reading.frozen.file or "",
        read_at=reading.frozen.read_at,
        rows=len(reading.facts),
        counts={**NOTHING, what: len(reading.facts)},
        digest=reading.frozen.digest,
        notes=(f"line {reading.line}: {reading.source} on paper {reading.paper}",),
        known_already=known_already,
    )
