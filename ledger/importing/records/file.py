"""A records file as a whole: facts to assert and readings to enter; pure, and all or nothing.

The first line is a header. A claim belongs to the reading that it names by source and benchmark,
or else to the one before it; what was read about a paper, to the paper reading before it.
"""

import hashlib
from collections.abc import Iterable, Mapping
from typing import Protocol, TypeVar

import attrs

from ledger import commands as orders
from ledger.errors import BadValue, FileRefused
from ledger.importing.board import RowProblem
from ledger.importing.records.fields import instant, refuse_future
from ledger.importing.records.kinds import CLAIM, FACTS, HEADER, READING, Kind, Values
from ledger.importing.records.lines import Json, parse_object, split_lines
from ledger.importing.records.papers import (
    PAPER_LINES,
    PAPER_READING,
    PaperReadingDraft,
    RecordedPaperReading,
)
from ledger.importing.records.problems import Problems
from ledger.importing.records.reading import ReadingDraft, RecordedReading
from ledger.importing.records.shapes import SHAPES
from ledger.values import Digest, Instant, Slug

FORMAT = "corrigenda-records/1"

Record = Mapping[str, Json]
Finished_co = TypeVar("Finished_co", covariant=True)


class Draft(Protocol[Finished_co]):
    """A reading while its lines come in."""

    number: int

    def finish(self, file: str) -> Finished_co:
        """The reading; refused when it says nothing."""
        ...


@attrs.frozen(kw_only=True)
class RecordedFact:
    """A fact that a line asserts; ``refers`` says what has to be registered: (field, stream)."""

    line: int
    order: orders.Assert
    refers: tuple[tuple[str, str], ...] = ()


@attrs.frozen(kw_only=True)
class RecordsFile:
    """What a records file says; ``digest`` is that of the whole file, ``read_at`` its header's."""

    file: str
    digest: Digest
    read_at: Instant | None
    facts: tuple[RecordedFact, ...]
    readings: tuple[RecordedReading, ...]
    paper_readings: tuple[RecordedPaperReading, ...] = ()


def parse_records(file: str, data: bytes, now: Instant) -> RecordsFile:
    """Read a records file. ``now`` (UTC) is what the future begins after.

    Raises :class:`~ledger.importing.records.problems.RecordsRefused` with every line that is
    wrong, or ``FileRefused`` for what is not a records file or beyond the limits.
    """
    lines = split_lines(file, data)
    first = next(lines, None)
    if first is None:
        raise FileRefused(file=file, why="it is empty")
    problems = Problems(file)
    draft = _FileDraft(file, now, problems, _header(file, *first, now, problems))
    for number, line in lines:
        draft.take(number, line)
    return draft.finish(Digest(hashlib.sha256(data).hexdigest()))


@attrs.frozen
class _Header:
    """What holds for all lines that do not say it themselves."""

    read_at: Instant | None
    why: str | None


def _header(file: str, number: int, line: str, now: Instant, problems: Problems) -> _Header:
    """The header; without it nothing in the file can be trusted to mean what it seems to say."""
    try:
        record: Record = parse_object(line)
    except RowProblem:
        record = {}
    if record.get("record") != "file" or record.get("format") != FORMAT:
        why = f'it does not begin with {{"record":"file","format":"{FORMAT}"}}'
        raise FileRefused(file=file, why=why)
    values = HEADER.read(record, number, now, problems) or {}
    read_at = _stated_read_at(record, number, now, problems)
    problems.refuse_if_any()
    return _Header(read_at, values.get("why"))


def _stated_read_at(
    record: Record, number: int, now: Instant, problems: Problems
) -> Instant | None:
    given = record.get("read_at")
    if given is None:
        return None
    try:
        read_at = instant(given, "read_at")
        refuse_future(read_at, "read_at", now)
    except BadValue as why:
        problems.add(number, "read_at", why)
        return None
    return read_at


