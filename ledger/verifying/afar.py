"""Another log, of which only its answers are known: its checkpoint, its proofs, its tiles.

Rules:

1. its newest checkpoint is signed by the key that is given, or was believed the last time, or by
   one that such a key handed the log on to; only where there is neither, the log's own word is
   taken, once;
2. it has no fewer leaves than the last time, and begins with those: as its consistency proof shows,
   and, where that fails, as its tiles do or do not;
3. leaves that are picked at random are proved to be in it, and where their bytes may be read, they
   give the entry that was proved;

That every entry and every tile leads to the signed root is for :mod:`ledger.verifying.walk`. The
answers come in as bytes, through functions that may also say that there is no such thing.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import sha256
from typing import Any, Protocol

import attrs
import orjson

from ledger.proof.encoded import bytes_in
from ledger.proof.errors import Malformed, Unproven
from ledger.proof.hashes import TileHashes
from ledger.proof.merkle import (
    check_consistency,
    check_inclusion,
    leaf_hash,
    root_at,
)
from ledger.proof.note import (
    Checkpoint,
    VerifierKey,
    checkpoint_in,
    opened,
    opened_checkpoint,
    text_of,
    verifier_key,
)
from ledger.proof.receipt import MOST_HASHES
from ledger.proof.tiles import Tile
from ledger.proof.trust import trusted_by
from ledger.verifying.finding import Finding, Place, finding
from ledger.verifying.remembered import Remembered
from ledger.verifying.signatures import handed_on_at

MOST_KEYS = 1_000


class Log(Protocol):
    """Asking another log; ``None`` where it says that there is no such thing."""

    def checkpoint(self) -> str:
        """Its newest checkpoint."""

    def keys(self) -> bytes | None:
        """Its keys and ties, as JSON."""

    def tile(self, tile: Tile) -> bytes | None:
        """A tile of hashes or of entries."""

    def consistency(self, old: int, new: int) -> bytes | None:
        """The proof between two of its checkpoints, as JSON."""

    def inclusion(self, index: int, size: int) -> bytes | None:
        """The proof that a leaf is under one of its checkpoints, as JSON."""

    def event(self, position: int) -> bytes | None:
        """An event, as JSON."""


def _never(_origin: str) -> Remembered | None:
    return None


@attrs.define
class AfarCheck:
    """Checks one log; ``begin`` first. All yield what is wrong.

    ``given`` is a key that its user trusts, ``seen_here`` what was seen at its address the last
    time, and ``seen`` gives what was seen of a log by its name, wherever that was.
    """

    log: Log
    given: VerifierKey | None = None
    seen_here: Remembered | None = None
    seen: Callable[[str], Remembered | None] = _never
    before: Remembered | None = attrs.field(default=None, init=False)
    note: str = attrs.field(default="", init=False)
    checkpoint: Checkpoint | None = attrs.field(default=None, init=False)
    keys: tuple[VerifierKey, ...] = attrs.field(default=(), init=False)
    """The keys that are believed to be the log's."""
    ties: list[str] = attrs.field(factory=list, init=False)
    believed: VerifierKey | None = attrs.field(default=None, init=False)
    """The key that was taken on the log's own word, as nobody named one."""
    forked: bool = attrs.field(default=False, init=False)
    proofs: int = attrs.field(default=0, init=False)
    leaves: int = attrs.field(default=0, init=False)

    # --- who signs, and what was seen before --------------------------------------------------

    def begin(self) -> Iterator[Finding]:
        """The checkpoint, its signature, and whether it goes on from the one before."""
        self.note = self.log.checkpoint()
        try:
            origin = checkpoint_in(text_of(self.note)).origin
        except Malformed as why:
            yield finding("log-unsigned", {"why": str(why)})
            return
        self.before = self.seen_here or self.seen(origin)
        if self.before is not None and self.before.origin != origin:
            yield finding("log-renamed", {}, expected=self.before.origin, found=origin)
            return
        told, ties = self._told()
        if self.before is not None:
            ties = [*self.before.ties, *ties]
        self.keys = trusted_by(self._trusted(told), ties)
        # What is of use of the ties: they are signed, so whoever keeps them need not trust anybody.
        self.ties = [tie for tie in ties if handed_on_at(self.keys, [tie])]
        if self.given is not None and self.before is not None:
            known = self.before.keys
            if not {*self.keys} & {*trusted_by(known, ties)}:
                shown = ", ".join(map(str, known))
                yield finding("key-unknown", {}, expected=str(self.given), found=shown)
                return
        try:
            checkpoint = opened_checkpoint(self.note, self.keys)
            self._check_in_force(checkpoint)
        except Unproven as why:
            yield finding("log-unsigned", {"why": str(why)})
            return
        self.checkpoint = checkpoint
        if self.before is not None:
            yield from self._goes_on(self.before.checkpoint, checkpoint)

    def _check_in_force(self, checkpoint: Checkpoint) -> None:
        """Refuse what none but keys have signed that had handed the log on by then."""
        until = handed_on_at(self.keys, self.ties)
        signers = opened(self.note, self.keys).signed_by
        if all(key in until and until[key] < checkpoint.size for key in signers):
            by = ", ".join(key.id.hex() for key in signers)
            raise Unproven(f"it is signed by {by}, which handed the log on to another key before")

    def _told(self) -> tuple[list[VerifierKey], list[str]]:
        """What the log says of its own keys, newest first, and its ties; nothing where it says
        nothing that can be read."""
        answer = self.log.keys()
        try:
            found = {} if answer is None else orjson.loads(answer)
            keys = [verifier_key(key) for key in found["keys"][:MOST_KEYS]]
            ties = [str(tie) for tie in found["ties"][:MOST_KEYS]]
        except (ValueError, TypeError, KeyError, AttributeError, Malformed):
            return [], []
        return keys, ties

    def _trusted(self, told: Sequence[VerifierKey]) -> tuple[VerifierKey, ...]:
        """Whom to believe: the key given, else those of the last time, else the log's own word."""
        if self.given is not None:
            return (self.given,)
        if self.before is not None:
            return self.before.keys
        if told:
            self.believed = told[0]
        return tuple(told[:1])

    def _goes_on(self, old: Checkpoint, new: Checkpoint) -> Iterator[Finding]:
        if new.size < old.size:
            self.forked = True
            yield finding("log-shrank", {}, expected=old.size, found=new.size)
        elif new.size == old.size and new.root != old.root:
            self.forked = True
            place: Place = {"size": new.size}
            yield finding("log-forked", place, expected=old.root, found=new.root)
        elif 0 < old.size < new.size:
            yield from self._grown(old, new)

    def _grown(self, old: Checkpoint, new: Checkpoint) -> Iterator[Finding]:
        """Whether the newer checkpoint begins with the older one."""
        self.proofs += 1
        try:
            proof = _hashes_in(self.log.consistency(old.size, new.size))
            _consistent(old, new, proof)
        except Unproven as why:
            broken = finding("proof-broken", {"of": f"{old.size} → {new.size}", "why": str(why)})
        else:
            return
        # Is it but the proof that is broken, or has the log another history? Its tiles tell.
        try:
            hashes = TileHashes(new.size, self._tile)
            now, then = root_at(new.size, hashes), root_at(old.size, hashes)
        except Malformed as why:
            yield broken
            yield finding("tiles-unfit", {"why": str(why)})
            return
        if now != new.root:
            yield broken
            yield finding("tiles-unfit", {"why": "they do not lead to the root that is signed"})
        elif then != old.root:
            self.forked = True
            yield finding("log-forked", {"size": old.size}, expected=old.root, found=then)
        else:
            yield broken

    # --- leaves picked at random --------------------------------------------------------------

    def picked(self, indexes: Iterable[int]) -> Iterator[Finding]:
        """Whether leaves are in the log, and events give them."""
        for index in indexes:
            self.leaves += 1
            try:
                yield from self._leaf(index)
            except Unproven as why:
                yield finding("proof-broken", {"of": f"leaf {index}", "why": str(why)})

    def _leaf(self, index: int) -> Iterator[Finding]:
        checkpoint = self._checked()
        answer = self.log.inclusion(index, checkpoint.size)
        self.proofs += 1
        entry = _entry_in(answer)
        check_inclusion(
            leaf_hash(entry),
            index=index,
            size=checkpoint.size,
            proof=_hashes_in(answer),
            root=checkpoint.root,
        )
        position = _object(answer).get("position")
        if type(position) is not int:
            raise Malformed("the answer does not say at which position the event is")
        event = _object(self.log.event(position))
        stored = event.get("stored")
        if stored is None and event.get("withheld") is True:
            return
        found = sha256(str(stored).encode()).digest()
        if found != entry:
            place: Place = {"position": position, "index": index}
            yield finding("entry-unfit", place, expected=entry, found=found)

    def _checked(self) -> Checkpoint:
        if self.checkpoint is None:
            raise ValueError("the checkpoint has to hold first")
        return self.checkpoint

    def _tile(self, tile: Tile) -> bytes:
        found = self.log.tile(tile)
        if found is None:
            raise Malformed(f"the log does not serve {tile.path}")
        return found


def _consistent(old: Checkpoint, new: Checkpoint, proof: Sequence[bytes]) -> None:
    check_consistency(
        old_size=old.size, old_root=old.root, new_size=new.size, new_root=new.root, proof=proof
    )


def _object(answer: bytes | None) -> dict[str, Any]:
    """The object in an answer. Raises ``Malformed``."""
    if answer is None:
        raise Malformed("the log does not give it")
    try:
        found = orjson.loads(answer)
    except ValueError:
        found = None
    if not isinstance(found, dict):
        raise Malformed("the answer is not a JSON object")
    return found


def _hashes_in(answer: bytes | None) -> list[bytes]:
    """The proof in an answer. Raises ``Malformed``."""
    proof = _object(answer).get("proof")
    if not isinstance(proof, list) or len(proof) > MOST_HASHES:
        raise Malformed(f"a proof is a list of up to {MOST_HASHES} hashes")
    return [bytes_in(one, "a hash of the proof") for one in proof]


def _entry_in(answer: bytes | None) -> bytes:
    """The entry in an answer. Raises ``Malformed``."""
    try:
        return bytes.fromhex(_object(answer)["entry"])
    except (ValueError, TypeError, KeyError):
        raise Malformed("the answer has no entry") from None
