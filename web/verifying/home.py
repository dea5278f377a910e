"""A home: its events and what seals them, the archive, and the read model.

The stores are opened as any command opens them; nothing is recorded, sealed or caught up with.
"""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import attrs

from ledger.archive import Archive
from ledger.errors import Refused
from ledger.proof.errors import Unproven
from ledger.proof.note import VerifierKey, verifier_key
from ledger.store import Store, open_store
from ledger.values import instant_text
from ledger.verifying.remembered import Remembered
from ledger.verifying.verdict import Verdict
from projections.keeping.views import Views, open_views
from web.remembering import Memory
from web.sealing_key import KeyFile
from web.settings import Settings
from web.verifying.archive import verify_archive
from web.verifying.log import LogState, verify_log
from web.verifying.means import Means
from web.verifying.read_model import verify_read_model
from web.verifying.watched import Watcher, unwatched
from web.wiring import HomeMissing, exists, key_file, random_salt, utc_now

CONTRADICTS = ("checkpoint-forked", "checkpoint-missing", "events-cut-off")
"""What may be wrong because of what was seen the last time."""


class LedgerMissing(Refused):
    """There is an archive in {home} and no ledger beside it; bring ledger.db back from a backup."""


@attrs.frozen
class Home:
    """What is checked of a home, open."""

    path: str
    store: Store
    views: Views
    archive: Archive
    keys: KeyFile


@contextmanager
def opened(settings: Settings) -> Iterator[Home]:
    """Open a home to be checked. Raises ``HomeMissing``, ``LedgerMissing`` or ``Unavailable``."""
    if not exists(settings):
        raise HomeMissing(name=settings.home)
    if settings.database_url is None and not Path(settings.ledger).exists():
        # Opening it would make an empty one, of which all holds.
        raise LedgerMissing(home=settings.home)
    with (
        closing(open_store(settings.ledger, clock=utc_now, salt=random_salt)) as store,
        closing(open_views(settings.views)) as views,
    ):
        path = str(settings.home.resolve())
        yield Home(path, store, views, Archive(settings.archive), key_file(settings))


def verify_home(
    home: Home,
    verdict: Verdict,
    means: Means,
    *,
    given: VerifierKey | None = None,
    watcher: Watcher = unwatched,
) -> None:
    """Check all of a home, and remember its newest checkpoint if all of it holds."""
    before = means.memory.at(home.path) or _by_name(home.store, means.memory)
    state = verify_log(home.store, home.keys, verdict, given=given, before=before, watcher=watcher)
    if before is not None and state.latest is not None and verdict.has(*CONTRADICTS):
        path = means.memory.evidence(before.note, state.latest.note)
        verdict.notes.append(f"both checkpoints are kept in {path}")
    verdict.add(verify_archive(home.archive, state.events, verdict, watcher))
    if means.read_model:
        verify_read_model(home.store, home.views, verdict, watcher)
    if verdict.holds:
        _remember(home, state, before, means)


def _by_name(store: Store, memory: Memory) -> Remembered | None:
    """What was seen of this log at another place, or under another address."""
    with store.seals() as table:
        keys = table.keys()
    try:
        return memory.of(verifier_key(keys[0].verifier).name) if keys else None
    except Unproven:  # the check of the keys says so
        return None


def _remember(home: Home, state: LogState, before: Remembered | None, means: Means) -> None:
    if state.latest is None:
        return
    now = instant_text(means.clock())
    note, keys, ties = state.latest.note, tuple(state.keys), tuple(state.ties)
    if before is None:
        seen = Remembered(
            origin=keys[0].name,
            keys=keys,
            ties=ties,
            note=note,
            addresses=(home.path,),
            seen_at=now,
        )
    else:
        seen = before.gone_on(note=note, keys=keys, ties=ties, address=home.path, seen_at=now)
    means.memory.remember(seen)
