"""Our own snapshot format: a board as a table, one row a number.

Columns: ``key, model, score, metric, split, setting, unit, date, lab, url, passed, completed,
total``; only ``model`` and ``score`` are needed. The key defaults to the model's name, the metric
to the benchmark's headline metric (or ``score``). An empty score states nothing. Other columns are
kept with the claim. ``published_on`` comes from ``date``; ``read_at`` from the instant that the
file's name begins with, else from who imports it.
"""

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import TypeVar

import attrs

from ledger import events as ev
from ledger.benchmark import check_unit
from ledger.claim import claim_id
from ledger.errors import BadValue, FileRefused
from ledger.events import Statement
from ledger.importing.board import BoardFile, RowProblem, Target
from ledger.importing.book import EVERYTHING_ELSE
from ledger.importing.formats.tables import Cells, RawRow, RawTable, read_table
from ledger.importing.limits import check_size
from ledger.importing.receipt import RefusedRow
from ledger.model import slug_for
from ledger.values import (
    Digest,
    Instant,
    PartialDate,
    Score,
    Slug,
    parse_address,
    parse_count,
    parse_name,
    partial_date,
)

COLUMNS = (
    "key",
    "model",
    "score",
    "metric",
    "split",
    "setting",
    "unit",
    "date",
    "lab",
    "url",
    "passed",
    "completed",
    "total",
)
NEEDED = ("model", "score")
_KNOWN = frozenset(COLUMNS)
DEFAULT_METRIC = Slug("score")

_INSTANT = re.compile(
    r"(?P<day>[0-9]{4}-[0-9]{2}-[0-9]{2})T(?P<time>[0-9]{6})(?P<fraction>\.?[0-9]{1,6})?Z"
    r"(?:-(?P<order>[0-9]{3})(?![0-9]))?"
)


@attrs.frozen
class Metrics:
    """The metrics that a benchmark knows: slug by slug and by name, the headline."""

    slugs: Mapping[str, Slug] = attrs.field(factory=dict)
    headline: Slug = DEFAULT_METRIC

    @classmethod
    def of(cls, known: Sequence[ev.Event]) -> "Metrics":
        """From the events of a benchmark."""
        rules = [event for event in known if isinstance(event, ev.RankingRuleSet)]
        slugs = {rule.name: rule.metric for rule in rules} | {r.metric: r.metric for r in rules}
        ranked = sorted(rules, key=lambda rule: (not rule.headline, rule.read_at, rule.ordinal))
        return cls(slugs, ranked[0].metric if ranked else DEFAULT_METRIC)

    def slug(self, written: str | None) -> Slug:
        """The metric that a cell means; a new one gets a slug that follows from its name."""
        if written is None:
            return self.headline
        return self.slugs.get(written) or slug_for(parse_name(written, "metric"))


def instant_in(name: str) -> tuple[Instant, str] | None:
    """The instant (UTC) that a file's name begins with, and its ``-NNN`` order, if it has one.

    ``2025-02-07T191510Z-002.csv`` was read at 19:15:10Z, as the second of that instant.
    """
    found = _INSTANT.match(name)
    if found is None:
        return None
    fraction = (found["fraction"] or "").lstrip(".").ljust(6, "0")
    text = f"{found['day']}T{found['time']}.{fraction}"
    try:
        instant = datetime.strptime(text, "%Y-%m-%dT%H%M%S.%f").replace(tzinfo=UTC)
    except ValueError:
        raise FileRefused(file=name, why=f"{found[0]} is no instant") from None
    return instant, found["order"] or ""


def read_snapshot(
    name: str,
    data: bytes,
    *,
    target: Target,
    metrics: Metrics,
    now: Instant,
    read_at: Instant | None = None,
) -> BoardFile:
    """The board in a snapshot file called ``name``.

    ``read_at`` applies when the name tells no instant; without either it is ``now``. Raises
    :class:`~ledger.errors.FileRefused` when the file as a whole cannot be read; rows that cannot
    be read are listed in the result and the others go on.
    """
    check_size(name, len(data))
    at, order = instant_in(name) or (read_at or now, "")
    table = read_table(name, data)
    missing = [column for column in NEEDED if column not in table.columns]
    if missing and table.columns:
        why = f"it lacks the column {missing[0]}; known are {', '.join(COLUMNS)}"
        raise FileRefused(file=name, why=why)
    rows = _Rows(target, metrics, now)
    for raw in table.rows:
        rows.add(raw)
    rows.settle()
    return BoardFile(
        file=name,
        format="snapshot",
        data=data,
        digest=Digest(hashlib.sha256(data).hexdigest()),
        media_type=table.media_type,
        read_at=at,
        order=order,
        rows=len(table.rows),
        statements=rows.statements(),
        metrics=_covered(table, rows),
        metric_names=rows.metric_names,
        refused=tuple(sorted(rows.refused, key=lambda one: one.row)),
        unread=tuple(sorted(rows.unread)),
    )


def _covered(table: RawTable, rows: "_Rows") -> tuple[Slug, ...]:
    """The metrics that the file speaks about; without a metric column always the headline's."""
    found = dict.fromkeys(rows.metrics)
    if "metric" not in table.columns:
        found.setdefault(rows.known.headline)
    return tuple(found)


@attrs.frozen
class _Stated:
    """A row that could be read: where, and what it states (nothing when its score is empty)."""

    row: int
    key: str
    claim: str
    says: Statement | None
    cells: Cells


