"""One at a time makes reports of what waits apart: a lock that falls with whoever held it.

So a post that is marked as taken while nobody holds the lock was taken by a process that died, and
whoever has the lock may finish what that one began.
"""

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from sqlalchemy import Connection, Engine, text
from sqlalchemy.exc import DBAPIError

from web.private.store import PAUSE, PrivateBusy, PrivateStore, PrivateUnavailable, refusals

TAKING = 0x636F7272_74616B65
"""The number of our lock on a PostgreSQL database."""


@contextmanager
def alone(store: PrivateStore) -> Iterator[None]:
    """Nobody else does so; whoever does is waited for. Raises
    :class:`~web.private.store.PrivateBusy` when that takes longer than the store's patience."""
    end = time.monotonic() + store.patience
    try_it = _on_postgres if store.engine.dialect.name == "postgresql" else _beside
    while True:
        with try_it(store.engine) as is_ours:
            if is_ours:
                yield
                return
        if time.monotonic() >= end:
            raise PrivateBusy
        time.sleep(PAUSE)


@contextmanager
def _on_postgres(engine: Engine) -> Iterator[bool]:
    with refusals():
        connection = engine.connect()
    with connection:
        with refusals():
            is_ours = _asked(connection, "SELECT pg_try_advisory_lock(:taking)")
        try:
            yield is_ours
        finally:
            if is_ours:
                # A connection that was cut meanwhile has let go of it already.
                with suppress(DBAPIError):
                    _asked(connection, "SELECT pg_advisory_unlock(:taking)")


def _asked(connection: Connection, statement: str) -> bool:
    """A lock of the session outlives the transaction in which it is asked for."""
    with connection.begin():
        return bool(connection.scalar(text(statement), {"taking": TAKING}))


@contextmanager
def _beside(engine: Engine) -> Iterator[bool]:
    """A file of its own: whoever opens the database's own file and closes it would undo the locks
    that SQLite has on it."""
    try:
        held = os.open(f"{engine.url.database}.taking", os.O_CREAT | os.O_RDWR, 0o600)
    except OSError as why:
        raise PrivateUnavailable(why=why.strerror or why) from None
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
