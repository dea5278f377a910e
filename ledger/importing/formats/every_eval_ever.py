"""Every Eval Ever 0.2 and 0.3: records as ``.json``, or one a line as ``.jsonl``.

A record holds what one source says of one model on any number of datasets; each dataset is a
benchmark. It says when it was made from its source (``retrieved_timestamp``), which is when we read
it too, and not when anything was published. Other records of the same source are other files, so
what is not here is left as it was.

The kind of a source follows from who evaluated: ``first_party`` is a lab's model card;
``third_party`` an independent run, an official leaderboard where only numbers were reported, or a
copied board where the reporter is an aggregator; anything else a collected claim, in no view but
all. Files of single samples, and lines that only point at records, hold no numbers of a board: they
are refused with a sentence. What our own export wrote under ``corrigenda.…`` in the free details
goes back to its columns.
"""

from collections.abc import Iterator
from typing import Any

import attrs

from ledger.errors import FileRefused
from ledger.importing.formats.beside import Beside
from ledger.importing.formats.documents import Document, json_document
from ledger.importing.formats.evaluation_record import Record, Result, record_of, results_of
from ledger.importing.formats.format import Asked, Candidate, Placing, Sheet
from ledger.importing.formats.keys import Keyed, told_apart
from ledger.importing.formats.opening import opening_of
from ledger.importing.formats.tables import RawRow
from ledger.importing.limits import check_line, check_rows, decode_utf8
from ledger.model import slug_for
from ledger.values import Instant, PartialDate, Slug

_PLACING = Placing(
    published_on="nowhere; evaluation_timestamp is the time of the run and is kept beside",
    read_at="retrieved_timestamp, when the record was made from its source",
    setting="the precision of the model and the plain generation_args",
    split="evaluation_name where it says more than the dataset’s name, and hf_split",
    identity="evaluation_id without the time that it ends in; with metric and split",
    unit="metric_unit, else the metric’s kind, else a stated scale of 0 to 1, or of 0 to 100 for"
    " shares; else say --unit",
)


@attrs.frozen
class EveryEvalEver:
    """Records of evaluations."""

    name: str = "every-eval-ever"
    title: str = "Every Eval Ever 0.2 and 0.3, records (.json) and lines of them (.jsonl)"
    endings: tuple[str, ...] = (".json", ".jsonl")
    placing: Placing = _PLACING

    def known_by(self, file: Candidate) -> str | None:
        """A ``schema_version`` beside an ``evaluation_id``, or a line that points at a record."""
        opening = opening_of(file.start)
        if opening.has("schema_version", "evaluation_id"):
            kind = "a record of single samples" if opening.has("sample_id") else "a record"
            return f"it is {kind} whose schema_version is {opening.says('schema_version')}"
        if opening.has("record_type", "object_path", "eval_schema_version"):
            return "its lines point at records by their object_path"
        return None

    def sheets(self, file: Candidate, asked: Asked) -> Iterator[Sheet]:
        """A board for each source, dataset and instant in the file, by instant."""
        boards = _Boards(file, asked)
        for document in _documents(file):
            boards.add(document)
        yield from boards.sheets()


EVERY_EVAL_EVER = EveryEvalEver()


def _documents(file: Candidate) -> Iterator[Document]:
    """The records in a file; refused whole when one of them is no record."""
    text = decode_utf8(file.name, file.data())
    if file.ending != "jsonl":
        yield _checked(json_document(file.name, text))
        return
    lines = [(at, line) for at, line in enumerate(text.split("\n"), 1) if line.strip()]
    check_rows(file.name, len(lines), "lines")
    if not lines:
        raise FileRefused(file=file.name, why="it is empty")
    for at, line in lines:
        check_line(file.name, at, len(line))
        yield _checked(json_document(f"{file.name}, line {at}", line))


def _checked(document: Document) -> Document:
    """A record with results, or a refusal that says what it is instead."""
    content = document.objects(document.content, "")
    if "sample_id" in content or "interaction_type" in content:
        why = "it holds single samples and no scores of a model; import the record they belong to"
        document.refuse("", why)
    if "object_path" in content:
        where = str(content["object_path"])[:200]
        document.refuse("object_path", f"it only points at a record; import {where} itself")
    return document


@attrs.define
class _Boards:
    """The results of all records of a file, board by board."""

    file: Candidate
    asked: Asked
    beside: Beside = attrs.field(factory=Beside)
    number: int = 0
    rows: dict[tuple[Instant, str, str], list[Keyed]] = attrs.field(factory=dict)
    first: dict[tuple[Instant, str, str], tuple[Record, Result]] = attrs.field(factory=dict)
    names: dict[tuple[Instant, str, str], dict[str, str]] = attrs.field(factory=dict)
    lower: dict[tuple[Instant, str, str], set[str]] = attrs.field(factory=dict)
    theirs: set[tuple[Instant, str, str]] = attrs.field(factory=set)
    """Boards with a record that is not of our own export, which leaves its unit open."""
    released: dict[tuple[Instant, str, str], dict[str, PartialDate]] = attrs.field(factory=dict)

    def add(self, document: Document) -> None:
        """Take the results of a record in."""
        record = record_of(document)
        for result in results_of(record):
            self.number += 1
            check_rows(self.file.name, self.number, "results")
            source = self.asked.source or record.source or slug_for(record.source_name)
            benchmark = result.benchmark or slug_for(result.benchmark_name)
            self._keep((record.read_at, source, benchmark), record, result)

    def _keep(self, board: tuple[Instant, str, str], record: Record, result: Result) -> None:
        self.first.setdefault(board, (record, result))
        cells: dict[str, Any] = {**self.beside.keep(result.rest, {}), **result.cells}
        row = RawRow(self.number, cells, result.problem)
        self.rows.setdefault(board, []).append(Keyed(row, result.hints))
        if result.metric and result.metric_name:
            self.names.setdefault(board, {}).setdefault(result.metric, result.metric_name)
        if result.released and result.cells["model"]:
            self.released.setdefault(board, {}).setdefault(result.cells["model"], result.released)
        if not result.is_ours:
            self.theirs.add(board)
        if result.lower_is_better:
            self.lower.setdefault(board, set()).add(result.metric or "score")

    def sheets(self) -> Iterator[Sheet]:
        """The boards, the earliest first."""
        if not self.rows:
            raise FileRefused(file=self.file.name, why="evaluation_results: it is empty")
        if self.asked.benchmark is not None and len({board[2] for board in self.rows}) > 1:
            found = ", ".join(dict.fromkeys(board[2] for board in self.rows))
            why = f"it is about several datasets ({found}); leave --benchmark out"
            raise FileRefused(file=self.file.name, why=why)
        for board in sorted(self.rows):
            read_at, source, benchmark = board
            record, result = self.first[board]
            yield Sheet(
                source=Slug(source),
                source_name=record.source_name,
                kind=record.kind,
                benchmark=benchmark,
                benchmark_name=result.benchmark_name,
                metric_names=tuple(self.names.get(board, {}).items()),
                lower_is_better=frozenset(self.lower.get(board, ())),
                rows=told_apart(self.rows[board]),
                read_at=read_at,
                released=tuple(self.released.get(board, {}).items()),
                units_said=board not in self.theirs,
                notes=self.beside.notes(),
            )
