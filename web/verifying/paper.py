"""A PDF made by export: the bundle that is attached to it, and its pages beside those that this
bundle gives when it is printed again."""

import json
import subprocess
import sys
from hashlib import sha256

from ledger.errors import Refused
from ledger.proof.note import VerifierKey
from ledger.verifying.finding import finding
from ledger.verifying.pages import compared
from ledger.verifying.verdict import Verdict
from reports.paper.checking import BUNDLE
from reports.pdf import Failed, pdf_of
from web.verifying.bundle import verify_bundle
from web.verifying.means import Means
from web.verifying.watched import Watcher, unwatched

PATIENCE = 600.0


class _Unread(Refused):
    """{why}."""


def verify_paper(
    data: bytes,
    verdict: Verdict,
    means: Means,
    *,
    given: VerifierKey | None = None,
    watcher: Watcher = unwatched,
) -> None:
    """Check the bundle in a PDF, and that the PDF is what the bundle gives, byte for byte."""
    try:
        bundle = _worker(data, "bundle")
        if not bundle:
            verdict.add([finding("paper-without-bundle", {})])
            return
        verify_bundle(bundle, verdict, means, given=given, watcher=watcher)
        if verdict.has("bundle-malformed"):
            return
        watcher("Printing it again", 0, None)
        _printed_again(data, bundle, verdict)
    except _Unread as why:
        verdict.add([finding("paper-unread", {"why": str(why)})])


def _printed_again(data: bytes, bundle: bytes, verdict: Verdict) -> None:
    try:
        ours = pdf_of(bundle)
    except Failed as why:
        what = f"the bundle cannot be printed again: {why}"
        verdict.add([finding("paper-uncompared", {"why": what}, found="this release")])
        return
    verdict.checked["bytes"] = len(ours)
    if ours == data:
        return
    digest = sha256(bundle).hexdigest()
    verdict.add(compared(_texts(data), _texts(ours), digest))


def _texts(data: bytes) -> list[str]:
    found: list[str] = json.loads(_worker(data, "text"))
    return found


def _worker(data: bytes, wanted: str) -> bytes:
    try:
        done = subprocess.run(  # noqa: S603 -- our own module, and the arguments are ours
            [sys.executable, "-m", "web.verifying.paper_worker", wanted, BUNDLE],
            input=data,
            capture_output=True,
            timeout=PATIENCE,
            check=True,
        )
    except subprocess.TimeoutExpired:
        raise _Unread(why="reading it takes too long") from None
    except subprocess.CalledProcessError:
        raise _Unread(why="it is damaged, or no PDF at all") from None
    return done.stdout
