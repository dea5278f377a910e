"""Claims, sources and corrections as text that people read in a terminal."""

from collections.abc import Iterator, Mapping, Sequence

from rich.console import Console
from rich.table import Table

from ledger.claim import CORRECTABLE, State, field_text
from ledger.values import short_instant
from projections.decisions.corrections import Correction, Touched
from projections.decisions.touched import TouchedSubject
from projections.sources import Source
from projections.story import FrozenReading, Story
from web.cli.output import visible
from web.cli.show import add, steps_table, table, when


def claim(out: Console, story: Story) -> None:
    """One claim: what its source says beside what shows, its readings, steps and decisions."""
    name = story.model_name or "a model that is not tracked"
    out.print(visible(f"Claim {story.claim_id}: {name} on {story.benchmark_name}"), style="bold")
    out.print(visible(f"Stated by {story.source.name} ({story.source.kind}), row {_row(story)}."))
    out.print(when(story.moment))
    if story.state is None:
        out.print("Its source does not state it at this moment.")
    else:
        _state(out, story.state)
        for line in _standing(story, story.state):
            out.print(visible(line))
    out.print("What happened:", style="bold")
    out.print(steps_table(story.steps))
    out.print("Snapshots of its source:", style="bold")
    out.print(readings_table(story.readings))
    for one in story.corrections:
        correction(out, one)


def _row(story: Story) -> str:
    return f"“{story.history.key}”"


def _state(out: Console, state: State) -> None:
    made = table("Field", "Its source says", "What shows")
    for field in ("name", *CORRECTABLE, "as_written", "section", "locator"):
        says, shows = field_text(state.says, field), field_text(state.shows, field)
        if says is not None or shows is not None:
            add(made, field, says, shows)
    out.print(made)


def _standing(story: Story, state: State) -> Iterator[str]:
    """What a reader has to be told beside the number, and by which decision."""
    for mark in story.marks:
        by = f" (decision {mark['decision']})" if "decision" in mark else ""
        yield f"Marked: {mark['text']}{by}."
    if state.held_out:
        yield f"Does not rank: {state.held_out}."
    if state.review:
        yield f"To be looked at again: {'; '.join(state.review)}."


def readings_table(readings: Sequence[FrozenReading]) -> Table:
    """The snapshots of a source."""
    made = table("Read at", "SHA-256", "Recorded by", "Position", "", numbers=("Position",))
    for one in readings:
        told = ["transcribed"] if one.transcribed else []
        told += ["taken back"] if one.withdrawn else []
        by, read_at = one.recorded_by, short_instant(one.read_at)
        add(made, read_at, one.digest, by, one.position, ", ".join(told))
    return made


def source(out: Console, found: Source) -> None:
    """One source: its facts, its readings, and what it states."""
    out.print(visible(f"{found.facts['name']} ({found.slug})"), style="bold")
    for name, value in found.facts.items():
        if value is not None and name not in ("name", "slug"):
            out.print(visible(f"{name}: {value}"))
    out.print("Snapshots:", style="bold")
    out.print(readings_table(found.readings))
    out.print("What it states:", style="bold")
    made = table("Claim", "Benchmark", "Row", "Metric", "Split", "Score", "", numbers=("Score",))
    for one in found.claims:
        standing = None if one["standing"] == "ranked" else one["standing"]
        cells = (one[name] for name in ("claim", "benchmark", "key", "metric", "split", "score"))
        add(made, *cells, standing)
    out.print(made)


def corrections(out: Console, log: Sequence[Correction]) -> None:
    """The public log."""
    if not log:
        out.print("Nothing has been decided yet.")
    for one in log:
        correction(out, one)


def correction(out: Console, one: Correction) -> None:
    """One decision: who, when, why, what was checked, and what it did."""
    what = f"{one.outcome}, {one.type}" if one.type else one.outcome
    out.print(visible(f"Correction {one.number}: {what} ({one.reason})"), style="bold")
    out.print(
        visible(
            f"Decision {one.decision} on report {one.report} by {one.decided_by}{_proposer(one)},"
            f" {short_instant(one.decided_at)}."
        )
    )
    if one.snapshot:
        out.print(f"Checked: snapshot {one.snapshot}.")
    out.print(visible(one.statement))
    for touched in one.claims:
        out.print(visible(_effect(touched)))
    for subject in one.subjects:
        about = f" for paper {subject.paper}" if subject.paper else ""
        where = f"{subject.address} ({subject.name}{about})"
        out.print(visible(f"{where}, from {subject.applies_from}: {_changes(subject)}"))
    if one.replaces is not None:
        out.print(f"It replaces correction {one.replaces}.")
    if one.replaced_by is not None:
        out.print(f"It was replaced by correction {one.replaced_by}.")
    out.print()


def _proposer(one: Correction) -> str:
    return f" (proposed by {one.proposed_by})" if one.proposed_by else ""


def _effect(touched: Touched) -> str:
    name = touched.model or "no model"
    where = f"{touched.claim_id} ({name} on {touched.benchmark})"
    if not touched.before and not touched.after:
        return f"{where}: nothing that shows."
    return f"{where}, from {touched.applies_from}: {_changes(touched)}"


def _changes(touched: Touched | TouchedSubject) -> str:
    changed = "; ".join(
        f"{field}: {_said(touched.before, field)} → {_said(touched.after, field)}"
        for field in dict.fromkeys([*touched.before, *touched.after])
    )
    return f"{changed or 'nothing that shows'}."


def _said(fields: Mapping[str, str | None], field: str) -> str:
    value = fields.get(field)
    return "not stated" if value is None else value
