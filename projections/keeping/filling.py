"""Filling an empty generation from the whole ledger: a share of it, or all of it.

Nobody reads from that generation yet, so it does without the indexes of readers, its batches are
large, and how far it has come is not noted: a filling that is cut short is begun anew.
"""

import gc
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import Connection, text

from ledger import faults
from ledger.store import Store
from projections.keeping.projectors import Projectors
from projections.keeping.shares import Dealt, Share
from projections.keeping.tables import Tables
from projections.keeping.views import Views, work_long

BATCH = 10_000
"""So many events are one batch of a share, for which nobody waits."""

ANALYZE_AFTER = (500, 5_000, 50_000, 500_000)
"""Positions at which the database looks anew at what its tables hold, to find its way."""


def fill(store: Store, views: Views, tables: Tables, share: Share, upto: int) -> Iterator[int]:
    """Fill a share of a generation through a position; gives the position reached after each
    batch.

    Several may do so at once, each in a process of its own: they write in turns, and fold between.
    """
    projectors, dealt, reached = Projectors(tables, store, share), Dealt(share), 0
    with _no_circles():
        while reached < upto:
            with store.whole() as whole:
                found = whole.rows(reached, min(BATCH * share.of, upto - reached))
            rows = [row for row in found if row[0] <= upto]
            if not rows:  # somebody took away what came last
                return
            records = list(dealt.ours(rows))
            with views.read() as reader:
                work_long(reader.connection)
                projectors.fold(reader.connection, records)
            with views.write_apart() as connection:
                projectors.write(connection)
                before, reached = reached, rows[-1][0]
                if share.is_first:
                    analyze(connection, before, reached)
            faults.here("fill:committed")
            yield reached


def analyze(connection: Connection, before: int, reached: int) -> None:
    """Let the database look at what its tables hold, each time that they are ten times as long."""
    if any(before < mark <= reached for mark in ANALYZE_AFTER):
        connection.execute(text("ANALYZE"))


@contextmanager
def _no_circles() -> Iterator[None]:
    """Do not look for circles of objects meanwhile: events and rectangles make none, and looking
    through hundreds of thousands of them again and again takes a fifth of the time."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()
