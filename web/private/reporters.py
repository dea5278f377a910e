"""Who reported: the secret link that leads back to a report, and what they told of themselves.

A letter is what one person sent. Its secret is 256 random bits that the reporter alone holds; here
is its digest. The ledger knows its sender by a handle: one that says nothing and is used for this
letter alone, or that of the account which they were logged in with. Several people may stand behind
one report, each with a letter. All of it can be erased; the handle then leads nowhere.
"""

import base64
import hashlib
import hmac
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import attrs
import orjson
from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ColumnElement,
    Connection,
    Integer,
    LargeBinary,
    Row,
    String,
    Table,
    delete,
    exists,
    insert,
    literal,
    select,
    update,
)
from sqlalchemy.exc import IntegrityError

from ledger import faults
from ledger.values import Digest, Instant, from_micros, micros
from web.private.drafts import drafts
from web.private.keys import form_key
from web.private.notes import erase_notes
from web.private.store import PrivateStore, metadata, scrub_due, words
from web.private.uploads import TEXT, Along, of_letter, uploads

letters = Table(
    "letters",
    metadata,
    Column("secret", String(64), primary_key=True),
    # None until the report has its number; a suspected post has none.
    Column("number", Integer, index=True),
    Column("handle", String(128), nullable=False),
    Column("joined", Boolean, nullable=False),
    Column("suspected", Boolean, nullable=False),
    # The digest of the form's cookie: what else that browser left here can be erased too.
    Column("form", String(64)),
    Column("contact", LargeBinary),
    Column("credit", LargeBinary),
    Column("typed", LargeBinary),
    Column("opened_at", BigInteger, nullable=False),
)


@attrs.frozen(kw_only=True)
class Letter:
    """What one person sent. ``typed`` are the form's fields, for whoever wants to amend them."""

    key: str
    number: int | None
    handle: str
    joined: bool
    suspected: bool
    contact: str | None = attrs.field(repr=False)
    credit: str | None = attrs.field(repr=False)
    typed: Mapping[str, str] = attrs.field(repr=False)
    opened_at: Instant


def new_secret(store: PrivateStore, *given: str) -> str:
    """256 bits for a secret link.

    Of the same form, sent with the same content, it is the same secret (and nobody can work it out
    without the server's key): a form that is sent twice makes one letter.
    """
    if given:
        key = hashlib.sha256(b"letters" + form_key(store)).digest()
        told = "".join(f"{len(part.encode())}:{part}" for part in given)
        bits = hmac.new(key, told.encode(), hashlib.sha256).digest()
    else:
        bits = store.nonce() + store.nonce()
    return base64.urlsafe_b64encode(bits).decode().rstrip("=")


def new_handle(store: PrivateStore) -> str:
    """A handle for the ledger that says nothing about anybody."""
    return f"reporter-{store.nonce()[:4].hex()}"


def open_letter(
    store: PrivateStore,
    number: int | None,
    contact: str | None,
    *,
    secret: str | None = None,
    handle: str | None = None,
    opened_at: Instant | None = None,
    credit: str | None = None,
    typed: Mapping[str, str] = MappingProxyType({}),
    form: str | None = None,
    joined: bool = False,
    suspected: bool = False,
    along: Callable[[Connection, str], None] = lambda _connection, _key: None,
) -> str:
    """Keep a letter and give its secret; only the secret's SHA-256 is kept. Without a ``handle`` it
    gets a new one. ``along`` keeps what comes with it (its key is given) in the same commit.

    Raises :class:`AlreadySent` when there is a letter with this secret.
    """
    secret = secret or new_secret(store)
    row = {
        "secret": digest_of_secret(secret),
        "number": number,
        "handle": handle or new_handle(store),
        "joined": joined,
        "suspected": suspected,
        "form": form,
        "contact": _bytes(contact),
        "credit": _bytes(credit),
        "typed": orjson.dumps(dict(typed)) if typed else None,
        "opened_at": micros(opened_at or store.clock()),
    }
    try:
        with store.write() as connection:
            connection.execute(insert(letters), row)
            along(connection, str(row["secret"]))
    except IntegrityError as why:
        raise AlreadySent(secret) from why
    return secret


