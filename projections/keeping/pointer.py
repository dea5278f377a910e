"""Which generation of tables is live, how far each has come, and which tables it has: what outlives
every generation."""

from sqlalchemy import (
    BigInteger,
    Column,
    Connection,
    Integer,
    MetaData,
    String,
    Table,
    bindparam,
    select,
    update,
)

from ledger.values import Instant, micros
from projections.keeping.tables import Tables

# One row: which generation is live.
pointer_metadata = MetaData()
pointer = Table(
    "generation",
    pointer_metadata,
    Column("one", Integer, primary_key=True, autoincrement=False),
    Column("live", Integer, nullable=False),
)

# One row for each generation that is there: how far it has come. Kept beside the pointer, so that
# whoever looks is told both at once.
progress = Table(
    "progress",
    pointer_metadata,
    Column("generation", Integer, primary_key=True, autoincrement=False),
    Column("position", BigInteger, nullable=False),
    Column("recorded_at", BigInteger, nullable=False),
)

# One row: which tables the live generation has.
shape = Table(
    "shape",
    pointer_metadata,
    Column("one", Integer, primary_key=True, autoincrement=False),
    Column("digest", String, nullable=False),
)

LIVE = select(pointer.c.live)
REACHED = select(progress.c.position).where(progress.c.generation == bindparam("generation"))
LIVE_AND_REACHED = select(pointer.c.live, progress.c.position).join_from(
    pointer, progress, progress.c.generation == pointer.c.live
)


def live_generation(connection: Connection) -> int:
    """The number of the generation that readers use."""
    live: int = connection.execute(LIVE).scalar_one()
    return live


def generations(connection: Connection) -> list[int]:
    """The numbers of all generations that are there."""
    return list(connection.scalars(select(progress.c.generation).order_by(progress.c.generation)))


def next_generation(connection: Connection) -> int:
    """A number that none has: not that of one that somebody may be filling just now, or fills still
    for one who was cut short."""
    return max([live_generation(connection), *generations(connection)]) + 1


def saved_position(connection: Connection, tables: Tables) -> int:
    """The position that these tables have reached."""
    position: int = connection.execute(REACHED, {"generation": tables.generation}).scalar_one()
    return position


def note_position(
    connection: Connection, tables: Tables, position: int, recorded_at: Instant
) -> None:
    """Say how far these tables have come."""
    connection.execute(
        update(progress)
        .where(progress.c.generation == tables.generation)
        .values(position=position, recorded_at=micros(recorded_at))
    )


def switch_to(connection: Connection, generation: int) -> None:
    """Let readers use another generation from the commit on."""
    connection.execute(update(pointer).values(live=generation))
