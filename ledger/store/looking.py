"""Looking at a ledger's database without opening it as a ledger: nothing is made, and nothing is
put back that somebody took away.
"""

import os
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import attrs
import psycopg
from psycopg.conninfo import conninfo_to_dict

from ledger.errors import BadValue, NotFound
from ledger.store import sqlite_seals, sqlite_table
from ledger.store.connecting import USUAL
from ledger.store.engine import Unavailable

POSTGRES = ("postgresql://", "postgres://")

GUARDS = (
    "SELECT c.relname FROM pg_trigger JOIN pg_class c ON c.oid = tgrelid"
    " WHERE tgname IN ('events_stay', 'seals_stay') AND tgenabled = 'A'"
    " AND c.relnamespace = to_regnamespace('ledger')"
)
# The web role may choose no position, so it may write to the other columns alone.
MAY_WRITE = (
    "SELECT NOT pg_is_in_recovery()"
    " AND has_any_column_privilege(to_regclass('ledger.events'), 'INSERT')"
)


class NoDatabase(NotFound):
    """There is no database {name}; bring it back from a backup."""


@attrs.frozen
class Looked:
    """Which database it is, whether we may write to it, and the guards of its rows that are
    missing or are not what we made: a trigger on SQLite, a table without one on PostgreSQL."""

    version: str
    may_write: bool
    unguarded: tuple[str, ...]


def look_at(where: str) -> Looked:
    """Look at a database. Raises ``NoDatabase`` and ``Unavailable``."""
    if where.startswith(POSTGRES):
        return _postgres(where)
    path = Path(where)
    if not path.is_file():
        raise NoDatabase(name=path)
    try:
        return _sqlite(path)
    except sqlite3.Error as why:
        raise Unavailable(why=f"{path}: {why}") from why


def _sqlite(path: Path) -> Looked:
    # Read only: it waits for nobody, and makes nothing.
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as connection:
        found = dict(
            connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
        )
    wanted = sqlite_table.TRIGGERS | sqlite_seals.TRIGGERS
    unguarded = [name for name, body in wanted.items() if not _is_ours(found, name, body)]
    may_write = all(os.access(one, os.W_OK) for one in (path, path.parent))
    return Looked(f"SQLite {sqlite3.sqlite_version}", may_write, tuple(unguarded))


def _is_ours(found: Mapping[str, str], name: str, body: str) -> bool:
    return _one_line(found.get(name, "")) == _one_line(f"CREATE TRIGGER {name} {body}")


def _one_line(statement: str) -> str:
    return " ".join(statement.split())


def _postgres(url: str) -> Looked:
    try:
        told: dict[str, Any] = {**USUAL, **conninfo_to_dict(url)}
    except psycopg.ProgrammingError:
        # Without what libpq says: it may quote the password.
        raise BadValue(
            what="ledger address", shown="postgresql://…", why="PostgreSQL cannot read it"
        ) from None
    try:
        with psycopg.connect(**told, autocommit=True) as connection:
            guarded = {row[0] for row in connection.execute(GUARDS).fetchall()}
            may_write = connection.execute(MAY_WRITE).fetchone()
            version = connection.info.parameter_status("server_version")
    except psycopg.Error as why:
        raise Unavailable(why=_one_line(str(why))) from why
    wanted = ("events", *sqlite_seals.TABLES)
    unguarded = tuple(f"ledger.{name}" for name in wanted if name not in guarded)
    return Looked(f"PostgreSQL {version}", may_write == (True,), unguarded)
