"""Drafts: what somebody typed and did not send yet, under a random id that their browser holds.

One draft for each target, and only the digest of the browser's id; a draft that nobody came back
for is removed after :data:`KEPT`.
"""

import hashlib
from collections.abc import Mapping
from datetime import timedelta

import attrs
import orjson
from sqlalchemy import BigInteger, Column, LargeBinary, String, Table, delete, insert, select

from ledger.values import Instant, from_micros, micros
from web.private.store import PrivateStore, metadata, scrub_due
from web.private.uploads import forget_staged

KEPT = timedelta(days=30)
MOST = 20
"""Drafts of one browser; an older one goes when another is saved."""

drafts = Table(
    "drafts",
    metadata,
    Column("form", String(64), primary_key=True),
    Column("about", String(64), primary_key=True),
    Column("typed", LargeBinary, nullable=False),
    Column("saved_at", BigInteger, nullable=False, index=True),
)


@attrs.frozen
class Draft:
    """The fields of a form as they were left, and when that was."""

    typed: Mapping[str, str] = attrs.field(repr=False)
    saved_at: Instant


def save_draft(store: PrivateStore, form: str, about: str, typed: Mapping[str, str]) -> None:
    """Keep what was typed in a form about something; it takes the place of the draft before."""
    now = store.clock()
    key = {"form": hashed(form), "about": hashed(about)}
    row = key | {"typed": orjson.dumps(dict(typed)), "saved_at": micros(now)}
    mine = drafts.c.form == key["form"]
    with store.write() as connection:
        connection.execute(delete(drafts).where(drafts.c.saved_at <= micros(now - KEPT)))
        connection.execute(delete(drafts).where(mine, drafts.c.about == key["about"]))
        newest = select(drafts.c.about).where(mine).order_by(drafts.c.saved_at.desc())
        kept = list(connection.scalars(newest.limit(MOST - 1)))
        connection.execute(delete(drafts).where(mine, drafts.c.about.not_in(kept)))
        connection.execute(insert(drafts), row)
    forget_staged(store, now - KEPT)


def draft_of(store: PrivateStore, form: str, about: str) -> Draft | None:
    """What was left in a form about something."""
    query = select(drafts.c.typed, drafts.c.saved_at).where(
        drafts.c.form == hashed(form),
        drafts.c.about == hashed(about),
        drafts.c.saved_at > micros(store.clock() - KEPT),
    )
    with store.read() as connection:
        row = connection.execute(query).first()
    return None if row is None else Draft(orjson.loads(row.typed), from_micros(row.saved_at))


def drop_draft(store: PrivateStore, form: str, about: str) -> None:
    """Forget a draft; copies of it go when the files are cleaned next."""
    with store.write() as connection:
        gone = delete(drafts).where(drafts.c.form == hashed(form), drafts.c.about == hashed(about))
        if connection.execute(gone).rowcount:
            connection.execute(insert(scrub_due).values())


def hashed(text: str) -> str:
    """What is kept of a browser's id; what we cannot read we cannot give away."""
    return hashlib.sha256(text.encode()).hexdigest()
