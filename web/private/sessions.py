"""Sessions: who is logged in. Only the digest of what the browser holds is kept.

A session ends after twelve hours without a request and after seven days in any case; whoever reads
the private store cannot become somebody with what they find.
"""

import hashlib
from datetime import timedelta

from sqlalchemy import (
    BigInteger,
    Column,
    Connection,
    Index,
    String,
    Table,
    delete,
    insert,
    select,
    update,
)

from ledger.values import micros
from web.private.store import PrivateStore, metadata

IDLE = timedelta(hours=12)
ABSOLUTE = timedelta(days=7)
NOTED = timedelta(minutes=5)
"""How exactly the last request is noted; so not every request writes."""

sessions = Table(
    "sessions",
    metadata,
    Column("digest", String(64), primary_key=True),
    Column("handle", String(128), nullable=False),
    Column("started_at", BigInteger, nullable=False),
    Column("seen_at", BigInteger, nullable=False),
    Index("sessions_handle", "handle"),
)


def start_session(store: PrivateStore, secret: str, handle: str) -> None:
    """Note that whoever holds this secret (256 random bits) is logged in; old ones are removed."""
    now = store.clock()
    row = {
        "digest": _digest(secret),
        "handle": handle,
        "started_at": micros(now),
        "seen_at": micros(now),
    }
    with store.write() as connection:
        connection.execute(
            delete(sessions).where(
                (sessions.c.seen_at <= micros(now - IDLE))
                | (sessions.c.started_at <= micros(now - ABSOLUTE))
            )
        )
        connection.execute(insert(sessions), row)


def session_handle(store: PrivateStore, secret: str) -> str | None:
    """Whose session this is; ``None`` when there is none or it has ended."""
    now, mine = store.clock(), sessions.c.digest == _digest(secret)
    with store.read() as connection:
        row = connection.execute(select(sessions).where(mine)).first()
    if row is None:
        return None
    if row.seen_at <= micros(now - IDLE) or row.started_at <= micros(now - ABSOLUTE):
        return None
    if row.seen_at <= micros(now - NOTED):
        with store.write() as connection:
            connection.execute(update(sessions).where(mine).values(seen_at=micros(now)))
    return str(row.handle)


def end_session(store: PrivateStore, secret: str) -> None:
    """End one session; nothing happens when there is none."""
    with store.write() as connection:
        connection.execute(delete(sessions).where(sessions.c.digest == _digest(secret)))


def forget_sessions(connection: Connection, handle: str) -> None:
    """End all sessions of an account, within the transaction that changes the account."""
    connection.execute(delete(sessions).where(sessions.c.handle == handle))


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()
