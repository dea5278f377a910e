"""A paper as text that people read in a terminal: each section with its source and its date."""

from collections.abc import Iterable, Iterator

from rich.console import Console

from ledger.values import short_instant
from projections.code.papers import Paper
from projections.code.records import RunRecord
from projections.code.repositories import Linked
from reports.code.words import (
    day_words,
    hidden_words,
    label_words,
    outcome_words,
    part_words,
    pointer_words,
    reach_words,
    record_words,
    results_words,
    window_words,
)
from web.cli.output import visible
from web.cli.show import add, table, when


def paper(out: Console, found: Paper, *, brief: bool = False) -> None:
    """One paper as it was known at a moment; ``brief`` leaves out its claims and caveats."""
    out.print(visible(found.title), style="bold")
    _lines(out, _names(found))
    out.print(when(found.moment))
    if found.empty_because is not None:
        out.print(f"Nothing shows: {found.empty_because}.")
        return
    for quote in found.abstracts:
        licence = f", {quote.fact.licence}" if quote.fact.licence else ""
        out.print(visible(f"Abstract, quoted from {quote.source.name}{licence}:"), style="bold")
        out.print(visible(quote.fact.text or ""))
    _code(out, found)
    for record in found.records:
        _record(out, record)
    _archives(out, found)
    if not brief:
        _claims(out, found)
    _days(out, found)
    if not brief:
        _lines(out, (text for _, text in found.caveats))


def _lines(out: Console, lines: Iterable[str]) -> None:
    for line in lines:
        out.print(visible(line))


def _names(found: Paper) -> Iterator[str]:
    authors = found.facts.get("authors", ())
    if authors:
        yield ", ".join(authors)
    if found.facts.get("arxiv_id"):
        yield f"arXiv:{found.facts['arxiv_id']}"


def _code(out: Console, found: Paper) -> None:
    out.print("Repositories:", style="bold")
    if not found.repositories:
        out.print("None is linked with it.")
        return
    made = table("Repository", "Label", "Asserted by", "As of", "Reachability", "")
    for linked in found.repositories:
        for row in _label_rows(linked):
            add(made, *row)
    out.print(made)
    _lines(out, (f"Probe window: {window_words(one)}." for one in found.windows))


def _label_rows(linked: Linked) -> Iterator[tuple[str | None, ...]]:
    reach = reach_words(linked.reach)
    if not linked.labels:
        yield linked.name, label_words(None), None, None, reach, None
    for label in linked.labels:
        state = label.tale.state
        as_of = str(state.shows.as_of) if state and state.shows.as_of else None
        marks = ", ".join(mark["text"] for mark in label.tale.marks)
        yield linked.name, label_words(label.shows), label.source.name, as_of, reach, marks


def _record(out: Console, record: RunRecord) -> None:
    read = short_instant(record.read_at)
    out.print(visible(f"Code that {record.source.name} ran (read {read}):"), style="bold")
    _lines(out, record_words(record))
    _lines(out, (f"By label: {part_words(part)}." for part in record.tally.parts))
    made = table("SHA-256", "Repository", "Outcome", "Licence", "")
    for one in record.samples:
        digits = one.sample.code if one.sample.complete else f"{one.sample.code}…"
        fact = one.copy.fact
        pointer = pointer_words(fact.pointer_only) if fact.pointer_only else None
        add(made, digits, one.copy.repository_name, outcome_words(one.shows), fact.licence, pointer)
    if record.samples:
        out.print(made)


def _archives(out: Console, found: Paper) -> None:
    out.print("Results, tasks and methods in archives:", style="bold")
    if not found.entries:
        out.print("No archive was read for it.")
    for entry in found.entries:
        tasks, methods = ", ".join(entry.fact.tasks), ", ".join(entry.fact.methods)
        hidden = hidden_words(entry)
        out.print(visible(results_words(entry)))
        _lines(out, filter(None, (tasks and f"Tasks: {tasks}.", hidden)))
        _lines(out, [f"Methods: {methods}."] if methods else [])


def _claims(out: Console, found: Paper) -> None:
    if not found.claims:
        return
    out.print("What it claims:", style="bold")
    made = table("Claim", "Benchmark", "Row", "Metric", "Score", numbers=("Score",))
    for one in found.claims:
        add(made, *(one[name] for name in ("claim", "benchmark", "key", "metric", "score")))
    out.print(made)


def _days(out: Console, found: Paper) -> None:
    out.print("Dates:", style="bold")
    made = table("What", "Date", "What it means")
    for what, date, means in day_words(found):
        add(made, what, date or "not stated", means)
    out.print(made)
