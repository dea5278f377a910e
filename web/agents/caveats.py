"""What a page tells people before they read on, in text, as agents see no page.

That something ran does not say that it is right; every day is the day of a frozen source; and what
may not be shown is pointed to.
"""

from collections.abc import Iterable, Iterator

from ledger.vocabulary import POINTER_ONLY
from reports.contract import Json

RAN = (
    "Ran is not correct: “ran” says that the code could be executed, and only “ran · honoured” that"
    " it did what a contract asks that was drafted from the code itself."
)
BLAME = (
    "An outcome that blames the instrument (a wrong draft, a fixture that could not drive it) says"
    " nothing about the code."
)
NO_TEXT = "No text of any code is held here: an answer points to where the code is."
WHY_NO_TEXT = (
    "This ledger holds what was read about the code (its digest, where it is, under which licence,"
    " what became of it), and none of its text"
)
OVERLAY = (
    "A decision stands beside what was read and changes nothing of it: as read before that day, the"
    " board shows what was read then."
)
STATED = (
    "A number is what its source states. That it stands here does not say that anybody here ran"
    " the benchmark."
)
FILED_ONLY = "Only decisions are listed; of reports that wait nothing is told."


def frozen(moment: Json) -> str:
    """Of when an answer is."""
    return (
        f"Frozen: only what had been read by {moment['as_read_on']} and recorded up to ledger"
        f" position {moment['recorded_through']['position']} is in it."
    )


def of_board(board: Json) -> Iterator[str]:
    """What stands above a board."""
    yield from board["caveats"]
    for change in board["evaluation_changes"]:
        told = ", ".join(f"{name}: {value}" for name, value in change.items() if value)
        yield f"Its evaluation changed: {told}."
    yield STATED
    if board["untracked"]:
        yield f"{board['untracked']} entries of its sources name no registered model; not ranked."
    yield from changed_since(board)
    yield frozen(board)


def changed_since(found: Json) -> Iterator[str]:
    """That something was decided after the day shown."""
    numbers = sorted({one["correction"] for one in found["changed_since"]})
    if numbers:
        named = ", ".join(map(str, numbers))
        yield f"Changed since: decisions after this day changed what is shown here ({named})."


def of_claim(claim: Json, above: Iterable[str]) -> Iterator[str]:
    """What stands beside a number, and ``above`` its board."""
    yield from (str(mark["text"]) for mark in claim["marks"])
    if claim["held_out"]:
        yield f"Not ranked: {claim['held_out']}."
    if claim["retracted_by"]:
        yield f"Retracted by decision {claim['retracted_by']}."
    yield from (f"Up for review: {why}." for why in claim["review"])
    yield from above
    yield STATED
    yield from changed_since(claim)
    yield frozen(claim)


def of_correction(entry: Json) -> Iterator[str]:
    """Whether a decision still counts."""
    if not entry["in_force"]:
        instead = entry["replaced_by"]
        yield f"Not in force{f': see correction {instead}' if instead else ''}."
    yield OVERLAY


def of_paper(paper: Json) -> Iterator[str]:
    """What stands above a paper, and what each of its dates means."""
    yield from (str(one["text"]) for one in paper["caveats"])
    yield RAN
    yield BLAME
    yield NO_TEXT
    for one in paper["dates"]:
        yield f"{one['what']}: {one['date'] or 'no date is stated'} ({one['means']})."
    yield frozen(paper)


def of_code(sample: Json) -> Iterator[str]:
    """What has to be known of one piece of code."""
    if not sample["complete"]:
        yield f"Only its first {len(sample['code_sha256'])} of 64 digits are on record."
    if sample["may_be"]:
        yield f"These digits begin several samples: {', '.join(sample['may_be'])}."
    if sample["disagree"]:
        yield "The records disagree about what became of it."
    yield from (str(mark["text"]) for mark in sample["marks"])
    yield RAN
    yield BLAME
    yield from _pointers(one["pointer_only"] for one in sample["copies"])
    yield NO_TEXT
    yield frozen(sample)


def why_no_text(sample: Json) -> str:
    """Why no text comes with a piece of code: by the licence where a record says so."""
    reasons = list(_pointers(one["pointer_only"] for one in sample["copies"]))
    return f"{WHY_NO_TEXT}. {' '.join(reasons)}".strip()


def _pointers(reasons: Iterable[str | None]) -> Iterator[str]:
    for reason in sorted({one for one in reasons if one}):
        yield f"Pointer only: {POINTER_ONLY[reason]}; the record serves no text of that copy."
