"""What falls to each of several who fill a generation together.

Claims depend on their own row of their source and on what is asserted about names, and on nothing
else. So rows are dealt out: whoever has a row has all of its claims, in the order of positions, and
everybody reads what is asserted about names. All else falls to the first.
"""

from collections.abc import Iterable, Iterator
from zlib import crc32

import attrs

from ledger import events as ev
from ledger.store import WholeRow
from ledger.wire import decode


@attrs.frozen
class Share:
    """One of so many equal parts; they are numbered from 0."""

    number: int = 0
    of: int = 1

    @property
    def is_first(self) -> bool:
        """Whether all that is no claim falls to this one."""
        return self.number == 0

    def has(self, row: str) -> bool:
        """Whether a source's row is one of this share's, the same in every process."""
        return crc32(row.encode()) % self.of == self.number


def row_id(event: ev.ClaimRecorded) -> str:
    """A row of a source: all that it states under one key on one benchmark."""
    return f"{event.source}\x1f{event.benchmark}\x1f{event.key}"


@attrs.define
class Dealt:
    """Picks a share out of all rows of the ledger, which have to come in order from the first on:
    which claims are ours is learnt as they are recorded."""

    share: Share
    _ours: set[str] = attrs.field(factory=set)

    def ours(self, rows: Iterable[WholeRow]) -> Iterator[ev.Recorded]:
        """Our events, decoded; of others' claims only the first event is looked at."""
        for position, stream, version, _, stored in rows:
            kind = stream.partition(":")[0]
            if kind != "claim":
                if self.share.is_first or kind == "model":
                    yield decode(position, stored)
            elif version == 1 or stream in self._ours:
                record = decode(position, stored)
                if version > 1 or self._fall_to_us(stream, record.event):
                    yield record

    def _fall_to_us(self, stream: str, first: ev.Event) -> bool:
        # A claim that does not begin as claims do is refused by whoever applies it.
        ours = self.share.is_first
        if isinstance(first, ev.ClaimRecorded):
            ours = self.share.has(row_id(first))
        if ours:
            self._ours.add(stream)
        return ours
