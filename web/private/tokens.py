"""Tokens of programs: of which account, allowed what, until when. Only a digest of each is kept.

A token never does more than its account may at that moment: its roles are looked up each time, and
it is gone when the account is disabled.
"""

import hashlib
from collections.abc import Iterable
from datetime import timedelta

import attrs
from sqlalchemy import (
    BigInteger,
    Column,
    ColumnElement,
    Connection,
    Index,
    Row,
    String,
    Table,
    delete,
    insert,
    select,
)

from ledger.errors import BadValue, NotFound
from ledger.values import Instant, from_micros, micros
from web.private.store import PrivateStore, metadata

SCOPES = ("read", "report", "decide")
"""Reading the private queue, filing reports, and deciding them."""

PREFIX = "corrigenda_"
"""So that a token is known for one wherever it turns up."""

USUAL_DAYS, MOST_DAYS = 90, 366
MOST_TOKENS = 50
"""Tokens of one account."""
ID_LENGTH = 12

tokens = Table(
    "tokens",
    metadata,
    Column("digest", String(64), primary_key=True),
    Column("handle", String(128), nullable=False),
    Column("scopes", String(100), nullable=False),
    Column("made_at", BigInteger, nullable=False),
    Column("until", BigInteger, nullable=False),
    Index("tokens_handle", "handle"),
)


@attrs.frozen(kw_only=True)
class Token:
    """A token as it is kept; ``id`` is how it is called, and the beginning of its digest."""

    id: str
    handle: str
    scopes: frozenset[str]
    made_at: Instant
    until: Instant


def scopes_of(names: Iterable[str]) -> frozenset[str]:
    """Scopes by name; at least one, and each is one that we know."""
    scopes = frozenset(names)
    for name in sorted(scopes - set(SCOPES)):
        raise BadValue(what="scope", shown=repr(name), why=f"it is one of {', '.join(SCOPES)}")
    if not scopes:
        raise BadValue(what="scopes", shown="not given", why=f"give one of {', '.join(SCOPES)}")
    return scopes


def add_token(
    store: PrivateStore, handle: str, scopes: Iterable[str], *, secret: str, days: int = USUAL_DAYS
) -> Token:
    """Keep a token for so many days, by its digest; ``secret`` is 256 random bits as text.

    Tokens whose days are over are removed.
    """
    if not 1 <= days <= MOST_DAYS:
        why = f"give a number from 1 to {MOST_DAYS}"
        raise BadValue(what="days", shown=str(days), why=why)
    now = store.clock()
    row = {
        "digest": _digest(f"{PREFIX}{secret}"),
        "handle": handle,
        "scopes": " ".join(sorted(scopes_of(scopes))),
        "made_at": micros(now),
        "until": micros(now + timedelta(days=days)),
    }
    with store.write() as connection:
        connection.execute(delete(tokens).where(tokens.c.until <= micros(now)))
        held = connection.execute(select(tokens.c.digest).where(tokens.c.handle == handle)).all()
        if len(held) >= MOST_TOKENS:
            why = f"an account has at most {MOST_TOKENS}; revoke those that nobody uses"
            raise BadValue(what="token", shown=f"beside {len(held)} others", why=why)
        connection.execute(insert(tokens), row)
        return _token(connection.execute(select(tokens).where(_is(row["digest"]))).one())


def token_of(store: PrivateStore, text: str) -> Token | None:
    """The token that somebody shows; ``None`` when there is none, or its days are over."""
    if not text.startswith(PREFIX):
        return None
    with store.read() as connection:
        row = connection.execute(select(tokens).where(_is(_digest(text)))).first()
    if row is None or row.until <= micros(store.clock()):
        return None
    return _token(row)


def all_tokens(store: PrivateStore) -> list[Token]:
    """Every token that is still good, by account and age."""
    now = micros(store.clock())
    with store.read() as connection:
        rows = connection.execute(select(tokens).where(tokens.c.until > now)).all()
    return sorted(map(_token, rows), key=lambda one: (one.handle, one.made_at, one.id))


def revoke_tokens(store: PrivateStore, *, ids: Iterable[str] = (), of: str | None = None) -> int:
    """Remove tokens by what they are called, or all of an account; how many.

    Refused, and nothing removed, when one of them is not there.
    """
    removed = 0
    with store.write() as connection:
        for one in ids:
            known = len(one) == ID_LENGTH and one.isalnum()
            mine = tokens.c.digest.startswith(one, autoescape=True)
            found = connection.execute(delete(tokens).where(mine)).rowcount if known else 0
            if not found:
                raise NotFound(what="token", name=one[:40])
            removed += found
        if of is not None:
            removed += forget_tokens(connection, of)
    return removed


def forget_tokens(connection: Connection, handle: str) -> int:
    """Remove all tokens of an account, within the transaction that changes it."""
    return connection.execute(delete(tokens).where(tokens.c.handle == handle)).rowcount


def _is(digest: object) -> ColumnElement[bool]:
    return tokens.c.digest == digest


def _token(row: Row[tuple[object, ...]]) -> Token:
    return Token(
        id=row.digest[:ID_LENGTH],
        handle=row.handle,
        scopes=frozenset(row.scopes.split()),
        made_at=from_micros(row.made_at),
        until=from_micros(row.until),
    )


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
