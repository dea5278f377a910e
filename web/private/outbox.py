"""What waits to be told, and how it went. No address and no words are here: only which event of the
ledger is to be told by which channel, and to which letter's reporter.

The ledger says what there is to tell; :data:`told` says through which position that was put here,
in the transaction that put it here, so nothing is forgotten and nothing is put here twice. What
goes out is marked *sending* before: if the process dies before the answer is noted, nobody knows
whether it arrived, and it is not sent again unless a person says so.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import timedelta
from typing import Any

import attrs
from sqlalchemy import (
    BigInteger,
    Column,
    ColumnElement,
    Index,
    Integer,
    Row,
    String,
    Table,
    UniqueConstraint,
    and_,
    delete,
    func,
    insert,
    or_,
    select,
    update,
)

from ledger.values import Instant, micros
from web.private.store import PrivateStore, metadata

WAITING, SENDING, SENT = "waiting", "sending", "sent"
FAILED, UNSURE, DROPPED = "failed", "unsure", "dropped"

GIVEN_UP = timedelta(minutes=15)
"""A message that was being sent for so long is of a process that died; no attempt takes a tenth."""

KEPT = timedelta(days=90)
"""How long it is remembered that a message went out."""

outbox = Table(
    "outbox",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("key", String(32), nullable=False, unique=True),
    Column("channel", String(16), nullable=False),
    Column("position", BigInteger, nullable=False),
    # The key of a letter, or nothing for what goes to the operator's own receiver.
    Column("letter", String(64), nullable=False),
    Column("report", Integer, nullable=False),
    Column("event", String(16), nullable=False),
    Column("state", String(16), nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("due_at", BigInteger, nullable=False),
    Column("changed_at", BigInteger, nullable=False),
    Column("why", String(80)),
    UniqueConstraint("channel", "position", "letter"),
    Index("outbox_due", "state", "due_at"),
)
told = Table(
    "told",
    metadata,
    Column("one", Integer, primary_key=True, autoincrement=False),
    Column("through", BigInteger, nullable=False),
)


@attrs.frozen(kw_only=True)
class Message:
    """One thing to tell, by one channel; ``key`` stays the same however often it is tried."""

    key: str
    channel: str
    position: int
    letter: str
    report: int
    event: str
    attempts: int = 0


# --- putting in -------------------------------------------------------------------------------


def told_through(store: PrivateStore) -> int | None:
    """The position through which everything to tell was put here; ``None`` before the first."""
    with store.read() as connection:
        return connection.scalar(select(told.c.through))


def put(
    store: PrivateStore, messages: Iterable[Message], *, since: int | None, through: int
) -> bool:
    """Put messages in, and say through which position they are; ``False``, and nothing done, when
    somebody else went on from ``since`` meanwhile."""
    now = micros(store.clock())
    rows = [_row(message, now) for message in messages]
    with store.write() as connection:
        if since is None:
            if connection.scalar(select(told.c.through)) is not None:
                return False
            connection.execute(insert(told).values(one=1, through=through))
        else:
            moved = update(told).where(told.c.through == since).values(through=through)
            if not connection.execute(moved).rowcount:
                return False
        if rows:
            connection.execute(insert(outbox), rows)
    return True


def _row(message: Message, now: int) -> Mapping[str, Any]:
    return attrs.asdict(message) | {"state": WAITING, "due_at": now, "changed_at": now}


# --- sending ----------------------------------------------------------------------------------


def claim_due(store: PrivateStore) -> Message | None:
    """Take the message that has waited longest of those that are due, and mark it as being sent;
    ``None`` when none is. Two processes never take the same one."""
    now = micros(store.clock())
    due = (
        select(outbox)
        .where(outbox.c.state == WAITING, outbox.c.due_at <= now)
        .order_by(outbox.c.due_at, outbox.c.id)
        .limit(1)
        .with_for_update(skip_locked=True)
    )
    with store.write() as connection:
        row = connection.execute(due).first()
        if row is None:
            return None
        taken = update(outbox).where(outbox.c.id == row.id, outbox.c.state == WAITING)
        taken = taken.values(state=SENDING, attempts=row.attempts + 1, changed_at=now)
        if not connection.execute(taken).rowcount:
            return None
    # Crash from here on: it may have been sent, and is not sent again by itself.
    return _message(row)


def note(store: PrivateStore, message: Message, state: str, why: str | None = None) -> None:
    """How an attempt went."""
    _change(store, message, state=state, why=why)


def put_off(store: PrivateStore, message: Message, until: Instant, why: str) -> None:
    """It was not delivered; try again later."""
    _change(store, message, state=WAITING, due_at=micros(until), why=why)


def _change(store: PrivateStore, message: Message, **values: Any) -> None:
    changed = update(outbox).where(outbox.c.key == message.key)
    with store.write() as connection:
        connection.execute(changed.values(changed_at=micros(store.clock()), **values))


def _message(row: Row[Any]) -> Message:
    return Message(
        key=row.key,
        channel=row.channel,
        position=row.position,
        letter=row.letter,
        report=row.report,
        event=row.event,
        attempts=row.attempts + 1,
    )


# --- looking ----------------------------------------------------------------------------------


def counts(store: PrivateStore) -> Mapping[str, int]:
    """How many messages are in which state; one that a dead process was sending is *unsure*."""
    dead = _is_dead(store.clock())
    by_state = select(outbox.c.state, func.count()).group_by(outbox.c.state)
    found: Counter[str] = Counter()
    with store.read() as connection:
        for state, count in connection.execute(by_state.where(~dead)):
            found[state] += count
        unsure = connection.scalar(select(func.count()).select_from(outbox).where(dead)) or 0
    found[UNSURE] += unsure
    return +found


def _is_dead(now: Instant) -> ColumnElement[bool]:
    """Whether a message was being sent by a process that died."""
    return and_(outbox.c.state == SENDING, outbox.c.changed_at <= micros(now - GIVEN_UP))


def messages_about(store: PrivateStore, report: int) -> Sequence[tuple[Message, str]]:
    """All messages about a report with their states, oldest first."""
    query = select(outbox).where(outbox.c.report == report).order_by(outbox.c.id)
    with store.read() as connection:
        return [(_message(row), row.state) for row in connection.execute(query)]


# --- upkeep -----------------------------------------------------------------------------------


def send_again(store: PrivateStore) -> int:
    """Let everything that failed, or that may have been sent already, wait anew; how many."""
    now = store.clock()
    wanted = update(outbox).where(or_(outbox.c.state.in_((FAILED, UNSURE)), _is_dead(now)))
    values = {"state": WAITING, "attempts": 0, "due_at": micros(now), "changed_at": micros(now)}
    with store.write() as connection:
        return connection.execute(wanted.values(**values)).rowcount


def forget_sent(store: PrivateStore) -> None:
    """Forget what went out, or could go nowhere, long ago."""
    limit = micros(store.clock() - KEPT)
    old = delete(outbox).where(outbox.c.state.in_((SENT, DROPPED)), outbox.c.changed_at <= limit)
    with store.write() as connection:
        connection.execute(old)
