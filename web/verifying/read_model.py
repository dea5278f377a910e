"""The read model of a home, beside a fold of all its events.

The fold is made in a folder of its own, which goes afterwards; it takes longer than all the rest of
the check. Nothing is written into the home.
"""

import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from ledger.store import Store
from ledger.verifying.events import understood
from ledger.verifying.finding import Finding, finding
from ledger.verifying.rows import RowCheck
from ledger.verifying.verdict import Verdict
from projections.keeping.beside import Live, live
from projections.keeping.follow import Follower
from projections.keeping.refusals import ViewsUnavailable
from projections.keeping.views import Views, open_views
from web.verifying.log import batches
from web.verifying.watched import Watcher, unwatched, watched

LONGEST = 300


def verify_read_model(
    store: Store, views: Views, verdict: Verdict, watcher: Watcher = unwatched
) -> None:
    """Read every event as the fact that it is, fold them all anew elsewhere, and compare."""
    try:
        _verify(store, views, verdict, watcher)
    except ViewsUnavailable as why:
        verdict.add([finding("views-unfit", {"why": str(why)})])


def _verify(store: Store, views: Views, verdict: Verdict, watcher: Watcher) -> None:
    # The read model first: what is recorded from now on is in neither.
    with live(views) as tables:
        with store.whole() as whole:
            for rows in batches(whole, watcher, "Reading events"):
                verdict.add(understood(rows))
            head = whole.head()
        if verdict.has("event-unreadable"):
            verdict.add([finding("views-unfit", {"why": "some events cannot be read"})])
            return
        if tables.position > head:
            verdict.add([finding("views-ahead", {}, expected=head, found=tables.position)])
        elif tables.position < head:
            reached = f"position {tables.position} of {head}"
            verdict.notes.append(f"the read model has reached {reached}, and is checked so far")
        _compare(store, tables, verdict, watcher)


def _compare(store: Store, tables: Live, verdict: Verdict, watcher: Watcher) -> None:
    check = RowCheck()
    with _folded(store, tables.position, watcher) as folded:
        if isinstance(folded, Finding):
            verdict.add([folded])
            return
        for two in watched(tables.beside(folded), watcher, "Comparing the read model"):
            verdict.add(check.table(two.name, two.columns, two.keys, two.live, two.folded))
    verdict.checked |= {"tables": check.tables, "rows": check.rows}


@contextmanager
def _folded(store: Store, upto: int, watcher: Watcher) -> Iterator[Views | Finding]:
    """The read model that the events up to a position give, for as long as it is looked at; or what
    keeps them from giving one."""
    with (
        tempfile.TemporaryDirectory(prefix="corrigenda-verify-") as folder,
        closing(open_views(Path(folder) / "views.db")) as folded,
    ):
        unfit = None
        try:
            if upto:
                Follower(store, folded).catch_up(
                    upto, lambda done, _: watcher("Folding events", done, upto)
                )
        except Exception as why:  # noqa: BLE001 -- altered events may trip the projections in any way
            unfit = finding("views-unfit", {"why": repr(why)[:LONGEST]})
        yield unfit or folded
