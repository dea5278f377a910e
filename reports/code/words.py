"""Papers, code and probes in words: the same on pages, on paper, on the command line and in JSON.

A number that is not known is said not to be, and never shown as zero.
"""

from collections.abc import Iterable, Iterator

from ledger.probe import Window
from ledger.sample import blamed
from ledger.vocabulary import LABELS, NO_RUN, POINTER_ONLY, PROBE_RESULTS, RAN, RUN_OUTCOMES
from projections.code.papers import ArchiveEntry, Paper
from projections.code.probes import Coverage, Reach
from projections.code.records import RunRecord
from projections.code.tally import Part, Tally
from reports.words import counted, date_words, listed, reading_words

NOBODY = "nobody"
NO_LABEL = "not labelled"


def label_words(label: str | None) -> str:
    """A label as people read it."""
    return NO_LABEL if label is None else LABELS[label][0]


def outcome_words(outcome: str | None) -> str:
    """An outcome as people read it; one that is not told by itself says so."""
    return "not told sample by sample" if outcome is None else RUN_OUTCOMES[outcome][0]


def blame_words(outcome: str | None) -> str | None:
    """Whom an outcome blames; ``None`` where it is not known."""
    return None if outcome is None else blamed(outcome) or NOBODY


def pointer_words(reason: str) -> str:
    """Why no text of a copy is served."""
    return f"pointer only: {POINTER_ONLY[reason]}"


# --- a run record -----------------------------------------------------------------------------


def record_words(record: RunRecord) -> Iterator[str]:
    """What a run record comes to, sentence by sentence."""
    found = record.tally
    where = _repositories(found.repositories)
    ran, without = _number(found.ran, found), _number(found.outcomes[NO_RUN], found)
    said = f"{ran} of {counted(found.harvested, 'sample')}{where} ran; {without} without a"
    yield f"{said[0].upper()}{said[1:]} recorded run."
    yield f"Of those that ran: {listed(_outcomes(found))}."
    yield from _reservations(found)
    if found.pointer_only is not None:
        least = "" if found.counted else "at least "
        yield f"Pointer only: {least}{found.pointer_only} of {found.harvested}."


def _repositories(count: int | None) -> str:
    return "" if count is None else f" from {counted(count, 'repository', 'repositories')}"


def _outcomes(found: Tally) -> Iterator[str]:
    for outcome in RAN:
        blames = blamed(outcome)
        by = f" (blames the {blames})" if blames else ""
        yield f"{_number(found.outcomes[outcome], found)} {RUN_OUTCOMES[outcome][0]}{by}"


def _number(count: int | None, found: Tally) -> str:
    """How many; those of which no outcome is told may be among them."""
    if count is None:
        return "an unknown number"
    return f"at least {count}" if found.not_told else str(count)


def _reservations(found: Tally) -> Iterator[str]:
    """What a reader must know of these numbers."""
    if found.only_counted:
        yield f"{counted(found.only_counted, 'sample')} counted, and not known one by one."
    if found.counted and found.told < found.listed:
        yield "Which sample had which outcome is not told, but for those that say so below."
    if found.not_told:
        yield f"Of {found.not_told} no outcome is told."
    if found.outdated:
        yield "The record's own counts do not cover the samples that are known, which count here."
    if found.moved:
        yield f"{counted(found.moved, 'sample')} counted as decided, not as the record has it."


def part_words(part: Part) -> str:
    """One part of a record by label."""
    where = _repositories(part.repositories)
    ran = "" if part.ran is None else f", {part.ran} ran"
    return f"{label_words(part.label)}: {counted(part.harvested, 'sample')}{where}{ran}"


# --- an archive, a window, the days -----------------------------------------------------------


def results_words(entry: ArchiveEntry) -> str:
    """What an archive has of results, with the day on which it was frozen."""
    rows, day = entry.fact.leaderboard_rows, reading_words(entry.fact.read_at)
    if not rows:
        return f"{entry.source.name} had no leaderboard rows for this paper when frozen, {day}."
    return f"{entry.source.name} had {counted(rows, 'leaderboard row')} when frozen, {day}."


def hidden_words(entry: ArchiveEntry) -> str | None:
    """What an archive has that is counted and not shown."""
    count = entry.fact.tasks_without_page
    if not count:
        return None
    return f"{counted(count, 'task tag')} of {entry.source.name} without a page, not shown."


def window_words(window: Window) -> str:
    """A window with its days, and whether it is over."""
    opened = window.opened
    first, last = date_words(opened.first_day), date_words(opened.last_day)
    return f"{opened.subject}, {first} to {last} ({window.state})"


def coverage_words(found: Coverage) -> str:
    """How much of a window is done."""
    of = "" if found.links is None else f" of {found.links}"
    told = ", ".join(f"{count} {PROBE_RESULTS[one]}" for one, count in found.results.items())
    unknown = "; how many there are to probe is not stated" if found.links is None else ""
    several = (found.probed if found.links is None else found.links) != 1
    return f"{found.probed}{of} {'links' if several else 'link'} probed: {told}{unknown}"


def reach_words(reach: Reach | None) -> str | None:
    """What a probe found; nothing where there was none."""
    if reach is None:
        return None
    fact = reach.probe.fact
    why = f" ({fact.cause})" if fact.cause else ""
    return f"{PROBE_RESULTS[fact.result]}{why}, probed {reading_words(fact.read_at)}"


def day_words(paper: Paper) -> Iterator[tuple[str, str | None, str]]:
    """Each date of a page: what of, the date (``None``: not stated), and what it means."""
    for entry in paper.entries:
        day = reading_words(entry.fact.read_at)
        yield f"{entry.source.name} frozen", day, "what the archive held then, and nothing later"
    for window in paper.windows:
        first, last = window.opened.first_day, window.opened.last_day
        days = f"{date_words(first)} to {date_words(last)}"
        yield "probe window", days, "reachability is from these days, and only of what was probed"
    for record in paper.records:
        day = reading_words(record.read_at)
        yield f"{record.source.name} read", day, "when the record was read, not when samples ran"
        yield from _stated_dates(record)


def _stated_dates(record: RunRecord) -> Iterator[tuple[str, str | None, str]]:
    harvests = {str(one.copy.fact.harvested_on) for one in record.samples} - {"None"}
    states = [one.outcome.tale.state for one in record.samples if one.outcome is not None]
    runs = {str(state.shows.ran_on) for state in states if state is not None} - {"None"}
    yield "harvested", _dates(harvests), "when the code was taken"
    yield "ran", _dates(runs), "when the samples ran"


def _dates(stated: Iterable[str]) -> str | None:
    """Dates in their order, each as precisely as it is stated."""
    return listed(map(date_words, sorted(stated))) or None
