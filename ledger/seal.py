"""The sealed ledger: checkpoints that it signed, and proofs of what is under them.

A log of leaves, one for each event in the order of positions (:mod:`ledger.sealing.leaves`), grown
by whoever seals (:mod:`ledger.sealing.growing`). Whoever reads sees what the last checkpoint
covers, and nothing beyond it: so every answer here can be proved.
"""

from collections.abc import Iterable, Iterator

import attrs

from ledger import faults
from ledger.errors import Refused
from ledger.proof.hashes import TileHashes
from ledger.proof.merkle import consistency_proof, inclusion_proof
from ledger.proof.note import SigningKey, VerifierKey, verifier_key
from ledger.proof.receipt import Receipt
from ledger.proof.tiles import WIDTH, Tile, is_within
from ledger.sealing.errors import Forked, KeyLost, NoCheckpoint, NoKey, NoTile, NotSealed
from ledger.sealing.growing import grow
from ledger.sealing.keys import Keyring, current_key, follow, key_to_sign, note_of_both
from ledger.sealing.leaves import Leaves, leaves_at, read_leaves, read_tile
from ledger.store import Store
from ledger.store.seals import Sealed, SealTable, StoredKey

__all__ = [
    "Forked",
    "NoCheckpoint",
    "NoKey",
    "NoTile",
    "NotSealed",
    "Proved",
    "Sealed",
    "Seals",
]


@attrs.frozen
class Proved:
    """The event at a position is the leaf of this index, and the proof of that."""

    position: int
    index: int
    proof: tuple[bytes, ...]


