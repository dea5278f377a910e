"""What an import has to know of the ledger, answered from the read model after catching up."""

from collections.abc import Iterable, Mapping, Sequence

import attrs
from sqlalchemy import select

from ledger.model import NameAssertion
from ledger.store import Store
from projections.keeping.aliases import read_aliases
from projections.keeping.follow import Follower
from projections.keeping.rectangles import CHUNK, chunks
from projections.keeping.views import Views


@attrs.define
class KnownToViews:
    """See :class:`ledger.importing.snapshot.Known`."""

    store: Store
    views: Views
    follower: Follower
    _current: bool = False

    def forget(self) -> None:
        """Catch up with the ledger before the next answer."""
        self._current = False

    def claims_of(self, source: str, benchmark: str) -> Sequence[str]:
        """The ids of all claims that a source ever made on a benchmark, oldest first."""
        self._catch_up()
        with self.views.read() as reader:
            table = reader.tables.claim
            query = (
                select(table.c.claim)
                .where(table.c.source == source, table.c.benchmark == benchmark)
                .order_by(table.c.first_position)
            )
            return list(reader.connection.scalars(query))

    def names(self, keys: Iterable[str]) -> Mapping[str, Sequence[NameAssertion]]:
        """The assertions about these names, in the order (``read_at``, position)."""
        self._catch_up()
        found: dict[str, list[NameAssertion]] = {}
        with self.views.read() as reader:
            for one in read_aliases(reader.connection, reader.tables, list(keys)):
                found.setdefault(one.key, []).append(one)
        return found

    def look_alikes(self, skeletons: Iterable[str]) -> Mapping[str, Sequence[str]]:
        """The names that have these skeletons."""
        self._catch_up()
        found: dict[str, list[str]] = {}
        with self.views.read() as reader:
            table = reader.tables.alias
            for chunk in chunks(sorted(skeletons), CHUNK):
                query = select(table.c.skeleton, table.c.name_key).where(
                    table.c.skeleton.in_(chunk)
                )
                for shape, key in reader.connection.execute(query.distinct()):
                    found.setdefault(shape, []).append(key)
        return found

    def versions(self, streams: Iterable[str]) -> Mapping[str, int]:
        """How many events each stream has (asked of the ledger itself), where it has any."""
        return {
            record.envelope.stream: record.envelope.version
            for record in self.store.streams(streams)
        }

    def _catch_up(self) -> None:
        if not self._current:
            self.follower.catch_up()
            self._current = True
