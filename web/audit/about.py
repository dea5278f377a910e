"""What an event is about, as pages that show it."""

from collections.abc import Iterator
from typing import Any

from flask import url_for

from ledger import events as ev
from web.site import Look

PAGES = {
    "benchmark": ("public.board", "slug"),
    "claim": ("public.claim", "claim"),
    "lab": ("public.lab", "slug"),
    "label": ("papers.label", "name"),
    "model": ("public.model", "slug"),
    "paper": ("papers.paper", "name"),
    "probe": ("papers.window", "name"),
    "source": ("public.source", "slug"),
}
"""What has a page of its own, by the kind of its stream."""


def pages_about(look: Look, record: ev.Recorded) -> tuple[tuple[str, str], ...]:
    """The pages that show what an event is about, each by words and address."""
    return tuple(_pages(look, record))


def _pages(look: Look, record: ev.Recorded) -> Iterator[tuple[str, str]]:
    kind, _, name = record.envelope.stream.partition(":")
    if kind in PAGES:
        view, value = PAGES[kind]
        values: dict[str, Any] = {value: name}
        yield f"the {'probe window' if kind == 'probe' else kind}", url_for(view, **values)
    if kind == "sample":
        yield "the sample", url_for("papers.sample", name=name[1:])
    match record.event:
        case ev.ImportReceived():
            yield "the import", url_for("arrivals.imported", position=record.position)
        case ev.SourceFrozen() | ev.ReadingWithdrawn():
            yield "the snapshot", url_for("arrivals.snapshot", digest=record.event.digest)
        case ev.DecisionMade() | ev.DecisionReversed():
            number = look.notice(record.event.decision)
            if number is not None:
                yield f"correction {number}", url_for("corrections.notice", number=number)
