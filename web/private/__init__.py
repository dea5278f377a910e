"""The private store: what people tell us and may take back, kept apart from the ledger.

Each table module is imported here, so that whoever opens the store finds all tables made.
"""

from web.private import (
    accounts,
    answered,
    drafts,
    keys,
    limits,
    notes,
    outbox,
    reporters,
    sessions,
    suspected,
    tokens,
    uploads,
)
from web.private.store import (
    LONGEST_WORDS,
    Altered,
    PrivateBusy,
    PrivateStore,
    PrivateUnavailable,
    StillHeld,
    digest_of,
    metadata,
    open_private,
    words,
)

__all__ = [
    "LONGEST_WORDS",
    "Altered",
    "PrivateBusy",
    "PrivateStore",
    "PrivateUnavailable",
    "StillHeld",
    "accounts",
    "answered",
    "digest_of",
    "drafts",
    "keys",
    "limits",
    "metadata",
    "notes",
    "open_private",
    "outbox",
    "reporters",
    "sessions",
    "suspected",
    "tokens",
    "uploads",
    "words",
]
