"""What a server answers, as values. ``told`` is the whole document, for what has no name here."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import attrs

Json = Mapping[str, Any]


@attrs.frozen(kw_only=True)
class Row:
    """One line of a board; ``score`` has its digits as written."""

    rank: int | None
    name: str
    model: str | None
    score: str | None
    unit: str | None
    source: str
    claim_id: str | None
    told: Json = attrs.field(repr=False, eq=False)


@attrs.frozen(kw_only=True)
class Board:
    """A benchmark's board; ``as_read_on`` and ``position`` say of which moment."""

    benchmark: str
    name: str
    view: str
    metric: str | None
    as_read_on: str
    position: int
    headline: str | None
    rows: tuple[Row, ...]
    told: Json = attrs.field(repr=False, eq=False)


@attrs.frozen(kw_only=True)
class Change:
    """One change of a number, and the kind of its cause: a source, a decision or a curator."""

    kind: str
    name: str
    metric: str
    old: str | None
    new: str | None
    read_at: str
    claim_id: str | None
    cause: str
    told: Json = attrs.field(repr=False, eq=False)


@attrs.frozen(kw_only=True)
class Correction:
    """An entry of the public log."""

    number: int
    decided_at: str
    outcome: str
    type: str | None
    reason: str
    statement: str
    decided_by: str
    in_force: bool
    told: Json = attrs.field(repr=False, eq=False)


@attrs.frozen(kw_only=True)
class Claim:
    """One number: what its source says, what shows, and what was decided about it."""

    claim_id: str
    benchmark: str
    source: str
    key: str
    model: str | None
    score_said: str | None
    score_shown: str | None
    version: int
    corrections: tuple[Correction, ...]
    told: Json = attrs.field(repr=False, eq=False)


@attrs.frozen(kw_only=True)
class ListedPaper:
    """A paper as the list has it."""

    id: str
    title: str


@attrs.frozen(kw_only=True)
class Paper:
    """A paper, and how many repositories and run records are known of it."""

    id: str
    title: str
    repositories: int
    records: int
    told: Json = attrs.field(repr=False, eq=False)


@attrs.frozen(kw_only=True)
class Filed:
    """A report that was taken; ``letter`` is its secret address."""

    letter: str = attrs.field(repr=False)
    target: str
    received_at: str


@attrs.frozen(kw_only=True)
class Report:
    """A report to decide, with the version that a decision has to name."""

    number: int
    state: str
    target: str
    reason: str
    version: int
    subject: Json | None
    told: Json = attrs.field(repr=False, eq=False)


@attrs.frozen(kw_only=True)
class Decided:
    """What came of a decision: its entry in the log, or ``None`` while it is only proposed."""

    decision: str
    entry: Correction | None
    told: Json = attrs.field(repr=False, eq=False)


# --- from documents ---------------------------------------------------------------------------


def row_of(told: Json) -> Row:
    """A row from its document."""
    model = told["model"]
    return Row(
        rank=told["rank"],
        name=told["as_written"],
        model=model["id"] if model else None,
        score=told["score"],
        unit=told["unit"],
        source=told["source"]["slug"],
        claim_id=told["claim_id"],
        told=MappingProxyType(dict(told)),
    )


def board_of(told: Json) -> Board:
    """A board from its document."""
    return Board(
        benchmark=told["benchmark"]["slug"],
        name=told["benchmark"]["name"],
        view=told["view"],
        metric=told["metric"]["slug"] if told["metric"] else None,
        as_read_on=told["as_read_on"],
        position=told["recorded_through"]["position"],
        headline=told["headline"],
        rows=tuple(map(row_of, told["rows"])),
        told=MappingProxyType(dict(told)),
    )


def change_of(told: Json) -> Change:
    """A change from its document."""
    cause = told["cause"]["kind"]
    found: Change = _from(Change, told, cause=cause)
    return found


def correction_of(told: Json) -> Correction:
    """An entry of the log from its document."""
    found: Correction = _from(Correction, told)
    return found


def claim_of(told: Json) -> Claim:
    """A claim from its document."""
    says, shows = told["says"], told["shows"]
    found: Claim = _from(
        Claim,
        told,
        benchmark=told["benchmark"]["slug"],
        source=told["source"]["slug"],
        score_said=says["score"] if says else None,
        score_shown=shows["score"] if shows else None,
        corrections=tuple(map(correction_of, told["corrections"])),
    )
    return found


def paper_of(told: Json) -> Paper:
    """A paper from its document."""
    return Paper(
        id=told["paper"]["id"],
        title=told["paper"]["title"],
        repositories=len(told["repositories"]),
        records=len(told["records"]),
        told=MappingProxyType(dict(told)),
    )


def report_of(told: Json) -> Report:
    """A report from its document."""
    found: Report = _from(Report, told, subject=told["claim"])
    return found


def decided_of(told: Json) -> Decided:
    """What came of a decision, from its document."""
    entry = correction_of(told) if "number" in told else None
    found: Decided = _from(Decided, told, entry=entry)
    return found


def _from(kind: type[Any], told: Json, **given: Any) -> Any:
    """A value whose other fields are called as in its document."""
    names = [one.name for one in attrs.fields(kind)]
    rest = {name: told[name] for name in names if name not in given and name != "told"}
    return kind(**rest, **given, told=MappingProxyType(dict(told)))
