"""A transcribed reading: its line and the claims that belong to it.

What it freezes are these record lines, to the byte, joined by newlines.
"""

import hashlib
from collections.abc import Mapping

import attrs

from ledger.events import Statement
from ledger.importing.board import BoardFile, RowProblem
from ledger.importing.records.kinds import STATED, Values
from ledger.values import Digest, Instant, Slug

MEDIA_TYPE = "application/jsonl; profile=corrigenda-records"


@attrs.frozen(kw_only=True)
class RecordedReading:
    """A reading as a board; ``named_on`` says on which line each row key is first named.

    With ``register`` names that mean no model yet are registered, otherwise refused.
    """

    line: int
    source: Slug
    benchmark: Slug
    register: bool
    board: BoardFile
    named_on: Mapping[str, int]


@attrs.define
class ReadingDraft:
    """A reading while its claims come in; ``found`` has the line of every claim."""

    number: int
    read_at: Instant
    said: Values
    lines: list[str]
    statements: dict[str, list[Statement]] = attrs.field(factory=dict)
    found: dict[tuple[str, str, str | None], int] = attrs.field(factory=dict)
    named_on: dict[str, int] = attrs.field(factory=dict)

    @property
    def source_and_benchmark(self) -> tuple[Slug, Slug]:
        """Whose reading it is, and of which benchmark."""
        return self.said["source"], self.said["benchmark"]

    @property
    def turn(self) -> tuple[Slug, Slug, Instant, str]:
        """What no two readings of a file share."""
        return (*self.source_and_benchmark, self.read_at, self.order)

    @property
    def order(self) -> str:
        """What sorts readings of one instant."""
        return str(self.said.get("order", ""))

    def add(self, number: int, line: str, values: Values) -> None:
        """Enter a claim; refused when the reading states it already or cannot state it."""
        says = Statement(**{field: values[field] for field in STATED if field in values})
        key = values.get("key", says.name)
        self._check(key, says)
        self.found[key, says.metric, says.split] = number
        self.named_on.setdefault(key, number)
        self.statements.setdefault(key, []).append(says)
        self.lines.append(line)

    def _check(self, key: str, says: Statement) -> None:
        where = self.found.get((key, says.metric, says.split))
        if where is not None:
            why = f"line {where} states this row under the same metric and split; give one a key"
            raise RowProblem("key", why)
        if key in self.statements and self.statements[key][0].name != says.name:
            raise RowProblem("name", f"row {key} has another name on line {self.named_on[key]}")
        if says.metric not in self.said.get("metrics", (says.metric,)):
            raise RowProblem("metric", f"{says.metric} is none of the metrics of its reading")

    def finish(self, file: str) -> RecordedReading:
        """The reading as a board; refused when it says nothing about anything."""
        statements = {key: tuple(says) for key, says in self.statements.items()}
        stated = dict.fromkeys(says.metric for row in statements.values() for says in row)
        metrics = self.said.get("metrics", tuple(stated))
        if not metrics:
            why = "the reading has no claims; name the metrics under which it states nothing"
            raise RowProblem("metrics", why)
        source, benchmark = self.source_and_benchmark
        data = "\n".join(self.lines).encode()
        return RecordedReading(
            line=self.number,
            source=source,
            benchmark=benchmark,
            register=self.said.get("register", False),
            named_on=self.named_on,
            board=BoardFile(
                file=file,
                format="records",
                data=data,
                digest=Digest(hashlib.sha256(data).hexdigest()),
                media_type=MEDIA_TYPE,
                read_at=self.read_at,
                order=self.order,
                rows=len(self.found),
                statements=statements,
                metrics=metrics,
                entries_stated=self.said.get("entries_stated"),
                transcribed=True,
            ),
        )
