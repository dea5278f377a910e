"""The private store: what people tell us and may take back, kept apart from the ledger.

The ledger holds a digest over a random nonce and the bytes; both lie here and can be erased, while
the ledger goes on to verify. What is erased is gone from the database's own files (SQLite's file,
its WAL; PostgreSQL's table). It stays in PostgreSQL's WAL, in backups and on the bare disk for as
long as the operator lets them.

Accounts, contacts, drafts and uploads are further tables of this store's :data:`metadata`: all of
it shares :meth:`PrivateStore.read`, :meth:`PrivateStore.write` and :meth:`PrivateStore.scrub`.
"""

import hashlib
import hmac
import os
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from threading import Lock
from typing import Any

import attrs
from sqlalchemy import (
    URL,
    BigInteger,
    Column,
    Connection,
    Engine,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    create_engine,
    delete,
    event,
    insert,
    inspect,
    select,
    text,
)
from sqlalchemy.schema import CreateSchema

from ledger.errors import BadValue, Busy, Refused
from ledger.store.connecting import LONG_STATEMENT_SECONDS
from ledger.store.write_ahead import write_ahead
from ledger.values import Digest, Instant, micros, parse_digest
from projections.keeping.connecting import postgres
from projections.keeping.refusals import said_as

LONGEST_WORDS = 256 * 1024
"""Bytes of one text; a report that needs more has evidence to upload instead."""

NONCE_BYTES = 16
PATIENCE = 10.0
"""Seconds that we wait for somebody else's lock before we say that the store is busy."""

PAUSE = 0.05
"""Seconds between two tries of what does not wait by itself."""

SCHEMA = "private"
OF_OTHERS = """
SELECT COUNT(*) FROM pg_class
WHERE relnamespace = to_regnamespace(:schema) AND relkind = 'r'
AND NOT pg_has_role(relowner, 'USAGE')
"""
MAKING = 0x636F7272
"""Any number: those who make the tables of one PostgreSQL database queue at this lock."""

metadata = MetaData()
words = Table(
    "words",
    metadata,
    Column("digest", String(64), primary_key=True),
    Column("nonce", LargeBinary, nullable=False),
    Column("bytes", LargeBinary, nullable=False),
    Column("created_at", BigInteger, nullable=False),
)
# A row says: something was erased, and copies of it may still lie in the database's files.
scrub_due = Table("scrub_due", metadata, Column("erasure", Integer, primary_key=True))


class PrivateBusy(Busy):
    """The private store is busy with another writer; nothing was saved, try again in a moment."""


class PrivateCut(PrivateBusy):
    """The connection to the private store was cut, so it is not known whether the last step was
    saved; look, and try again in a moment."""


class PrivateUnavailable(Refused):
    """The private store cannot be used ({why}); see that its database runs, then try again."""


class StillHeld(Refused):
    """It is erased and nobody can read it any more, but a copy may lie in the database's files
    while somebody else uses them; it goes when the store is opened next, or erase it once more."""


class NotCleaned(StillHeld):
    """It is erased and nobody can read it any more, but a copy may lie in the database's files: the
    tables of the private store are not this user's, so it may not write them anew. Run what
    corrigenda database roles prints; it goes when the store is opened next."""


class Altered(Refused):
    """What is kept under {digest} no longer gives this digest; somebody changed the private store
    behind our back, so it is not shown. Bring it back from a backup, or erase it."""


@attrs.frozen
class PrivateStore:
    """The erasable store. ``clock`` gives now (UTC), ``nonce`` gives 16 random bytes."""

    engine: Engine
    clock: Callable[[], Instant]
    nonce: Callable[[], bytes] = attrs.field(repr=False)
    patience: float = PATIENCE
    _cleaning: Lock = attrs.field(factory=Lock, init=False, repr=False, eq=False)

    # --- words --------------------------------------------------------------------------------

    def keep_words(self, data: bytes | str) -> Digest:
        """Keep a text (UTF-8) and give the SHA-256 over its nonce and its bytes, for an event.

        The nonce keeps anybody from finding a short text by trying. Refused beyond
        :data:`LONGEST_WORDS` bytes.
        """
        content = data.encode() if isinstance(data, str) else bytes(data)
        if len(content) > LONGEST_WORDS:
            raise BadValue(
                what="text",
                shown=f"of {len(content)} bytes",
                why=f"at most {LONGEST_WORDS} are kept",
            )
        nonce = self.nonce()
        if len(nonce) != NONCE_BYTES:
            raise ValueError(f"a nonce has {NONCE_BYTES} bytes, not {len(nonce)}")
        digest = digest_of(nonce, content)
        row = {
            "digest": digest,
            "nonce": nonce,
            "bytes": content,
            "created_at": micros(self.clock()),
        }
        with self.write() as connection:
            connection.execute(insert(words), row)
        return digest

    def words(self, digest: Digest) -> bytes | None:
        """The text behind a digest; ``None`` when it was erased or never was here.

        Raises :class:`Altered` for bytes that no longer give their digest.
        """
        kept = self._kept(digest)
        if kept is None:
            return None
        nonce, content = kept
        if not _gives(nonce, content, digest):
            raise Altered(digest=digest)
        return content

    def verify(self, digest: Digest) -> bool | None:
        """Whether what is kept still gives its digest; ``None`` when nothing is kept."""
        kept = self._kept(digest)
        return None if kept is None else _gives(*kept, digest)

    def erase(self, digest: Digest) -> bool:
        """Erase a text for good; ``False`` when there was nothing to erase.

        Raises :class:`StillHeld` when the row is gone but somebody's open transaction keeps the
        files from being cleaned.
        """
        parse_digest(digest)
        with self.write() as connection:
            found = connection.execute(delete(words).where(words.c.digest == digest)).rowcount
            if found:
                connection.execute(insert(scrub_due).values())
        # Crash here: nobody can read it any more; whoever opens the store next cleans the files.
        self.scrub()
        return bool(found)

    def _kept(self, digest: Digest) -> tuple[bytes, bytes] | None:
        query = select(words.c.nonce, words.c.bytes).where(words.c.digest == parse_digest(digest))
        with self.read() as connection:
            row = connection.execute(query).first()
        return None if row is None else (bytes(row[0]), bytes(row[1]))

    # --- what every table of this store uses --------------------------------------------------

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """A transaction that only reads."""
        with refusals(), self.engine.begin() as connection:
            yield connection

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """A transaction that writes; on SQLite it keeps other writers out from its beginning."""
        options = {"private_writes": True}
        with (
            refusals(),
            self.engine.connect().execution_options(**options) as connection,
            connection.begin(),
        ):
            yield connection

    def scrub(self) -> None:
        """Clean the files if anything was erased since they were cleaned last."""
        with self._cleaning:
            with self.read() as connection:
                due = connection.scalars(select(scrub_due.c.erasure)).all()
            if not due:
                return
            self._clean()
            with self.write() as connection:
                # Only those that were there before: a later erasure is cleaned after it.
                connection.execute(delete(scrub_due).where(scrub_due.c.erasure.in_(due)))

    def _clean(self) -> None:
        """Clean the files, again and again while somebody else uses them."""
        end = time.monotonic() + self.patience
        while True:
            try:
                with refusals():
                    _clean(self.engine)
            except (Busy, PrivateUnavailable) as why:
                # SQLite does not wait when another process is at its own checkpoint.
                if isinstance(why, PrivateUnavailable) or time.monotonic() >= end:
                    raise StillHeld from why
                time.sleep(PAUSE)
            else:
                return

    def close(self) -> None:
        """Give the connections back."""
        self.engine.dispose()


