"""The events of a bundle with their proofs, and the checkpoint that the proofs lead to."""

import base64
from collections.abc import Sequence
from functools import lru_cache

from ledger.seal import Sealed, Seals
from ledger.store.engine import Stored
from reports.bundle.records import Json


def checkpoint_covering(seals: Seals, position: int) -> Sealed:
    """The first checkpoint that covers a position, sealing what is not sealed yet.

    Raises what :meth:`ledger.seal.Seals.seal` raises.
    """
    return seals.covering(position) or seals.seal()


def log_json(seals: Seals, checkpoint: Sealed) -> Json:
    """Which log it is, and what it signed."""
    return {
        "origin": seals.origin,
        "keys": list(map(str, seals.keys())),
        "ties": list(seals.ties()),
        "checkpoint": checkpoint.note,
    }


def events_json(seals: Seals, events: Sequence[Stored], checkpoint: Sealed) -> list[Json]:
    """Stored events, in the order of positions, each with its leaf's index and inclusion proof.

    Raises ``NotSealed`` for one that the checkpoint does not cover.
    """
    proofs = seals.proofs((position for position, _ in events), checkpoint.size)
    return [
        {
            "position": position,
            "index": proved.index,
            "stored": stored.decode(),
            "proof": [_base64(one) for one in proved.proof],
        }
        for (position, stored), proved in zip(events, proofs, strict=True)
    ]


@lru_cache(maxsize=100_000)
def _base64(digest: bytes) -> str:
    """Kept, as neighbours share most of their proofs: one text in memory instead of many."""
    return base64.b64encode(digest).decode("ascii")
