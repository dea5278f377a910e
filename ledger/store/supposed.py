"""A store as it would be with a few more facts at its end; nothing can be added to it.

This is how a decision is looked at before it is taken: whoever folds streams folds these too. The
facts stand at the position of the moment that is asked about, after all that was recorded by then.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime

from ledger import events as ev
from ledger.events import Envelope, Recorded
from ledger.store.given import GivenEngine, GivenTable
from ledger.store.store import Store
from ledger.values import Instant


class Supposed(Store):
    """What a store holds by a position, with facts on top of some of its streams."""

    def __init__(
        self, store: Store, facts: Mapping[str, Sequence[ev.Event]], *, position: int, at: Instant
    ) -> None:
        # Nothing but streams can be read from it: the rest of it is empty, and refuses to grow.
        super().__init__(GivenEngine(GivenTable((), {})), clock=_never, salt=str)
        self._under = store
        self._facts = facts
        self._position = position
        self._at = at

    def streams(self, streams: Iterable[str]) -> Iterator[Recorded]:
        """All events of many streams, the supposed ones last."""
        wanted = list(dict.fromkeys(streams))
        yield from self._under.streams(wanted)
        for stream in wanted:
            for fact in self._facts.get(stream, ()):
                yield self._recorded(stream, fact)

    def _recorded(self, stream: str, fact: ev.Event) -> Recorded:
        envelope = Envelope(
            stream=stream,
            version=0,
            type="supposed",
            recorded_at=self._at,
            recorded_by="",
            cause=None,
            salt="",
        )
        return Recorded(self._position, envelope, fact, b"")


def _never() -> datetime:
    return datetime.min.replace(tzinfo=UTC)