@attrs.define
class _Rows:
    """Rows as they are read: what they state, what was refused, and what that leaves unread.

    A row of which not even the key can be told may be about any claim: then what the file does not
    state is left as it was.
    """

    target: Target
    known: Metrics
    now: Instant
    stated: list[_Stated] = attrs.field(factory=list)
    refused: list[RefusedRow] = attrs.field(factory=list)
    unread: set[str] = attrs.field(factory=set)
    metrics: list[Slug] = attrs.field(factory=list)
    metric_names: dict[Slug, str] = attrs.field(factory=dict)

    def add(self, raw: RawRow) -> None:
        """Read one row."""
        key = raw.cells.get("key") or raw.cells.get("model")
        claim: str | None = None
        try:
            if raw.problem is not None:
                raise RowProblem(None, raw.problem)  # noqa: TRY301 -- refused like any other
            key, metric, split = self._identity(raw.cells)
            claim = claim_id(self.target.source, self.target.benchmark, key, metric, split)
            says = self._statement(raw.cells, metric, split)
        except RowProblem as why:
            self._refuse(raw.number, key, why.field, why.why, claim)
        else:
            self.stated.append(_Stated(raw.number, key, claim, says, raw.cells))

    def _identity(self, cells: Cells) -> tuple[str, Slug, str | None]:
        """Which claim a row is about: key, metric and split."""
        column = "key" if cells.get("key") else "model"
        key = _needed(cells, column, parse_name)
        metric = _cell(cells, "metric", self.known.slug) or self.known.headline
        if metric not in self.metric_names:
            self.metrics.append(metric)
            self.metric_names[metric] = cells.get("metric") or metric
        return key, metric, _cell(cells, "split", parse_name)

    def _statement(self, cells: Cells, metric: Slug, split: str | None) -> Statement | None:
        """What a row states; ``None`` when its score is empty."""
        score = _cell(cells, "score", Score)
        name = _needed(cells, "model", parse_name)
        statement = Statement(
            name=name,
            metric=metric,
            split=split,
            score=score or Score("0"),
            setting=_cell(cells, "setting", parse_name),
            unit=self._unit(cells),
            published_on=_cell(cells, "date", self._date),
            lab=_cell(cells, "lab", parse_name),
            url=_cell(cells, "url", parse_address),
            passed=_cell(cells, "passed", parse_count),
            completed=_cell(cells, "completed", parse_count),
            total=_cell(cells, "total", parse_count),
            extra=_extra(cells),
        )
        return None if score is None else statement

    def _unit(self, cells: Cells) -> str | None:
        """The row's unit, or what the importer says of those that bear none."""
        return _cell(cells, "unit", _known_unit) or self.target.unit

    def _date(self, text: str) -> PartialDate:
        date = partial_date(text)
        if date.first_day > self.now.date():
            raise BadValue(what="date", shown=repr(text), why=f"{text} lies in the future")
        return date

    def _refuse(
        self, row: int, key: str | None, field: str | None, why: str, claim: str | None
    ) -> None:
        self.refused.append(RefusedRow(row=row, key=key, field=field, why=why))
        self.unread.add(claim or key or EVERYTHING_ELSE)

    def settle(self) -> None:
        """Refuse rows that state one claim twice, and all rows of a key that could not be told."""
        first: dict[str, _Stated] = {}
        twice: set[str] = set()
        kept: list[_Stated] = []
        for one in self.stated:
            before = first.setdefault(one.claim, one)
            if before is one:
                kept.append(one)
            elif before.cells == one.cells:
                why = f"repeats row {before.row} word for word"
                self.refused.append(RefusedRow(row=one.row, key=one.key, field="key", why=why))
            else:
                twice.add(one.claim)
                self._refuse(one.row, one.key, "key", f"stands in row {before.row} too", one.claim)
        self.stated = []
        for one in kept:
            if one.claim in twice:
                self._refuse(one.row, one.key, "key", "stands in a later row too", one.claim)
            elif one.claim in self.unread or one.key in self.unread:
                why = "another row of this key could not be told apart from it"
                self._refuse(one.row, one.key, "key", why, None)
            else:
                self.stated.append(one)

    def statements(self) -> dict[str, tuple[Statement, ...]]:
        """What the rows state, by key."""
        found: dict[str, tuple[Statement, ...]] = {}
        for one in self.stated:
            if one.says is not None:
                found[one.key] = (*found.get(one.key, ()), one.says)
        return found


# --- cells ------------------------------------------------------------------------------------

Value = TypeVar("Value")


def _cell(cells: Cells, column: str, read: Callable[[str], Value]) -> Value | None:
    """A cell as a value; ``None`` when it is empty."""
    cell = cells.get(column)
    if cell is None or not (text := cell.strip()):
        return None
    try:
        return read(text)
    except BadValue as why:
        raise RowProblem(column, str(why.fields["why"])) from None


def _needed(cells: Cells, column: str, read: Callable[[str], Value]) -> Value:
    value = _cell(cells, column, read)
    if value is None:
        raise RowProblem(column, "it is empty")
    return value


def _known_unit(text: str) -> str:
    check_unit(text)
    return text


def _extra(cells: Cells) -> tuple[tuple[str, str], ...]:
    return tuple(
        (column, value)
        for column, value in cells.items()
        if column not in _KNOWN and value is not None
    )
