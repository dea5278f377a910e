"""PostgreSQL behind SQLAlchemy, for the read model and for the private store."""

from typing import Any

from sqlalchemy import Engine, create_engine, event
from sqlalchemy.engine import make_url
from sqlalchemy.exc import InvalidatePoolError

from ledger.store.connecting import IDLE_SECONDS, has_unread, pooled, usual


def postgres(
    url: str,
    schema: str,
    lock_seconds: float,
    idle_seconds: int = IDLE_SECONDS,
    *,
    hide_parameters: bool = False,
) -> Engine:
    """An engine for a schema, with our bounds; nobody connects before it is used."""
    address = make_url(url).set(drivername="postgresql+psycopg")
    engine = create_engine(
        address,
        connect_args=usual(address.query, schema, lock_seconds, idle_seconds),
        hide_parameters=hide_parameters,
        **pooled(),
    )
    driver: Any = engine.dialect.loaded_dbapi

    @event.listens_for(engine, "checkout")
    def _look(connection: Any, _record: object, _proxy: object) -> None:
        if not has_unread(connection):
            return
        try:
            engine.dialect.do_ping(connection)
        except driver.Error as why:
            # Whoever lost one connection has most likely lost them all: new ones take their place.
            raise InvalidatePoolError from why

    return engine
