"""Everything that a claim said and that was decided about it as CSV, a step a row, oldest first."""

from ledger.values import short_instant
from projections.story import Story
from web.csv_forms import csv_of

COLUMNS = (
    "kind",
    "read_at",
    "position",
    "claim_id",
    "benchmark",
    "source",
    "key",
    "model",
    "name",
    "metric",
    "old",
    "new",
    "decision",
)


def claim_csv(story: Story) -> str:
    """The steps of one claim."""
    history = story.history
    about = (story.claim_id, history.benchmark, history.source, history.key)
    rows = (
        (
            step.kind,
            short_instant(step.read_at),
            step.position,
            *about,
            step.model,
            step.name,
            step.metric,
            step.old,
            step.new,
            step.decision,
        )
        for step in story.steps
    )
    return csv_of(COLUMNS, (["" if cell is None else str(cell) for cell in row] for row in rows))
