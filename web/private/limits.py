"""How often somebody did something lately. Nobody's name or address is here, only a key.

Each try is a row until it no longer counts. A try that is refused is not counted, so whoever waits
as long as they were told gets through.
"""

import hashlib
from datetime import timedelta

from sqlalchemy import BigInteger, Column, Index, String, Table, delete, func, insert, select, text

from ledger.errors import Refused
from ledger.values import micros
from web.private.store import PrivateStore, metadata

tries = Table(
    "tries",
    metadata,
    Column("name", String(40), nullable=False),
    Column("key", String(64), nullable=False),
    Column("until", BigInteger, nullable=False),
    Index("tries_key", "name", "key"),
    Index("tries_until", "until"),
)

COUNTING = 0x7472696573
"""Any number, but no other lock's of this database."""


class TooMany(Refused):
    """That was too often from here in a short time, so nothing was done; wait {seconds} seconds
    and try again."""


def count_try(store: PrivateStore, name: str, key: str, most: int, seconds: int) -> None:
    """Count one try; refused with :class:`TooMany` when there were ``most`` in the last seconds.

    ``key`` says whose tries are counted together; only its digest is kept.
    """
    now, hashed = micros(store.clock()), _hashed(key)
    mine = (tries.c.name == name, tries.c.key == hashed)
    with store.write() as connection:
        if connection.dialect.name == "postgresql":
            # SQLite has one writer at a time anyway; here those who count queue at this lock.
            connection.execute(text(f"SELECT pg_advisory_xact_lock({COUNTING})"))
        connection.execute(delete(tries).where(tries.c.until <= now))
        found, first = connection.execute(
            select(func.count(), func.min(tries.c.until)).where(*mine)
        ).one()
        if found < most:
            until = now + seconds * 1_000_000
            connection.execute(insert(tries).values(name=name, key=hashed, until=until))
    if found >= most:
        wait = timedelta(microseconds=first - now)
        raise TooMany(seconds=max(1, -(-wait // timedelta(seconds=1))))


def left(store: PrivateStore, name: str, key: str, most: int) -> tuple[int, int]:
    """How many tries are left of ``most``, and in how many seconds there is one more; 0 while none
    was made."""
    now = micros(store.clock())
    mine = (tries.c.name == name, tries.c.key == _hashed(key), tries.c.until > now)
    with store.read() as connection:
        found, first = connection.execute(
            select(func.count(), func.min(tries.c.until)).where(*mine)
        ).one()
    wait = timedelta(microseconds=(first or now) - now)
    return max(0, most - found), -(-wait // timedelta(seconds=1))


def forget_tries(store: PrivateStore, name: str, key: str) -> None:
    """Count anew, as after a right password."""
    with store.write() as connection:
        connection.execute(delete(tries).where(tries.c.name == name, tries.c.key == _hashed(key)))


def _hashed(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()
