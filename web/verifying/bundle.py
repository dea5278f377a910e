"""A provenance bundle: its proofs, what it shows, and what is remembered of its log."""

from collections.abc import Mapping, Sequence
from typing import Any

import orjson

from ledger.errors import BadValue
from ledger.proof.bundle import Checked, check_bundle
from ledger.proof.errors import Malformed
from ledger.proof.note import VerifierKey
from ledger.verifying.finding import finding
from ledger.verifying.remembered import Remembered
from ledger.verifying.verdict import Verdict
from reports.rebuild import rebuild
from web.verifying.means import Means
from web.verifying.watched import Watcher, unwatched


def verify_bundle(
    data: bytes,
    verdict: Verdict,
    means: Means,
    *,
    given: VerifierKey | None = None,
    watcher: Watcher = unwatched,
) -> None:
    """Check a bundle: every event is in the signed log, and what it shows follows from them."""
    before = means.memory.of(_origin_in(data))
    trusted = _trusted(given, before)
    watcher("Checking proofs", 0, None)
    try:
        checked = check_bundle(data, trusted)
    except Malformed as why:
        verdict.add([finding("bundle-malformed", {"why": str(why)})])
        return
    verdict.add(finding("bundle-unproved", {"what": what}) for what in checked.problems)
    watcher("Working out what it shows", 0, None)
    verdict.add(finding("bundle-unfit", {"what": what}) for what in _rebuilt(checked.document))
    verdict.checked |= {"events": checked.events, "streams": checked.streams}
    if not checked.pinned:
        keys = ", ".join(str(key) for key in [checked.signed_by] if key)
        verdict.notes.append(
            f"nobody named a key, so the bundle's own word was taken: {keys}; compare it with what"
            " its keeper says elsewhere, and name it with --key"
        )
    _compare(checked, before, verdict, means)


def _trusted(given: VerifierKey | None, before: Remembered | None) -> Sequence[VerifierKey]:
    if given is not None:
        return (given,)
    return () if before is None else before.keys


def _origin_in(data: bytes) -> str:
    """What log a bundle says it is from; nothing is checked yet."""
    try:
        return str(orjson.loads(data)["log"]["origin"])
    except (ValueError, TypeError, KeyError):
        return ""


def _rebuilt(document: Mapping[str, Any]) -> list[str]:
    try:
        return rebuild(document)
    except BadValue as why:
        return [str(why).rstrip(".")]
    except (KeyError, TypeError, ValueError, AttributeError) as why:
        return [f"it is not in the form of a bundle: {why!r}"]


def _compare(checked: Checked, before: Remembered | None, verdict: Verdict, means: Means) -> None:
    """The bundle's checkpoint beside the one that was seen last."""
    if before is None or checked.signed_by is None:
        return
    seen, told = before.checkpoint, checked.checkpoint
    if seen.size == told.size and seen.root != told.root:
        place = {"size": told.size}
        verdict.add([finding("log-forked", place, expected=seen.root, found=told.root)])
        path = means.memory.evidence(before.note, str(checked.document["log"]["checkpoint"]))
        verdict.notes.append(f"both checkpoints are kept in {path}")
    elif seen.size != told.size:
        verdict.notes.append(
            f"its checkpoint of {told.size} leaves was not compared with the one of {seen.size}"
            " that was seen last; verify the log itself for that"
        )
