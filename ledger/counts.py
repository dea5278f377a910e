"""How the counts of a run record add up, and what follows from them.

What must stay true: harvested = ran + without a recorded run; ran = the sum of its outcomes; the
parts add up to the whole. A count that is not stated may follow from those that are; anything else
is not made of counts, least of all which sample had which outcome.
"""

from collections.abc import Iterable, Mapping

from ledger.errors import BadValue, CountsDisagree
from ledger.events import CountedPart, RunCountsRead
from ledger.vocabulary import LABELS, NO_RUN, RAN, RUN_OUTCOMES

MOST_PARTS = 2_000
LARGEST = 10**9


def check_counts(counts: RunCountsRead) -> None:
    """Refuse counts that do not add up, with the sum that fails."""
    _check_words(counts)
    whole, rest = counts.harvested, counts.no_run
    if rest is not None and whole != counts.ran + rest:
        _disagree(
            f"{whole} harvested, but {counts.ran} ran + {rest} without a run", counts.ran + rest
        )
    if counts.ran > whole:
        _disagree(f"{counts.ran} ran of {whole} harvested", None)
    stated = [f"{counts.outcomes[one]} {one}" for one in RAN if one in counts.outcomes]
    total = sum(counts.outcomes.values())
    if total > counts.ran or (len(counts.outcomes) == len(RAN) and total != counts.ran):
        _disagree(f"{counts.ran} ran, but {' + '.join(stated)}", total)
    if counts.pointer_only is not None and counts.pointer_only > whole:
        _disagree(f"{counts.pointer_only} pointer only of {whole} harvested", None)
    if counts.parts:
        _check_parts(counts)


def _check_words(counts: RunCountsRead) -> None:
    unknown = [one for one in counts.outcomes if one not in RAN]
    if unknown:
        raise BadValue(what="outcome", shown=repr(unknown[0]), why=f"known are {', '.join(RAN)}")
    if len(counts.parts) > MOST_PARTS:
        why = f"at most {MOST_PARTS} are kept"
        raise BadValue(what="parts", shown=f"{len(counts.parts)} of them", why=why)
    numbers = [counts.harvested, counts.ran, counts.no_run, counts.repositories]
    numbers += [counts.pointer_only, *counts.outcomes.values()]
    for part in counts.parts:
        numbers += [part.harvested, part.ran, part.repositories]
        if (part.repository is None) == (part.label is None):
            why = "it is of one repository or of one label"
            raise BadValue(what="part", shown=f"of {part.harvested} samples", why=why)
        if part.label is not None and part.label not in LABELS:
            raise BadValue(
                what="label", shown=repr(part.label), why=f"known are {', '.join(LABELS)}"
            )
    for number in numbers:
        if number is not None and not 0 <= number <= LARGEST:
            why = f"a count is a whole number from 0 to {LARGEST}"
            raise BadValue(what="count", shown=str(number), why=why)


def _check_parts(counts: RunCountsRead) -> None:
    named = [part.repository or part.label for part in counts.parts]
    if len(set(named)) < len(named):
        raise BadValue(what="parts", shown="one of them twice", why="each is stated once")
    for part in counts.parts:
        if part.ran is not None and part.ran > part.harvested:
            _disagree(f"{part.ran} ran of {part.harvested} from {_named(part)}", None)
    _check_sum("harvested", counts.harvested, (part.harvested for part in counts.parts))
    _check_sum("ran", counts.ran, (part.ran for part in counts.parts))
    if counts.repositories is not None and all(part.label for part in counts.parts):
        parts = (part.repositories for part in counts.parts)
        _check_sum("repositories", counts.repositories, parts)


def _check_sum(what: str, whole: int, parts: Iterable[int | None]) -> None:
    """The parts add up to the whole; where some do not state theirs, they do not exceed it."""
    listed = list(parts)
    stated = [part for part in listed if part is not None]
    if sum(stated) > whole or (len(stated) == len(listed) and sum(stated) != whole):
        _disagree(f"{whole} {what}, but by part {' + '.join(map(str, stated))}", sum(stated))


def _named(part: CountedPart) -> str:
    return part.repository or part.label or ""


def _disagree(terms: str, total: int | None) -> None:
    shown = terms if total is None else f"{terms} = {total}"
    raise CountsDisagree(what="The counts", sum=shown)


# --- what follows -----------------------------------------------------------------------------


def all_outcomes(counts: RunCountsRead) -> Mapping[str, int | None]:
    """Every outcome with its count: as stated, or as the sums leave no choice, else ``None``.

    Where the stated ones add up to all that ran, the others are 0; where one alone is not stated,
    it is what is left.
    """
    found: dict[str, int | None] = {one: counts.outcomes.get(one) for one in RUN_OUTCOMES}
    found[NO_RUN] = counts.harvested - counts.ran
    unstated = [one for one in RAN if found[one] is None]
    left = counts.ran - sum(counts.outcomes.values())
    if left == 0 or len(unstated) == 1:
        found |= dict.fromkeys(unstated, left)
    return found
