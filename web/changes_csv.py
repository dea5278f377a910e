"""What changed as CSV: one row for each change, oldest first, each with its cause."""

from collections.abc import Iterable

from ledger.values import short_instant
from projections.over_time.compared import Caused, Compared
from projections.over_time.model_history import ModelHistory
from projections.over_time.restated import Said
from web.csv_forms import csv_of

COLUMNS = (
    "kind",
    "read_at",
    "position",
    "benchmark",
    "model",
    "name",
    "metric",
    "old",
    "new",
    "claim_id",
    "cause",
    "correction",
    "source",
    "snapshot",
    "by",
    "why",
)


def changes_csv(found: Compared) -> str:
    """The changes of a span; what curators said anew of the benchmark stands at its place."""
    slug = found.after.benchmark.slug
    rows = [(one.step.read_at, _row(one, slug)) for one in found.steps]
    rows += [(one.restated.at, _said_row(one, slug)) for one in found.said]
    # Steps are in their order already, which the sort keeps.
    return _csv(row for _, row in sorted(rows, key=lambda row: row[0]))


def model_history_csv(found: ModelHistory) -> str:
    """The changes about one model on all benchmarks."""
    return _csv(_row(one.caused, one.benchmark) for one in found.changes)


def _csv(rows: Iterable[tuple[object, ...]]) -> str:
    return csv_of(COLUMNS, (["" if cell is None else str(cell) for cell in row] for row in rows))


def _row(one: Caused, benchmark: str | None) -> tuple[object, ...]:
    step, rename = one.step, one.rename
    decided = step.decision is not None
    cause = "decision" if decided else "source" if rename is None else "curator"
    told = (benchmark, step.model, step.name, step.metric, step.old, step.new, step.claim_id)
    return (
        step.kind,
        short_instant(step.read_at),
        step.position,
        *told,
        cause,
        one.correction,
        one.source.slug if one.source and not decided else None,
        step.snapshot,
        rename.by if rename else None,
        rename.why if rename else None,
    )


def _said_row(one: Said, benchmark: str) -> tuple[object, ...]:
    restated = one.restated
    fields = restated.fields.items()
    rule = restated.name if restated.kind == "rule" else None
    return (
        restated.kind,
        short_instant(restated.at),
        one.position,
        benchmark,
        None,
        restated.name,
        rule,
        "; ".join(f"{name}: {before}" for name, (before, _) in fields if before is not None),
        "; ".join(f"{name}: {after}" for name, (_, after) in fields if after is not None),
        None,
        "curator",
        None,
        None,
        None,
        one.by,
        one.why,
    )
