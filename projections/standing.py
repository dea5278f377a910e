"""Many claims at once: which stand on a benchmark at a moment, which models they show, and which
decisions about them the moment does not take in."""

from collections.abc import Iterable

import attrs
from sqlalchemy import and_, or_, select

from ledger.claim import Plane
from projections.keeping.rectangles import CHUNK, chunks
from projections.keeping.tables import in_plane
from projections.keeping.views import Reader
from projections.moment import Moment


@attrs.frozen(order=True)
class Made:
    """A decision by its number in the log and its name."""

    number: int
    decision: str


def standing_on(reader: Reader, slug: str, moment: Moment) -> list[str]:
    """The claims that any source states on a benchmark at a moment, ranked or not."""
    table = reader.tables.claim_version
    query = select(table.c.claim).where(
        table.c.benchmark == slug,
        in_plane(table, moment.plane),
        reader.holds(table, moment.day, moment.position),
    )
    return sorted(reader.connection.scalars(query))


def models_at(reader: Reader, claims: Iterable[str], moment: Moment) -> dict[str, str | None]:
    """The model that each claim shows, or showed when it was last stated by the moment."""
    table = reader.tables.claim_version
    found: dict[str, str | None] = {}
    for chunk in chunks(sorted(claims), CHUNK):
        query = (
            select(table.c.claim, table.c.model)
            .where(
                table.c.claim.in_(chunk),
                in_plane(table, moment.plane),
                table.c.read_from <= moment.day,
                table.c.recorded_from <= moment.position,
                table.c.recorded_to > moment.position,
            )
            .order_by(table.c.claim, table.c.read_from)
        )
        found |= {row.claim: row.model for row in reader.connection.execute(query)}
    return found


def not_taken_in(
    reader: Reader, claims: Iterable[str], moment: Moment, position: int
) -> list[Made]:
    """The decisions about these claims, recorded by a later position, that a moment leaves out:
    those recorded after its own position, and, if it shows what was decided by its day, those
    decided after that day. In the order of the log."""
    table, touches = reader.tables.decision, reader.tables.decision_claim
    left_out = table.c.position > moment.position
    if moment.plane is Plane.THEN:
        left_out = or_(left_out, table.c.decided_at > moment.day)
    found: set[Made] = set()
    for chunk in chunks(sorted(claims), CHUNK):
        query = (
            select(table.c.number, table.c.decision)
            .distinct()
            .join(touches, touches.c.decision == table.c.decision)
            .where(touches.c.claim.in_(chunk), and_(left_out, table.c.position <= position))
        )
        found.update(Made(*row) for row in reader.connection.execute(query))
    return sorted(found)


def numbered(reader: Reader, decisions: Iterable[str]) -> list[Made]:
    """Decisions with their numbers, in the order of the log."""
    table = reader.tables.decision
    found: list[Made] = []
    for chunk in chunks(sorted(decisions), CHUNK):
        query = select(table.c.number, table.c.decision).where(table.c.decision.in_(chunk))
        found += [Made(*row) for row in reader.connection.execute(query)]
    return sorted(found)


def decisions_of(reader: Reader, numbers: Iterable[int]) -> list[str]:
    """The names of entries of the log."""
    table = reader.tables.decision
    found: list[str] = []
    for chunk in chunks(sorted(numbers), CHUNK):
        query = select(table.c.decision).where(table.c.number.in_(chunk))
        found += reader.connection.scalars(query)
    return found


def readings_with(reader: Reader, digests: Iterable[str], position: int) -> list[dict[str, object]]:
    """Every reading, recorded by a position, that froze bytes with one of these digests; oldest
    first, as rows of the read model."""
    table = reader.tables.reading
    found: list[dict[str, object]] = []
    for chunk in chunks(sorted(digests), CHUNK):
        query = select(table).where(table.c.digest.in_(chunk), table.c.position <= position)
        found += [
            {str(name): value for name, value in row.items()}
            for row in reader.connection.execute(query).mappings()
        ]
    return sorted(found, key=lambda row: (row["read_at"], row["position"]))