class Seals:
    """The log of one ledger. Threads may share it; any number of processes may seal at once."""

    def __init__(self, store: Store, keyring: Keyring) -> None:
        self._store = store
        self._keyring = keyring
        self._hashes: TileHashes | None = None

    # --- sealing ------------------------------------------------------------------------------

    def seal(self) -> Sealed:
        """Seal all that is recorded; returns the checkpoint at the ledger's head.

        Cheap when there is nothing new. Raises ``NoKey``, ``KeyExposed``, ``BadKey`` or ``Forked``
        (nothing is signed), and ``Busy`` or ``Unavailable`` (the next to seal catches up).
        """
        with self._store.seals() as table:
            latest = _latest(table)
            if latest is not None and latest.position == table.head():
                return latest
        if not self.can_seal:
            raise NoKey
        while True:
            with self._store.sealing() as table:
                sealed = grow(table, lambda: key_to_sign(table, self._keyring))
            faults.here("seal:committed")
            if sealed is not None:
                return sealed

    def rotate(self, secret: bytes) -> VerifierKey:
        """Go on with a new key of these 32 random bytes; returns its public half.

        Seals what is there first, so that the old key's last word covers it. Raises as
        :meth:`seal` does.
        """
        self.seal()
        with self._store.sealing() as table:
            old = key_to_sign(table, self._keyring)
            new = SigningKey(old.name, secret)
            self._keyring.prepare(new)
            # Die here: the new key lies beside, the log does not know it, and the old one goes on.
            faults.here("key:prepared")
            follow(table, old, new)
        # Die here: the new key is the log's, and whoever signs next puts it in its place.
        faults.here("key:handed-on")
        with self._store.sealing() as table:
            self._keyring.key(current_key(table))
        return new.verifier

    @property
    def can_seal(self) -> bool:
        """Whether there is any key here at all; whether it will do is seen when it signs."""
        return self._keyring.has_key()

    def signer(self) -> VerifierKey:
        """The public half of the key that signs here. Raises ``NoKey``, ``KeyLost``,
        ``KeyExposed`` or ``BadKey`` when nothing can be signed."""
        if not self.can_seal:
            raise self._no_key()
        with self._store.sealing() as table:
            return self._keyring.key(current_key(table)).verifier

    def _no_key(self) -> Refused:
        keys = self.keys()
        if not keys:
            return NoKey()
        return KeyLost(name=keys[0].name, id=keys[0].id.hex(), where="there is none")

    # --- checkpoints and keys -----------------------------------------------------------------

    @property
    def origin(self) -> str:
        """The name of the log, which is that of its key. Raises ``NoKey`` before the first
        checkpoint."""
        keys = self.keys()
        if not keys:
            raise NoKey
        return keys[0].name

    def latest(self) -> Sealed | None:
        """The newest checkpoint; of one at which a key took over, the note is signed by both."""
        with self._store.seals() as table:
            return _latest(table)

    def at(self, size: int) -> Sealed:
        """The checkpoint of so many leaves. Raises ``NoCheckpoint``."""
        with self._store.seals() as table:
            return _at(table, size)

    def listed(
        self, count: int, before: int | None = None, after: int | None = None
    ) -> list[Sealed]:
        """At most ``count`` checkpoints, the largest first: the newest ones, those of fewer leaves
        than ``before``, or the first ones of more than ``after``."""
        with self._store.seals() as table:
            if after is not None:
                return [_shown(table, one) for one in table.checkpoints(after, count)[::-1]]
            found: list[Sealed] = []
            upto = None if before is None else before - 1
            while len(found) < count and (one := table.checkpoint(upto)) is not None:
                found.append(_shown(table, one))
                upto = one.size - 1
            return found

    def covering(self, position: int) -> Sealed | None:
        """The first checkpoint that covers a position; ``None`` while none does."""
        with self._store.seals() as table:
            found = table.checkpoint_reaching(position)
            return None if found is None else _shown(table, found)

    def keys(self) -> tuple[VerifierKey, ...]:
        """All keys that ever signed, newest first."""
        return tuple(verifier_key(key.verifier) for key in self._keys())

    def ties(self) -> tuple[str, ...]:
        """The notes by which a key handed on to the next (:mod:`ledger.proof.trust`); newest
        first, so that the n-th leads from the key n + 1 to the key n of :meth:`keys`."""
        return tuple(key.tie for key in self._keys() if key.tie is not None)

    def _keys(self) -> list[StoredKey]:
        with self._store.seals() as table:
            return table.keys()[::-1]

    # --- leaves -------------------------------------------------------------------------------

    def index_of(self, position: int) -> int | None:
        """The index of the leaf of a position; ``None`` when no checkpoint covers such an event."""
        with self._store.seals() as table:
            latest = _latest(table)
            if latest is None or position > latest.position:
                return None
            number, leaves = leaves_at(table, position, latest)
        place = leaves.place_of(position)
        return None if place is None else number * WIDTH + place

    def position_of(self, index: int) -> int | None:
        """The position of a leaf; ``None`` when no checkpoint covers it."""
        found = self._leaf(index)
        return None if found is None else found[0]

    def entry(self, index: int) -> bytes:
        """The entry of a leaf: the SHA-256 of the stored bytes. Raises ``NoTile``."""
        found = self._leaf(index)
        if found is None:
            raise NoTile(name=f"leaf {index}")
        return found[1]

    def _leaf(self, index: int) -> tuple[int, bytes] | None:
        number, place = divmod(index, WIDTH)
        with self._store.seals() as table:
            latest = _latest(table)
            if latest is None or not 0 <= index < latest.size:
                return None
            leaves = read_leaves(table, number, place + 1)
        return leaves.positions[place], leaves.entries[place]

    # --- proofs -------------------------------------------------------------------------------

    def inclusion(self, index: int, size: int) -> list[bytes]:
        """The proof that a leaf is under the checkpoint of a size. Raises ``NoCheckpoint``, and
        ``NoTile`` for a leaf that it does not cover."""
        self.at(size)
        if not 0 <= index < size:
            raise NoTile(name=f"leaf {index} under its checkpoint of {size}")
        return inclusion_proof(index, size, self._hash_at(size))

    def consistency(self, old: int, new: int) -> list[bytes]:
        """The proof that one checkpoint goes on from another. Raises ``NoCheckpoint``."""
        self.at(old)
        if self.at(new).size < old:
            raise NoCheckpoint(name=f"{old} that comes before {new}")
        return consistency_proof(old, new, self._hash_at(new))

    def receipt(self, position: int, size: int | None = None) -> Receipt:
        """The receipt of an event: under the checkpoint of a size, else the newest one.

        Raises ``NotSealed`` and ``NoCheckpoint``.
        """
        sealed = self.latest() if size is None else self.at(size)
        index = self.index_of(position)
        if sealed is None or index is None or index >= sealed.size:
            raise NotSealed(name=position)
        return Receipt(index, tuple(self.inclusion(index, sealed.size)), sealed.note)

    def proofs(self, positions: Iterable[int], size: int) -> Iterator[Proved]:
        """Where many events are and the proofs of it under the checkpoint of a size, in the order
        of positions and each once; much faster than one by one.

        Raises ``NoCheckpoint``, and ``NotSealed`` for a position that it does not cover.
        """
        sealed = self.at(size)
        hashes = self._hash_at(size)
        number, leaves = 0, Leaves((), ())
        for position in sorted(set(positions)):
            if position > sealed.position:
                raise NotSealed(name=position)
            if not leaves or position > leaves.positions[-1]:
                with self._store.seals() as table:
                    number, leaves = leaves_at(table, position, sealed)
            place = leaves.place_of(position)
            if place is None:
                raise NotSealed(name=position)
            index = number * WIDTH + place
            yield Proved(position, index, tuple(inclusion_proof(index, size, hashes)))

    def tile(self, tile: Tile) -> bytes:
        """The bytes of a tile, of hashes or of entries. Raises ``NoTile`` beyond the newest
        checkpoint."""
        with self._store.seals() as table:
            latest = _latest(table)
            if latest is None or not is_within(tile, latest.size):
                raise NoTile(name=tile.path)
            return read_tile(table, tile)

    def _hash_at(self, size: int) -> TileHashes:
        """Hashes of subtrees; what was read of a log stays as it is, so it is kept for a while."""
        held = self._hashes
        if held is None or held.size < size:
            latest = self.latest()
            self._hashes = held = TileHashes(max(size, latest.size if latest else 0), self.tile)
        return held


def _latest(table: SealTable) -> Sealed | None:
    found = table.checkpoint()
    return None if found is None else _shown(table, found)


def _at(table: SealTable, size: int) -> Sealed:
    found = table.checkpoint(size)
    if found is None or found.size != size:
        raise NoCheckpoint(name=size)
    return _shown(table, found)


def _shown(table: SealTable, sealed: Sealed) -> Sealed:
    """A checkpoint as it is shown: where a key took over, with the note that both signed."""
    note = note_of_both(table.keys(), sealed.size)
    return sealed if note is None else attrs.evolve(sealed, note=note)
