"""A paper beside the one that its own bundle gives: what a reader sees, page by page.

Rules:

1. whoever prints the bundle again gets the same bytes, if the release, the press and the fonts are
   the same; where they are not, nothing is known of the pages;
2. where bytes differ, the text of the pages tells where; where that is the same, it says so.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import zip_longest

from ledger.verifying.finding import Finding, finding

PRINTED_BY = re.compile(r"Printed by (Corrigenda .+?)\. The same release")
LONGEST = 200


def compared(theirs: Sequence[str], ours: Sequence[str], digest: str) -> Iterator[Finding]:
    """What the text of a paper's pages says otherwise than the text of one printed now.

    ``digest`` is that of the attached bundle, which the paper has to print. Call it when the bytes
    differ: something is always found.
    """
    press, here = _printed_by(theirs), _printed_by(ours)
    if digest not in "".join(_squeezed(text).replace(" ", "") for text in theirs):
        yield finding("paper-digest", {}, expected=digest)
    if press != here:
        yield finding(
            "paper-uncompared", {"why": f"it says that it was printed by {press}"}, found=here
        )
        return
    found = False
    for page, (their_text, our_text) in enumerate(zip_longest(theirs, ours), 1):
        if their_text is None:
            found = True
            yield finding("paper-page-missing", {"page": page})
        elif our_text is None:
            found = True
            yield finding("paper-page-added", {"page": page})
        elif _squeezed(their_text) != _squeezed(our_text):
            found = True
            says, right = _differing(their_text, our_text)
            yield finding("paper-changed", {"page": page}, expected=right, found=says)
    if not found:
        yield finding("paper-bytes", {})


def _printed_by(texts: Sequence[str]) -> str:
    """What a paper says of its press."""
    for text in reversed(texts):
        found = PRINTED_BY.search(_squeezed(text))
        if found is not None:
            return found[1][:LONGEST]
    return "nobody"


def _squeezed(text: str) -> str:
    return " ".join(text.split())


def _differing(theirs: str, ours: str) -> tuple[str, str]:
    """The first lines that differ."""
    for one, other in zip_longest(theirs.split("\n"), ours.split("\n"), fillvalue=""):
        if _squeezed(one) != _squeezed(other):
            return _squeezed(one)[:LONGEST], _squeezed(other)[:LONGEST]
    return "", ""
