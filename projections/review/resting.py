"""What else stands or falls with a claim: the claims on the same frozen snapshot, and those that
state the same number for the same model (a copied board outlives a correction)."""

from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import Any

import attrs
from sqlalchemy import ColumnElement, Select, and_, func, or_, select

from ledger.claim import Plane
from ledger.values import Score
from projections.board.boards import SCALES
from projections.keeping.tables import FOREVER, in_plane
from projections.keeping.timeline import score_key
from projections.keeping.views import Reader
from projections.moment import Moment

MOST = 50
"""Claims that are listed; of the others only their number is told."""


@attrs.frozen(kw_only=True)
class Other:
    """Another claim, as it shows at the moment."""

    claim_id: str
    source: str
    benchmark: str
    name: str
    model: str | None
    metric: str
    split: str | None
    setting: str | None
    score: str
    unit: str | None
    standing: str


@attrs.frozen
class Others:
    """The first of some claims, and how many there are."""

    claims: tuple[Other, ...]
    total: int

    @property
    def left_out(self) -> int:
        """How many are not listed."""
        return self.total - len(self.claims)


NONE = Others((), 0)
FIELDS = tuple(field.name for field in attrs.fields(Other))


def resting_on(
    reader: Reader, digest: str, moment: Moment, *, but: str | None = None, most: int = MOST
) -> Others:
    """The claims that a snapshot states, as they show at the moment; ``but`` is left out."""
    reading = reader.tables.reading
    query = select(reading.c.source, reading.c.benchmark, reading.c.read_at).where(
        reading.c.digest == digest,
        # What was frozen for itself, or is of a paper, states no claim.
        reading.c.benchmark.is_not(None),
        reading.c.position <= moment.position,
        reading.c.withdrawn > moment.position,
    )
    readings = [tuple(row) for row in reader.connection.execute(query)]
    if not readings:
        return NONE
    table = reader.tables.claim_version
    stated = or_(
        *(
            and_(
                table.c.source == source,
                table.c.benchmark == benchmark,
                table.c.read_from <= read_at,
                table.c.read_to > read_at,
            )
            for source, benchmark, read_at in readings
        )
    )
    ids = select(table.c.claim).where(
        stated, in_plane(table, Plane.THEN), table.c.recorded_to == FOREVER
    )
    return _shown(reader, moment, table.c.claim.in_(ids), but, most)


def _shown(
    reader: Reader, moment: Moment, which: ColumnElement[bool], but: str | None, most: int
) -> Others:
    """Claims as they show at the moment, in the order of their boards and names."""
    table = reader.tables.claim_version
    holds = and_(
        which,
        in_plane(table, Plane.THEN),
        reader.holds(table, moment.day, moment.position),
        table.c.claim != (but or ""),
    )
    names = {"claim_id": "claim"}
    columns = [table.c[names.get(field, field)].label(field) for field in FIELDS]
    query = (
        select(*columns)
        .where(holds)
        .order_by(table.c.benchmark, table.c.name, table.c.metric, table.c.claim)
        .limit(most)
    )
    found = tuple(Other(**row) for row in _rows(reader, query))
    total = reader.connection.scalar(select(func.count()).select_from(table).where(holds))
    return Others(found, total or 0)


def _rows(reader: Reader, query: Select[Any]) -> Iterable[dict[str, Any]]:
    rows = reader.connection.execute(query).mappings()
    return ({str(name): value for name, value in row.items()} for row in rows)


# --- the same number elsewhere ----------------------------------------------------------------


def stating_the_same(
    reader: Reader,
    moment: Moment,
    *,
    claim: str,
    benchmark: str,
    model: str | None,
    numbers: Sequence[tuple[Score, str | None]],
) -> Others:
    """The other claims on a benchmark that give a model one of these numbers (with their units).

    0.725 as a fraction is 72.5%. A claim without a registered model has no others.
    """
    if model is None or not numbers:
        return NONE
    table = reader.tables.claim_version
    keys = {score_key(value) for score, unit in numbers for value in _scaled(score, unit)}
    same = and_(
        table.c.benchmark == benchmark, table.c.model == model, table.c.score_key.in_(sorted(keys))
    )
    return _shown(reader, moment, same, claim, MOST)


def _scaled(score: Score, unit: str | None) -> set[Decimal]:
    """A number in every unit in which it may be written elsewhere."""
    factors = (factor for (written, _), factor in SCALES.items() if unit in (None, written))
    return {score.value} | {score.value * factor for factor in factors}
