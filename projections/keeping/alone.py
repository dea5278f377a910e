"""One process at a time fills a generation beside the live one, as two would fill the same.

The lock goes with whoever held it, also when that process is killed.
"""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import Connection, Engine, text

from ledger.errors import Busy
from projections.keeping.refusals import refusals

FILLING = 0x636F7272_66696C6C
"""The number of our lock on a PostgreSQL database."""


class BeingFilled(Busy):
    """Another process is just filling the read model anew; wait until that is done, then try
    again."""


@contextmanager
def alone(engine: Engine) -> Iterator[None]:
    """Nobody else fills this read model so. Raises :class:`BeingFilled` at once."""
    held = _on_postgres(engine) if engine.dialect.name == "postgresql" else _beside(engine)
    with held:
        yield


@contextmanager
def _on_postgres(engine: Engine) -> Iterator[None]:
    with refusals(), engine.connect() as connection:
        if not _asked(connection, "SELECT pg_try_advisory_lock(:filling)"):
            raise BeingFilled
        try:
            yield
        finally:
            _asked(connection, "SELECT pg_advisory_unlock(:filling)")


def _asked(connection: Connection, statement: str) -> bool:
    """A lock of the session outlives the transaction in which it is asked for."""
    with connection.begin():
        return bool(connection.scalar(text(statement), {"filling": FILLING}))


@contextmanager
def _beside(engine: Engine) -> Iterator[None]:
    """A file of its own: whoever opens the database's own file and closes it would undo the locks
    that SQLite has on it."""
    path = Path(f"{engine.url.database}.filling")
    with path.open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise BeingFilled from None
        yield
