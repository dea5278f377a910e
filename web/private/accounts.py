"""Accounts: a handle that stands in events for good, roles, and a password's hash.

An account is never removed, as its handle would be free for somebody else; it is disabled. What an
administrator may not do here is a refusal of its own.
"""

from collections.abc import Iterable
from datetime import timedelta

import attrs
from sqlalchemy import (
    BigInteger,
    Column,
    Connection,
    Row,
    String,
    Table,
    insert,
    select,
    update,
)
from sqlalchemy.exc import IntegrityError

from ledger.errors import BadValue, NotFound, Refused
from ledger.values import Instant, Slug, from_micros, micros, parse_slug
from web.private.answered import forget_answers
from web.private.sessions import forget_sessions
from web.private.store import PrivateStore, metadata
from web.private.tokens import forget_tokens

ROLES = ("reviewer", "curator", "auditor", "administrator")
ONE_TIME_LASTS = timedelta(days=7)
"""How long a one-time password may wait for its first use."""

REPORTER = "reporter-"
"""Handles that begin so are those of people who report without an account."""

accounts = Table(
    "accounts",
    metadata,
    Column("handle", String(128), primary_key=True),
    Column("roles", String(200), nullable=False),
    Column("password", String(300), nullable=False),
    Column("one_time_until", BigInteger),
    Column("created_at", BigInteger, nullable=False),
    Column("disabled_at", BigInteger),
)


class HandleTaken(Refused):
    """There is an account {handle} already; handles stand in the ledger for good, so choose
    another one."""


class AddressAsHandle(Refused):
    """{shown} looks like an address, and a handle stands in the ledger for good, where nothing can
    be erased; choose a handle such as {example}."""


class AccountDisabled(Refused):
    """The account {handle} is disabled; enable it first (corrigenda user enable {handle})."""


class LastAdministrator(Refused):
    """{handle} is the last administrator; make somebody else one first."""


@attrs.frozen(kw_only=True)
class StoredAccount:
    """An account as it is kept. ``one_time_until`` is set while its password has to be changed."""

    handle: Slug
    roles: frozenset[str]
    password: str = attrs.field(repr=False)
    one_time_until: Instant | None
    created_at: Instant
    disabled_at: Instant | None


def handle_of(text: str) -> Slug:
    """A handle for an account: a slug, no address, and nobody's who reports without one."""
    if "@" in text:
        example = "".join(one for one in text.partition("@")[0].lower() if one.isascii())
        example = "".join(one for one in example if one.isalnum()) or "ada"
        raise AddressAsHandle(shown=repr(text[:80]), example=example)
    handle = parse_slug(text, "handle")
    if handle.startswith(REPORTER):
        why = f"{REPORTER}… is for people who report without an account; choose another one"
        raise BadValue(what="handle", shown=handle, why=why)
    return handle


def roles_of(names: Iterable[str]) -> frozenset[str]:
    """Roles by name; at least one, and each is one that we know."""
    roles = frozenset(names)
    for name in sorted(roles - set(ROLES)):
        raise BadValue(what="role", shown=repr(name), why=f"it is one of {', '.join(ROLES)}")
    if not roles:
        raise BadValue(what="roles", shown="not given", why=f"give one of {', '.join(ROLES)}")
    return roles


# --- looking ----------------------------------------------------------------------------------


def account_named(store: PrivateStore, handle: str) -> StoredAccount | None:
    """The account with this handle, disabled or not."""
    with store.read() as connection:
        row = connection.execute(select(accounts).where(accounts.c.handle == handle)).first()
    return None if row is None else _account(row)


def all_accounts(store: PrivateStore) -> list[StoredAccount]:
    """Every account by handle, disabled ones too."""
    with store.read() as connection:
        rows = connection.execute(select(accounts)).all()
    return sorted((_account(row) for row in rows), key=lambda account: account.handle)


# --- changing ---------------------------------------------------------------------------------


