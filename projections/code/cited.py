"""Facts that were read from a source: which of them count at a moment, and where each stands.

A fact counts when it was read by the day, recorded by the position, and its reading was not taken
back. The latest of several is the one of the latest reading, whatever was recorded first.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Generic, TypeVar

import attrs
from sqlalchemy import select

from ledger import events as ev
from ledger.store import Store
from ledger.values import Instant, micros
from projections.asserted import described
from projections.board.described import SourceOf
from projections.keeping.rectangles import CHUNK, chunks
from projections.keeping.timeline import added_later
from projections.keeping.views import Reader
from projections.moment import Moment

ReadT = TypeVar("ReadT", bound=ev.ReadFact)
Key = TypeVar("Key")
Turn = tuple[Instant, str, str, int]


@attrs.frozen
class Stated:
    """A fact with where, when and by whom it was recorded."""

    fact: ev.ReadFact
    recorded_at: Instant
    recorded_by: str
    position: int

    @property
    def turn(self) -> Turn:
        """Where it stands among the others: two readings of one instant are told apart by what
        they froze, so their order of arrival does not show."""
        fact = self.fact
        return (fact.read_at, fact.order, fact.reading, self.position)

    @property
    def marks(self) -> list[dict[str, str]]:
        """What a reader has to be told beside it."""
        return added_later(self.fact.read_at, self.recorded_at)


@attrs.frozen(kw_only=True)
class Cited(Generic[ReadT]):
    """A fact with its source, as it was called at a moment."""

    fact: ReadT
    stated: Stated
    source: SourceOf


def known_by(store: Store, streams: Iterable[str], moment: Moment) -> list[ev.Recorded]:
    """The events of some streams that the ledger held by the moment's position, in its order."""
    found = [one for one in store.streams(streams) if one.position <= moment.position]
    return sorted(found, key=lambda record: record.position)


def stands_at(
    reader: Reader, records: Iterable[ev.Recorded], position: int
) -> Callable[[ev.ReadFact], bool]:
    """Whether the reading that a fact cites stands at a position."""
    digests = {one.event.reading for one in records if isinstance(one.event, ev.ReadFact)}
    table = reader.tables.reading
    standing: set[tuple[str, str, int, str]] = set()
    for chunk in chunks(sorted(digests), CHUNK):
        query = select(table.c.source, table.c.digest, table.c.read_at, table.c.turn).where(
            table.c.digest.in_(chunk),
            table.c.position <= position,
            table.c.withdrawn > position,
        )
        standing.update(tuple(row) for row in reader.connection.execute(query))
    return lambda fact: (fact.source, fact.reading, micros(fact.read_at), fact.order) in standing


def stated_by(
    records: Iterable[ev.Recorded], stands: Callable[[ev.ReadFact], bool], moment: Moment
) -> list[Stated]:
    """The facts that count at a moment, in the order of their turns."""
    found = [
        Stated(one.event, one.envelope.recorded_at, one.envelope.recorded_by, one.position)
        for one in records
        if isinstance(one.event, ev.ReadFact)
        and one.event.read_at <= moment.instant
        and stands(one.event)
    ]
    return sorted(found, key=lambda stated: stated.turn)


def latest(
    stated: Iterable[Stated], kind: type[ReadT], key: Callable[[ReadT], Key]
) -> Mapping[Key, tuple[ReadT, Stated]]:
    """The last fact of a kind for each key; ``stated`` is in the order of turns."""
    found: dict[Key, tuple[ReadT, Stated]] = {}
    for one in stated:
        if isinstance(one.fact, kind):
            found[key(one.fact)] = (one.fact, one)
    return found


def sources_of(reader: Reader, slugs: Iterable[str], moment: Moment) -> Mapping[str, SourceOf]:
    """Sources by their slugs, as they were called at the moment."""
    wanted: Sequence[str] = sorted(set(slugs))
    found = described(reader, (f"source:{slug}" for slug in wanted), moment)
    return {
        slug: SourceOf(
            slug,
            str(found.get(f"source:{slug}", {}).get("kind", "collected-claim")),
            str(found.get(f"source:{slug}", {}).get("name", slug)),
        )
        for slug in wanted
    }
