"""What changed as JSON: between two days on a benchmark, and about one model on all of them."""

from ledger.values import short_instant
from projections.board.rows import Row
from projections.over_time.compared import Caused, Compared, MovedRow
from projections.over_time.model_history import ModelHistory, OnBenchmark
from projections.over_time.restated import Said
from reports.contract import Json, model_json, moment_json, rule_json, source_ref, step_json


def compared_json(found: Compared) -> Json:
    """``/benchmarks/<slug>/changes.json``: ``changes`` are those of ``corrigenda changes --json``,
    each with its ``cause``; ``rows`` are those that moved, with the places of their own changes."""
    board, moment = found.after, found.after.moment
    return {
        "benchmark": {"slug": board.benchmark.slug, "name": board.benchmark.name},
        "view": board.view,
        "metric": rule_json(board.rule),
        "from": short_instant(found.start),
        "to": moment.as_read_on,
        "recorded_through": moment_json(moment)["recorded_through"],
        "changes": [caused_json(one) for one in found.steps],
        "rules": [said_json(one) for one in found.said],
        "rows": [_moved_json(one) for one in found.moved],
        "unmoved": found.unmoved,
    }


def caused_json(one: Caused) -> Json:
    """A change with what made it."""
    return {**step_json(one.step), "cause": _cause_json(one)}


def _cause_json(one: Caused) -> Json:
    if one.step.decision is not None:
        return {"kind": "decision", "correction": one.correction}
    if one.rename is not None:
        return {"kind": "curator", "by": one.rename.by, "why": one.rename.why}
    source = source_ref(one.source) if one.source else None
    return {"kind": "source", "source": source, "snapshot": one.step.snapshot}


def said_json(one: Said) -> Json:
    """What a curator said anew of the benchmark, field by field."""
    fields = one.restated.fields.items()
    return {
        "kind": one.restated.kind,
        "name": one.restated.name or None,
        "before": {name: before for name, (before, _) in fields},
        "after": {name: after for name, (_, after) in fields},
        "read_at": short_instant(one.restated.at),
        "position": one.position,
        "by": one.by,
        "why": one.why,
    }


def _moved_json(one: MovedRow) -> Json:
    return {
        "model": model_json(one.model),
        "before": _place_json(one.before),
        "after": _place_json(one.after),
        "changes": list(one.steps),
        "by_rule": one.ruled,
    }


def _place_json(row: Row | None) -> Json | None:
    if row is None:
        return None
    score = None if row.score is None else row.score.text
    return {"rank": row.rank, "score": score, "unit": row.unit, "claim_id": row.claim_id}


def model_history_json(found: ModelHistory) -> Json:
    """``/models/<slug>/history.json``: every change of every number stated for a model."""
    return {
        "model": found.model.slug,
        "name": found.model.full_name,
        "changes": [_on_benchmark_json(one) for one in found.changes],
    }


def _on_benchmark_json(one: OnBenchmark) -> Json:
    return {**caused_json(one.caused), "benchmark": one.benchmark}
