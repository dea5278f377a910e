"""Papers, code samples and probe windows as JSON, under names that scripts may depend on.

Every fact bears its clocks: the date that its source gives, when it was read, when it was recorded.
What is not known is ``null``; what is left out is counted.
"""

from collections.abc import Iterable, Mapping
from typing import Any

import attrs

from ledger.probe import Probe, Window
from ledger.subject import address_of
from ledger.values import PartialDate, instant_text, short_instant
from ledger.vocabulary import LABELS, NO_RUN, POINTER_ONLY, RAN, RUN_OUTCOMES
from projections.code.cited import Stated
from projections.code.papers import ArchiveEntry, Paper, Quote
from projections.code.probes import Coverage, ProbeWindow, Reach
from projections.code.records import Listed, RunRecord
from projections.code.repositories import LabelOf, Linked, Listing
from projections.code.samples import Copy, Outcome, Sample
from projections.code.tales import Tale
from projections.code.tally import Tally
from projections.moment import Moment
from reports.code.words import (
    blame_words,
    coverage_words,
    day_words,
    hidden_words,
    label_words,
    outcome_words,
    record_words,
    results_words,
)
from reports.contract import Json, moment_json, source_ref, step_json

PAPER_CALL = "get_harvested_code_for_paper"
SAMPLE_CALL = "get_code"


# --- parts ------------------------------------------------------------------------------------


def stated_json(stated: Stated) -> Json:
    """Where a fact was read, and where it stands in the ledger."""
    return {
        "snapshot": stated.fact.reading,
        "read_at": short_instant(stated.fact.read_at),
        "recorded_at": instant_text(stated.recorded_at),
        "recorded_by": stated.recorded_by,
        "position": stated.position,
        "marks": stated.marks,
    }


def tale_json(tale: Tale[Any]) -> Json:
    """What is told of a label or a sample: what its source says, what shows, and why."""
    state = tale.state
    return {
        "id": tale.subject,
        "address": address_of(tale.subject),
        "version": tale.told.version,
        "says": _fields(state.says) if state else None,
        "shows": _fields(state.shows) if state else None,
        "corrected_by": list(state.corrected_by) if state else [],
        "retracted_by": state.retracted_by if state else None,
        "disputed_by": state.disputed_by if state else None,
        "review": list(state.review) if state else [],
        "marks": [dict(mark) for mark in tale.marks],
        "history": [step_json(step) for step in tale.steps],
        "snapshots": list(dict.fromkeys(reading.digest for reading in tale.told.readings)),
    }


def _fields(says: Any) -> Json:
    found = attrs.asdict(says, recurse=False)
    return {
        name: value.text if isinstance(value, PartialDate) else value
        for name, value in found.items()
    }


def _date(date: PartialDate | None) -> str | None:
    return None if date is None else date.text


# --- a paper ----------------------------------------------------------------------------------

OWN = ("title", "authors", "arxiv_id", "address", "published_on", "source")
BY_THE_LEDGER = ("slug", "read_at", "why")


def paper_json(paper: Paper) -> Json:
    """``corrigenda paper --json`` and ``/papers/<id>.json``."""
    arxiv_id = paper.facts.get("arxiv_id")
    return {
        "paper": {
            "id": paper.slug,
            "title": paper.title,
            "authors": list(paper.facts.get("authors", ())),
            **{name: paper.facts.get(name) for name in OWN[2:]},
            "facts": {
                name: value
                for name, value in paper.facts.items()
                if name not in (*OWN, *BY_THE_LEDGER)
            },
        },
        **moment_json(paper.moment),
        "first_read": short_instant(paper.first_read),
        "empty_because": paper.empty_because,
        "abstracts": [_quote_json(one) for one in paper.abstracts],
        "repositories": [linked_json(one) for one in paper.repositories],
        "records": [record_json(one) for one in paper.records],
        "tasks": [name for one in paper.entries for name in one.fact.tasks],
        "methods": [name for one in paper.entries for name in one.fact.methods],
        "results": [_results_json(one) for one in paper.entries],
        "hidden": [found for one in paper.entries for found in _hidden_json(one)],
        "windows": [window_ref(one, paper.repositories) for one in paper.windows],
        "claims": [dict(one) for one in paper.claims],
        "caveats": [{"caveat": name, "text": text} for name, text in paper.caveats],
        "dates": [
            {"what": what, "date": date, "means": means} for what, date, means in day_words(paper)
        ],
        "vocabulary": vocabulary_json(),
        "corrections": list(paper.corrections),
        "report": f"papers/{paper.slug}",
        "call": None if arxiv_id is None else call(PAPER_CALL, arxiv_id=arxiv_id),
    }


