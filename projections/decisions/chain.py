"""Which decision came in the place of which, as known at a moment, and which is in force.

A decision is out of force while something that replaces or reverses it is in force; so undoing a
reversal brings it back. What replaces comes later than what it replaces: there are no circles.
"""

from collections.abc import Iterator, Mapping, Sequence

import attrs
from sqlalchemy import ColumnElement, or_, select

from ledger.values import Instant, from_micros, micros
from projections.keeping.tables import Tables
from projections.keeping.views import Reader


@attrs.frozen(kw_only=True)
class Link:
    """One decision of a chain."""

    number: int
    decision: str
    outcome: str
    decided_at: Instant
    decided_by: str
    replaces: str | None


@attrs.frozen
class Chains:
    """All decisions that replace another or are replaced, by their names, oldest first."""

    links: Mapping[str, Link]
    later: Mapping[str, Sequence[Link]]
    out_of_force: frozenset[str]

    def stands(self, decision: str) -> bool:
        """Whether a decision is in force."""
        return decision not in self.out_of_force

    def replaced_by(self, decision: str) -> Link | None:
        """What came in its place last, whether or not that still stands."""
        return next(reversed(self.later.get(decision, ())), None)

    def replaces(self, decision: str) -> Link | None:
        """What it came in the place of."""
        link = self.links.get(decision)
        return self.links.get(link.replaces) if link and link.replaces else None

    def changed_at(self, decision: str, decided_at: Instant) -> Instant:
        """When what is said of it changed last: its own instant, or that of what came after it."""
        return max([decided_at, *(link.decided_at for link in self._after(decision))])

    def whole(self, decision: str) -> list[Link]:
        """The chain that a decision is part of, oldest first; nothing when it stands alone."""
        first = decision
        while (before := self.replaces(first)) is not None:
            first = before.decision
        if first not in self.links:
            return []
        found = [self.links[first], *self._after(first)]
        return sorted(found, key=lambda link: link.number)

    def _after(self, decision: str) -> Iterator[Link]:
        """All that came in the place of it, or of what did."""
        waiting = list(self.later.get(decision, ()))
        while waiting:
            link = waiting.pop()
            yield link
            waiting += self.later.get(link.decision, ())


def known_by(tables: Tables, upto: int | None, decided_by: Instant | None) -> ColumnElement[bool]:
    """The decisions that the ledger held at a position and that were made by an instant."""
    table = tables.decision
    known = table.c.number > 0
    if upto is not None:
        known &= table.c.position <= upto
    if decided_by is not None:
        known &= table.c.decided_at <= micros(decided_by)
    return known


def chains(reader: Reader, *, upto: int | None, decided_by: Instant | None) -> Chains:
    """Every chain that was known at a position, of what was decided by an instant."""
    table = reader.tables.decision
    known = known_by(reader.tables, upto, decided_by)
    replaced = select(table.c.replaces).where(table.c.replaces.is_not(None), known)
    query = (
        select(table)
        .where(known, or_(table.c.replaces.is_not(None), table.c.decision.in_(replaced)))
        .order_by(table.c.number)
    )
    links: dict[str, Link] = {}
    later: dict[str, list[Link]] = {}
    for row in reader.connection.execute(query):
        # A name that means no earlier decision leads nowhere.
        replaces = row.replaces if row.replaces in links else None
        link = Link(
            number=row.number,
            decision=row.decision,
            outcome=row.outcome,
            decided_at=from_micros(row.decided_at),
            decided_by=row.decided_by,
            replaces=replaces,
        )
        links[link.decision] = link
        if replaces is not None:
            later.setdefault(replaces, []).append(link)
    out: set[str] = set()
    for decision in reversed(links):  # the latest first: nothing comes in its place
        if any(link.decision not in out for link in later.get(decision, ())):
            out.add(decision)
    return Chains(links, later, frozenset(out))
