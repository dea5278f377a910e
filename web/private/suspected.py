"""Posts that are probably rubbish, apart from the ledger: they can be removed without a trace.

Each keeps what was typed and when it came in, so that one that was suspected wrongly becomes a
report of its original time.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import attrs
import orjson
from sqlalchemy import (
    BigInteger,
    Column,
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
from web.private.uploads import of_letter, uploads

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
    Column("rejected_by", String(128)),
    Column("rejected_at", BigInteger),
    Column("reason", LargeBinary),
)


@attrs.frozen(kw_only=True)
class Suspect:
    """One suspected post: what was typed, and why it is suspected."""

    key: str
    received_at: Instant
    why: str
    typed: Mapping[str, str] = attrs.field(repr=False)
    state: str
    rejected_by: str | None
    rejected_at: Instant | None
    reason: str | None


def set_apart(
    store: PrivateStore, key: str, why: str, typed: Mapping[str, str], received_at: Instant
) -> None:
    """Keep a post apart."""
    row = {
        "key": key,
        "received_at": micros(received_at),
        "why": why,
        "typed": orjson.dumps(dict(typed)),
        "state": WAITING,
    }
    with store.write() as connection:
        connection.execute(insert(suspected), row)
        oldest = select(suspected.c.key).order_by(suspected.c.received_at.desc()).offset(MOST)
        too_many = list(connection.scalars(oldest.limit(MOST)))
    if too_many:
        purge(store, too_many)


def suspects(
    store: PrivateStore, state: str = WAITING, *, most: int = 200, after: int = 0
) -> Sequence[Suspect]:
    """The posts in a state, newest first, some at a time."""
    query = select(suspected).where(suspected.c.state == state)
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
    """How many posts there are, by state."""
    query = select(suspected.c.state, func.count().label("many")).group_by(suspected.c.state)
    with store.read() as connection:
        return {row.state: row.many for row in connection.execute(query)}


def counts_by_why(store: PrivateStore) -> Mapping[str, int]:
    """How many wait, by why they are suspected."""
    query = select(suspected.c.why, func.count().label("many")).where(suspected.c.state == WAITING)
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
    query = select(suspected.c.key).where(suspected.c.state == state)
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


def take(store: PrivateStore, key: str) -> Suspect:
    """Take a post to make a report of it; only one can. Refused when somebody was faster."""
    found = suspect(store, key)
    with store.write() as connection:
        mine = update(suspected).where(suspected.c.key == key, suspected.c.state != TAKEN)
        if not connection.execute(mine.values(state=TAKEN)).rowcount:
            raise NotFound(what="suspected post", name=key[:12])
    return found


def put_back(store: PrivateStore, found: Suspect) -> None:
    """Undo :func:`take`."""
    with store.write() as connection:
        mine = update(suspected).where(suspected.c.key == found.key)
        connection.execute(mine.values(state=found.state))


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
            gone = list(connection.scalars(select(suspected.c.key).where(chosen)))
            owners = [of_letter(key) for key in gone]
            connection.execute(delete(uploads).where(uploads.c.owner.in_(owners)))
            connection.execute(delete(letters).where(letters.c.secret.in_(gone)))
            connection.execute(delete(suspected).where(suspected.c.key.in_(gone)))
            done += len(gone)
        if done:
            connection.execute(insert(scrub_due).values())
    store.scrub()
    return done


def _chunks(keys: Sequence[str], size: int = 500) -> list[Sequence[str]]:
    return [keys[start : start + size] for start in range(0, len(keys), size)]


def _suspect(row: Row[Any]) -> Suspect:
    return Suspect(
        key=row.key,
        received_at=from_micros(row.received_at),
        why=row.why,
        typed=orjson.loads(row.typed),
        state=row.state,
        rejected_by=row.rejected_by,
        rejected_at=None if row.rejected_at is None else from_micros(row.rejected_at),
        reason=None if row.reason is None else bytes(row.reason).decode(),
    )