def call(tool: str, **arguments: str) -> str:
    """A tool call as an agent makes it, with the page's own id filled in."""
    given = ", ".join(f'{name}="{value}"' for name, value in arguments.items())
    return f"{tool}({given})"


def _quote_json(quote: Quote) -> Json:
    return {
        "text": quote.fact.text,
        "licence": quote.fact.licence,
        "source": source_ref(quote.source),
        **stated_json(quote.stated),
    }


def _results_json(entry: ArchiveEntry) -> Json:
    return {
        "source": source_ref(entry.source),
        "frozen_on": short_instant(entry.fact.read_at),
        "leaderboard_rows": entry.fact.leaderboard_rows,
        "sentence": results_words(entry),
        **stated_json(entry.stated),
    }


def _hidden_json(entry: ArchiveEntry) -> Iterable[Json]:
    sentence = hidden_words(entry)
    if sentence is not None:
        yield {
            "what": "task tags without a page",
            "count": entry.fact.tasks_without_page,
            "source": source_ref(entry.source),
            "sentence": sentence,
        }


def vocabulary_json() -> Json:
    """What the words mean, so that no value stands without its definition."""
    return {
        "labels": {
            label: {"name": name, "means": means, "asserted_by": kind}
            for label, (name, means, kind) in LABELS.items()
        },
        "outcomes": {
            outcome: {"name": name, "blames": blame_words(outcome), "means": means}
            for outcome, (name, _, means) in RUN_OUTCOMES.items()
        },
        "pointer_only": dict(POINTER_ONLY),
    }


# --- repositories and labels ------------------------------------------------------------------


def linked_json(linked: Linked) -> Json:
    """A repository of a paper; ``reachability`` is ``null`` where it was not probed."""
    return {
        "repository": linked.slug,
        "name": linked.name,
        "address": linked.address,
        "label": linked.label,
        "label_name": label_words(linked.label),
        "listings": [_listing_json(one) for one in linked.listings],
        "labels": [label_json(one) for one in linked.labels],
        "reachability": reach_json(linked.reach),
    }


def _listing_json(listing: Listing) -> Json:
    return {
        "source": source_ref(listing.source),
        "official": listing.fact.official,
        "mentioned": listing.fact.mentioned,
        **stated_json(listing.stated),
    }


def label_json(label: LabelOf) -> Json:
    """A label: its value, who asserts it, as of when, and all that happened to it."""
    state = label.tale.state
    shown = state.shows if state else None
    return {
        "paper": label.paper,
        "repository": label.repository,
        "value": label.shows,
        "name": label_words(label.shows),
        "means": LABELS[label.shows][1] if label.shows else None,
        "asserted_by": source_ref(label.source),
        "as_of": _date(shown.as_of) if shown else None,
        **tale_json(label.tale),
    }


# --- records and samples ----------------------------------------------------------------------


def record_json(record: RunRecord) -> Json:
    """What one run record holds about a paper; ``stated_outcomes`` are those that it counts itself,
    the others follow from the sums."""
    return {
        "source": source_ref(record.source),
        "read_at": short_instant(record.read_at),
        "sentences": list(record_words(record)),
        **tally_json(record.tally),
        "stated_outcomes": sorted(record.counts.outcomes) if record.counts else [],
        "counts": stated_json(record.counts_stated) if record.counts_stated else None,
        "samples": [_listed_json(one) for one in record.samples],
    }


