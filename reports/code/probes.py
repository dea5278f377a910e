"""Probe windows, and what they found, as JSON."""

from collections.abc import Iterable, Mapping

from ledger.probe import Probe, Window
from ledger.values import instant_text, short_instant
from projections.code.probes import Coverage, ProbeWindow, Reach
from projections.code.repositories import Linked
from reports.code.words import (
    coverage_words,
)
from reports.contract import Json, moment_json, source_ref


def reach_json(reach: Reach | None) -> Json | None:
    """What the last probe of a link found, and in which window; ``null`` where there was none."""
    if reach is None:
        return None
    return {"window": reach.window.opened.slug, **_probe_json(reach.probe)}


def window_ref(window: Window, repositories: Iterable[Linked] = ()) -> Json:
    """A window as a paper's page names it, and how many of its repositories it did not probe."""
    reached = [one for one in repositories if one.reach and one.reach.window is window]
    listed = list(repositories)
    return {
        "window": window.opened.slug,
        "subject": window.opened.subject,
        "first_day": window.opened.first_day.text,
        "last_day": window.opened.last_day.text,
        "state": window.state,
        "repositories_probed": len(reached),
        "repositories_not_probed": len(listed) - len(reached),
    }


def probe_json(found: ProbeWindow) -> Json:
    """``/probes/<id>.json``: the window, how much of it is done, and each link that was probed."""
    window = found.window
    opened, recorded = window.opened, window.opened_at.envelope
    return {
        "window": opened.slug,
        "subject": opened.subject,
        "about": opened.about,
        "about_name": found.about_name,
        "source": source_ref(found.source) if found.source else None,
        "why": opened.why,
        "first_day": opened.first_day.text,
        "last_day": opened.last_day.text,
        "state": window.state,
        **moment_json(found.moment),
        "opened": {
            "read_at": short_instant(opened.read_at),
            "recorded_at": instant_text(recorded.recorded_at),
            "recorded_by": recorded.recorded_by,
            "position": window.opened_at.position,
        },
        "closed_at": short_instant(window.closed.read_at) if window.closed else None,
        "coverage": _coverage_json(found.coverage),
        "links": _links_json(window.found, found.names),
        "not_probed": window.not_probed,
        "version": window.version,
        "report": f"probes/{opened.slug}",
    }


def _coverage_json(found: Coverage) -> Json:
    return {
        "links": found.links,
        "probed": found.probed,
        "left": found.left,
        "probes": found.probes,
        "results": dict(found.results),
        "sentence": coverage_words(found),
    }


def _links_json(found: Mapping[str, Probe], names: Mapping[str, str]) -> list[Json]:
    return [
        {"repository": names.get(key), **_probe_json(probe)} for key, probe in sorted(found.items())
    ]


def _probe_json(probe: Probe) -> Json:
    fact = probe.fact
    return {
        "link": fact.link,
        "result": fact.result,
        "cause": fact.cause,
        "status": fact.status,
        "found_at": fact.found_at,
        "snapshot": fact.digest,
        "probed_at": short_instant(fact.read_at),
        "recorded_at": instant_text(probe.recorded_at),
        "recorded_by": probe.recorded_by,
        "position": probe.position,
    }
