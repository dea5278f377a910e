"""How whoever holds the paper checks it: the commands, the keys, the checkpoint, the receipt."""

from collections.abc import Sequence

import attrs

from ledger.proof.encoded import bytes_in
from ledger.proof.receipt import Receipt
from reports.paper.document import Json, Paper
from reports.paper.origins import Leaf, leaf_of

BUNDLE, RECEIPT = "bundle.json", "newest-event.tlog-proof"
"""What the attached files are called."""


@attrs.frozen
class Checking:
    """All that somebody needs who does not trust us.

    ``newest`` is the leaf of the newest event behind the paper, which the attached receipt proves.
    """

    origin: str
    keys: Sequence[str]
    checkpoint: str
    size: int | None
    root: str | None
    newest: Leaf | None


def checking_of(paper: Paper) -> Checking:
    """What the bundle says of the log."""
    log = paper.document["log"]
    head = str(log["checkpoint"]).split("\n")
    sized = len(head) > 2 and head[1].isdecimal()
    newest = newest_event(paper)
    return Checking(
        log["origin"],
        log["keys"],
        log["checkpoint"],
        int(head[1]) if sized else None,
        head[2] if sized else None,
        leaf_of(newest) if newest else None,
    )


def newest_event(paper: Paper) -> Json | None:
    """The event behind the paper that was recorded last, with its proof."""
    events: Sequence[Json] = paper.document["events"]
    return max(events, key=lambda event: int(event["position"]), default=None)


def receipt_of(paper: Paper) -> str | None:
    """The receipt of the newest event, as ``….tlog-proof`` has it."""
    newest = newest_event(paper)
    if newest is None or newest["index"] is None:
        return None
    proof = tuple(bytes_in(one, "a proof") for one in newest["proof"])
    return str(Receipt(newest["index"], proof, paper.document["log"]["checkpoint"]))
