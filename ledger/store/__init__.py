"""The event store: append only, the same on SQLite and PostgreSQL, and the door to eventsourcing.

``store`` is what the rest of the ledger sees, ``batch`` is one call of ``append``, ``engine`` says
what the two engines owe, and ``sqlite`` and ``postgres`` are those two. ``seals`` is what they keep
of the sealed log, ``filling`` how an empty one takes over what another holds. ``connecting`` has
the limits of every connection to PostgreSQL, also for the stores that are not the ledger's.
"""

from ledger.store.batch import Appended, NewEvents
from ledger.store.engine import Cut, Unavailable, Unconfirmed
from ledger.store.filling import DoesNotFit, Filling, NotEmpty
from ledger.store.given import open_given
from ledger.store.store import Store, open_store
from ledger.store.supposed import Supposed
from ledger.store.whole import WholeRow

__all__ = [
    "Appended",
    "Cut",
    "DoesNotFit",
    "Filling",
    "NewEvents",
    "NotEmpty",
    "Store",
    "Supposed",
    "Unavailable",
    "Unconfirmed",
    "WholeRow",
    "open_given",
    "open_store",
]
