"""Evidence that people send: files and addresses, by the digest that the ledger holds.

The digest is over a random nonce and the bytes, so that it says nothing by itself; the bytes are
here alone, and can be erased. Until a form is sent its files wait for it (*staged*); then they
belong to its letter.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

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
    func,
    insert,
    select,
    update,
)

from ledger.errors import BadValue
from ledger.values import Digest, Instant, from_micros, micros, parse_digest
from web.private.store import Altered, PrivateStore, digest_of, metadata, scrub_due

LARGEST_FILE = 1_000_000
MOST_FILES = 3
LARGEST_NAME = 120

FILE, ADDRESS, TEXT = "file", "address", "text"
URI_LIST = "text/uri-list"

uploads = Table(
    "uploads",
    metadata,
    Column("digest", String(64), primary_key=True),
    Column("owner", String(160), nullable=False, index=True),
    Column("form", String(64)),
    Column("kind", String(10), nullable=False),
    Column("name", LargeBinary, nullable=False),
    Column("media_type", String(60), nullable=False),
    Column("size", Integer, nullable=False),
    Column("nonce", LargeBinary, nullable=False),
    Column("bytes", LargeBinary, nullable=False),
    Column("kept_at", BigInteger, nullable=False),
)


@attrs.frozen(kw_only=True)
class Upload:
    """One piece of evidence; the bytes are read apart."""

    digest: Digest
    kind: str
    name: str
    media_type: str
    size: int
    kept_at: Instant


@attrs.frozen
class Evidence:
    """One piece of evidence with its bytes; an address is its own text."""

    upload: Upload
    content: bytes = attrs.field(repr=False)

    @property
    def address(self) -> str | None:
        """The address, if it is one."""
        return self.content.decode() if self.upload.kind == ADDRESS else None


def staged(form: str, about: str) -> str:
    """Whose files wait for a form about something to be sent (both digests)."""
    return f"draft:{form}:{about}"


def of_letter(key: str) -> str:
    """Whose files belong to a letter."""
    return f"letter:{key}"


# --- keeping ----------------------------------------------------------------------------------


def keep_file(
    store: PrivateStore, owner: str, name: str, content: bytes, *, form: str | None = None
) -> Digest:
    """Keep a file; refused when it is empty, too large, one too many, or of a kind that nobody
    could look at safely. The same bytes again are kept once."""
    if len(content) > LARGEST_FILE:
        why = f"a file may have {LARGEST_FILE:,}; give the address of a larger one"
        raise BadValue(what="file", shown=f"of {len(content):,} bytes", why=why)
    kind = kind_of(content)
    if kind is None:
        why = "send a PDF, a picture (PNG, JPEG, GIF, WebP) or plain text"
        raise BadValue(what="file", shown=repr(name[:80]), why=why)
    here = uploads_of(store, owner)
    for one in here:
        if one.size == len(content) and _content(store, one.digest) == content:
            return one.digest
    if sum(one.kind == FILE for one in here) >= MOST_FILES:
        raise BadValue(what="files", shown=f"more than {MOST_FILES}", why="remove one first")
    about = {"kind": FILE, "name": name[:LARGEST_NAME] or "file", "media_type": kind, "form": form}
    return _keep(store, owner, content, about)


def keep_address(store: PrivateStore, owner: str, address: str) -> Digest:
    """Keep an address as evidence; the same one again is kept once."""
    for one in uploads_of(store, owner):
        if one.kind == ADDRESS and _content(store, one.digest) == address.encode():
            return one.digest
    return _keep(store, owner, address.encode(), OF_AN_ADDRESS)


OF_AN_ADDRESS: Mapping[str, str | None] = MappingProxyType(
    {"kind": ADDRESS, "name": ADDRESS, "media_type": URI_LIST, "form": None}
)
OF_A_TEXT: Mapping[str, str | None] = MappingProxyType(
    {"kind": TEXT, "name": "what they wrote", "media_type": "text/plain", "form": None}
)


@attrs.frozen(kw_only=True)
class Along:
    """What comes along with a letter: the files that waited for its form, addresses, and a text
    where what was written is evidence for another's report."""

    staged: str | None = None
    addresses: tuple[str, ...] = ()
    text: str | None = attrs.field(default=None, repr=False)

    def put(self, store: PrivateStore, connection: Connection, key: str) -> None:
        """Keep it in the commit that opens the letter: neither is there without the other."""
        owner = of_letter(key)
        if self.staged is not None:
            theirs = update(uploads).where(uploads.c.owner == self.staged)
            connection.execute(theirs.values(owner=owner))
        rows = [_row(store, owner, one.encode(), OF_AN_ADDRESS) for one in self.addresses]
        if self.text is not None:
            rows.append(_row(store, owner, self.text.encode(), OF_A_TEXT))
        if rows:
            connection.execute(insert(uploads), rows)


def _keep(
    store: PrivateStore, owner: str, content: bytes, about: Mapping[str, str | None]
) -> Digest:
    row = _row(store, owner, content, about)
    with store.write() as connection:
        connection.execute(insert(uploads), row)
    return Digest(str(row["digest"]))


def _row(
    store: PrivateStore, owner: str, content: bytes, about: Mapping[str, str | None]
) -> dict[str, object]:
    nonce = store.nonce()
    return {
        **about,
        "digest": digest_of(nonce, content),
        "owner": owner,
        "name": str(about["name"]).encode(),
        "size": len(content),
        "nonce": nonce,
        "bytes": content,
        "kept_at": micros(store.clock()),
    }


