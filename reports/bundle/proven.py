"""The events of a bundle with their proofs, and the checkpoint that the proofs lead to."""

from collections.abc import Sequence
from functools import lru_cache

from ledger.proof.encoded import base64_of
from ledger.seal import Sealed, Seals
from ledger.store.engine import Stored
from reports.bundle.records import Json

kept_text = lru_cache(maxsize=100_000)(base64_of)
"""Neighbours share most of their proofs: one text in memory instead of many."""


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
            "proof": [kept_text(one) for one in proved.proof],
        }
        for (position, stored), proved in zip(events, proofs, strict=True)
    ]