def digest_of(nonce: bytes, content: bytes) -> Digest:
    """What an event holds in place of the bytes: SHA-256 over nonce and bytes."""
    return Digest(hashlib.sha256(nonce + content).hexdigest())


def _gives(nonce: bytes, content: bytes, digest: Digest) -> bool:
    return hmac.compare_digest(digest_of(nonce, content), digest)


# --- cleaning ---------------------------------------------------------------------------------


def _clean(engine: Engine) -> None:
    """Leave no copy of what was erased in the database's files."""
    if engine.dialect.name == "postgresql":
        # A deleted row stays in its page until the table is written anew.
        with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            _vacuum(connection)
        return
    bare = engine.raw_connection()
    try:
        cursor = bare.cursor()
        # secure_delete blanks the row where it stands, not the copies that SQLite leaves behind
        # when it moves rows between pages (13 of 60 random runs); a file written anew has none.
        cursor.execute("VACUUM")
        busy, _, _ = cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        if busy:
            raise PrivateBusy
    finally:
        bare.close()


def _vacuum(connection: Connection) -> None:
    """Write each table anew. PostgreSQL only warns, and does nothing, where it is another's."""
    if connection.execute(text(OF_OTHERS), {"schema": SCHEMA}).scalar_one():
        raise NotCleaned
    connection.execute(text(f"SET statement_timeout = '{LONG_STATEMENT_SECONDS}s'"))
    try:
        for table in metadata.sorted_tables:
            connection.execute(text(f"VACUUM (FULL) {table.name}"))
    finally:
        connection.execute(text("RESET statement_timeout"))


# --- errors -----------------------------------------------------------------------------------


def refusals() -> AbstractContextManager[None]:
    """Say the database's errors as ours: busy, or not usable."""
    return said_as(PrivateBusy, PrivateUnavailable, PrivateCut)


# --- opening ----------------------------------------------------------------------------------


def open_private(
    where: str | Path,
    *,
    clock: Callable[[], Instant],
    nonce: Callable[[], bytes],
    patience: float = PATIENCE,
) -> PrivateStore:
    """Open the private store, making its tables where there are none.

    ``postgresql://…`` uses the schema ``private``; anything else is the path of an SQLite file,
    which only its owner may read. Whatever an interrupted erasure left behind is cleaned.
    """
    address = str(where)
    if address.startswith(("postgresql://", "postgres://")):
        engine = postgres(address, SCHEMA, patience, hide_parameters=True)
    else:
        engine = _sqlite(Path(address), patience)
    store = PrivateStore(engine, clock, nonce, patience)
    with store.write() as connection:
        _make_tables(connection)
    with suppress(StillHeld):  # somebody else has it open; it stays due
        store.scrub()
    return store


def _make_tables(connection: Connection) -> None:
    if connection.dialect.name == "postgresql":
        connection.execute(text(f"SELECT pg_advisory_xact_lock({MAKING})"))
        # Asked first: even IF NOT EXISTS needs a right that the server's user need not have.
        if not inspect(connection).has_schema(SCHEMA):
            connection.execute(CreateSchema(SCHEMA, if_not_exists=True))
    metadata.create_all(connection)


def _sqlite(path: Path, patience: float) -> Engine:
    # Made by us first, so that it is never readable by others; its WAL takes the same mode.
    os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
    engine = create_engine(
        URL.create("sqlite", database=str(path)),
        connect_args={"timeout": patience},
        hide_parameters=True,
    )

    @event.listens_for(engine, "connect")
    def _connect(connection: Any, _: object) -> None:
        connection.isolation_level = None  # we say BEGIN ourselves
        write_ahead(connection, patience)
        connection.execute("PRAGMA synchronous=FULL")
        connection.execute("PRAGMA secure_delete=ON")
        connection.execute("PRAGMA foreign_keys=ON")

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        writes = connection.get_execution_options().get("private_writes")
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine
