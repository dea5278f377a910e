"""The outside contract: views as JSON, under the names that scripts depend on.

``DESIGN.md`` fixes the names; others may be added, none may go. Scores are strings with the digits
as written, instants are UTC.
"""

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from ledger import events as ev
from ledger.values import instant_text, short_instant
from ledger.wire import plain, plain_statement
from projections.board.benchmarks import Rule
from projections.board.boards import Board
from projections.board.described import ModelOf, SourceOf
from projections.board.history import Coverage, Leader, Post, Status, headline
from projections.board.rows import Row
from projections.decisions.corrections import Correction, Touched
from projections.decisions.touched import TouchedSubject
from projections.moment import Moment
from projections.over_time.changes import Step
from projections.over_time.later import Later
from projections.review.queue import WaitingReport
from projections.sources import Source
from projections.story import FrozenReading, Story

Json = dict[str, Any]
LaterDecisions = Mapping[str, Sequence[Later]]
NOTHING_LATER: LaterDecisions = MappingProxyType({})


def moment_json(moment: Moment) -> Json:
    """The four time parameters as they were understood."""
    return {
        "as_read_on": moment.as_read_on,
        "corrected": moment.plane.value,
        "recorded_through": {
            "position": moment.position,
            "recorded_at": instant_text(moment.recorded_at) if moment.recorded_at else None,
        },
        "published_by": str(moment.published_by) if moment.published_by else None,
    }


def model_json(model: ModelOf | None) -> Json | None:
    """A model as rows and leaders name it."""
    if model is None:
        return None
    return {"id": model.id, "name": model.name, "version": model.version, "lab": model.lab}


def source_ref(source: SourceOf) -> Json:
    """A source as rows name it."""
    return {"slug": source.slug, "kind": source.kind, "name": source.name}


def rule_json(rule: Rule | None) -> Json | None:
    """The metric of a board."""
    if rule is None:
        return None
    return {
        "slug": rule.metric,
        "name": rule.name,
        "unit": rule.unit,
        "higher_is_better": rule.higher_is_better,
        "splits": list(rule.splits) if rule.splits is not None else None,
        "combine": rule.combine,
    }


def row_json(row: Row) -> Json:
    """One line of a board."""
    found: Json = {
        "rank": row.rank,
        "model": model_json(row.model),
        "score": str(row.score) if row.score is not None else None,
        "unit": row.unit,
        "published_on": str(row.published_on) if row.published_on else None,
        "source": source_ref(row.source),
        "key": row.key,
        "as_written": row.as_written,
        "claim_id": row.claim_id,
        "tied": row.tied,
        "marks": [dict(mark) for mark in row.marks],
        "metric": row.metric,
        "split": row.split,
        "setting": row.setting,
        "wording": row.wording,
    }
    if row.why_unranked is not None:
        found["why_unranked"] = row.why_unranked
    if row.parts:
        found["parts"] = [row_json(part) for part in row.parts]
    return found


def leader_json(leader: Leader) -> Json:
    """One holder of number one."""
    return {
        "model": model_json(leader.model),
        "score": leader.score,
        "unit": leader.unit,
        "since": str(leader.since),
        "claim_id": leader.claim_id,
    }


def board_json(
    board: Board,
    leaders: Iterable[Leader],
    status: Status,
    coverage: Iterable[Coverage] = (),
    later: LaterDecisions = NOTHING_LATER,
) -> Json:
    """``corrigenda board --json`` and ``/benchmarks/<slug>.json``; ``later`` is what was decided
    about its claims after its day."""
    held = list(leaders)
    return {
        "benchmark": {"slug": board.benchmark.slug, "name": board.benchmark.name},
        "view": board.view,
        "metric": rule_json(board.rule),
        **moment_json(board.moment),
        "rows": [row_json(row) for row in board.rows],
        "unranked": [row_json(row) for row in board.unranked],
        "untracked": board.untracked,
        "leader": leader_json(held[-1]) if held else None,
        "headline": headline(board),
        "caveats": list(board.benchmark.caveats),
        "evaluation_changes": [dict(one) for one in board.benchmark.evaluation_changes],
        "status": status_json(status),
        "coverage": [coverage_json(one) for one in coverage],
        "empty_because": board.empty_because,
        "changed_since": changed_since_json(later),
    }


def changed_since_json(later: LaterDecisions) -> list[Json]:
    """What was decided after the day shown, in the order of the log."""
    found = [one for decisions in later.values() for one in decisions]
    return [
        {
            "correction": one.number,
            "claim_id": one.claim_id,
            "decided_at": instant_text(one.decided_at),
        }
        for one in sorted(found, key=lambda one: (one.number, one.claim_id))
    ]


def status_json(status: Status) -> Json:
    """The status and the counts that it follows from."""
    return {
        "status": status.word,
        "posts_in_12_months": status.posts_in_year,
        "posts_in_12_months_before": status.posts_in_year_before,
        "last_listed": str(status.last_listed) if status.last_listed else None,
        "before_it_saturated": status.before_it_saturated,
    }


def coverage_json(coverage: Coverage) -> Json:
    """Who of a capability index has a score here."""
    return {
        "index": coverage.index,
        "name": coverage.name,
        "as_of": coverage.as_of,
        "best_rank": coverage.best_rank,
        "best_model": coverage.best_model,
        "without_score": list(coverage.without_score),
        "not_named": coverage.not_named,
    }


