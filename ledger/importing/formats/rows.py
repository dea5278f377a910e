"""Rows of a table as what they state, claim by claim; how that is told stands here alone.

Our own snapshots and the sheets of all other formats have the same columns and are read by the same
code, so a row is refused for the same reasons wherever it stands.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

import attrs

from ledger import events as ev
from ledger.benchmark import check_unit
from ledger.claim import claim_id
from ledger.errors import BadValue
from ledger.events import Statement
from ledger.importing.board import RowProblem, Target
from ledger.importing.book import EVERYTHING_ELSE
from ledger.importing.formats.tables import Cells, RawRow
from ledger.importing.receipt import RefusedRow
from ledger.model import slug_for
from ledger.values import (
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


@attrs.frozen
class _Stated:
    """A row that could be read: where, and what it states (nothing when its score is empty)."""

    row: int
    key: str
    claim: str
    says: Statement | None
    cells: Cells


@attrs.define
class Rows:
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
            if raw.problem is not None and raw.field is None:
                raise RowProblem(None, raw.problem)  # noqa: TRY301 -- refused like any other
            key, metric, split = self._identity(raw.cells)
            claim = claim_id(self.target.source, self.target.benchmark, key, metric, split)
            if raw.problem is not None:
                raise RowProblem(raw.field, raw.problem)  # noqa: TRY301 -- here the claim is known
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
            unit=self._unit(cells, metric),
            published_on=_cell(cells, "date", self._date),
            lab=_cell(cells, "lab", parse_name),
            url=_cell(cells, "url", parse_address),
            passed=_cell(cells, "passed", parse_count),
            completed=_cell(cells, "completed", parse_count),
            total=_cell(cells, "total", parse_count),
            extra=_extra(cells),
        )
        return None if score is None else statement

    def _unit(self, cells: Cells, metric: Slug) -> str | None:
        """The row's unit, or what the importer says of those that bear none."""
        said = _cell(cells, "unit", _known_unit)
        return said or self.target.unit_of(metric, self.metric_names.get(metric))

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
        found: dict[str, list[Statement]] = {}
        for one in self.stated:
            if one.says is not None:
                found.setdefault(one.key, []).append(one.says)
        return {key: tuple(says) for key, says in found.items()}


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
