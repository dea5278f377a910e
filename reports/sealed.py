"""The sealed log as JSON, the same for the pages and the command line.

Hashes of the tree are in base64, as checkpoints have them; an entry is in hexadecimal, as it is
what ``sha256sum`` says of an event's stored bytes.
"""

from collections.abc import Iterable
from typing import Any

from ledger.proof.encoded import base64_of
from ledger.proof.merkle import leaf_hash
from ledger.published import published_at
from ledger.seal import NotSealed, Sealed, Seals
from ledger.store import Store

Json = dict[str, Any]


def checkpoint_json(sealed: Sealed) -> Json:
    """A checkpoint: what it says, and the signed note that says it."""
    return {
        "size": sealed.size,
        "root": base64_of(sealed.root),
        "position": sealed.position,
        "checkpoint": sealed.note,
    }


def inclusion_json(seals: Seals, index: int, sealed: Sealed) -> Json:
    """That a leaf is under a checkpoint. Raises ``NoTile`` when it is not."""
    proof = seals.inclusion(index, sealed.size)
    entry = seals.entry(index)
    return {
        "position": seals.position_of(index),
        "index": index,
        "entry": entry.hex(),
        "leaf": base64_of(leaf_hash(entry)),
        "proof": _listed(proof),
        "under": checkpoint_json(sealed),
    }


def consistency_json(seals: Seals, old: Sealed, new: Sealed) -> Json:
    """That a checkpoint goes on from another. Raises ``NoCheckpoint`` when it is the older one."""
    proof = _listed(seals.consistency(old.size, new.size))
    return {"from": checkpoint_json(old), "to": checkpoint_json(new), "proof": proof}


def consistency_text(seals: Seals, old: Sealed, new: Sealed) -> str:
    """The same in the form that a witness takes (C2SP ``tlog-witness``): the old size, the proof,
    an empty line, the new checkpoint."""
    proof = _listed(seals.consistency(old.size, new.size))
    return "\n".join([f"old {old.size}", *proof]) + "\n\n" + new.note


def stored_json(seals: Seals, store: Store, position: int) -> Json:
    """An event by its stored bytes; of one that is not published only its place and its entry,
    whatever it is. Raises ``NotSealed``."""
    index = seals.index_of(position)
    if index is None:
        raise NotSealed(name=position)
    record = published_at(store, position)
    return {
        "position": position,
        "index": index,
        "entry": seals.entry(index).hex(),
        "withheld": record is None,
        "stored": None if record is None else record.stored.decode(),
    }


def keys_json(seals: Seals) -> Json:
    """The name of the log, its keys and its ties, newest first. Raises ``NoKey`` before any."""
    return {
        "origin": seals.origin,
        "keys": [str(key) for key in seals.keys()],  # noqa: SIM118 -- it is no mapping
        "ties": list(seals.ties()),
    }


def _listed(hashes: Iterable[bytes]) -> list[str]:
    return [base64_of(one) for one in hashes]
