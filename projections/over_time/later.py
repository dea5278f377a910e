"""What was decided after the day that a page shows: the page keeps what was read, and says so."""

from collections.abc import Mapping, Sequence

import attrs
from sqlalchemy import Select, select

from ledger.claim import Plane
from ledger.values import Instant, from_micros
from projections.keeping.tables import ALWAYS, in_plane
from projections.keeping.views import Reader
from projections.moment import Moment


@attrs.frozen
class Later:
    """One decision about a claim, made after the day."""

    claim_id: str
    number: int
    decided_at: Instant


def changed_since(reader: Reader, slug: str, moment: Moment) -> Mapping[str, Sequence[Later]]:
    """For the claims that a benchmark's board had at a moment: the decisions made after its day, by
    claim, oldest first.

    Nothing for a board that shows later decisions already (``corrected=since``). A pinned board
    knows of those alone that were recorded by its own position, so it never changes.
    """
    found: dict[str, list[Later]] = {}
    if moment.plane is Plane.SINCE or _latest(reader, moment) <= moment.day:
        return found
    version, touches = reader.tables.claim_version, reader.tables.decision_claim
    there = select(version.c.claim).where(
        version.c.benchmark == slug,
        in_plane(version, Plane.THEN),
        reader.holds(version, moment.day, moment.position),
    )
    query = _decided_after(reader, moment).where(touches.c.claim.in_(there))
    for row in reader.connection.execute(query):
        later = Later(row.claim, row.number, from_micros(row.decided_at))
        found.setdefault(later.claim_id, []).append(later)
    return found


def _latest(reader: Reader, moment: Moment) -> int:
    """When the last decision by the moment's position was made; most pages need to know no more."""
    table = reader.tables.decision
    query = select(table.c.decided_at).where(table.c.position <= moment.position)
    return reader.connection.scalar(query.order_by(table.c.number.desc()).limit(1)) or ALWAYS


def _decided_after(reader: Reader, moment: Moment) -> Select[tuple[str, int, int]]:
    table, touches = reader.tables.decision, reader.tables.decision_claim
    return (
        select(touches.c.claim, table.c.number, table.c.decided_at)
        .join(table, table.c.decision == touches.c.decision)
        .where(table.c.decided_at > moment.day, table.c.position <= moment.position)
        .order_by(table.c.number)
    )
