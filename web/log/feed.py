"""The log as a feed of RFC 4287: what changed last, under ids that never change.

An id is worked out from the ledger's first event and the entry's number, so it depends neither on
where the pages are served nor on what came after: an entry that is replaced or reversed keeps its
id and moves its ``updated``.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from uuid import NAMESPACE_URL, UUID, uuid5

import attrs

from ledger.store import Store
from ledger.values import EPOCH, Instant
from projections.decisions.corrections import Correction
from projections.decisions.subjects import Names
from web.log.notice_words import notice_words, title_words
from web.words import term_words

LENGTH = 100
NEVER_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@attrs.frozen(kw_only=True)
class FeedEntry:
    """One entry as a feed tells it."""

    id: str
    title: str
    published: Instant
    updated: Instant
    author: str
    address: str
    terms: tuple[tuple[str, str], ...]
    text: str


@attrs.frozen(kw_only=True)
class Feed:
    """The whole feed; ``updated`` is when anything in it changed last."""

    id: str
    updated: Instant
    entries: tuple[FeedEntry, ...]


def feed_of(
    store: Store,
    found: Sequence[Correction],
    names: Names,
    asked: Mapping[str, str],
    address: Callable[[int], str],
) -> Feed:
    """The feed of these entries; ``asked`` are the filters, which make it another feed."""
    ledger = identity_of(store)
    told = "&".join(f"{name}={value}" for name, value in sorted(asked.items()))
    return Feed(
        id=uuid5(ledger, f"corrections?{told}").urn,
        updated=max((entry.changed_at for entry in found), default=EPOCH),
        entries=tuple(_entry(ledger, entry, names, address(entry.number)) for entry in found),
    )


def identity_of(store: Store) -> UUID:
    """What tells this ledger from all others: its first event, of which only a hash is shown."""
    first = store.after(0, 1)
    return uuid5(NAMESPACE_URL, first[0].stored.hex() if first else "nothing is recorded yet")


def _entry(ledger: UUID, entry: Correction, names: Names, address: str) -> FeedEntry:
    terms = filter(None, (entry.outcome, entry.type, entry.reason))
    return FeedEntry(
        id=uuid5(ledger, f"corrections/{entry.number}").urn,
        title=xml_text(title_words(entry, names)),
        published=entry.decided_at,
        updated=entry.changed_at,
        author=entry.decided_by,
        address=address,
        terms=tuple((xml_text(term), xml_text(term_words(term))) for term in terms),
        text=xml_text("\n\n".join(notice_words(entry, names))),
    )


def xml_text(text: str) -> str:
    """Text without the characters that XML cannot hold, not even escaped."""
    return NEVER_IN_XML.sub("\N{REPLACEMENT CHARACTER}", text)
