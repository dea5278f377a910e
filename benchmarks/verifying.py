"""Verifying a home, beside reading and hashing the same bytes and nothing else.

Both read all rows in batches; the verifier checks each besides, and what seals them. Rounds take
turns, and the quickest of each counts, so that a busy machine blames neither. The read model is
another stage: it folds every event, and is measured on its own.
"""

import resource
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from hashlib import sha256

import attrs

from ledger.verifying.verdict import Verdict
from web.verifying.log import BATCH, verify_log
from web.verifying.read_model import verify_read_model
from web.wiring import Workspace, key_file

ROUNDS = 5
MEBIBYTE = 1024


@attrs.frozen
class Verifying:
    """Events a second, and the memory that verifying took beyond what was there, in MB."""

    log: float
    hashing: float
    bare: float
    read_model: float
    memory: float

    @property
    def ratio(self) -> float:
        """Verifying beside reading the same rows and hashing their bytes."""
        return self.log / self.hashing

    @property
    def bare_ratio(self) -> float:
        """Verifying beside the least that there is: the bytes alone, from the bare driver."""
        return self.log / self.bare


def verifying(workspace: Workspace) -> Verifying:
    """Verify a sealed home on SQLite whose read model has caught up."""
    events = workspace.ledger.store.head()
    _hash(workspace)
    before = _memory()
    _verify(workspace)
    memory = _memory() - before
    times: dict[Callable[[Workspace], None], float] = {}
    for _ in range(ROUNDS):
        for work in (_hash, _hash_bare, _verify):
            start = time.perf_counter()
            work(workspace)
            spent = time.perf_counter() - start
            times[work] = min(spent, times.get(work, spent))
    start = time.perf_counter()
    verdict = Verdict("bench", "home")
    verify_read_model(workspace.ledger.store, workspace.views, verdict)
    assert verdict.holds
    folding = time.perf_counter() - start
    return Verifying(
        log=events / times[_verify],
        hashing=events / times[_hash],
        bare=events / times[_hash_bare],
        read_model=events / folding,
        memory=memory,
    )


def _verify(workspace: Workspace) -> None:
    verdict = Verdict("bench", "home")
    verify_log(workspace.ledger.store, key_file(workspace.settings), verdict)
    assert verdict.holds


def _hash(workspace: Workspace) -> None:
    """Read every row in batches, as the verifier does, and hash its bytes."""
    with workspace.ledger.store.whole() as whole:
        position = 0
        while rows := whole.rows(position, BATCH):
            for row in rows:
                sha256(row[4]).digest()
            position = rows[-1][0]


def _hash_bare(workspace: Workspace) -> None:
    """Read the bytes and nothing else, and hash them."""
    with closing(sqlite3.connect(workspace.settings.ledger)) as connection:
        for (stored,) in connection.execute("SELECT state FROM events ORDER BY rowid"):
            sha256(stored).digest()


def _memory() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / MEBIBYTE
