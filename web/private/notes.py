"""What reviewers write for one another, and what they were shown in private.

A note is internal for good. Private evidence is a type of its own, "private communication, seen by
the reviewer": what it says lies with the other words, under the digest that its event holds; here
is who saw it, and when. Both can be erased.
"""

from collections.abc import Sequence

import attrs
from sqlalchemy import (
    BigInteger,
    Column,
    Connection,
    Integer,
    LargeBinary,
    String,
    Table,
    delete,
    insert,
    select,
)

from ledger.errors import BadValue
from ledger.values import Digest, Instant, from_micros, micros
from web.private.store import PrivateStore, metadata

LONGEST_NOTE = 20_000

notes = Table(
    "notes",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("report", Integer, nullable=False, index=True),
    Column("written_by", String(128), nullable=False),
    Column("written_at", BigInteger, nullable=False),
    # One of the two: a note's own text, or the digest that private evidence is kept under.
    Column("text", LargeBinary),
    Column("digest", String(64)),
)


@attrs.frozen(kw_only=True)
class Note:
    """One note, or one piece of private evidence (with its digest); an erased one has no text."""

    by: str
    at: Instant
    text: str | None = attrs.field(repr=False)
    digest: Digest | None

    @property
    def is_evidence(self) -> bool:
        """Whether it is a private communication that the reviewer saw."""
        return self.digest is not None


def add_note(store: PrivateStore, report: int, by: str, text: str) -> bool:
    """Write a note; ``False`` when the same person has just written the same."""
    written = checked(text)
    with store.write() as connection:
        if _last(connection, report, by) == written.encode():
            return False
        row = {"report": report, "written_by": by, "written_at": micros(store.clock())}
        connection.execute(insert(notes), row | {"text": written.encode()})
    return True


def add_evidence_seen(store: PrivateStore, report: int, by: str, digest: Digest) -> None:
    """Say who saw a private communication; its words are kept under the digest already."""
    row = {"report": report, "written_by": by, "written_at": micros(store.clock())}
    with store.write() as connection:
        connection.execute(insert(notes), row | {"digest": digest})


def checked(text: str) -> str:
    """A note's text, without space around it; refused when it is empty or too long."""
    written = "\n".join(text.splitlines()).strip()
    if not 1 <= len(written) <= LONGEST_NOTE:
        why = f"write 1 to {LONGEST_NOTE:,} characters"
        raise BadValue(what="note", shown=f"of {len(written):,}", why=why)
    return written


def notes_on(store: PrivateStore, report: int) -> Sequence[Note]:
    """All notes and private evidence on a report, oldest first."""
    query = select(notes).where(notes.c.report == report)
    with store.read() as connection:
        rows = connection.execute(query.order_by(notes.c.written_at, notes.c.id)).all()
    return [
        Note(
            by=row.written_by,
            at=from_micros(row.written_at),
            text=_text(store.words(Digest(row.digest)) if row.digest else row.text),
            digest=Digest(row.digest) if row.digest else None,
        )
        for row in rows
    ]


def erase_notes(connection: Connection, report: int) -> None:
    """Erase all of it; the caller cleans the files (and erases the words by their digests)."""
    connection.execute(delete(notes).where(notes.c.report == report))


def _last(connection: Connection, report: int, by: str) -> bytes | None:
    query = (
        select(notes.c.text)
        .where(notes.c.report == report, notes.c.written_by == by)
        .order_by(notes.c.id.desc())
        .limit(1)
    )
    found = connection.scalar(query)
    return None if found is None else bytes(found)


def _text(kept: bytes | None) -> str | None:
    return None if kept is None else bytes(kept).decode()
