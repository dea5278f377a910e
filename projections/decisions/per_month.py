"""How many decisions there were in each month, by their outcomes."""

from collections import Counter

from sqlalchemy import select

from ledger.values import from_micros
from projections.decisions.chain import known_by
from projections.decisions.log import decided_by
from projections.keeping.views import Reader
from projections.moment import Moment

Month = tuple[int, int]


def outcomes_per_month(reader: Reader, moment: Moment) -> dict[Month, Counter[str]]:
    """Year and month (UTC) → how many decisions of each outcome, as the log of a moment has them;
    a reversal counts as ``reversed``."""
    table = reader.tables.decision
    known = known_by(reader.tables, moment.position, decided_by(moment))
    found: dict[Month, Counter[str]] = {}
    for at, outcome in reader.connection.execute(
        select(table.c.decided_at, table.c.outcome).where(known)
    ):
        day = from_micros(at)
        found.setdefault((day.year, day.month), Counter())[outcome] += 1
    return dict(sorted(found.items()))
