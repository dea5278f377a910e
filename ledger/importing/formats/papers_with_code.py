"""The dump of Papers with Code, ``evaluation-tables.json``, and task files of the same shape.

A list of tasks; each has ``datasets`` (and ``subdatasets``) with ``sota.rows``, and ``subtasks``
nested in it. Each dataset of a task is a benchmark. The dump has hundreds of megabytes, so it is
never held: it is read twice, once to see that it is whole and what its parts are called (a task's
name stands behind its datasets), and once for its rows, one dataset after the other.

A metric is text: ``88.4%`` is 88.4 of a hundred, ``23.1 ± 0.2`` is 23.1 with the rest kept beside,
``-`` and nothing state nothing, ``220k`` is no number and refused. A row is called by its model;
where it names none, by its paper's title, as on the site.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import attrs

from ledger.errors import FileRefused
from ledger.importing.formats.beside import Beside
from ledger.importing.formats.format import Asked, Candidate, Placing, Sheet
from ledger.importing.formats.json_stream import Event, JsonStream
from ledger.importing.formats.opening import opening_of
from ledger.importing.formats.sota_rows import rows_of
from ledger.importing.formats.tables import RawRow
from ledger.importing.receipt import RefusedRow
from ledger.model import distinct_slug
from ledger.values import LONGEST_NAME, name_key

SOURCE, SOURCE_NAME = "papers-with-code", "Papers with Code"
MOST_NUMBERS = 20_000
"""How many numbers of one dataset are held at a time."""
MOST_BOARDS = 100_000
DEEPEST_SUBTASK = 8

PLACING = Placing(
    published_on="`paper_date`",
    read_at="nowhere: the instant that the file’s name begins with, --read-at, else now",
    setting="`with additional data` where `uses_additional_data` is true",
    split="nowhere: a dataset in a dataset is a benchmark of its own",
    identity="the model’s name with the paper’s address (else its title, else its date), and"
    " whether additional data was used; with the metric",
    unit="`%` where the number or the metric’s name says so; else left open",
)


@attrs.frozen
class PapersWithCode:
    """See the module."""

    name: str = "papers-with-code"
    title: str = "Papers with Code evaluation-tables.json and task files of its shape"
    endings: tuple[str, ...] = (".json",)
    placing: Placing = PLACING

    def known_by(self, file: Candidate) -> str | None:
        """By a list of tasks with datasets."""
        found = opening_of(file.start)
        tables = ("item.datasets.item.sota", "item.datasets.item.dataset", "item.subtasks")
        if found.has("item.datasets") and any(found.has(one) for one in tables):
            return "it is a list of tasks with datasets"
        return None

    def sheets(self, file: Candidate, asked: Asked) -> Iterator[Sheet]:
        """One board for each dataset of each task, in the order of the file."""
        with attrs.evolve(file, watch=None).open() as stream:
            contents = _Contents.of(JsonStream.of(file.name, stream))
        if asked.benchmark is not None and len(contents.boards) > 1:
            why = f"it holds {len(contents.boards)} boards; leave out --benchmark"
            raise FileRefused(file=file.name, why=why)
        with file.open() as stream:
            yield from _sheets(JsonStream.of(file.name, stream), contents, asked)


PAPERS_WITH_CODE = PapersWithCode()


# --- walking through the file -----------------------------------------------------------------


@attrs.define
class _Dataset:
    """One dataset as it is passed: its number in the file, and what it says."""

    number: int
    task: int
    above: int | None
    name: str | None = None
    metrics: tuple[str, ...] = ()
    rows: list[RawRow] = attrs.field(factory=list)
    count: int = 0
    beside: Beside = attrs.field(factory=Beside)
    digest: str = ""


@attrs.define
class _Walk:
    """Passes through tasks and datasets in the order of the file; both are numbered in it.

    With ``rows`` the numbers of each dataset are held until it was passed, else they are skipped;
    of the datasets that are ``compared`` all rows are worked into a digest.
    """

    stream: JsonStream
    rows: bool
    compared: frozenset[int] = frozenset()
    tasks: list[str | None] = attrs.field(factory=list)
    datasets: int = 0

    def whole(self) -> Iterator[_Dataset]:
        """Every dataset, once all of it was passed."""
        first = self.stream.next()
        if first[0] != "start_array":
            self.stream.refuse("it is no list of tasks")
        yield from self._tasks(first, depth=0)
        if not self.tasks:
            self.stream.refuse("it holds no task")
        self.stream.end()

    def _tasks(self, first: Event, depth: int) -> Iterator[_Dataset]:
        if depth > DEEPEST_SUBTASK:
            self.stream.refuse(f"subtasks nest more than {DEEPEST_SUBTASK} levels deep")
        for event in self.stream.members(first, "subtasks" if depth else "the whole of it"):
            number = len(self.tasks)
            self.tasks.append(None)
            for field, value in self.stream.fields(event, "a task"):
                if field == "task":
                    self.tasks[number] = self._text(value, "task")
                elif field == "datasets":
                    yield from self._datasets(value, number, None, depth=0)
                elif field == "subtasks":
                    yield from self._tasks(value, depth + 1)
                else:
                    self.stream.skip(value)
            if self.tasks[number] is None:
                self.stream.refuse("a task has no name (task)")

    def _datasets(
        self, first: Event, task: int, above: int | None, depth: int
    ) -> Iterator[_Dataset]:
        if depth > DEEPEST_SUBTASK:
            self.stream.refuse(f"subdatasets nest more than {DEEPEST_SUBTASK} levels deep")
        for event in self.stream.members(first, "datasets"):
            found = _Dataset(self.datasets, task, above)
            self.datasets += 1
            for field, value in self.stream.fields(event, "a dataset"):
                if field == "dataset":
                    found.name = self._text(value, "dataset")
                elif field == "sota":
                    self._sota(value, found)
                elif field == "subdatasets":
                    yield from self._datasets(value, task, found.number, depth + 1)
                else:
                    self.stream.skip(value)
            if found.name is None:
                self.stream.refuse("a dataset has no name (dataset)")
            yield found

    def _sota(self, first: Event, found: _Dataset) -> None:
        if first[0] == "null":
            return
        for field, value in self.stream.fields(first, "sota"):
            if field == "rows":
                self._rows(value, found)
            elif field == "metrics":
                names = self.stream.value(value)
                found.metrics = _texts(names)
            else:
                self.stream.skip(value)

    def _rows(self, first: Event, found: _Dataset) -> None:
        seen = hashlib.sha256()
        for event in self.stream.members(first, "rows"):
            found.count += 1
            if not self.rows:
                self.stream.skip(event)
                continue
            row = self.stream.value(event)
            if found.number in self.compared:
                seen.update(json.dumps(row, sort_keys=True).encode())
            if len(found.rows) <= MOST_NUMBERS:
                found.rows += rows_of(row, found.count, found.beside)
        found.digest = seen.hexdigest()

    def _text(self, event: Event, what: str) -> str:
        kind, value = event
        if kind != "string" or not value.strip():
            self.stream.refuse(f"{what} is no text")
        return str(value).strip()


def _texts(content: Any) -> tuple[str, ...]:
    listed = content if isinstance(content, list) else []
    return tuple(one for one in listed if isinstance(one, str) and one.strip())


# --- what its parts are called ----------------------------------------------------------------


@attrs.frozen
class _Name:
    """What a board is called: its task, and its dataset with those that it lies in."""

    task: str
    datasets: tuple[str, ...]

    @property
    def slug(self) -> str:
        """An address that no other task or dataset has."""
        exact = json.dumps([self.task, *self.datasets])
        digest = hashlib.sha256(name_key(exact).encode()).hexdigest()[:12]
        stem = distinct_slug(" ".join((*self.datasets, self.task))).rpartition("-")[0]
        return f"{stem}-{digest}"

    @property
    def shown(self) -> str:
        """A name for people."""
        return f"{', '.join(self.datasets)} ({self.task})"[:LONGEST_NAME]


@attrs.frozen
class _Contents:
    """What is in the file: the names of all datasets by their number, and which hold numbers."""

    names: Sequence[_Name] = attrs.field(repr=False)
    boards: frozenset[int] = attrs.field(repr=False)
    twice: frozenset[int] = attrs.field(repr=False)

    @classmethod
    def of(cls, stream: JsonStream) -> "_Contents":
        """Pass through the whole file. Raises ``FileRefused`` when it is not whole."""
        walk = _Walk(stream, rows=False)
        found: dict[int, tuple[str, int, int | None]] = {}
        boards: set[int] = set()
        for one in walk.whole():
            found[one.number] = (one.name or "", one.task, one.above)
            if one.count or one.metrics:
                boards.add(one.number)
            if len(found) > MOST_BOARDS:
                stream.refuse(f"it holds more than {MOST_BOARDS} datasets; split it")
        names = [_named(number, found, walk.tasks) for number in range(len(found))]
        several = Counter(names[number] for number in boards)
        twice = frozenset(number for number in boards if several[names[number]] > 1)
        return cls(names, frozenset(boards), twice)


def _named(
    number: int, found: dict[int, tuple[str, int, int | None]], tasks: Sequence[str | None]
) -> _Name:
    parts: list[str] = []
    at: int | None = number
    while at is not None:
        name, task, at = found[at]
        parts.insert(0, name)
    return _Name(tasks[task] or "", tuple(parts))


# --- boards -----------------------------------------------------------------------------------


def _sheets(stream: JsonStream, contents: _Contents, asked: Asked) -> Iterator[Sheet]:
    """The boards. A task that stands in two places is read once."""
    met: dict[_Name, str] = {}
    for one in _Walk(stream, rows=True, compared=contents.twice).whole():
        if one.number not in contents.boards:
            continue
        name = contents.names[one.number]
        before = met.get(name)
        if one.number in contents.twice:
            met.setdefault(name, one.digest)
            if before == one.digest:
                continue
        why = None if before is None else "it stands twice with different rows; the first counts"
        if len(one.rows) > MOST_NUMBERS:
            why = f"it has more than {MOST_NUMBERS} numbers and no more are read of one dataset"
        yield _sheet(one, name, asked) if why is None else _refused(name, asked, why)


def _sheet(one: _Dataset, name: _Name, asked: Asked) -> Sheet:
    return Sheet(
        source=SOURCE,
        source_name=SOURCE_NAME,
        kind="collected-claim",
        benchmark=asked.benchmark or name.slug,
        benchmark_name=name.shown,
        rows=tuple(one.rows),
        whole=True,
        covers=one.metrics,
        notes=one.beside.notes(),
    )


def _refused(name: _Name, asked: Asked, why: str) -> Sheet:
    """A board of which nothing is read, and why."""
    refused = RefusedRow(row=1, key=None, field=name.shown, why=why)
    return Sheet(
        source=SOURCE,
        source_name=SOURCE_NAME,
        kind="collected-claim",
        benchmark=asked.benchmark or name.slug,
        benchmark_name=name.shown,
        rows=(),
        refused=(refused,),
    )
