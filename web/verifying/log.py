"""The events of a home and what seals them, in one pass.

The ledger's database is read in one transaction, from its first event to its last, in batches; so a
server that goes on recording meanwhile does not disturb the check, and memory stays the same.
"""

from collections.abc import Iterator, Sequence

import attrs

from ledger.errors import Refused
from ledger.proof.note import VerifierKey
from ledger.sealing.errors import NoKey
from ledger.store import Store
from ledger.store.seals import Bundle, Sealed
from ledger.store.whole import Whole, WholeRow
from ledger.verifying.events import EventCheck
from ledger.verifying.finding import Finding, finding
from ledger.verifying.remembered import Remembered
from ledger.verifying.signatures import SignatureCheck
from ledger.verifying.tree import SOMEWHERE, TreeCheck
from ledger.verifying.verdict import Verdict
from web.sealing_key import KeyFile
from web.verifying.watched import Watcher, unwatched

BATCH = 2_048
"""Events in memory at once: eight bundles."""

CHECKPOINTS = 500


@attrs.frozen
class LogState:
    """What was found of a log, for whoever goes on from there."""

    latest: Sealed | None
    keys: Sequence[VerifierKey]
    ties: Sequence[str]
    events: EventCheck


@attrs.define
class _Kept:
    """What is kept of the sealed log, read as it is asked for; and the checkpoint that was seen
    the last time, in its place among those that are stored."""

    whole: Whole
    seen: Sealed | None
    latest: Sealed | None = None
    missing: bool = False
    """Whether the checkpoint that was seen is not among those that are stored."""

    def bundle(self, number: int) -> Bundle | None:
        return self.whole.bundle(number)

    def subtree(self, level: int, number: int) -> bytes | None:
        return self.whole.subtree(level, number)

    def checkpoints(self) -> Iterator[Sealed]:
        seen = self.seen
        for sealed in self._stored():
            if seen is not None and seen.size <= sealed.size:
                self.missing = seen.size < sealed.size
                yield seen
                seen = None
            self.latest = sealed
            yield sealed
        if seen is not None:
            self.missing = True
            yield seen

    def _stored(self) -> Iterator[Sealed]:
        size = -1
        while found := self.whole.checkpoints(size, CHECKPOINTS):
            yield from found
            size = found[-1].size


def verify_log(
    store: Store,
    keys: KeyFile,
    verdict: Verdict,
    *,
    given: VerifierKey | None = None,
    before: Remembered | None = None,
    watcher: Watcher = unwatched,
) -> LogState:
    """All events, with tiles, checkpoints and signatures beside them.

    ``given`` is a key that its user trusts, ``before`` what was seen of this log the last time.
    """
    with store.whole() as whole:
        return verify_whole(whole, keys, verdict, given=given, before=before, watcher=watcher)


def verify_whole(
    whole: Whole,
    keys: KeyFile | None,
    verdict: Verdict,
    *,
    given: VerifierKey | None = None,
    before: Remembered | None = None,
    watcher: Watcher = unwatched,
) -> LogState:
    """The same of a database as one transaction sees it, be it that it is not committed yet; which
    key is at hand is not looked at where there are no ``keys``."""
    stored_keys = whole.keys()
    signatures = SignatureCheck(stored_keys)
    kept = _Kept(whole, _seen(before, signatures, verdict))
    events, tree = EventCheck(), TreeCheck(kept, signatures)
    verdict.add(signatures.keys())
    if keys is not None:
        verdict.add(_key_at_hand(keys, signatures, given, verdict))
    verdict.add(tree.begin())
    for rows in batches(whole, watcher, "Checking events"):
        verdict.add(events.add(rows))
        verdict.add(tree.add(rows))
    verdict.add(tree.end())
    if kept.missing and kept.seen is not None:
        verdict.add([finding("checkpoint-missing", {"size": kept.seen.size})])
    verdict.checked |= {
        "events": events.count,
        "streams": events.streams,
        "bundles": tree.bundles,
        "checkpoints": tree.checkpoints,
        "keys": len(signatures.verifiers),
    }
    if events.count and kept.latest is None:
        verdict.add([finding("seal-missing", {"events": events.count})])
    elif events.count > tree.sealed:
        verdict.notes.append(f"{events.count - tree.sealed} events are under no checkpoint yet")
    ties = [key.tie for key in stored_keys if key.tie is not None]
    return LogState(kept.latest, signatures.verifiers, ties, events)


def batches(whole: Whole, watcher: Watcher, doing: str) -> Iterator[Sequence[WholeRow]]:
    """All events, a batch at a time."""
    position, head = 0, whole.head()
    while rows := whole.rows(position, BATCH):
        watcher(doing, position, head)
        yield rows
        position = rows[-1][0]


def _seen(before: Remembered | None, signatures: SignatureCheck, verdict: Verdict) -> Sealed | None:
    """The checkpoint that was seen, if it is one of this log."""
    if before is None:
        return None
    if signatures.verifiers and signatures.origin != before.origin:
        place = finding("log-renamed", {}, expected=before.origin, found=signatures.origin)
        verdict.add([place])
        return None
    checkpoint = before.checkpoint
    return Sealed(checkpoint.size, checkpoint.root, SOMEWHERE, before.note)


def _key_at_hand(
    keys: KeyFile, signatures: SignatureCheck, given: VerifierKey | None, verdict: Verdict
) -> Iterator[Finding]:
    """Whether the log is the given key's, and the key at hand to sign with is its newest."""
    if given is not None and given not in signatures.verifiers:
        known = ", ".join(map(str, signatures.verifiers)) or "none"
        yield finding("key-unknown", {}, expected=str(given), found=known)
    newest = signatures.verifiers[-1] if signatures.verifiers else None
    try:
        found = keys.key(None).verifier
        if found != newest and keys.beside.exists():
            # A rotation died half-way: the log knows the key beside, and the next seal moves it.
            found = KeyFile(keys.beside).key(None).verifier
    except NoKey:
        verdict.notes.append("there is no key here to sign with")
    except Refused as why:
        yield finding("key-unusable", {"why": str(why)})
    else:
        if newest is not None and found != newest:
            yield finding("key-unfit", {}, expected=str(newest), found=str(found))
