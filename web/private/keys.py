"""Secrets that only the server knows: one key for all time, and a salt for each day.

The day's salt keeps client addresses from being known again tomorrow; yesterday's is removed, so
that not even we can work out an address from what was kept.
"""

import hashlib
import hmac

from sqlalchemy import Column, LargeBinary, String, Table, delete, select
from sqlalchemy.dialects import postgresql, sqlite

from web.private.store import PrivateStore, metadata

# "forms" is for good, "day:2025-07-28" for that day alone.
server_keys = Table(
    "server_keys",
    metadata,
    Column("name", String(40), primary_key=True),
    Column("secret", LargeBinary, nullable=False),
)

FORMS = "forms"
DAY = "day:"


def form_key(store: PrivateStore) -> bytes:
    """The key that form tokens are made with; made when first asked for."""
    return _key(store, FORMS)


def day_salt(store: PrivateStore) -> bytes:
    """Today's salt (UTC day); those of other days are forgotten."""
    name = f"{DAY}{store.clock().date().isoformat()}"
    found = _read(store, name)
    if found is None:
        with store.write() as connection:
            connection.execute(
                delete(server_keys).where(
                    server_keys.c.name.startswith(DAY), server_keys.c.name != name
                )
            )
        found = _key(store, name)
    return found


def digest_under(secret: bytes, *parts: str) -> str:
    """HMAC-SHA256 of some text in hexadecimal; the parts can not run into each other."""
    told = "".join(f"{len(part.encode())}:{part}" for part in parts)
    return hmac.new(secret, told.encode(), hashlib.sha256).hexdigest()


def _read(store: PrivateStore, name: str) -> bytes | None:
    with store.read() as connection:
        found = connection.scalar(select(server_keys.c.secret).where(server_keys.c.name == name))
    return None if found is None else bytes(found)


def _key(store: PrivateStore, name: str) -> bytes:
    found = _read(store, name)
    if found is not None:
        return found
    insert = postgresql.insert if store.engine.dialect.name == "postgresql" else sqlite.insert
    row = {"name": name, "secret": store.nonce() + store.nonce()}
    with store.write() as connection:
        # Somebody may have made it meanwhile; then theirs holds.
        connection.execute(insert(server_keys).values(row).on_conflict_do_nothing())
    found = _read(store, name)
    assert found is not None  # noqa: S101 -- it was just made, and only a new day removes it
    return found
