"""Posts that are probably rubbish, apart from the ledger: they can be removed without a trace.

Each keeps what was typed and when it came in, so that one that was suspected wrongly becomes a
report of its original time. One of which a report is being made is marked as taken, with whoever
does so, until the report is whole; whoever makes reports of them holds the lock of
:mod:`web.private.alone`, so what is marked while nobody holds it was left by a process that died.
Until somebody goes on with it, it shows among those that wait.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import attrs
import orjson
from sqlalchemy import (
    BigInteger,
    Column,
    ColumnElement,
    Connection,
    LargeBinary,
    Row,
    String,
    Table,
    delete,
    func,
    insert,
    select,
    update,
)

from ledger.errors import NotFound
from ledger.values import Instant, from_micros, micros
from web.private.reporters import letters
from web.private.store import PrivateStore, metadata, scrub_due
from web.private.uploads import Along, of_letter, uploads

WAITING, REJECTED, TAKEN = "waiting", "rejected", "taken"
MOST = 20_000
"""Suspected posts that are kept; when there are more, the oldest go."""

suspected = Table(
    "suspected",
    metadata,
    # The key of its letter (the digest of the secret that the sender was given).
    Column("key", String(64), primary_key=True),
    Column("received_at", BigInteger, nullable=False, index=True),
    Column("why", String(40), nullable=False),
    Column("typed", LargeBinary, nullable=False),
    Column("state", String(10), nullable=False, index=True),
    # Of a post that is taken: who took it.
    Column("rejected_by", String(128)),
    Column("rejected_at", BigInteger),
    Column("reason", LargeBinary),
)


@attrs.frozen(kw_only=True)
class Suspect:
    """One suspected post: what was typed, and why it is suspected. ``taken_by`` is who began to
    make a report of it."""

    key: str
    received_at: Instant
    why: str
    typed: Mapping[str, str] = attrs.field(repr=False)
    state: str
    taken_by: str | None
    rejected_by: str | None
    rejected_at: Instant | None
    reason: str | None


@attrs.frozen(kw_only=True)
class Apart:
    """That a post is to wait apart: why, with what was typed, and when it came in."""

    why: str
    typed: Mapping[str, str] = attrs.field(repr=False)
    received_at: Instant

    def put(self, connection: Connection, key: str) -> None:
        """Set it apart, in the commit that opens its letter: neither is there without the other."""
        row = {
            "key": key,
            "received_at": micros(self.received_at),
            "why": self.why,
            "typed": orjson.dumps(dict(self.typed)),
            "state": WAITING,
        }
        connection.execute(insert(suspected), row)


def with_letter(
    store: PrivateStore, along: Along, apart: Apart | None
) -> Callable[[Connection, str], None]:
    """What is kept in the commit that opens a letter: what comes along, and that it waits apart."""

    def keep(connection: Connection, key: str) -> None:
        along.put(store, connection, key)
        if apart is not None:
            apart.put(connection, key)

    return keep


def shed(store: PrivateStore) -> None:
    """Let the oldest posts go when there are more than :data:`MOST`."""
    oldest = select(suspected.c.key).order_by(suspected.c.received_at.desc()).offset(MOST)
    with store.read() as connection:
        too_many = list(connection.scalars(oldest.limit(MOST)))
    if too_many:
        purge(store, too_many)


def suspects(
    store: PrivateStore, state: str = WAITING, *, most: int = 200, after: int = 0
) -> Sequence[Suspect]:
    """The posts in a state, newest first, some at a time."""
    query = select(suspected).where(_shown_as(state))
    query = query.order_by(suspected.c.received_at.desc(), suspected.c.key)
    with store.read() as connection:
        return [_suspect(row) for row in connection.execute(query.limit(most).offset(after))]


def suspect(store: PrivateStore, key: str) -> Suspect:
    """One post; refused when there is none (any more)."""
    with store.read() as connection:
        row = connection.execute(select(suspected).where(suspected.c.key == key)).first()
    if row is None:
        raise NotFound(what="suspected post", name=key[:12])
    return _suspect(row)


def counts(store: PrivateStore) -> Mapping[str, int]:
    """How many posts there are, by the state that they show."""
    query = select(suspected.c.state, func.count().label("many")).group_by(suspected.c.state)
    found = Counter[str]()
    with store.read() as connection:
        for row in connection.execute(query):
            found[WAITING if row.state == TAKEN else row.state] += row.many
    return dict(found)


def counts_by_why(store: PrivateStore) -> Mapping[str, int]:
    """How many wait, by why they are suspected."""
    query = select(suspected.c.why, func.count().label("many")).where(_shown_as(WAITING))
    with store.read() as connection:
        rows = connection.execute(query.group_by(suspected.c.why))
        return {row.why: row.many for row in rows}


def keys_of(
    store: PrivateStore,
    state: str = WAITING,
    *,
    why: str | None = None,
    rejected_before: Instant | None = None,
) -> Sequence[str]:
    """The keys of all posts in a state; only those suspected for one thing, or rejected before an
    instant, when asked."""
    query = select(suspected.c.key).where(_shown_as(state))
    if why is not None:
        query = query.where(suspected.c.why == why)
    if rejected_before is not None:
        query = query.where(suspected.c.rejected_at < micros(rejected_before))
    with store.read() as connection:
        return list(connection.scalars(query))


def reject_suspects(store: PrivateStore, keys: Sequence[str], by: str, reason: str) -> int:
    """Reject posts that wait, all for one reason; how many there were. They can be rescued until
    they are purged."""
    now = micros(store.clock())
    values = {
        "state": REJECTED,
        "rejected_by": by,
        "rejected_at": now,
        "reason": reason.encode(),
    }
    done = 0
    with store.write() as connection:
        for some in _chunks(keys):
            chosen = suspected.c.key.in_(some) & (suspected.c.state == WAITING)
            done += connection.execute(update(suspected).where(chosen).values(values)).rowcount
    return done


def taken(store: PrivateStore) -> Sequence[Suspect]:
    """The posts of which somebody began to make a report, oldest first."""
    query = select(suspected).where(suspected.c.state == TAKEN).order_by(suspected.c.received_at)
    with store.read() as connection:
        return [_suspect(row) for row in connection.execute(query)]


def take(store: PrivateStore, key: str, by: str) -> Suspect:
    """Mark a post as one of which a report is being made; gives it as it was.

    Only under the lock of :mod:`web.private.alone`. One that was left by a process that died stays
    marked as it is. Refused when there is none (any more).
    """
    found = suspect(store, key)
    if found.state != TAKEN:
        with store.write() as connection:
            mine = update(suspected).where(suspected.c.key == key)
            # Else somebody purged it since we looked, which takes no lock of ours.
            if not connection.execute(mine.values(state=TAKEN, rejected_by=by)).rowcount:
                raise NotFound(what="suspected post", name=key[:12])
    return found


def put_back(store: PrivateStore, found: Suspect) -> None:
    """Undo :func:`take`; what was left by a process that died waits again."""
    before: dict[str, object] = {"state": found.state, "rejected_by": found.rejected_by}
    if found.state == TAKEN:
        before = {"state": WAITING, "rejected_by": None, "rejected_at": None, "reason": None}
    with store.write() as connection:
        mine = update(suspected).where(suspected.c.key == found.key)
        connection.execute(mine.values(before))


def forget_taken(store: PrivateStore, key: str) -> None:
    """Remove a post that became a report; its letter lives on."""
    with store.write() as connection:
        connection.execute(delete(suspected).where(suspected.c.key == key))
        connection.execute(insert(scrub_due).values())


def purge(store: PrivateStore, keys: Sequence[str]) -> int:
    """Remove posts with their letters and files, as if they had never come; how many.

    Raises :class:`~web.private.store.StillHeld` when a copy may still lie in the files.
    """
    done = 0
    with store.write() as connection:
        for some in _chunks(keys):
            chosen = suspected.c.key.in_(some) & (suspected.c.state != TAKEN)
            # Locked, so that nobody takes one of them while its letter goes.
            mine = select(suspected.c.key).where(chosen).with_for_update()
            gone = list(connection.scalars(mine))
            owners = [of_letter(key) for key in gone]
            connection.execute(delete(uploads).where(uploads.c.owner.in_(owners)))
            connection.execute(delete(letters).where(letters.c.secret.in_(gone)))
            connection.execute(delete(suspected).where(suspected.c.key.in_(gone)))
            done += len(gone)
        if done:
            connection.execute(insert(scrub_due).values())
    store.scrub()
    return done


def _shown_as(state: str) -> ColumnElement[bool]:
    """What one that is taken shows as: it waits until its report is whole."""
    return suspected.c.state.in_((WAITING, TAKEN) if state == WAITING else (state,))


def _chunks(keys: Sequence[str], size: int = 500) -> list[Sequence[str]]:
    return [keys[start : start + size] for start in range(0, len(keys), size)]


def _suspect(row: Row[Any]) -> Suspect:
    return Suspect(
        key=row.key,
        received_at=from_micros(row.received_at),
        why=row.why,
        typed=orjson.loads(row.typed),
        state=row.state,
        taken_by=row.rejected_by if row.state == TAKEN else None,
        rejected_by=row.rejected_by if row.state != TAKEN else None,
        rejected_at=None if row.rejected_at is None else from_micros(row.rejected_at),
        reason=None if row.reason is None else bytes(row.reason).decode(),
    )
