"""Checkpoints as pages show them: how large, of when, by whose key, and how one goes on from
another."""

from collections.abc import Sequence

import attrs

from ledger.proof.encoded import base64_of, bytes_in
from ledger.proof.errors import Malformed
from ledger.proof.note import DASH, VerifierKey
from ledger.seal import Sealed, Seals
from ledger.store import Store
from ledger.values import Instant
from web.audit.asked import Part
from web.audit.path import Grown, grown_of, growth_commands

ID = 4


@attrs.frozen(kw_only=True)
class Shown:
    """A checkpoint; ``reached_at`` is when the last event under it was recorded, and ``keys`` those
    that signed it."""

    sealed: Sealed
    reached_at: Instant | None
    keys: tuple[VerifierKey, ...]

    @property
    def root(self) -> str:
        """The root in base64, as the note has it."""
        return base64_of(self.sealed.root)


@attrs.frozen(kw_only=True)
class Checkpoints:
    """Some checkpoints, the largest first, and where the list goes on; sizes."""

    rows: tuple[Shown, ...]
    older: int | None
    newer: int | None


@attrs.frozen(kw_only=True)
class Consistency:
    """That the log of the one checkpoint goes on from that of the other."""

    old: Shown
    new: Shown
    grown: Grown
    commands: str

    @property
    def holds(self) -> bool:
        """Whether the steps end at both roots."""
        roots = (self.old.sealed.root.hex(), self.new.sealed.root.hex())
        return (self.grown.old, self.grown.new) == roots


def checkpoints(seals: Seals, store: Store, part: Part) -> Checkpoints:
    """A part of the list; ``before`` and ``after`` are sizes."""
    found = seals.listed(part.count + 1, before=part.before, after=part.after)
    more = len(found) > part.count
    keys = seals.keys()
    if part.after is not None:
        kept = found[1:] if more else found
        newer = kept[0].size if more else None
        older: int | None = part.after + 1
    else:
        kept = found[: part.count]
        older = kept[-1].size if more else None
        newer = None if part.before is None else part.before - 1
    return Checkpoints(
        rows=tuple(_shown(store, one, keys) for one in kept), older=older, newer=newer
    )


def checkpoint(seals: Seals, store: Store, size: int) -> Shown:
    """The checkpoint of so many leaves. Raises ``NoCheckpoint``."""
    return _shown(store, seals.at(size), seals.keys())


def consistency(seals: Seals, store: Store, old_size: int, new_size: int) -> Consistency:
    """How one checkpoint lies in another. Raises ``NoCheckpoint``, also when it is the larger."""
    old, new = checkpoint(seals, store, old_size), checkpoint(seals, store, new_size)
    proof = seals.consistency(old_size, new_size)
    grown = grown_of(old_size, old.sealed.root, new_size, proof)
    commands = growth_commands(grown, old.sealed.root.hex(), new.sealed.root.hex())
    return Consistency(old=old, new=new, grown=grown, commands=commands)


def _shown(store: Store, sealed: Sealed, keys: Sequence[VerifierKey]) -> Shown:
    signed_by = _key_ids(sealed.note)
    return Shown(
        sealed=sealed,
        reached_at=store.recorded_at(sealed.position),
        keys=tuple(key for key in keys if key.id in signed_by),
    )


def _key_ids(note: str) -> set[bytes]:
    """What the signatures under a note say whose they are."""
    found = set()
    for line in note.rpartition("\n\n")[2].splitlines():
        if line.startswith(DASH):
            try:
                found.add(bytes_in(line.rpartition(" ")[2], "a signature")[:ID])
            except Malformed:
                continue
    return found
