"""Papers, code samples and probe windows as JSON, under names that scripts may depend on.

Every fact bears its clocks: the date that its source gives, when it was read, when it was recorded.
What is not known is ``null``; what is left out is counted.
"""

from collections.abc import Iterable

from ledger.values import short_instant
from projections.code.papers import ArchiveEntry, Paper, Quote
from reports.code.probes import window_ref
from reports.code.repositories import linked_json
from reports.code.samples import record_json
from reports.code.told import PAPER_CALL, call, stated_json, vocabulary_json
from reports.code.words import (
    day_words,
    hidden_words,
    results_words,
)
from reports.contract import Json, moment_json, source_ref

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