def tally_json(found: Tally) -> Json:
    """The numbers; instrument failures are counted apart from what blames the code."""
    return {
        "harvested": found.harvested,
        "ran": found.ran,
        "no_run": found.outcomes[NO_RUN],
        "not_told": found.not_told,
        "outcomes": {
            outcome: {"count": found.outcomes[outcome], "blames": blame_words(outcome)}
            for outcome in RAN
        },
        "blames": {whom: _blaming(found, whom) for whom in ("code", "instrument")},
        "repositories": found.repositories,
        "pointer_only": found.pointer_only,
        "listed": found.listed,
        "told": found.told,
        "only_counted": found.only_counted,
        "counted": found.counted,
        "outdated": found.outdated,
        "moved": found.moved,
        "parts": [{"name": label_words(one.label), **attrs.asdict(one)} for one in found.parts],
    }


def _blaming(found: Tally, whom: str) -> int | None:
    counts = [found.outcomes[one] for one in RAN if blame_words(one) == whom]
    known = [count for count in counts if count is not None]
    return sum(known) if len(known) == len(counts) else None


def _listed_json(listed: Listed) -> Json:
    return {
        "code_sha256": listed.sample.code,
        "complete": listed.sample.complete,
        "repository": listed.copy.fact.repository,
        "label": listed.label,
        "outcome": listed.shows,
        "outcome_name": outcome_words(listed.shows),
        "blames": blame_words(listed.shows),
        "licence": listed.copy.fact.licence,
        "pointer_only": listed.copy.fact.pointer_only,
        "file": listed.copy.file or listed.copy.repository_address,
        "marks": [dict(mark) for mark in listed.outcome.tale.marks] if listed.outcome else [],
        "call": call(SAMPLE_CALL, code_sha256=listed.sample.code),
        "report": address_of(listed.sample.tale.subject),
    }


def sample_json(sample: Sample, moment: Moment) -> Json:
    """``/samples/<sha256>.json``; ``complete`` says whether all 64 digits are known, without which
    the call may find nothing."""
    return {
        "code_sha256": sample.code,
        "complete": sample.complete,
        "stated_as": list(sample.codes),
        "may_be": list(sample.may_be),
        **moment_json(moment),
        "copies": [_copy_json(one) for one in sample.copies],
        "outcomes": [_outcome_json(one) for one in sample.outcomes],
        "disagree": sample.disagree,
        **tale_json(sample.tale),
        "vocabulary": vocabulary_json(),
        "report": address_of(sample.tale.subject),
        "call": call(SAMPLE_CALL, code_sha256=sample.code),
    }


def _copy_json(copy: Copy) -> Json:
    fact = copy.fact
    return {
        "source": source_ref(copy.source),
        "repository": fact.repository,
        "repository_name": copy.repository_name,
        "path": fact.path,
        "symbol": fact.symbol,
        "commit": fact.commit,
        "file": copy.file or copy.repository_address,
        "at_commit": fact.commit is not None and copy.file is not None,
        "licence": fact.licence,
        "pointer_only": fact.pointer_only,
        "why_pointer_only": POINTER_ONLY[fact.pointer_only] if fact.pointer_only else None,
        "harvested_on": _date(fact.harvested_on),
        **stated_json(copy.stated),
    }


def _outcome_json(outcome: Outcome) -> Json:
    state = outcome.tale.state
    shown = state.shows.outcome if state and state.retracted_by is None else None
    return {
        "source": source_ref(outcome.source),
        "outcome": shown,
        "outcome_name": outcome_words(shown),
        "blames": blame_words(shown),
        "ran_on": _date(state.shows.ran_on) if state else None,
        "read_at": short_instant(state.reading.read_at) if state else None,
        **tale_json(outcome.tale),
    }


# --- probes -----------------------------------------------------------------------------------


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
