"""Another Corrigenda over HTTP, and what is remembered of its log."""

from ledger.proof.note import VerifierKey
from ledger.values import instant_text
from ledger.verifying.afar import AfarCheck
from ledger.verifying.remembered import Remembered
from ledger.verifying.verdict import Verdict
from ledger.verifying.walk import Walk
from web.verifying.fetching import Asking
from web.verifying.means import Means
from web.verifying.watched import Watcher, unwatched

PICKED = 8
"""Leaves that are proved one by one."""


def verify_afar(
    address: str,
    verdict: Verdict,
    means: Means,
    *,
    given: VerifierKey | None = None,
    watcher: Watcher = unwatched,
) -> None:
    """Check the log at an address, and remember what was seen if all of it holds."""
    asking = Asking(address)
    here = means.memory.at(address)
    check = AfarCheck(asking, given, here, means.memory.of)
    verdict.add(check.begin())
    if check.checkpoint is not None and verdict.holds:
        _look(check, asking, verdict, means, watcher)
    checkpoint = check.checkpoint
    verdict.checked |= {
        "leaves": checkpoint.size if checkpoint else 0,
        "proofs": check.proofs,
        "picked": check.leaves,
        "requests": asking.requests,
    }
    if check.before is not None and check.forked:
        path = means.memory.evidence(check.before.note, check.note)
        verdict.notes.append(f"both checkpoints are kept in {path}")
    if verdict.holds:
        _remember(check, address, means)
    _say_whom(check, verdict)


def _look(
    check: AfarCheck, asking: Asking, verdict: Verdict, means: Means, watcher: Watcher
) -> None:
    """At some leaves, or at everything."""
    if check.checkpoint is None or not check.checkpoint.size:
        return
    size = check.checkpoint.size
    picked = sorted({means.below(size) for _ in range(PICKED)})
    for done, index in enumerate(picked):
        watcher("Proving leaves", done, len(picked))
        verdict.add(check.picked([index]))
    if not means.everything:
        return
    seen = None if check.before is None else check.before.checkpoint
    walk = Walk(check.checkpoint, asking.tile, seen)
    for index in range(walk.bundles):
        watcher("Fetching tiles", index, walk.bundles)
        verdict.add(walk.bundle(index))
    verdict.add(walk.end())
    check.forked = check.forked or walk.forked
    verdict.checked |= {"tiles": walk.tiles, "entries": walk.entries}


def _remember(check: AfarCheck, address: str, means: Means) -> None:
    if check.checkpoint is None:
        return
    now = instant_text(means.clock())
    if check.before is None:
        seen = Remembered(
            origin=check.checkpoint.origin,
            keys=check.keys,
            ties=tuple(check.ties),
            note=check.note,
            addresses=(address,),
            seen_at=now,
        )
    else:
        seen = check.before.gone_on(
            note=check.note, keys=check.keys, ties=check.ties, address=address, seen_at=now
        )
    means.memory.remember(seen)


def _say_whom(check: AfarCheck, verdict: Verdict) -> None:
    """Which key was believed, and what is known of the log from before."""
    if check.believed is not None and check.checkpoint is not None:
        verdict.notes.append(
            f"nobody named a key, so the log's own word was taken: {check.believed}. It is"
            " remembered from now on; compare it with what its keeper says elsewhere, and name it"
            " with --key"
        )
    if check.before is None:
        verdict.notes.append("this log was not seen before, so it may have been anything till now")
    else:
        size, when = check.before.checkpoint.size, check.before.seen_at
        verdict.notes.append(f"it was seen last at {when}, with {size} leaves")