class AlreadySent(Exception):
    """This very form, with this very content, came in before."""

    def __init__(self, secret: str) -> None:
        super().__init__("the form came in before")
        self.secret = secret


def digest_of_secret(secret: str) -> str:
    """What is kept of a secret."""
    return hashlib.sha256(secret.encode()).hexdigest()


# --- finding ----------------------------------------------------------------------------------


def letter_of(store: PrivateStore, secret: str) -> Letter | None:
    """The letter that a secret leads to."""
    return _one(store, letters.c.secret == digest_of_secret(secret))


def letter_with(store: PrivateStore, key: str) -> Letter | None:
    """The letter with this key (its secret's digest)."""
    return _one(store, letters.c.secret == key)


def letters_about(store: PrivateStore, number: int) -> Sequence[Letter]:
    """All letters behind a report, the first one first."""
    query = select(letters).where(letters.c.number == number).order_by(letters.c.opened_at)
    with store.read() as connection:
        return [_letter(row) for row in connection.execute(query)]


def left_behind(
    store: PrivateStore, before: Instant, since: Instant, most: int
) -> Sequence[Letter]:
    """Letters from before an instant, oldest first, whose reports may be unfinished: those that
    have none, and from ``since`` on those that something came along with. What waits apart is not
    among them."""
    early = (letters.c.opened_at < micros(before)) & letters.c.suspected.is_(False)
    brought = exists().where(uploads.c.owner == literal(of_letter("")) + letters.c.secret)
    young = (letters.c.opened_at >= micros(since)) & brought
    query = select(letters).where(early, letters.c.number.is_(None) | young)
    with store.read() as connection:
        found = connection.execute(query.order_by(letters.c.opened_at).limit(most))
        return [_letter(row) for row in found]


def number_of(store: PrivateStore, secret: str) -> int | None:
    """The report that a secret leads to."""
    found = letter_of(store, secret)
    return None if found is None else found.number


def contact_of(store: PrivateStore, number: int) -> str | None:
    """Where the one who filed a report can be reached, if they said so."""
    return next((one.contact for one in letters_about(store, number) if not one.joined), None)


def contacts_of(store: PrivateStore, number: int) -> Sequence[str]:
    """Where everybody behind a report can be reached, those who joined it included."""
    found = (one.contact for one in letters_about(store, number))
    return list(dict.fromkeys(one for one in found if one is not None))


def credit_of(store: PrivateStore, number: int) -> str | None:
    """The name that the reporter wants to be thanked by, if any."""
    return next((one.credit for one in letters_about(store, number) if not one.joined), None)


def _one(store: PrivateStore, condition: Any) -> Letter | None:
    with store.read() as connection:
        row = connection.execute(select(letters).where(condition)).first()
    return None if row is None else _letter(row)


def _letter(row: Row[Any]) -> Letter:
    return Letter(
        key=row.secret,
        number=row.number,
        handle=row.handle,
        joined=row.joined,
        suspected=row.suspected,
        contact=_text(row.contact),
        credit=_text(row.credit),
        typed=orjson.loads(row.typed) if row.typed else {},
        opened_at=from_micros(row.opened_at),
    )


# --- changing ---------------------------------------------------------------------------------


def number_letter(store: PrivateStore, key: str, number: int) -> None:
    """Say which report a letter became."""
    with store.write() as connection:
        changed = update(letters).where(letters.c.secret == key)
        connection.execute(changed.values(number=number, suspected=False))