def post_json(post: Post) -> Json:
    """A launch post that was read for a benchmark."""
    return {
        "source": post.source,
        "name": post.name,
        "lab": post.lab,
        "published_on": str(post.published_on) if post.published_on else None,
        "listed": post.listed,
    }


def leaders_json(leaders: Iterable[Leader]) -> Json:
    """``corrigenda leaders --json``."""
    return {"leaders": [leader_json(leader) for leader in leaders]}


def step_json(step: Step) -> Json:
    """One change."""
    return {
        "kind": step.kind,
        "model": step.model,
        "name": step.name,
        "metric": step.metric,
        "old": step.old,
        "new": step.new,
        "read_at": short_instant(step.read_at),
        "position": step.position,
        "claim_id": step.claim_id or None,
        "decision": step.decision,
    }


def correction_json(correction: Correction) -> Json:
    """One entry of the public log."""
    return {
        "number": correction.number,
        "decided_at": instant_text(correction.decided_at),
        "outcome": correction.outcome,
        "type": correction.type,
        "reason": correction.reason,
        "statement": correction.statement,
        "claims": [_touched_json(one) for one in correction.claims],
        "subjects": [_subject_json(one) for one in correction.subjects],
        "decided_by": correction.decided_by,
        "proposed_by": correction.proposed_by,
        "snapshot": correction.snapshot,
        "replaces": correction.replaces,
        "replaced_by": correction.replaced_by,
        "in_force": correction.in_force,
        "changed_at": instant_text(correction.changed_at),
        "decision": correction.decision,
        "report": correction.report,
        "target": correction.target,
    }


def _touched_json(touched: Touched) -> Json:
    return {
        "claim_id": touched.claim_id,
        "benchmark": touched.benchmark,
        "model": touched.model,
        "before": dict(touched.before),
        "after": dict(touched.after),
        "applies_from": touched.applies_from,
        "upstream_on": touched.upstream_on,
    }


def _subject_json(touched: TouchedSubject) -> Json:
    """What was done to a label or a sample; ``address`` is its page."""
    return {
        "kind": touched.kind,
        "id": touched.subject,
        "address": touched.address,
        "name": touched.name,
        "paper": touched.paper,
        "before": dict(touched.before),
        "after": dict(touched.after),
        "applies_from": touched.applies_from,
    }


def corrections_json(corrections: Iterable[Correction]) -> Json:
    """``corrigenda corrections --json`` and ``/corrections.json``."""
    return {"corrections": [correction_json(one) for one in corrections]}


def report_json(found: WaitingReport) -> Json:
    """One report as it stands, without any word of its reporter."""
    return {
        "number": found.number,
        "state": found.state,
        "target": found.target,
        "reason": found.reason,
        "proposes": [dict(one) for one in found.proposes],
        "filed_by": found.filed_by,
        "received_at": instant_text(found.received_at),
        "held_by": found.held_by,
        "version": found.version,
        "awaiting": found.awaiting,
        "proposed_by": found.proposed_by,
    }


def reading_json(reading: FrozenReading) -> Json:
    """One snapshot of a source."""
    return {
        "digest": reading.digest,
        "read_at": short_instant(reading.read_at),
        "recorded_at": instant_text(reading.recorded_at),
        "recorded_by": reading.recorded_by,
        "position": reading.position,
        "media_type": reading.media_type,
        "size": reading.size,
        "entries_stated": reading.entries_stated,
        "transcribed": reading.transcribed,
        "file": reading.file,
        "benchmark": reading.benchmark,
        "withdrawn": reading.withdrawn,
    }


def claim_json(story: Story, later: LaterDecisions = NOTHING_LATER) -> Json:
    """``corrigenda claim --json`` and ``/claims/<id>.json``."""
    state = story.state
    return {
        "claim_id": story.claim_id,
        "benchmark": {"slug": story.history.benchmark, "name": story.benchmark_name},
        "source": source_ref(story.source),
        "key": story.history.key,
        **moment_json(story.moment),
        "version": story.history.version,
        "model": story.model,
        "model_name": story.model_name,
        "says": plain_statement(state.says) if state else None,
        "shows": plain_statement(state.shows) if state else None,
        "corrected_by": list(state.corrected_by) if state else [],
        "held_out": state.held_out if state else None,
        "retracted_by": state.retracted_by if state else None,
        "review": list(state.review) if state else [],
        "marks": [dict(mark) for mark in story.marks],
        "history": [step_json(step) for step in story.steps],
        "readings": [reading_json(reading) for reading in story.readings],
        "corrections": [correction_json(one) for one in story.corrections],
        "changed_since": changed_since_json(
            {story.claim_id: later.get(story.claim_id, ())} if later else {}
        ),
    }


def source_json(source: Source) -> Json:
    """``corrigenda source --json`` and ``/sources/<slug>.json``."""
    return {
        "slug": source.slug,
        **{name: value for name, value in source.facts.items() if name != "slug"},
        "readings": [reading_json(reading) for reading in source.readings],
        "claims": [dict(claim) for claim in source.claims],
    }


def event_json(record: ev.Recorded) -> Json:
    """One recorded event, with its position and envelope."""
    envelope = record.envelope
    return {
        "position": record.position,
        "stream": envelope.stream,
        "version": envelope.version,
        "type": envelope.type,
        "recorded_at": instant_text(envelope.recorded_at),
        "recorded_by": envelope.recorded_by,
        "cause": envelope.cause,
        "event": plain(record.event),
    }
