"""How every connection to PostgreSQL is made: one place for its bounds, for all three stores.

Every wait has an end: for a connection, for a lock, for a statement, for a transaction that fell
silent, for a peer that is gone. What an address says itself is left as it is.

A connection is looked at before it is used, without a word to the server: one that ends a
connection says so at once, so where nothing has come in unasked, nothing has happened. Asking each
time would cost as much as a short question does.
"""

from collections.abc import Collection, Mapping
from select import POLLIN, poll
from types import MappingProxyType
from typing import Any

import psycopg
from psycopg_pool import ConnectionPool, PoolTimeout, TooManyRequests

CONNECT_SECONDS = 5
"""Seconds that a new connection may take; whoever needs one waits as long for the pool."""

STATEMENT_SECONDS = 60
"""Seconds that a statement may run for which somebody waits."""

LONG_STATEMENT_SECONDS = 3_600
"""The same where a whole read model is made or moved: an index over millions of rows takes long."""

IDLE_SECONDS = 120
"""Who falls silent this long in the middle of a transaction loses it, with its locks."""

LONG_IDLE_SECONDS = 600
"""The same where thousands of events are worked out between two statements."""

KEPT, MOST = 1, 8
"""Connections of one process to the ledger: as many are kept, as many there may be."""

KEPT_ELSEWHERE, MOST_ELSEWHERE = 4, 12
"""The same for the read model, and again for the private store."""

CONNECTION_SECONDS = 3_600
"""After so long a connection is replaced, so that no process of the server grows for ever."""

# What an address does not say itself. A dead peer is noticed within about a minute.
USUAL: Mapping[str, Any] = MappingProxyType(
    {
        "application_name": "corrigenda",
        "connect_timeout": CONNECT_SECONDS,
        "keepalives_idle": 30,
        "keepalives_interval": 10,
        "keepalives_count": 3,
        "tcp_user_timeout": 60_000,
    }
)

# Somebody ended our connection, or our statement: the server that stops (57P01, 57P02), the limits
# above (57014, 25P03). Whoever comes again is served.
PASSING = frozenset({"25P03", "57014", "57P01", "57P02", "57P05"})


def usual(
    named: Collection[str], schema: str, lock_seconds: float, idle_seconds: int = IDLE_SECONDS
) -> dict[str, Any]:
    """How to connect to a schema, but for what the address names itself."""
    limits = {
        "search_path": schema,
        "lock_timeout": int(lock_seconds * 1000),
        "statement_timeout": STATEMENT_SECONDS * 1000,
        "idle_in_transaction_session_timeout": idle_seconds * 1000,
    }
    options = " ".join(f"-c {name}={value}" for name, value in limits.items())
    return {name: value for name, value in USUAL.items() if name not in named} | {
        "options": options
    }


def pooled() -> dict[str, Any]:
    """The bounds of a pool, as SQLAlchemy names them."""
    return {
        "pool_size": KEPT_ELSEWHERE,
        "max_overflow": MOST_ELSEWHERE - KEPT_ELSEWHERE,
        "pool_timeout": CONNECT_SECONDS,
        "pool_recycle": CONNECTION_SECONDS,
    }


def long_work() -> tuple[str, str]:
    """What a transaction says first in which a whole read model is made, or compared."""
    return (
        f"SET LOCAL statement_timeout = '{LONG_STATEMENT_SECONDS}s'",
        f"SET LOCAL idle_in_transaction_session_timeout = '{LONG_IDLE_SECONDS}s'",
    )


def has_unread(connection: Any) -> bool:
    """Whether the server sent something that nobody asked for, or is gone."""
    if connection.closed:
        return True
    looking = poll()
    looking.register(connection.fileno(), POLLIN)
    return bool(looking.poll(0))


def look_at(connection: psycopg.Connection[Any]) -> None:
    """See that a connection of a pool is alive; raises psycopg's error for one that is not."""
    if has_unread(connection):
        ConnectionPool.check_connection(connection)


def was_cut(why: BaseException | None) -> bool:
    """Whether a connection that was there is gone, or was told to stop what it was doing."""
    if isinstance(why, PoolTimeout | TooManyRequests) or not isinstance(why, psycopg.Error):
        return False
    if why.sqlstate is None:
        return isinstance(why, psycopg.OperationalError)
    return why.sqlstate in PASSING
