"""What the claims behind a board's rows state, word for word, and when their source was read.

A row has what people compare; here is the whole statement with its corrections, for whoever takes
the board elsewhere. A mean is worked out and stated by nobody: its parts stand in its place.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, groupby

import attrs

from ledger.claim import history_of, state_at, stream_of
from ledger.events import Recorded, Statement
from ledger.store import Store
from ledger.values import Instant, from_micros
from projections.board.boards import Board
from projections.board.rows import Row
from projections.keeping.views import Reader
from projections.moment import Moment

CLAIMS = 500
"""Claims whose events are in memory at once."""


@attrs.frozen
class Shown:
    """A row that one claim stands behind, what that claim shows, and when its source was read last
    by the moment of the board."""

    row: Row
    says: Statement
    read_at: Instant


def shown_on(reader: Reader, store: Store, board: Board) -> Iterator[Shown]:
    """The rows of a board in its order, each with what is stated there."""
    moment = board.moment
    read_at = _read_at(reader, board)
    rows = list(chain.from_iterable(row.parts or (row,) for row in board.rows))
    for start in range(0, len(rows), CLAIMS):
        some = rows[start : start + CLAIMS]
        says = _says(store, [row.claim_id for row in some if row.claim_id is not None], moment)
        for row in some:
            found = says.get(row.claim_id or "")
            if found is not None:
                yield Shown(row, found, read_at.get(row.source.slug, moment.instant))


def _says(store: Store, claims: Sequence[str], moment: Moment) -> Mapping[str, Statement]:
    """What each of these claims shows at the moment."""
    records = sorted(
        store.streams(stream_of(claim) for claim in claims),
        key=lambda one: (one.envelope.stream, one.envelope.version),
    )
    found: dict[str, Statement] = {}
    for stream, events in groupby(records, key=lambda one: one.envelope.stream):
        state = state_at(history_of(_known(events, moment)), moment.instant, moment.plane)
        if state is not None:
            found[stream.partition(":")[2]] = state.shows
    return found


def _known(events: Iterable[Recorded], moment: Moment) -> list[Recorded]:
    return [one for one in events if one.position <= moment.position]


def _read_at(reader: Reader, board: Board) -> dict[str, Instant]:
    """When each source was last read on the board's benchmark, as known at its moment."""
    table, moment = reader.tables.reading, board.moment
    query = (
        table.select()
        .with_only_columns(table.c.source, table.c.read_at)
        .where(
            table.c.benchmark == board.benchmark.slug,
            table.c.read_at <= moment.day,
            table.c.position <= moment.position,
            table.c.withdrawn > moment.position,
        )
        .order_by(table.c.read_at)
    )
    return {source: from_micros(read_at) for source, read_at in reader.connection.execute(query)}
