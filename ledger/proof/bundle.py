"""Checking a provenance bundle: that all its events are in the log that was signed, byte for byte.

What is proved: the bytes → entry → leaf → inclusion proof → checkpoint → signature; streams without
holes; and that the document names its claims, decisions, snapshots and rule by those very events.

What is not: that the board or story follows from the events (that takes the whole program, see
``corrigenda verify``), and that no stream is left out as a whole, which only a look at the whole
log can show. Nothing here reads a file or a clock.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import islice
from typing import Any

from ledger.proof.document import (
    document_in,
    number_at,
    object_at,
    objects_at,
    text_at,
    texts_at,
)
from ledger.proof.encoded import bytes_in
from ledger.proof.envelopes import Shown, problems_of_order, shown
from ledger.proof.errors import Malformed, Unproven
from ledger.proof.merkle import SIZE, check_inclusion, leaf_hash
from ledger.proof.named import problems_of_names
from ledger.proof.note import (
    Checkpoint,
    VerifierKey,
    checkpoint_in,
    opened,
    text_of,
    verifier_key,
)
from ledger.proof.receipt import MOST_HASHES
from ledger.proof.trust import trusted_by

FORMAT = "corrigenda-bundle/1"
MOST_KEYS = 100
"""Keys, and ties between them; each tie may be looked at once for every other."""
MOST_PROBLEMS = 50


@dataclass(frozen=True, slots=True)
class Checked:
    """What came of checking a bundle; it is proved when there are no ``problems``.

    ``signed_by`` is the trusted key under the checkpoint, and ``pinned`` whether somebody else than
    the bundle itself named a key to trust.
    """

    document: Mapping[str, Any]
    checkpoint: Checkpoint
    signed_by: VerifierKey | None
    pinned: bool
    events: int
    streams: int
    problems: tuple[str, ...]


def check_bundle(data: bytes, trusted: Sequence[VerifierKey] = ()) -> Checked:
    """Check a bundle against keys that are trusted, or against its own if none are given.

    Raises ``Malformed`` for what is no bundle at all; whatever else is wrong is listed.
    """
    document = document_in(data)
    if document.get("format") != FORMAT:
        raise Malformed(f"it is not a bundle of the form {FORMAT}")
    log = object_at(document, "log")
    note = text_at(log, "checkpoint")
    checkpoint = checkpoint_in(text_of(note))
    signed_by, problems = _signature(note, checkpoint, log, trusted)
    events: list[Shown] = []
    problems += islice(_unproven(document, checkpoint, events), MOST_PROBLEMS)
    problems += islice(problems_of_order(events), MOST_PROBLEMS)
    problems += islice(problems_of_names(document, events), MOST_PROBLEMS)
    return Checked(
        document,
        checkpoint,
        signed_by,
        bool(trusted),
        len(events),
        len({one.stream for one in events}),
        tuple(problems),
    )


# --- the signature ----------------------------------------------------------------------------


def _signature(
    note: str, checkpoint: Checkpoint, log: dict[str, Any], trusted: Sequence[VerifierKey]
) -> tuple[VerifierKey | None, list[str]]:
    """The key of the log's name that signed the checkpoint, and what is wrong about it."""
    keys, ties = texts_at(log, "keys"), texts_at(log, "ties")
    if len(keys) > MOST_KEYS or len(ties) > MOST_KEYS:
        raise Malformed(f"the bundle has more than {MOST_KEYS} keys")
    problems = []
    if text_at(log, "origin") != checkpoint.origin:
        problems.append(f"checkpoint: it is of the log {checkpoint.origin}, not of the one named")
    known = trusted_by(trusted, ties) if trusted else tuple(map(verifier_key, keys))
    try:
        signers = opened(note, known).signed_by
    except Unproven as why:
        return None, [*problems, f"checkpoint: {why}"]
    of_the_log = [key for key in signers if key.name == checkpoint.origin]
    if not of_the_log:
        problems.append(f"checkpoint: no key of the log {checkpoint.origin} signed it")
    return next(iter(of_the_log), None), problems


# --- events -----------------------------------------------------------------------------------


def _unproven(
    document: dict[str, Any], checkpoint: Checkpoint, events: list[Shown]
) -> Iterator[str]:
    """The events that their proofs do not lead from; all that can be read go into ``events``."""
    for one in objects_at(document, "events"):
        position, index = number_at(one, "position"), number_at(one, "index")
        stored = text_at(one, "stored")
        try:
            found = shown(position, index, stored)
        except Malformed as why:
            yield str(why)
            continue
        events.append(found)
        try:
            _check(one, index, stored, checkpoint)
        except Unproven as why:
            yield f"the {found.place} is not in the log: {why}"


def _check(one: dict[str, Any], index: int, stored: str, checkpoint: Checkpoint) -> None:
    try:
        entry = sha256(stored.encode()).digest()
    except UnicodeEncodeError:
        raise Malformed("its text has no bytes") from None
    check_inclusion(
        leaf_hash(entry),
        index=index,
        size=checkpoint.size,
        proof=_hashes(texts_at(one, "proof")),
        root=checkpoint.root,
    )


def _hashes(texts: Sequence[str]) -> list[bytes]:
    if len(texts) > MOST_HASHES:
        raise Malformed(f"a proof has up to {MOST_HASHES} hashes")
    hashes = [bytes_in(one, "its proof") for one in texts]
    if any(len(one) != SIZE for one in hashes):
        raise Malformed(f"a hash of its proof has not {SIZE} bytes")
    return hashes
