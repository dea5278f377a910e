"""The keys of a log, how each follows from the one before, and the signatures under checkpoints.

Rules:

1. every key has the log's name;
2. a later key is tied to the one before it: both signed the checkpoint of the size at which the new
   key took over, and the same with a line that names it (:mod:`ledger.proof.trust`); and that
   checkpoint is there;
3. a checkpoint is signed by the key that was in force at its size, and its row says what its note
   says.
"""

from collections.abc import Iterable, Iterator, Sequence

from ledger.proof.errors import Unproven
from ledger.proof.note import (
    Checkpoint,
    VerifierKey,
    checkpoint_in,
    opened,
    opened_checkpoint,
    text_of,
    verifier_key,
)
from ledger.proof.trust import handed_on
from ledger.store.seals import Sealed, StoredKey
from ledger.verifying.finding import Finding, Place, finding


class SignatureCheck:
    """What is signed by a log whose keys, oldest first, are known."""

    def __init__(self, keys: Sequence[StoredKey]) -> None:
        self._keys = list(keys)
        self.verifiers: list[VerifierKey] = []
        # The roots that ties were signed over, by size, until their checkpoints have come.
        self._tied_at: dict[int, bytes] = {}
        self._unread: list[Finding] = []
        for key in keys:
            try:
                self.verifiers.append(verifier_key(key.verifier))
            except Unproven as why:
                place = {"key": key.verifier[:200], "why": str(why)}
                self._unread.append(finding("key-unreadable", place))

    @property
    def origin(self) -> str | None:
        """The name of the log."""
        return self.verifiers[0].name if self.verifiers else None

    def keys(self) -> Iterator[Finding]:
        """Check the keys."""
        yield from self._unread
        if self._unread:
            return
        for key in self.verifiers:
            if key.name != self.origin:
                yield finding(
                    "key-renamed", {"key": str(key)}, expected=self.origin, found=key.name
                )
        for at in range(1, len(self._keys)):
            yield from self._tied(at)

    def opened(self, sealed: Sealed) -> tuple[Checkpoint | None, list[Finding]]:
        """What a stored checkpoint says, ``None`` when that is not properly signed; and what is
        wrong with it."""
        try:
            checkpoint = opened_checkpoint(sealed.note, self.verifiers)
            self._check_in_force(sealed, checkpoint)
        except Unproven as why:
            place: Place = {"size": sealed.size, "why": str(why)}
            return None, [finding("checkpoint-unsigned", place)]
        wrong = list(self._fits_tie(checkpoint))
        for column, says, note_says in (
            ("size", sealed.size, checkpoint.size),
            ("root", sealed.root, checkpoint.root),
        ):
            if says != note_says:
                place = {"size": sealed.size, "column": column}
                wrong.append(finding("checkpoint-misfiled", place, expected=note_says, found=says))
        return checkpoint, wrong

    def end(self) -> Iterator[Finding]:
        """After the last checkpoint: the ones that keys took over at and that did not come."""
        for size in self._tied_at:
            yield finding("checkpoint-missing", {"size": size})

    def _fits_tie(self, checkpoint: Checkpoint) -> Iterator[Finding]:
        root = self._tied_at.pop(checkpoint.size, checkpoint.root)
        if root != checkpoint.root:
            place: Place = {"size": checkpoint.size, "since": 0}
            yield finding("checkpoint-forked", place, expected=root, found=checkpoint.root)

    def _check_in_force(self, sealed: Sealed, checkpoint: Checkpoint) -> None:
        """Refuse a checkpoint that a key has signed before or after its time."""
        in_force = self.in_force(checkpoint.size)
        signed_by = opened(sealed.note, self.verifiers).signed_by
        if in_force not in signed_by:
            by = ", ".join(key.id.hex() for key in signed_by)
            raise Unproven(f"it is signed by {by}, and {in_force.id.hex()} was in force")

    def in_force(self, size: int) -> VerifierKey:
        """The key that signs the checkpoint of a size: the newest that took over before it."""
        fit = [at for at, key in enumerate(self._keys) if key.size < size]
        return self.verifiers[fit[-1] if fit else 0]

    def _tied(self, at: int) -> Iterator[Finding]:
        """Whether a key follows from the one before it."""
        before, key, stored = self.verifiers[at - 1], self.verifiers[at], self._keys[at]
        try:
            checkpoint = _checked_tie(stored, before, key)
            self._tied_at[checkpoint.size] = checkpoint.root
        except Unproven as why:
            yield finding("tie-broken", {"key": str(key), "why": str(why)})


def handed_on_at(keys: Sequence[VerifierKey], ties: Iterable[str]) -> dict[VerifierKey, int]:
    """The sizes at which keys handed the log on to the next one; ties that prove nothing are
    passed over."""
    found: dict[VerifierKey, int] = {}
    for tie in ties:
        try:
            new = handed_on(tie, keys)
            signers = opened(tie, keys).signed_by
            size = checkpoint_in(text_of(tie)).size
        except Unproven:
            continue
        for key in signers:
            if key != new:
                found[key] = min(size, found.get(key, size))
    return found


def _checked_tie(stored: StoredKey, before: VerifierKey, after: VerifierKey) -> Checkpoint:
    """The checkpoint at which a key took over. Raises ``Unproven`` unless the one before hands the
    log on to it there."""
    if stored.tie is None or stored.note is None:
        raise Unproven("there is no note of it")
    named = handed_on(stored.tie, (before,))
    if named != after:
        raise Unproven(f"it names another key, {named}")
    checkpoint = checkpoint_in(text_of(stored.tie))
    if checkpoint.size != stored.size:
        raise Unproven(f"it is the checkpoint of {checkpoint.size} leaves, not of {stored.size}")
    both = opened(stored.note, (before, after))
    if len(both.signed_by) < 2 or checkpoint_in(both.text) != checkpoint:
        raise Unproven("the checkpoint that both keys signed is another one, or lacks a signature")
    return checkpoint
