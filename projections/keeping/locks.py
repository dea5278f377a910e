"""Locks that fall with whoever holds them, also when that process is killed: so one who finds such
a lock free knows that nobody is at the work it stands for.
"""

import fcntl
import os
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress

import attrs
from sqlalchemy import Connection, Engine, text
from sqlalchemy.exc import DBAPIError


@attrs.frozen
class ProcessLock:
    """One kind of work that one process at a time does on a database. Its ``number`` is that of the
    lock on PostgreSQL; on SQLite its ``name`` ends that of a file beside the database."""

    name: str
    number: int

    def tried(self, engine: Engine) -> AbstractContextManager[bool]:
        """Whether it is ours, for as long as we are inside; it waits for nobody.

        Raises what the driver does, and ``OSError`` where no file can be made.
        """
        if engine.dialect.name == "postgresql":
            return self._of_a_session(engine)
        return self._beside(engine)

    @contextmanager
    def _of_a_session(self, engine: Engine) -> Iterator[bool]:
        with engine.connect() as connection:
            is_ours = self._asked(connection, "SELECT pg_try_advisory_lock(:number)")
            try:
                yield is_ours
            finally:
                if is_ours:
                    # A connection that was cut meanwhile has let go of it already.
                    with suppress(DBAPIError):
                        self._asked(connection, "SELECT pg_advisory_unlock(:number)")

    def _asked(self, connection: Connection, statement: str) -> bool:
        """A lock of the session outlives the transaction in which it is asked for."""
        with connection.begin():
            return bool(connection.scalar(text(statement), {"number": self.number}))

    @contextmanager
    def _beside(self, engine: Engine) -> Iterator[bool]:
        """A file of its own: whoever opens the database's own file and closes it would undo the
        locks that SQLite has on it."""
        held = os.open(f"{engine.url.database}.{self.name}", os.O_CREAT | os.O_RDWR, 0o600)
        try:
            yield _locked(held)
        finally:
            os.close(held)


def _locked(file: int) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
