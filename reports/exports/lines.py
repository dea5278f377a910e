"""Views as JSON Lines: one object a line, each of which says by itself what it is about."""

from collections.abc import Iterable, Iterator

import orjson

from projections.board.boards import Board
from projections.decisions.corrections import Correction
from projections.over_time.compared import Compared
from projections.story import Story
from reports.changes import caused_json, said_json
from reports.contract import Json, correction_json, moment_json, row_json, step_json


def board_lines(board: Board) -> Iterator[bytes]:
    """The ranked rows, and behind them those that do not rank, each with its reason."""
    about = {
        "benchmark": board.benchmark.slug,
        "view": board.view,
        **moment_json(board.moment),
    }
    yield from _lines({**about, **row_json(row)} for row in (*board.rows, *board.unranked))


def changes_lines(found: Compared) -> Iterator[bytes]:
    """Every change, oldest first, and behind them what curators said anew."""
    about = {"benchmark": found.after.benchmark.slug}
    yield from _lines({**about, **caused_json(one)} for one in found.steps)
    yield from _lines({**about, **said_json(one)} for one in found.said)


def corrections_lines(entries: Iterable[Correction]) -> Iterator[bytes]:
    """The log of corrections, an entry a line."""
    yield from _lines(map(correction_json, entries))


def claim_lines(story: Story) -> Iterator[bytes]:
    """Everything that a claim said and that was decided about it, a step a line."""
    about = {"claim_id": story.claim_id, "benchmark": story.history.benchmark}
    yield from _lines({**about, **step_json(step)} for step in story.steps)


def _lines(objects: Iterable[Json]) -> Iterator[bytes]:
    return (orjson.dumps(one, option=orjson.OPT_APPEND_NEWLINE) for one in objects)