@attrs.define
class _FileDraft:
    """A file while its lines come in, one by one, and all that is wrong with it."""

    file: str
    now: Instant
    problems: Problems
    header: _Header
    facts: list[RecordedFact] = attrs.field(factory=list)
    readings: dict[tuple[Slug, Slug, Instant, str], ReadingDraft] = attrs.field(factory=dict)
    # The last reading of each source on each benchmark.
    latest: dict[tuple[Slug, Slug], ReadingDraft] = attrs.field(factory=dict)
    # The last reading line, and whether it was itself refused.
    current: ReadingDraft | None = None
    current_refused: bool = False
    papers: dict[tuple[Slug, Slug, Instant, str], PaperReadingDraft] = attrs.field(factory=dict)
    # The last reading of a paper, and whether it was itself refused.
    about: PaperReadingDraft | None = None
    about_refused: bool = False

    def take(self, number: int, line: str) -> None:
        """Enter one line."""
        try:
            self._enter(number, line, parse_object(line))
        except RowProblem as why:
            self.problems.add(number, why.field, why)

    def _enter(self, number: int, line: str, record: Record) -> None:
        match record.get("record"):
            case "reading":
                self._reading(number, line, record)
            case "claim":
                self._claim(number, line, record)
            case "paper-reading":
                self._paper_reading(number, line, record)
            case str(kind) if kind in PAPER_LINES:
                self._of_paper(number, line, record, kind)
            case "file":
                raise RowProblem("record", "the header stands on the first line alone")
            case str(kind) if kind in FACTS:
                self._fact(number, record, FACTS[kind])
            case _:
                why = f"it says what the line is about, one of {', '.join(SHAPES)}"
                raise RowProblem("record", why)

    def finish(self, digest: Digest) -> RecordsFile:
        """The file, if nothing is wrong with it; readings in the order in which they were made."""
        done = self._finished(self.readings.values())
        papers = self._finished(self.papers.values())
        self.problems.refuse_if_any()
        done.sort(key=lambda reading: (reading.board.read_at, reading.board.order))
        papers.sort(key=lambda reading: (reading.frozen.read_at, reading.frozen.order))
        return RecordsFile(
            file=self.file,
            digest=digest,
            read_at=self.header.read_at,
            facts=tuple(self.facts),
            readings=tuple(done),
            paper_readings=tuple(papers),
        )

    def _finished(self, drafts: Iterable[Draft[Finished_co]]) -> list[Finished_co]:
        done: list[Finished_co] = []
        for draft in drafts:
            try:
                done.append(draft.finish(self.file))
            except RowProblem as why:
                self.problems.add(draft.number, why.field, why)
        return done

    def _fact(self, number: int, record: Record, kind: Kind) -> None:
        if "why" in kind.shape.required and self.header.why is not None:
            record = {"why": self.header.why, **record}
        values = kind.shape.read(record, number, self.now, self.problems)
        read_at = self._read_at(number, record)
        if values is not None and read_at is not None:
            order, refers = kind.order(values, read_at), kind.references(values)
            self.facts.append(RecordedFact(line=number, order=order, refers=refers))

    def _reading(self, number: int, line: str, record: Record) -> None:
        self.current, self.current_refused = None, True
        values = READING.read(record, number, self.now, self.problems)
        read_at = self._read_at(number, record)
        if values is None or read_at is None:
            return
        draft = ReadingDraft(number, read_at, values, [line])
        other = self.readings.get(draft.turn)
        if other is not None:
            why = f"line {other.number} is a reading of the same instant; give one an order"
            raise RowProblem("order", why)
        self.readings[draft.turn] = self.latest[draft.source_and_benchmark] = draft
        self.current, self.current_refused = draft, False

    def _paper_reading(self, number: int, line: str, record: Record) -> None:
        self.about, self.about_refused = None, True
        values = PAPER_READING.read(record, number, self.now, self.problems)
        read_at = self._read_at(number, record)
        if values is None or read_at is None:
            return
        draft = PaperReadingDraft(number, read_at, values, [line])
        other = self.papers.get(draft.turn)
        if other is not None:
            why = f"line {other.number} is a reading of the same instant; give one an order"
            raise RowProblem("order", why)
        self.papers[draft.turn] = draft
        self.about, self.about_refused = draft, False

    def _of_paper(self, number: int, line: str, record: Record, kind: str) -> None:
        """A line of the paper reading before it, unless that was itself refused."""
        if "read_at" in record:
            raise RowProblem("read_at", "it is read when its reading is; say it there")
        values = PAPER_LINES[kind].shape.read(record, number, self.now, self.problems)
        if self.about is None and not self.about_refused:
            raise RowProblem(None, "no paper-reading stands before this line")
        if values is not None and self.about is not None:
            self.about.add(number, line, kind, values)

    def _claim(self, number: int, line: str, record: Record) -> None:
        if "read_at" in record:
            raise RowProblem("read_at", "a claim is read when its reading is; say it there")
        values = CLAIM.read(record, number, self.now, self.problems)
        if values is None:
            return
        draft = self._reading_of(values)
        if draft is not None:
            draft.add(number, line, values)

    def _reading_of(self, values: Values) -> ReadingDraft | None:
        """The reading that a claim belongs to; ``None`` when that was itself refused."""
        here = self.current.source_and_benchmark if self.current else (None, None)
        source, benchmark = values.get("source", here[0]), values.get("benchmark", here[1])
        if source is None or benchmark is None:
            if self.current_refused:
                return None
            raise RowProblem(None, "no reading stands before this claim")
        if (source, benchmark) == here:
            return self.current
        draft = self.latest.get((source, benchmark))
        if draft is None and not self.current_refused:
            why = f"no reading of {source} on {benchmark} stands before this claim"
            raise RowProblem("source", why)
        return draft

    def _read_at(self, number: int, record: Record) -> Instant | None:
        """The line's own instant, or the header's; ``None`` when neither will do."""
        if record.get("read_at") is not None:
            return _stated_read_at(record, number, self.now, self.problems)
        if self.header.read_at is None:
            self.problems.add(number, "read_at", "it is missing, here and in the header")
        return self.header.read_at
