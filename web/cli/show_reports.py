"""Reports as text that people read in a terminal."""

from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Console

from ledger import events as ev
from ledger.values import short_instant
from projections.decisions.corrections import Correction
from projections.review.queue import WaitingReport
from web.cli.output import visible
from web.cli.show import add, table
from web.cli.show_stories import correction


def reports(out: Console, found: Sequence[WaitingReport]) -> None:
    """Reports, one line each."""
    if not found:
        out.print("No report.")
        return
    made = table("N", "State", "About", "Reason", "Filed by", "Received", "Held by", numbers=("N",))
    for one in found:
        cells = (one.filed_by, short_instant(one.received_at), one.held_by)
        add(made, one.number, one.state, one.target, one.reason, *cells)
    out.print(made)


def report(
    out: Console,
    found: WaitingReport,
    events: Sequence[ev.Recorded],
    decided: Sequence[Correction] = (),
) -> None:
    """One report with all that happened to it."""
    out.print(visible(f"Report {found.number}: {found.reason}, {found.state}"), style="bold")
    out.print(visible(f"About {found.target}, filed by {found.filed_by}."))
    for one in found.proposes:
        out.print(visible(f"Asks for {_proposed(one)}."))
    made = table("When", "What", "By", "Position", numbers=("Position",))
    for record in events:
        envelope = record.envelope
        at, what = short_instant(envelope.recorded_at), envelope.type.partition("/")[0]
        add(made, at, what, envelope.recorded_by, record.position)
    out.print(made)
    for entry in decided:
        correction(out, entry)


def _proposed(change: Mapping[str, Any]) -> str:
    return f"{change['field']}: {change['from'] or 'not stated'} → {change['to'] or 'not stated'}"
