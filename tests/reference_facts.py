"""What happened to a ledger, and what holds of it, as :mod:`tests.reference` keeps it."""

from decimal import Decimal
from typing import Literal

import attrs

from ledger.events import Statement
from ledger.values import Instant

Plane = Literal["then", "since"]
Identity = tuple[str, str, str, str | None]
"""Source, row key, metric and split as first read: what makes a claim (on one benchmark)."""


@attrs.define(kw_only=True)
class Reading:
    """A snapshot of a whole board: all that its source says under these metrics."""

    source: str
    digest: str
    read_at: Instant
    order: str
    position: int
    metrics: tuple[str, ...]
    unread: tuple[str, ...]
    says: dict[Identity, Statement]
    withdrawn: int | None = None
    names: dict[str, str] = attrs.field(factory=dict)

    @property
    def turn(self) -> tuple[Instant, str, int]:
        """Readings apply in the order (``read_at``, order in the file name, ``position``)."""
        return (self.read_at, self.order, self.position)


@attrs.define(kw_only=True)
class Effect:
    """What a decision does to one claim."""

    claim: Identity
    kind: str
    since: Instant | None
    changes: dict[str, tuple[str | None, str | None]] = attrs.field(factory=dict)
    model: str | None = None


@attrs.define(kw_only=True)
class Decision:
    """A decision, or a reversal of one (``reverses``), and when it was recorded."""

    name: str
    position: int
    at: Instant
    effects: list[Effect]
    reverses: str | None = None


@attrs.define(kw_only=True)
class Assertion:
    """Somebody asserts which model a written name means, or that it means it no longer."""

    name: str
    model: str
    means_from: Instant | None
    read_at: Instant
    position: int
    withdrawn: bool = False


@attrs.frozen(kw_only=True)
class State:
    """What holds of a claim: what the source says, what shows, and by which decisions."""

    says: Statement
    shows: Statement
    corrected_by: frozenset[str] = frozenset()
    model: str | None = None
    retracted: bool = False
    held_out: bool = False
    disputed: bool = False
    to_review: bool = False


@attrs.frozen(kw_only=True)
class Line:
    """One line of a board, as far as it can be compared."""

    claim: Identity
    model: str
    name: str
    score: str
    value: Decimal
    unit: str | None
    published_on: str | None
    as_written: str
    rank: int | None = None
    tied: bool = False