# Begins with → what it is. Nothing that a browser would run is among them.
BEGINNINGS = (
    (b"%PDF-", "application/pdf"),
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
)
# Control characters, but for tabs, ends of lines and pages, and the escape of coloured logs.
NOT_IN_TEXT = frozenset(range(32)) - frozenset(b"\t\n\r\f\x1b") | {127}

ENDINGS: Mapping[str, str] = MappingProxyType(
    {
        "application/pdf": "pdf",
        "image/png": "png",
        "image/jpeg": "jpg",
        "image/gif": "gif",
        "image/webp": "webp",
        "text/plain": "txt",
    }
)


def kind_of(content: bytes) -> str | None:
    """What a file is, by its own bytes; ``None`` for what is not taken."""
    for beginning, media_type in BEGINNINGS:
        if content.startswith(beginning):
            return media_type
    if content[:4] == b"RIFF" and content[8:12] == b"WEBP":
        return "image/webp"
    if not content.strip() or not NOT_IN_TEXT.isdisjoint(content):
        return None
    try:
        content.decode()
    except UnicodeDecodeError:
        return None
    return "text/plain"


# --- looking ----------------------------------------------------------------------------------

ABOUT = (
    uploads.c.digest,
    uploads.c.kind,
    uploads.c.name,
    uploads.c.media_type,
    uploads.c.size,
    uploads.c.kept_at,
)


def uploads_of(store: PrivateStore, owner: str) -> Sequence[Upload]:
    """What somebody sent, without the bytes, oldest first."""
    query = select(*ABOUT).where(uploads.c.owner == owner)
    with store.read() as connection:
        rows = connection.execute(query.order_by(uploads.c.kept_at, uploads.c.digest))
        return [_upload(row) for row in rows]


def evidence(store: PrivateStore, digest: str, owner: str | None = None) -> Evidence | None:
    """The evidence behind a digest; ``None`` when it was erased or never was here (or is another
    owner's, when one is named). Raises :class:`~web.private.store.Altered`."""
    query = select(*ABOUT).where(uploads.c.digest == parse_digest(digest))
    if owner is not None:
        query = query.where(uploads.c.owner == owner)
    with store.read() as connection:
        row = connection.execute(query).first()
    if row is None:
        return None
    content = _content(store, row.digest)
    return None if content is None else Evidence(_upload(row), content)


def kept_bytes(store: PrivateStore) -> int:
    """How many bytes of evidence there are in all."""
    with store.read() as connection:
        return int(connection.scalar(select(func.coalesce(func.sum(uploads.c.size), 0))) or 0)


def _content(store: PrivateStore, digest: str) -> bytes | None:
    query = select(uploads.c.nonce, uploads.c.bytes).where(uploads.c.digest == digest)
    with store.read() as connection:
        row = connection.execute(query).first()
    if row is None:
        return None
    if digest_of(bytes(row.nonce), bytes(row.bytes)) != digest:
        raise Altered(digest=digest)
    return bytes(row.bytes)


def _upload(row: Any) -> Upload:
    return Upload(
        digest=Digest(row.digest),
        kind=row.kind,
        name=bytes(row.name).decode(),
        media_type=row.media_type,
        size=row.size,
        kept_at=from_micros(row.kept_at),
    )


# --- moving and removing ----------------------------------------------------------------------


def move_uploads(store: PrivateStore, owner: str, to: str) -> None:
    """Let the files that waited for a form belong to its letter, or wait again; one that is there
    already goes."""
    there = {_content(store, one.digest) for one in uploads_of(store, to)}
    for one in uploads_of(store, owner):
        if one.kind != FILE:
            continue
        if _content(store, one.digest) in there:
            drop_upload(store, owner, one.digest)
            continue
        mine = update(uploads).where(uploads.c.digest == one.digest, uploads.c.owner == owner)
        with store.write() as connection:
            connection.execute(mine.values(owner=to))


def drop_upload(store: PrivateStore, owner: str, digest: str) -> None:
    """Take one back that was not sent yet."""
    with store.write() as connection:
        gone = delete(uploads).where(uploads.c.owner == owner, uploads.c.digest == digest)
        if connection.execute(gone).rowcount:
            connection.execute(insert(scrub_due).values())


def drop_uploads(store: PrivateStore, owner: str) -> None:
    """Forget all that waited for a form."""
    with store.write() as connection:
        if connection.execute(delete(uploads).where(uploads.c.owner == owner)).rowcount:
            connection.execute(insert(scrub_due).values())


def forget_staged(store: PrivateStore, before: Instant) -> None:
    """Forget what was kept before an instant for forms that were never sent."""
    old = uploads.c.owner.startswith("draft:") & (uploads.c.kept_at <= micros(before))
    with store.write() as connection:
        connection.execute(delete(uploads).where(old))


def shed_staged(store: PrivateStore, most: int) -> None:
    """Let the oldest files that wait for a form go, until no more than ``most`` bytes wait."""
    waiting = uploads.c.owner.startswith("draft:")
    newest = select(uploads.c.kept_at, uploads.c.size).where(waiting)
    total = 0
    with store.write() as connection:
        for kept_at, size in connection.execute(newest.order_by(uploads.c.kept_at.desc())):
            total += size
            if total > most:
                old = waiting & (uploads.c.kept_at <= kept_at)
                connection.execute(delete(uploads).where(old))
                return
