"""What the cases begin with: boards that say more than a CSV can, and what is shown of them."""

import hashlib

from ledger.events import Statement
from ledger.importing.board import BoardFile, Target
from ledger.values import (
    Digest,
    Slug,
    parse_instant,
)
from projections.story import Story, story_of
from tests.desk import BENCHMARK, SOURCE, Desk


def freeze(desk: Desk, at: str, rows: dict[str, Statement], source: str = SOURCE) -> Digest:
    """Read a board that says more than a CSV can."""
    data = repr((at, sorted(rows.items()))).encode()
    board = BoardFile(
        file="board.json",
        format="test",
        data=data,
        digest=Digest(hashlib.sha256(data).hexdigest()),
        media_type="application/json",
        read_at=parse_instant(at),
        rows=len(rows),
        statements={key: (says,) for key, says in rows.items()},
        metrics=tuple(dict.fromkeys(says.metric for says in rows.values())),
    )
    desk.importer.read(board, Target(source=Slug(source), benchmark=BENCHMARK))
    return board.digest


def story(desk: Desk, claim: str, day: str | None = None) -> Story:
    """The story of a claim as read on a day."""
    moment = desk.moment(day)
    with desk.workspace.views.read() as reader:
        return story_of(reader, desk.workspace.ledger.store, claim, moment)


def marks(desk: Desk, name: str, kind: str, day: str | None = None) -> list[str]:
    """What is said beside a row, of one kind."""
    board = desk.board(day)
    rows = [row for row in (*board.rows, *board.unranked) if row.name == name]
    return [mark["text"] for row in rows for mark in row.marks if mark["kind"] == kind]
