"""A small sealed log in memory: rows as a database has them, and what is kept of their tree."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from hashlib import sha256

import attrs

from ledger import events as ev
from ledger.proof.merkle import leaf_hash, root_of
from ledger.proof.note import Checkpoint, SigningKey, signed
from ledger.proof.tiles import WIDTH
from ledger.store.seals import Bundle, Sealed, StoredKey
from ledger.values import Slug
from ledger.verifying.events import EventCheck, Row
from ledger.verifying.finding import Finding
from ledger.verifying.signatures import SignatureCheck
from ledger.verifying.tree import POSITIONS, TreeCheck
from ledger.wire import encode, name_of

NOON = datetime(2025, 7, 28, 12, tzinfo=UTC)
KEY = SigningKey("log.example/toy", bytes(range(32)))
STREAMS = 40


def rows_of(count: int, *, gap: int = 1) -> list[Row]:
    """So many events of a few streams, a second apart, at every ``gap``-th position."""
    rows: list[Row] = []
    for index in range(count):
        slug, version = f"lab-{index % STREAMS}", index // STREAMS + 1
        event = ev.LabRegistered(slug=Slug(slug), name=f"Lab {index}", read_at=NOON)
        envelope = ev.Envelope(
            stream=f"lab:{slug}",
            version=version,
            type=name_of(event),
            recorded_at=NOON + timedelta(seconds=index),
            recorded_by="ada",
            cause=None,
            salt=f"{index:032x}",
        )
        stored = encode(envelope, event)
        rows.append((gap * (index + 1), envelope.stream, version, envelope.type, stored))
    return rows


def entry(row: Row) -> bytes:
    """The entry of an event."""
    return sha256(row[4]).digest()


@attrs.define
class InMemory:
    """What is kept of a sealed log; see :class:`ledger.verifying.tree.Kept`."""

    bundles: dict[int, Bundle]
    subtrees: dict[tuple[int, int], bytes]
    sealed: list[Sealed]
    keys: list[StoredKey]

    def bundle(self, number: int) -> Bundle | None:
        """A bundle, if it is there."""
        return self.bundles.get(number)

    def subtree(self, level: int, number: int) -> bytes | None:
        """A hash, if it is there."""
        return self.subtrees.get((level, number))

    def checkpoints(self) -> Iterator[Sealed]:
        """All checkpoints."""
        return iter(self.sealed)


def checkpoint(rows: Sequence[Row], size: int, before: int = 0, key: SigningKey = KEY) -> Sealed:
    """The checkpoint of the first so many events, made after that of ``before`` events."""
    root = root_of(leaf_hash(entry(row)) for row in rows[:size])
    note = signed(Checkpoint(key.name, size, root).text, key)
    own = rows[max(before, size - size % WIDTH) : size]
    position = rows[size - 1][0] if size else 0
    return Sealed(size, root, position, note, b"".join(entry(row) for row in own))


def sealed(rows: Sequence[Row], sizes: Sequence[int]) -> InMemory:
    """The rows, sealed by checkpoints of these sizes."""
    bundles, subtrees = {}, {}
    hashes = [leaf_hash(entry(row)) for row in rows]
    for number in range(len(rows) // WIDTH):
        part = rows[number * WIDTH : (number + 1) * WIDTH]
        positions = [row[0] for row in part]
        entries = b"".join(entry(row) for row in part)
        bundles[number] = Bundle(number, positions[-1], POSITIONS.pack(*positions), entries)
        subtrees[1, number] = root_of(hashes[number * WIDTH : (number + 1) * WIDTH])
    keys = [StoredKey(1, str(KEY.verifier), 0, None)]
    checkpoints = [checkpoint(rows, *pair) for pair in zip(sizes, [0, *sizes], strict=False)]
    return InMemory(bundles, subtrees, checkpoints, keys)


def verified(rows: Sequence[Row], kept: InMemory, *, batch: int = 100) -> list[Finding]:
    """All findings of the whole log."""
    signatures = SignatureCheck(kept.keys)
    events, tree = EventCheck(), TreeCheck(kept, signatures)
    found = [*signatures.keys(), *tree.begin()]
    for at in range(0, len(rows), batch):
        found += events.add(rows[at : at + batch])
        found += tree.add(rows[at : at + batch])
    return [*found, *tree.end()]


def kinds(found: Sequence[Finding]) -> list[str]:
    """The kinds of findings, in their order."""
    return [one.kind for one in found]
