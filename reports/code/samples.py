"""Run records, their counts, and code samples, as JSON."""

import attrs

from ledger.subject import address_of
from ledger.values import short_instant
from ledger.vocabulary import NO_RUN, POINTER_ONLY, RAN
from projections.code.records import Listed, RunRecord
from projections.code.samples import Copy, Outcome, Sample
from projections.code.tally import Tally
from projections.moment import Moment
from reports.code.told import SAMPLE_CALL, call, date_json, stated_json, tale_json, vocabulary_json
from reports.code.words import (
    blame_words,
    label_words,
    outcome_words,
    record_words,
)
from reports.contract import Json, moment_json, source_ref


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
        "harvested_on": date_json(fact.harvested_on),
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
        "ran_on": date_json(state.shows.ran_on) if state else None,
        "read_at": short_instant(state.reading.read_at) if state else None,
        **tale_json(outcome.tale),
    }
