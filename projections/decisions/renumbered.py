"""Numbering decisions as the whole log does, where only some of them are there."""

from collections.abc import Mapping
from itertools import pairwise

from sqlalchemy import select, update

from ledger.errors import BadValue
from projections.keeping.views import Views


def renumber(views: Views, numbers: Mapping[str, int]) -> None:
    """Give decisions the numbers that they have in the whole log.

    Every one that is there has to be named, and numbers have to grow with positions; as they count
    all decisions, none falls below its place among those that are there. Raises ``BadValue``.
    """
    with views.read() as reader:
        table = reader.tables.decision
        query = select(table.c.decision).order_by(table.c.position)
        known = list(reader.connection.scalars(query))
    unnamed = [decision for decision in known if decision not in numbers]
    if unnamed:
        why = "what number it has in the log is not said"
        raise BadValue(what="decision", shown=unnamed[0], why=why)
    in_order = [numbers[decision] for decision in known]
    if any(before >= after for before, after in pairwise([0, *in_order])):
        why = "a later decision has a higher number"
        raise BadValue(what="numbers of decisions", shown=str(in_order[:20]), why=why)
    with views.write() as connection:
        # From the last one down: each number was free, or has moved up already.
        for decision in reversed(known):
            named = table.c.decision == decision
            connection.execute(update(table).where(named).values(number=numbers[decision]))
