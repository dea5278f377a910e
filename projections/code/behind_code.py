"""What stands behind decisions on labels and samples: the streams that they are worked out from."""

from collections.abc import Iterable

from ledger import events as ev
from ledger.footing import stands_on
from ledger.store import Store
from ledger.subject import is_claim
from projections.decisions.touched import streams_of


def code_streams(store: Store, subjects: Iterable[str], position: int) -> list[str]:
    """The streams of the labels and samples among these subjects, and of all that their facts
    stand on: sources, repositories and papers."""
    own = {stream for one in subjects if not is_claim(one) for stream in streams_of(one)}
    found: set[str] = set()
    for record in store.streams(sorted(own)):
        if record.position <= position:
            found.add(record.envelope.stream)
            if isinstance(record.event, ev.ReadFact):
                found.update(stream for _, stream in stands_on(record.event))
    return sorted(found)