def add_account(
    store: PrivateStore, handle: str, roles: Iterable[str], password: str, *, one_time: bool
) -> None:
    """Make an account. ``password`` is the hash; a one-time one has to be changed at first use."""
    row = {
        "handle": handle_of(handle),
        "roles": _roles_text(roles),
        "password": password,
        "one_time_until": _one_time_until(store, one_time=one_time),
        "created_at": micros(store.clock()),
    }
    try:
        with store.write() as connection:
            connection.execute(insert(accounts), row)
    except IntegrityError:
        raise HandleTaken(handle=handle) from None


def set_password(store: PrivateStore, handle: str, password: str, *, one_time: bool) -> None:
    """Give an account another password (its hash); all its sessions end."""
    until = _one_time_until(store, one_time=one_time)
    with store.write() as connection:
        if _locked(connection, handle).disabled_at is not None:
            raise AccountDisabled(handle=handle)
        _set(connection, handle, password=password, one_time_until=until)
        forget_sessions(connection, handle)


def replace_hash(store: PrivateStore, handle: str, before: str, after: str) -> None:
    """Keep the same password under stronger parameters, unless it was changed meanwhile."""
    mine = (accounts.c.handle == handle, accounts.c.password == before)
    with store.write() as connection:
        connection.execute(update(accounts).where(*mine).values(password=after))


def set_roles(store: PrivateStore, handle: str, roles: Iterable[str]) -> None:
    """Give an account these roles and no others."""
    wanted = roles_of(roles)
    with store.write() as connection:
        if "administrator" not in wanted:
            _keep_an_administrator(connection, handle)
        _locked(connection, handle)
        _set(connection, handle, roles=_roles_text(wanted))


def disable_account(store: PrivateStore, handle: str) -> None:
    """Nobody gets in with this account any more; what they did stays theirs."""
    with store.write() as connection:
        _keep_an_administrator(connection, handle)
        if _locked(connection, handle).disabled_at is not None:
            raise AccountDisabled(handle=handle)
        _set(connection, handle, disabled_at=micros(store.clock()))
        forget_sessions(connection, handle)
        forget_tokens(connection, handle)
        forget_answers(connection, handle)


def enable_account(store: PrivateStore, handle: str) -> None:
    """Let a disabled account in again, with its password and roles as they were."""
    with store.write() as connection:
        _locked(connection, handle)
        _set(connection, handle, disabled_at=None)


def _keep_an_administrator(connection: Connection, handle: str) -> None:
    """Refused when nobody but this one could administer."""
    # Everybody who asks this locks the same rows, so two cannot take each other away.
    query = select(accounts).where(accounts.c.disabled_at.is_(None)).order_by(accounts.c.handle)
    active = [_account(row) for row in connection.execute(query.with_for_update())]
    able = {account.handle for account in active if "administrator" in account.roles}
    if able == {handle}:
        raise LastAdministrator(handle=handle)


def _locked(connection: Connection, handle: str) -> StoredAccount:
    query = select(accounts).where(accounts.c.handle == handle).with_for_update()
    row = connection.execute(query).first()
    if row is None:
        raise NotFound(what="account", name=handle)
    return _account(row)


def _set(connection: Connection, handle: str, **values: object) -> None:
    connection.execute(update(accounts).where(accounts.c.handle == handle).values(**values))


def _one_time_until(store: PrivateStore, *, one_time: bool) -> int | None:
    return micros(store.clock() + ONE_TIME_LASTS) if one_time else None


def _roles_text(roles: Iterable[str]) -> str:
    return " ".join(sorted(roles_of(roles)))


def _account(row: Row[tuple[object, ...]]) -> StoredAccount:
    return StoredAccount(
        handle=Slug(row.handle),
        roles=frozenset(row.roles.split()),
        password=row.password,
        one_time_until=_instant(row.one_time_until),
        created_at=from_micros(row.created_at),
        disabled_at=_instant(row.disabled_at),
    )


def _instant(count: int | None) -> Instant | None:
    return None if count is None else from_micros(count)
