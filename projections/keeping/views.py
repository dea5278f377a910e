"""The read model's database: where it is, which generation is live, how to read and write it.

Tables that a release with other tables left behind are not used: an empty generation takes their
place when the read model is opened, and whoever follows the ledger fills it from the beginning.
"""

from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, TypeVar

import attrs
from sqlalchemy import (
    BigInteger,
    ColumnElement,
    CompoundSelect,
    Connection,
    Engine,
    Select,
    Table,
    and_,
    bindparam,
    create_engine,
    delete,
    event,
    insert,
    inspect,
    literal,
    select,
    text,
)
from sqlalchemy.schema import CreateSchema

from ledger.store.connecting import LONG_IDLE_SECONDS, long_work
from ledger.store.write_ahead import write_ahead
from projections.keeping.connecting import postgres
from projections.keeping.pointer import (
    LIVE_AND_REACHED,
    live_generation,
    next_generation,
    pointer,
    pointer_metadata,
    progress,
    shape,
    switch_to,
)
from projections.keeping.refusals import refusals
from projections.keeping.remembered import Answers, Remembered
from projections.keeping.tables import FOREVER, Tables, shape_of, tables_of

BUSY_SECONDS = 20
"""Seconds that a writer waits for another one."""

SCHEMA = "views"

MAKING = 0x636F7272_76696577
"""Names the lock under which PostgreSQL's schema and tables are made ("corrview")."""

Found = TypeVar("Found")

DAY = bindparam("day", type_=BigInteger)
POSITION = bindparam("position", type_=BigInteger)


@attrs.frozen
class Reader:
    """One consistent look at the live generation, which has reached ``position``; ``remembered``
    holds what was looked up there before."""

    connection: Connection
    tables: Tables
    position: int
    remembered: Answers

    def holds(self, table: Table, day: int, position: int) -> ColumnElement[bool]:
        """The rectangles that a day (microseconds) and a position lie in."""
        at_head = self.at_head(position)
        return _within(
            table, literal(day, BigInteger), literal(position, BigInteger), at_head=at_head
        )

    def tuples(
        self, query: Select[Any] | CompoundSelect[Any], asked: Mapping[str, object]
    ) -> list[tuple[Any, ...]]:
        """What a query finds, as the driver gives it: our columns are texts and whole numbers,
        which nobody has to convert, and a board is read while somebody waits."""
        with closing(self.connection.execute(query, asked)) as result:
            return list(result.cursor.fetchall())

    def recalled(self, what: Hashable, position: int, look: Callable[[], Found]) -> Found:
        """What ``look`` finds for whoever knows the ledger through a position; looked up once."""
        key = (what, FOREVER if self.at_head(position) else position)
        if key not in self.remembered:
            self.remembered[key] = look()
        found: Found = self.remembered[key]
        return found

    def at_head(self, position: int) -> bool:
        """Whether a position is at or beyond what the read model has reached."""
        return position >= self.position


@attrs.frozen
class Views:
    """A handle on the read model; several threads and processes may hold one."""

    engine: Engine
    remembered: Remembered = attrs.field(factory=Remembered, repr=False)

    @contextmanager
    def read(self) -> Iterator[Reader]:
        """A transaction that only reads, with the tables of the live generation."""
        with self.look() as connection:
            generation, position = connection.execute(LIVE_AND_REACHED).one()
            answers = self.remembered.at(generation, position)
            yield Reader(connection, tables_of(generation), position, answers)

    @contextmanager
    def look(self) -> Iterator[Connection]:
        """A transaction that goes on seeing what it saw first, whatever is written meanwhile."""
        with refusals(), self.engine.connect() as connection:
            if connection.dialect.name == "postgresql":
                # Otherwise each statement would see what was written since the one before.
                connection.execution_options(isolation_level="REPEATABLE READ")
            with connection.begin():
                yield connection

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """A transaction that keeps other writers out from its beginning."""
        with self.write_apart() as connection:
            if connection.dialect.name == "postgresql":
                # Everyone who writes holds this row; readers do not need it.
                connection.execute(select(pointer.c.live).with_for_update())
            yield connection

    @contextmanager
    def write_apart(self) -> Iterator[Connection]:
        """A transaction for rows that nobody else writes, such as a share of a generation that is
        being filled. SQLite has one writer at a time whatever they write."""
        with refusals(), writing(self.engine) as connection, connection.begin():
            work_long(connection)
            yield connection

    def close(self) -> None:
        """Give the connections back."""
        self.engine.dispose()


def holding(table: Table, *, at_head: bool) -> ColumnElement[bool]:
    """The rectangles that the parameters ``day`` and ``position`` lie in: for queries that are
    built once and asked often."""
    return _within(table, DAY, POSITION, at_head=at_head)


def recorded(table: Table, *, at_head: bool) -> ColumnElement[bool]:
    """What holds for whoever knows the ledger through the parameter ``position``."""
    return _known(table, POSITION, at_head=at_head)


