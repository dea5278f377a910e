"""Which events anybody may read.

All of them, but of reports only the decisions: that somebody reported something, what they wrote,
who looks at it and what is proposed is nobody's business before it is decided, and the decision
says what may be said. Entries of the log stand for the rest (:mod:`ledger.seal`).
"""

from ledger import events as ev
from ledger.store import Store
from ledger.wire import CLASSES

Decided = ev.DecisionMade | ev.DecisionReversed


def is_published(event: ev.Event) -> bool:
    """Whether anybody may read an event."""
    return isinstance(event, Decided) or not isinstance(event, ev.ReportEvent)


PUBLISHED_TYPES = tuple(
    sorted(
        name
        for name, cls in CLASSES.items()
        if issubclass(cls, Decided) or not issubclass(cls, ev.ReportEvent)
    )
)
"""The lasting names of what anybody may read; nobody is told of which others there are any."""


def published_at(store: Store, position: int) -> ev.Recorded | None:
    """The event at a position; ``None`` where there is none that anybody may read."""
    found = store.after(position - 1, 1, upto=position)
    return found[0] if found and is_published(found[0].event) else None
