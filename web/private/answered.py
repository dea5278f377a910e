"""What was answered under an ``Idempotency-Key``, so that the same again gives the same again.

Kept for a day, by digests: of the key with whoever sent it, and of what was sent. The answer itself
is kept where it is nobody's secret; all of it goes with the account.
"""

import hashlib
from datetime import timedelta

import attrs
from sqlalchemy import (
    BigInteger,
    Column,
    Connection,
    Index,
    Integer,
    LargeBinary,
    String,
    Table,
    delete,
    insert,
    select,
    update,
)
from sqlalchemy.exc import IntegrityError

from ledger.errors import Refused
from ledger.values import micros
from web.private.store import PrivateStore, metadata

KEPT = timedelta(hours=24)

answered = Table(
    "answered",
    metadata,
    Column("key", String(64), primary_key=True),
    Column("sent", String(64), nullable=False),
    Column("handle", String(128)),
    Column("status", Integer),
    Column("answer", LargeBinary),
    Column("until", BigInteger, nullable=False),
    Index("answered_until", "until"),
)


class KeyOfAnother(Refused):
    """This Idempotency-Key came with something else before, so nothing was done; send what you sent
    with it then, or take a new key."""


@attrs.frozen(kw_only=True)
class Answer:
    """An answer as it was given."""

    status: int
    content: bytes


def begin(store: PrivateStore, key: str, sent: bytes, handle: str | None) -> Answer | None:
    """Note that something is sent under a key; the answer that the very same got before, if it is
    kept. Raises :class:`KeyOfAnother` where it came with something else.

    ``key`` has to say by whom and to where it was sent.
    """
    now, hashed = store.clock(), _digest(key.encode())
    row = {
        "key": hashed,
        "sent": _digest(sent),
        "handle": handle,
        "until": micros(now + KEPT),
    }
    try:
        with store.write() as connection:
            connection.execute(delete(answered).where(answered.c.until <= micros(now)))
            connection.execute(insert(answered), row)
    except IntegrityError:
        return _before(store, hashed, row["sent"])
    return None


def _before(store: PrivateStore, hashed: str, sent: object) -> Answer | None:
    with store.read() as connection:
        found = connection.execute(select(answered).where(answered.c.key == hashed)).first()
    if found is None:
        return None
    if found.sent != sent:
        raise KeyOfAnother
    if found.answer is None:
        return None
    return Answer(status=found.status, content=bytes(found.answer))


def keep(store: PrivateStore, key: str, status: int, content: bytes) -> None:
    """Keep what was answered under a key."""
    mine = answered.c.key == _digest(key.encode())
    with store.write() as connection:
        connection.execute(update(answered).where(mine).values(status=status, answer=content))


def forget(store: PrivateStore, key: str) -> None:
    """Forget a key whose request was refused, so that it can be sent again, put right."""
    mine = (answered.c.key == _digest(key.encode()), answered.c.answer.is_(None))
    with store.write() as connection:
        connection.execute(delete(answered).where(*mine))


def forget_answers(connection: Connection, handle: str) -> None:
    """Forget what was answered to an account, within the transaction that changes it."""
    connection.execute(delete(answered).where(answered.c.handle == handle))


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