def _within(
    table: Table, day: ColumnElement[int], position: ColumnElement[int], *, at_head: bool
) -> ColumnElement[bool]:
    known = _known(table, position, at_head=at_head)
    return and_(known, table.c.read_to > day, table.c.read_from <= day)


def _known(table: Table, position: ColumnElement[int], *, at_head: bool) -> ColumnElement[bool]:
    """At the head it is what nothing has closed: an equality, which the index answers without
    passing over what was closed."""
    if at_head:
        return table.c.recorded_to == FOREVER
    return and_(table.c.recorded_to > position, table.c.recorded_from <= position)


def open_views(where: str | Path) -> Views:
    """Open the read model, making an empty one where there is none.

    ``postgresql://…`` uses the schema ``views``; anything else is the path of an SQLite file.
    """
    text = str(where)
    engine = _postgres(text) if text.startswith(("postgresql://", "postgres://")) else _sqlite(text)
    with refusals():
        _make_generation_of_ours(engine)
    return Views(engine)


def open_following(url: str) -> Views:
    """The read model on a PostgreSQL server that follows another one. It is only read there, so
    nothing is made; nobody connects before it is read."""
    return Views(_engine(url))


def _postgres(url: str) -> Engine:
    engine = _engine(url)
    with refusals(), engine.begin() as connection:
        _take_turns(connection)
        # Asked first: even IF NOT EXISTS needs a right that the server's user need not have.
        if not inspect(connection).has_schema(SCHEMA):
            connection.execute(CreateSchema(SCHEMA, if_not_exists=True))
    return engine


def _engine(url: str) -> Engine:
    # A bundle or a table is made from one look, with much to work out between two questions.
    return postgres(url, SCHEMA, BUSY_SECONDS, LONG_IDLE_SECONDS)


def _take_turns(connection: Connection) -> None:
    """Let one at a time make what is missing, until its transaction ends. SQLite does so anyway; of
    two who make one schema or table at once, PostgreSQL refuses the second, IF NOT EXISTS or not.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(text(f"SELECT pg_advisory_xact_lock({MAKING})"))


def work_long(connection: Connection) -> None:
    """Let this transaction take longer than one for which somebody waits."""
    if connection.dialect.name == "postgresql":
        for statement in long_work():
            connection.execute(text(statement))


def _sqlite(path: str) -> Engine:
    engine = create_engine(f"sqlite:///{path}", connect_args={"timeout": BUSY_SECONDS})

    @event.listens_for(engine, "connect")
    def _connect(connection: Any, _: object) -> None:
        connection.isolation_level = None  # we say BEGIN ourselves
        write_ahead(connection, BUSY_SECONDS)
        # What is lost in a crash of the machine is rebuilt from the ledger.
        connection.execute("PRAGMA synchronous=NORMAL")
        connection.execute("PRAGMA cache_size=-65536")

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        writes = connection.get_execution_options().get("corrigenda_writes")
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine


def writing(engine: Engine) -> Connection:
    """A connection whose transactions keep other writers out."""
    return engine.connect().execution_options(corrigenda_writes=True)


def _make_generation_of_ours(engine: Engine) -> None:
    """See that the live generation has today's tables."""
    with writing(engine) as connection, connection.begin():
        _take_turns(connection)
        pointer_metadata.create_all(connection)
        if connection.execute(select(pointer.c.live)).first() is None:
            connection.execute(insert(pointer).values(one=1, live=0))
        connection.execute(select(pointer.c.live).with_for_update())
        live = live_generation(connection)
        if connection.execute(select(shape.c.digest)).scalar() == shape_of(tables_of(live)):
            return
        # Crash before this commit: the tables of before are still there, and are replaced later.
        ours = next_generation(connection)
        create_generation(connection, ours)
        connection.execute(delete(shape))
        connection.execute(insert(shape).values(one=1, digest=shape_of(tables_of(ours))))
        switch_to(connection, ours)
        drop_generation(connection, live - 1)


def create_generation(connection: Connection, generation: int) -> Tables:
    """Empty tables for a generation, replacing what an interrupted rebuild left of it."""
    drop_generation(connection, generation)
    tables = tables_of(generation)
    tables.metadata.create_all(connection)
    connection.execute(insert(progress).values(generation=generation, position=0, recorded_at=0))
    return tables


def drop_generation(connection: Connection, generation: int) -> None:
    """Take a generation's tables away, as far as they are there."""
    tables_of(generation).metadata.drop_all(connection)
    connection.execute(delete(progress).where(progress.c.generation == generation))


def keep_readers_out(connection: Connection, tables: Tables) -> None:
    """Do without the indexes that readers alone look into, while a generation is filled."""
    for index in tables.for_readers:
        index.drop(connection)


def let_readers_in(connection: Connection, tables: Tables) -> None:
    """Make those indexes, over all rows at once, which takes far less time than row by row; and let
    the database look at them, so that it finds its way from the first question on."""
    for index in tables.for_readers:
        index.create(connection)
    connection.execute(text("ANALYZE"))