def join_letter(store: PrivateStore, key: str, number: int, text: str | None) -> None:
    """Let a letter that became no report stand behind another's; its text is evidence there."""
    with store.write() as connection:
        changed = update(letters).where(letters.c.secret == key, letters.c.number.is_(None))
        if connection.execute(changed.values(number=number, joined=True)).rowcount:
            Along(text=text).put(store, connection, key)


def part_letter(store: PrivateStore, key: str) -> None:
    """Let a letter stand behind no other's report any more, so that it becomes one of its own; its
    text is the words of that one, and no evidence."""
    with store.write() as connection:
        changed = update(letters).where(letters.c.secret == key)
        connection.execute(changed.values(number=None, joined=False))
        text = (uploads.c.owner == of_letter(key)) & (uploads.c.kind == TEXT)
        connection.execute(delete(uploads).where(text))
        connection.execute(insert(scrub_due).values())


def amend_letter(
    store: PrivateStore,
    key: str,
    typed: Mapping[str, str],
    contact: str | None,
    credit: str | None,
) -> None:
    """Keep what the reporter says now in place of what they said before."""
    changed = update(letters).where(letters.c.secret == key)
    with store.write() as connection:
        connection.execute(
            changed.values(
                typed=orjson.dumps(dict(typed)), contact=_bytes(contact), credit=_bytes(credit)
            )
        )
        connection.execute(insert(scrub_due).values())


def drop_letter(store: PrivateStore, key: str) -> None:
    """Forget a letter that became nothing, with what came with it."""
    with store.write() as connection:
        connection.execute(delete(letters).where(letters.c.secret == key))
        connection.execute(delete(uploads).where(uploads.c.owner == of_letter(key)))
        connection.execute(insert(scrub_due).values())


def erase_report(store: PrivateStore, number: int, words_of: Iterable[Digest]) -> None:
    """Erase all that the people behind a report told us: words, contact, names, files, drafts; and
    the reviewers' notes on it.

    ``words_of`` are the digests of words and evidence in the report's events. The ledger goes on to
    verify; the secret links lead nowhere any more. Raises
    :class:`~web.private.store.StillHeld` when a copy may still lie in the database's files.
    """
    with store.write() as connection:
        _erase(connection, letters.c.number == number, list(words_of))
        erase_notes(connection, number)
    # Crash here: nobody can read it any more; whoever opens the store next cleans the files.
    faults.here("erase:removed")
    store.scrub()


def erase_letters(store: PrivateStore, keys: Iterable[str], words_of: Iterable[Digest]) -> None:
    """Erase some people's letters, and the words and evidence with these digests; see
    :func:`erase_report`."""
    with store.write() as connection:
        _erase(connection, letters.c.secret.in_(list(keys)), list(words_of))
    store.scrub()


def _erase(connection: Connection, which: ColumnElement[bool], digests: Sequence[Digest]) -> None:
    """Letters with all that came from the same browsers and is not a report of its own."""
    found = connection.execute(select(letters.c.secret, letters.c.form).where(which)).all()
    owners = [of_letter(row.secret) for row in found]
    forms = [row.form for row in found if row.form]
    connection.execute(delete(words).where(words.c.digest.in_(digests)))
    connection.execute(
        delete(uploads).where(
            uploads.c.owner.in_(owners)
            | uploads.c.digest.in_(digests)
            | uploads.c.form.in_(forms) & uploads.c.owner.startswith("draft:")
        )
    )
    connection.execute(delete(drafts).where(drafts.c.form.in_(forms)))
    # One that was rescued by a process that died lies among the suspected as well.
    apart = metadata.tables["suspected"]
    connection.execute(delete(apart).where(apart.c.key.in_([row.secret for row in found])))
    connection.execute(delete(letters).where(which))
    connection.execute(insert(scrub_due).values())


def _bytes(text: str | None) -> bytes | None:
    return None if text is None else text.encode()


def _text(kept: bytes | None) -> str | None:
    return None if kept is None else bytes(kept).decode()
