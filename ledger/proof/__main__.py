"""``python -m ledger.proof BUNDLE``: check a bundle with the standard library and ``cryptography``.

Exit status: 0 all of it is proved, 1 something is not (each is named), 2 wrong usage.
"""

import argparse
import sys
from collections.abc import Iterable, Iterator, Sequence
from hashlib import file_digest
from pathlib import Path
from typing import Any

from ledger.proof.bundle import Checked, check_bundle
from ledger.proof.document import LARGEST
from ledger.proof.errors import Malformed, Unproven
from ledger.proof.named import digests_in
from ledger.proof.note import VerifierKey, verifier_key

STANDARD_INPUT = "-"


def main(words: Sequence[str] | None = None) -> int:
    """Check the bundle that the command line names; the exit status."""
    options = _parser().parse_args(words)
    try:
        data = _read(options.bundle)
        snapshots = [(path, _digest(path)) for path in options.snapshot]
    except OSError as why:
        sys.stderr.write(f"{why.filename or options.bundle}: {why.strerror}\n")
        return 2
    try:
        checked = check_bundle(data, options.key)
        found = list(_snapshots(digests_in(dict(checked.document)), snapshots))
    except Unproven as why:
        sys.stderr.write(f"Not proved: {_visible(str(why))}\n")
        return 1
    problems = [*checked.problems, *(text for text, is_wrong in found if is_wrong)]
    for line in _told(checked):
        sys.stdout.write(f"{_visible(line)}\n")
    for text, is_wrong in found:
        if not is_wrong:
            sys.stdout.write(f"{_visible(text)}\n")
    for problem in problems:
        sys.stderr.write(f"Not proved: {_visible(problem)}\n")
    return 1 if problems else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m ledger.proof",
        description="Check that all events of a provenance bundle are in the signed log.",
    )
    parser.add_argument("bundle", metavar="BUNDLE", help="the file, or - for standard input")
    parser.add_argument(
        "--key",
        metavar="VKEY",
        action="append",
        default=[],
        type=_key,
        help="a key of the log that you trust, as name+hash+base64; may be given again",
    )
    parser.add_argument(
        "--snapshot",
        metavar="FILE",
        action="append",
        default=[],
        help="a frozen file that the bundle should name; may be given again",
    )
    return parser


def _key(text: str) -> VerifierKey:
    try:
        return verifier_key(text)
    except Malformed as why:
        raise argparse.ArgumentTypeError(str(why)) from None


def _read(name: str) -> bytes:
    # One byte more than is allowed, so that a longer one is refused and not cut off.
    if name == STANDARD_INPUT:
        return sys.stdin.buffer.read(LARGEST + 1)
    with Path(name).open("rb") as file:
        return file.read(LARGEST + 1)


def _digest(name: str) -> str:
    with Path(name).open("rb") as file:
        return file_digest(file, "sha256").hexdigest()


def _snapshots(
    known: frozenset[str], given: Iterable[tuple[str, str]]
) -> Iterator[tuple[str, bool]]:
    for path, digest in given:
        is_known = digest in known
        what = "is a snapshot that it names" if is_known else "is no snapshot that it names"
        yield f"{path} {what} (SHA-256 {digest})", not is_known


# --- saying what came of it -------------------------------------------------------------------


def _told(checked: Checked) -> Iterator[str]:
    size, origin = checked.checkpoint.size, checked.checkpoint.origin
    yield f"It says that it is {_subject(checked.document)}."
    yield f"Checkpoint of the log {origin}: {size} leaves, root {checked.checkpoint.root.hex()}."
    if checked.signed_by is not None:
        yield f"Signed by {checked.signed_by}."
        if not checked.pinned:
            yield (
                "WARNING: trusting the key in the bundle itself. Whoever made the bundle could have"
                " made the key too; get the log's key elsewhere and give it with --key."
            )
    if checked.problems:
        return
    yield (
        f"Proved: its {checked.events} events are in that log byte for byte, none of their"
        f" {checked.streams} streams lacks one in between, and its claims, decisions and snapshots"
        " are those of these events."
    )
    yield (
        "Not looked at here: whether what it shows follows from these events (corrigenda verify"
        " rebuilds it), and whether the log has more that belongs to it (only a look at the whole"
        " log can tell)."
    )


def _subject(document: Any) -> str:
    """The subject in words; whatever is missing or strange is shown as it is."""
    subject = document.get("subject")
    about = subject if isinstance(subject, dict) else {}
    words = {
        "board": "the board of {benchmark}, {view}, {metric}",
        "claim": "claim {claim_id}",
        "correction": "correction {number}",
        "corrections": "the corrections from {from} to {to}",
    }.get(str(about.get("kind")), "something unknown")
    recorded = about.get("recorded_through")
    position = recorded.get("position") if isinstance(recorded, dict) else None
    named = {name: about.get(name) for name in ("benchmark", "view", "metric", "claim_id")}
    named |= {name: about.get(name) for name in ("number", "from", "to")}
    read = f", as read on {about.get('as_read_on')}, recorded through position {position}"
    return words.format(**named) + read


def _visible(text: str) -> str:
    """The text on one line, with nothing in it that moves a terminal's cursor or hides."""
    return (
        "".join(
            letter if letter.isprintable() else letter.encode("unicode_escape").decode("ascii")
            for letter in text
        )
        .encode(sys.stdout.encoding or "utf-8", "backslashreplace")
        .decode(sys.stdout.encoding or "utf-8")
    )


if __name__ == "__main__":
    sys.exit(main())
